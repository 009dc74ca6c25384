// src/strings/de.ts
var e = {
	card_name: "SimVerity",
	card_description: "Wie weit einem grünen Häkchen zu trauen ist, für jedes geprüfte Gerät",
	device_card_name: "SimVerity-Gerät",
	device_card_description: "Wie weit einem grünen Häkchen eines Geräts zu trauen ist",
	feature_name: "SimVerity-Urteil",
	title: "Stimmt das grüne Häkchen?",
	close: "Schließen",
	reload: "Neu laden",
	loading: "Wird geladen …",
	absent: "SimVerity ist nicht eingerichtet oder startet gerade. Einrichten lässt es sich unter „Einstellungen“, „Geräte & Dienste“.",
	forbidden: "Du darfst das nicht sehen. Frag jemanden, der dieses Zuhause verwaltet.",
	mismatch: "Das Dashboard und SimVerity haben verschiedene Versionen, deshalb wird nichts angezeigt. Lade die Seite neu.",
	mismatch_versions: "Karte {card}, SimVerity {told}.",
	empty: "Noch wird kein Gerät geprüft. Füge in SimVerity Geräte hinzu, unter „Einstellungen“, „Geräte & Dienste“.",
	nothing_listed: "Keines der Geräte dieser Karte wird geprüft.",
	all_hidden: "Du darfst keines der geprüften Geräte sehen. Frag jemanden, der dieses Zuhause verwaltet.",
	stale: "Verbindung verloren: Das ist der Stand von vorher.",
	not_audited: "Dieses Gerät wird von SimVerity nicht geprüft.",
	ledger_bad: "Beweisbuch: {state}. Bis das behoben ist, wird nichts freigegeben.",
	witness_gone: "Die Zeugen-App ist nicht erreichbar.",
	unavailable: "Gerade nicht erreichbar",
	share: "{k} von {n} Häkchen falsch",
	share_none: "noch nichts entschieden",
	range: "in Wahrheit zwischen {low} und {high}",
	at_most: "in Wahrheit höchstens {high}",
	anything: "alles ist möglich",
	one_look: "{range}, nach einem einzelnen Blick",
	bar_label: "Anteil falscher grüner Häkchen: {share}, {range}",
	more_audits_one: "Noch {n} fehlerfreie Beobachtung bis zur Freigabe",
	more_audits_other: "Noch {n} fehlerfreie Beobachtungen bis zur Freigabe",
	expected_clear: "Voraussichtlich bis {when}",
	together: "{clear} von {all} Geräten sind freigegeben, als Aussage über alle zugleich",
	promise: "Freigegeben. Würde es in Wahrheit in {tolerance} der Fälle oder öfter versagen, sagten wir dies höchstens in {error} der Fälle zu Unrecht, egal wie oft du nachsiehst",
	predicted: "Vorhergesagt {risk} falsch, hier nicht gemessen (Rückgriffsstufe {level})",
	before_change: "Vor der letzten Änderung: {k} von {n} Prüfungen falsch",
	last_failed: "Zuletzt falsch {when}",
	carried_over: "Aus der Zeit vor einer Änderung",
	witness: "Kamera: {state}",
	trend: "Die letzten {days} Tage",
	legend_wrong: "als falsch gesehen",
	legend_unknown: "unbekannt",
	legend_ruled_out: "ausgeschlossen",
	limit: "Grenze {value}",
	evidence_standing: "Alles bisher Beobachtete",
	evidence_session: "Die letzte Sitzung (ein einzelner Blick)",
	no_cells: "Noch ist nichts gezählt.",
	grid_caption: "{direction}, {path}: falsche unter den entschiedenen Häkchen",
	turn_on: "Einschalten",
	turn_off: "Ausschalten",
	path_single_light: "ein Gerät",
	path_multi_target: "mehrere Geräte",
	path_sensor_to_effect: "vom Sensor zur Wirkung",
	path_cross_device: "über Geräte hinweg",
	column_property: "Was verglichen wurde",
	at_return: "sofort",
	at_settled: "in Ruhe",
	at_seconds: "{seconds} s",
	cell_label: "{property}, {boundary}: {content}",
	cell_share: "{k} von {n} Häkchen falsch",
	cell_none: "nicht entschieden",
	cell_one_sided: "Die Kamera kann hier nur Versagen sehen, es aber nie ausschließen",
	cell_undecided: "{n} unentschieden: {reasons}",
	cell_unchecked: "{n} nie freigegeben",
	cell_more_one: "noch {n} fehlerfreie Beobachtung nötig",
	cell_more_other: "noch {n} fehlerfreie Beobachtungen nötig",
	false_clearances: "Die letzten falschen Häkchen",
	no_false_clearances: "Keines wurde gesehen.",
	false_clearance: "{direction}, {when}: falsch, wenn abgelesen nach {boundaries}",
	plot_label: "Helligkeit, die die Kamera sah, über die Zeit seit dem Befehl, von {low} bis {high}. {stages}",
	plot_time: "Sekunden seit dem Befehl",
	stage_request: "Verlangt",
	stage_source_report: "Sensor meldete",
	stage_agent_read: "Agent sah nach",
	stage_dispatch: "Befehl gesendet",
	stage_software_feedback: "Home Assistant meldete erledigt",
	stage_observable_effect: "Wirklich geschehen",
	stage_at: "{stage} nach {when}",
	stage_between: "{stage} zwischen {low} und {high}",
	stage_before: "{stage} vor {high}",
	absent_not_watched: "nicht beobachtet",
	absent_did_not_happen: "geschah nicht",
	absent_witness_silent: "die Kamera konnte es nicht sagen",
	hashes: "Fingerabdrücke der Beweise",
	hash_ledger: "Beweisbuch, Eintrag {n}",
	hash_manifest: "Plan der Sitzung",
	hash_monitors: "Regeln des Urteils",
	hash_trials: "Versuche der Sitzung",
	hash_coordinates: "Gerät, Software und Kamera",
	ticket: "{property}, gelesen nach {boundaries}: {status}",
	ticket_open: "seither nicht wiederholt",
	ticket_reproduced: "bei der Wiederholung wieder geschehen",
	ticket_fixed: "behoben: bei einer Wiederholung wieder geschehen, danach nicht mehr",
	ticket_not_reproduced: "bei der Wiederholung nicht wieder geschehen; das beweist keine Behebung",
	ticket_inconclusive: "die letzte Wiederholung hat zu wenig entschieden",
	traces_removed: "Die Spuren dieses Versuchs wurden entfernt; was gezählt wurde, bleibt.",
	replay: "Wiederholen",
	confirm_replay: "{name} bekommt noch dreimal den Befehl zum Ein- oder Ausschalten wie damals (Helligkeit und Farben werden nicht wiederholt), wird dazwischen zurückgestellt und dabei gefilmt. Stelle sicher, dass das ungefährlich ist, und lass es bis zum Ende in Ruhe.",
	replay_started: "Die Wiederholung läuft.",
	reliability: "Hat die letzte Sitzung es vorausgesehen?",
	reliability_none: "Es gibt zu wenig zu vergleichen: Nötig sind eine Sitzung und gleichartige Prüfungen außerhalb von ihr.",
	reliability_label: "Von der letzten Sitzung vorausgesehene falsche Prüfungen (waagerecht) gegen die in allen anderen Prüfungen gesehenen (senkrecht). {points}",
	reliability_expected: "vorausgesehen",
	reliability_seen: "gesehen",
	reliability_held: "{direction}, {property}, {boundary}: {expected} vorausgesehen, {k} von {n} gesehen ({low} bis {high}): wie vorausgesehen",
	reliability_broken: "{direction}, {property}, {boundary}: {expected} vorausgesehen, {k} von {n} gesehen ({low} bis {high}): nicht wie vorausgesehen",
	run_session: "Sitzung starten",
	requalify: "Kamera neu prüfen",
	stop: "Sitzung beenden",
	start: "Starten",
	cancel: "Abbrechen",
	confirm_session: "{name} wird je {n} Mal ein- und ausgeschaltet und dabei gefilmt. Sorge dafür, dass das ungefährlich ist, und lass es bis zum Ende in Ruhe.",
	confirm_requalify: "{name} wird einige Male ein- und ausgeschaltet, damit die Kamera sich bewähren kann.",
	repetitions: "Wie oft je Richtung",
	working: "Läuft …",
	requalified: "Die Kamera ist neu geprüft.",
	phase_idle: "Keine Sitzung läuft",
	phase_qualifying: "Die Kamera wird geprüft",
	phase_strobing: "Zum Abgleich wird geschaltet",
	phase_running: "Sitzung läuft",
	phase_finishing: "Wird abgeschlossen",
	progress: "{done} von {total}",
	left: "noch etwa {time}",
	leave_alone: "Bitte lass die Geräte in Ruhe.",
	last_valid: "Letzte Sitzung gültig, {when}",
	last_invalid: "Letzte Sitzung ungültig, {when}: {reasons}",
	editor_title: "Titel",
	editor_entities: "Geräte (alle, wenn leer)",
	editor_entity: "Gerät",
	editor_sort: "Reihenfolge (die schlechtesten zuerst, wenn leer)",
	sort_worst: "Die schlechtesten zuerst",
	sort_name: "Nach Namen",
	editor_hide_session: "Laufende Sitzung ausblenden",
	editor_hide_trend: "Verlauf ausblenden",
	editor_hide_legend: "Legende ausblenden",
	editor_trend_days: "Tage des Verlaufs (7, wenn leer)",
	editor_tap_action: "Beim Antippen (Einzelheiten, wenn leer)",
	editor_hold_action: "Beim Halten",
	config_no_entity: "Wähle ein Gerät: Die Karte braucht „entity“.",
	config_not: "„{option}“ muss {kind} sein.",
	kind_text: "ein Text",
	kind_entities: "eine Liste von Entitäts-IDs",
	kind_flag: "true oder false",
	kind_sort: "„worst“ oder „name“",
	kind_days: "eine ganze Zahl von 1 bis 90",
	kind_action: "eine Aktion",
	reason_no_witness: "keine Kamera",
	reason_unqualified: "die Kamera hat sich noch nicht bewährt",
	reason_qualification_expired: "die Kamera muss sich wieder bewähren",
	reason_witness_offline: "die Kamera war nicht erreichbar",
	reason_ambient_unsuitable: "das Licht im Raum ließ es nicht zu",
	reason_initial_state: "der Zustand vorher war nicht zu sehen",
	reason_return_not_observed: "das Ende des Befehls war nicht zu sehen",
	reason_clock_step: "die Uhr wurde gestellt",
	reason_not_applicable: "trifft nicht zu",
	reason_below_resolution: "zu knapp für diese Kamera",
	reason_not_one_way: "das Licht ging hin und her",
	reason_no_sample: "es kam kein Bild",
	reason_late_reply: "die Kamera antwortete zu spät",
	reason_reference_moved: "das Bild änderte sich anderswo",
	reason_arrival_gap: "die Bilder kamen zu spät",
	reason_stream_restarted: "die Kamera verband sich neu",
	reason_night_switch: "die Kamera wechselte zwischen Tag und Nacht",
	reason_outside_levels: "weder an noch aus",
	reason_unwitnessed_target: "eines der Geräte wird nicht gefilmt",
	reason_state_unknown: "der Zustand war unbekannt"
}, t = {
	card_name: "SimVerity",
	card_description: "How far a green check can be trusted, for every audited device",
	device_card_name: "SimVerity device",
	device_card_description: "How far a green check of one device can be trusted",
	feature_name: "SimVerity disposition",
	title: "Does a green check survive?",
	close: "Close",
	reload: "Reload",
	loading: "Loading…",
	absent: "SimVerity is not set up, or is just starting. It can be set up under Settings, Devices & services.",
	forbidden: "You may not see this. Ask an administrator of this home.",
	mismatch: "The dashboard and SimVerity are of different versions, so nothing is shown. Reload the page.",
	mismatch_versions: "Card {card}, SimVerity {told}.",
	empty: "No device is audited yet. Add devices to SimVerity under Settings, Devices & services.",
	nothing_listed: "None of the devices listed for this card is audited.",
	all_hidden: "You may not see any of the audited devices. Ask an administrator of this home.",
	stale: "Connection lost: this is what was known before.",
	not_audited: "This device is not audited by SimVerity.",
	ledger_bad: "Evidence record: {state}. Nothing is cleared until that is repaired.",
	witness_gone: "The witness app cannot be reached.",
	unavailable: "Not available right now",
	share: "{k} of {n} checks wrong",
	share_none: "no check decided yet",
	range: "truly between {low} and {high}",
	at_most: "truly at most {high}",
	anything: "could be anything",
	one_look: "{range}, by one look",
	bar_label: "Share of wrong green checks: {share}, {range}",
	more_audits_one: "{n} more clean check until cleared",
	more_audits_other: "{n} more clean checks until cleared",
	expected_clear: "Expected by {when}",
	together: "{clear} of {all} devices are clear, said of all at once",
	promise: "Cleared. If it truly failed {tolerance} of the time or more, we would wrongly say so {error} of the time at most, however often you look",
	predicted: "Predicted {risk} wrong, not measured here (backoff level {level})",
	before_change: "Before the last change: {k} of {n} checks wrong",
	last_failed: "Last wrong {when}",
	carried_over: "From before a change",
	witness: "Camera: {state}",
	trend: "The last {days} days",
	legend_wrong: "seen wrong",
	legend_unknown: "not known",
	legend_ruled_out: "ruled out",
	limit: "limit {value}",
	evidence_standing: "Everything observed so far",
	evidence_session: "The last session (one look)",
	no_cells: "No check has been counted yet.",
	grid_caption: "{direction}, {path}: wrong checks of those decided",
	turn_on: "Turning on",
	turn_off: "Turning off",
	path_single_light: "one device",
	path_multi_target: "several devices",
	path_sensor_to_effect: "from sensor to effect",
	path_cross_device: "across devices",
	column_property: "What was compared",
	at_return: "at once",
	at_settled: "settled",
	at_seconds: "{seconds} s",
	cell_label: "{property}, {boundary}: {content}",
	cell_share: "{k} of {n} checks wrong",
	cell_none: "not decided",
	cell_one_sided: "The camera can only see failure here, never rule it out",
	cell_undecided: "{n} undecided: {reasons}",
	cell_unchecked: "{n} never cleared",
	cell_more_one: "{n} more clean check needed",
	cell_more_other: "{n} more clean checks needed",
	false_clearances: "Last wrong green checks",
	no_false_clearances: "None was seen.",
	false_clearance: "{direction}, {when}: wrong when read after {boundaries}",
	plot_label: "Brightness that the camera saw over the time since the command, from {low} to {high}. {stages}",
	plot_time: "Seconds since the command",
	stage_request: "Asked",
	stage_source_report: "Sensor reported",
	stage_agent_read: "Agent looked",
	stage_dispatch: "Command sent",
	stage_software_feedback: "Home Assistant said done",
	stage_observable_effect: "Seen to happen",
	stage_at: "{stage} at {when}",
	stage_between: "{stage} between {low} and {high}",
	stage_before: "{stage} before {high}",
	absent_not_watched: "not watched",
	absent_did_not_happen: "did not happen",
	absent_witness_silent: "the camera could not tell",
	hashes: "Fingerprints of the evidence",
	hash_ledger: "Evidence record, entry {n}",
	hash_manifest: "Plan of the session",
	hash_monitors: "Rules of judging",
	hash_trials: "Trials of the session",
	hash_coordinates: "Device, software and camera",
	ticket: "{property}, read after {boundaries}: {status}",
	ticket_open: "not replayed since",
	ticket_reproduced: "happened again when replayed",
	ticket_fixed: "fixed: it was replayed, happened again, and then no more",
	ticket_not_reproduced: "not reproduced by a replay; that is no proof of a fix",
	ticket_inconclusive: "the last replay decided too little",
	traces_removed: "The traces of this trial were removed; what was counted stays.",
	replay: "Replay",
	confirm_replay: "{name} is told again, three times, to turn on or off as it was then (brightness and colours are not repeated), is put back in between, and filmed. Make sure that this is safe, and leave it alone until the end.",
	replay_started: "The replay is under way.",
	reliability: "Did the last session foresee it?",
	reliability_none: "There is too little to compare: it takes a session, and checks of the same kind outside it.",
	reliability_label: "Wrong checks foreseen by the last session (across) against those seen in all other checks (up). {points}",
	reliability_expected: "foreseen",
	reliability_seen: "seen",
	reliability_held: "{direction}, {property}, {boundary}: {expected} foreseen, {k} of {n} seen ({low} to {high}): as foreseen",
	reliability_broken: "{direction}, {property}, {boundary}: {expected} foreseen, {k} of {n} seen ({low} to {high}): not as foreseen",
	run_session: "Run session",
	requalify: "Re-qualify camera",
	stop: "Stop session",
	start: "Start",
	cancel: "Cancel",
	confirm_session: "{name} is switched on and off {n} times each, and filmed. Make sure that this is safe, and leave it alone until the end.",
	confirm_requalify: "{name} is switched on and off several times so that the camera can prove itself.",
	repetitions: "Times each way",
	working: "Working…",
	requalified: "The camera has been tried again.",
	phase_idle: "No session runs",
	phase_qualifying: "Checking the camera",
	phase_strobing: "Switching to calibrate",
	phase_running: "Session running",
	phase_finishing: "Finishing",
	progress: "{done} of {total}",
	left: "about {time} left",
	leave_alone: "Please leave the devices alone.",
	last_valid: "Last session valid, {when}",
	last_invalid: "Last session not valid, {when}: {reasons}",
	editor_title: "Title",
	editor_entities: "Devices (all when empty)",
	editor_entity: "Device",
	editor_sort: "Order (worst first when empty)",
	sort_worst: "Worst first",
	sort_name: "By name",
	editor_hide_session: "Hide the running session",
	editor_hide_trend: "Hide the trend",
	editor_hide_legend: "Hide the legend",
	editor_trend_days: "Days of the trend (7 when empty)",
	editor_tap_action: "When tapped (details when empty)",
	editor_hold_action: "When held",
	config_no_entity: "Choose a device: the card needs “entity”.",
	config_not: "“{option}” must be {kind}.",
	kind_text: "a text",
	kind_entities: "a list of entity ids",
	kind_flag: "true or false",
	kind_sort: "“worst” or “name”",
	kind_days: "a whole number from 1 to 90",
	kind_action: "an action",
	reason_no_witness: "no camera",
	reason_unqualified: "the camera has not proved itself",
	reason_qualification_expired: "the camera has to prove itself again",
	reason_witness_offline: "the camera was not reachable",
	reason_ambient_unsuitable: "the light in the room did not allow it",
	reason_initial_state: "the state before was not seen",
	reason_return_not_observed: "the end of the command was not seen",
	reason_clock_step: "the clock was set",
	reason_not_applicable: "does not apply",
	reason_below_resolution: "too close to call for this camera",
	reason_not_one_way: "the light went back and forth",
	reason_no_sample: "no picture came",
	reason_late_reply: "the camera answered too late",
	reason_reference_moved: "the picture changed elsewhere",
	reason_arrival_gap: "the pictures came too late",
	reason_stream_restarted: "the camera reconnected",
	reason_night_switch: "the camera changed between day and night",
	reason_outside_levels: "neither on nor off",
	reason_unwitnessed_target: "one of the devices is not filmed",
	reason_state_unknown: "the state was unknown"
}, n = {
	en: t,
	de: e,
	fr: {
		card_name: "SimVerity",
		card_description: "Jusqu’où se fier à une coche verte, pour chaque appareil audité",
		device_card_name: "Appareil SimVerity",
		device_card_description: "Jusqu’où se fier à la coche verte d’un appareil",
		feature_name: "Conclusion de SimVerity",
		title: "La coche verte dit-elle vrai ?",
		close: "Fermer",
		reload: "Recharger",
		loading: "Chargement…",
		absent: "SimVerity n’est pas configuré, ou démarre. Il se configure sous Paramètres, Appareils et services.",
		forbidden: "Vous ne pouvez pas voir ceci. Demandez à un administrateur de ce foyer.",
		mismatch: "Le tableau de bord et SimVerity sont de versions différentes ; rien n’est donc affiché. Rechargez la page.",
		mismatch_versions: "Carte {card}, SimVerity {told}.",
		empty: "Aucun appareil n’est encore audité. Ajoutez des appareils à SimVerity sous Paramètres, Appareils et services.",
		nothing_listed: "Aucun des appareils de cette carte n’est audité.",
		all_hidden: "Vous ne pouvez voir aucun des appareils audités. Demandez à un administrateur de ce foyer.",
		stale: "Connexion perdue : voici ce qui était connu avant.",
		not_audited: "Cet appareil n’est pas audité par SimVerity.",
		ledger_bad: "Registre des preuves : {state}. Rien n’est validé avant réparation.",
		witness_gone: "L’application témoin est injoignable.",
		unavailable: "Indisponible pour l’instant",
		share: "{k} coches sur {n} à tort",
		share_none: "rien n’est encore tranché",
		range: "en réalité entre {low} et {high}",
		at_most: "en réalité au plus {high}",
		anything: "tout est possible",
		one_look: "{range}, d’un seul regard",
		bar_label: "Part des coches vertes à tort : {share}, {range}",
		more_audits_one: "Encore {n} observation sans échec avant validation",
		more_audits_other: "Encore {n} observations sans échec avant validation",
		expected_clear: "Attendu vers le {when}",
		together: "{clear} appareils sur {all} sont validés, dit de tous à la fois",
		promise: "Validé. S’il échouait vraiment {tolerance} du temps ou plus, nous le dirions à tort {error} du temps au plus, quel que soit le nombre de consultations",
		predicted: "Prédit {risk} faux, non mesuré ici (niveau de repli {level})",
		before_change: "Avant le dernier changement : {k} contrôles faux sur {n}",
		last_failed: "Dernière fois à tort : {when}",
		carried_over: "D’avant une modification",
		witness: "Caméra : {state}",
		trend: "Les {days} derniers jours",
		legend_wrong: "vu à tort",
		legend_unknown: "inconnu",
		legend_ruled_out: "exclu",
		limit: "limite {value}",
		evidence_standing: "Tout ce qui a été observé",
		evidence_session: "La dernière séance (un seul regard)",
		no_cells: "Rien n’est encore compté.",
		grid_caption: "{direction}, {path} : coches à tort parmi celles tranchées",
		turn_on: "Allumage",
		turn_off: "Extinction",
		path_single_light: "un appareil",
		path_multi_target: "plusieurs appareils",
		path_sensor_to_effect: "du capteur à l’effet",
		path_cross_device: "entre appareils",
		column_property: "Ce qui a été comparé",
		at_return: "aussitôt",
		at_settled: "au repos",
		at_seconds: "{seconds} s",
		cell_label: "{property}, {boundary} : {content}",
		cell_share: "{k} coches sur {n} à tort",
		cell_none: "non tranché",
		cell_one_sided: "La caméra ne peut ici que constater un échec, jamais l’exclure",
		cell_undecided: "{n} non tranchées : {reasons}",
		cell_unchecked: "{n} jamais validées",
		cell_more_one: "encore {n} observation sans échec",
		cell_more_other: "encore {n} observations sans échec",
		false_clearances: "Dernières coches vertes à tort",
		no_false_clearances: "Aucune n’a été vue.",
		false_clearance: "{direction}, {when} : à tort, lue après {boundaries}",
		plot_label: "Luminosité vue par la caméra depuis la commande, de {low} à {high}. {stages}",
		plot_time: "Secondes depuis la commande",
		stage_request: "Demandé",
		stage_source_report: "Le capteur l’a signalé",
		stage_agent_read: "L’agent a regardé",
		stage_dispatch: "Commande envoyée",
		stage_software_feedback: "Home Assistant l’a dit fait",
		stage_observable_effect: "Vraiment vu",
		stage_at: "{stage} à {when}",
		stage_between: "{stage} entre {low} et {high}",
		stage_before: "{stage} avant {high}",
		absent_not_watched: "non surveillé",
		absent_did_not_happen: "ne s’est pas produit",
		absent_witness_silent: "la caméra n’a pas pu le dire",
		hashes: "Empreintes des preuves",
		hash_ledger: "Registre des preuves, entrée {n}",
		hash_manifest: "Plan de la séance",
		hash_monitors: "Règles du jugement",
		hash_trials: "Essais de la séance",
		hash_coordinates: "Appareil, logiciel et caméra",
		ticket: "{property}, lu après {boundaries} : {status}",
		ticket_open: "pas rejoué depuis",
		ticket_reproduced: "s’est reproduit en rejouant",
		ticket_fixed: "réparé : rejoué, il s’est reproduit, puis plus jamais",
		ticket_not_reproduced: "ne s’est pas reproduit en rejouant ; cela ne prouve pas une réparation",
		ticket_inconclusive: "la dernière répétition a trop peu tranché",
		traces_removed: "Les traces de cet essai ont été retirées ; ce qui a été compté reste.",
		replay: "Rejouer",
		confirm_replay: "{name} reçoit encore trois fois l’ordre de s’allumer ou de s’éteindre, comme alors (luminosité et couleurs ne sont pas répétées), est remis en place entre-temps et filmé. Assurez-vous que c’est sans danger et n’y touchez pas jusqu’à la fin.",
		replay_started: "La répétition est en cours.",
		reliability: "La dernière session l’avait-elle prévu ?",
		reliability_none: "Il y a trop peu à comparer : il faut une session, et des contrôles du même genre en dehors d’elle.",
		reliability_label: "Contrôles faux prévus par la dernière session (en abscisse) face à ceux vus dans tous les autres contrôles (en ordonnée). {points}",
		reliability_expected: "prévu",
		reliability_seen: "vu",
		reliability_held: "{direction}, {property}, {boundary} : {expected} prévu, {k} sur {n} vus ({low} à {high}) : comme prévu",
		reliability_broken: "{direction}, {property}, {boundary} : {expected} prévu, {k} sur {n} vus ({low} à {high}) : pas comme prévu",
		run_session: "Lancer une séance",
		requalify: "Revérifier la caméra",
		stop: "Arrêter la séance",
		start: "Lancer",
		cancel: "Annuler",
		confirm_session: "{name} est allumé et éteint {n} fois chacun, et filmé. Assurez-vous que c’est sans danger, et n’y touchez pas jusqu’à la fin.",
		confirm_requalify: "{name} est allumé et éteint plusieurs fois pour que la caméra fasse ses preuves.",
		repetitions: "Fois dans chaque sens",
		working: "En cours…",
		requalified: "La caméra a été revérifiée.",
		phase_idle: "Aucune séance en cours",
		phase_qualifying: "Vérification de la caméra",
		phase_strobing: "Commutation pour l’étalonnage",
		phase_running: "Séance en cours",
		phase_finishing: "Finalisation",
		progress: "{done} sur {total}",
		left: "encore {time} environ",
		leave_alone: "N’y touchez pas, s’il vous plaît.",
		last_valid: "Dernière séance valable, {when}",
		last_invalid: "Dernière séance non valable, {when} : {reasons}",
		editor_title: "Titre",
		editor_entities: "Appareils (tous si vide)",
		editor_entity: "Appareil",
		editor_sort: "Ordre (les pires d’abord si vide)",
		sort_worst: "Les pires d’abord",
		sort_name: "Par nom",
		editor_hide_session: "Masquer la séance en cours",
		editor_hide_trend: "Masquer la tendance",
		editor_hide_legend: "Masquer la légende",
		editor_trend_days: "Jours de la tendance (7 si vide)",
		editor_tap_action: "Au toucher (détails si vide)",
		editor_hold_action: "Au maintien",
		config_no_entity: "Choisissez un appareil : la carte a besoin de « entity ».",
		config_not: "« {option} » doit être {kind}.",
		kind_text: "un texte",
		kind_entities: "une liste d’identifiants d’entités",
		kind_flag: "true ou false",
		kind_sort: "« worst » ou « name »",
		kind_days: "un nombre entier de 1 à 90",
		kind_action: "une action",
		reason_no_witness: "pas de caméra",
		reason_unqualified: "la caméra n’a pas fait ses preuves",
		reason_qualification_expired: "la caméra doit refaire ses preuves",
		reason_witness_offline: "la caméra était injoignable",
		reason_ambient_unsuitable: "la lumière de la pièce ne le permettait pas",
		reason_initial_state: "l’état d’avant n’a pas été vu",
		reason_return_not_observed: "la fin de la commande n’a pas été vue",
		reason_clock_step: "l’horloge a été réglée",
		reason_not_applicable: "ne s’applique pas",
		reason_below_resolution: "trop serré pour cette caméra",
		reason_not_one_way: "la lumière a fait des allers-retours",
		reason_no_sample: "aucune image n’est venue",
		reason_late_reply: "la caméra a répondu trop tard",
		reason_reference_moved: "l’image a changé ailleurs",
		reason_arrival_gap: "les images sont venues trop tard",
		reason_stream_restarted: "la caméra s’est reconnectée",
		reason_night_switch: "la caméra est passée du jour à la nuit",
		reason_outside_levels: "ni allumé ni éteint",
		reason_unwitnessed_target: "un des appareils n’est pas filmé",
		reason_state_unknown: "l’état était inconnu"
	}
}, r = "component.simverity.entity.sensor", i = {
	disposition: `${r}.disposition.state`,
	suspect: `${r}.disposition.state_attributes.suspect.state`,
	explanation: `${r}.disposition.state_attributes.meaning.state`,
	witness: `${r}.disposition.state_attributes.witness.state`,
	property: `${r}.false_clearance_risk.state_attributes.property.state`,
	source: `${r}.false_clearance_risk.state_attributes.source.state`,
	invalidity: `${r}.session_validity.state_attributes.reasons.state`,
	ledger: `${r}.ledger.state`
}, a = {
	comma_decimal: ["en-US", "en"],
	decimal_comma: [
		"de",
		"es",
		"it"
	],
	space_comma: [
		"fr",
		"sv",
		"cs"
	],
	quote_decimal: ["de-CH"]
};
function o(e) {
	return n[e] ?? n[e.replace(/-.*$/, "")] ?? t;
}
function s(e, t) {
	return e.replace(/\{(\w+)\}/g, (e, n) => String(t[n] ?? e));
}
var c = .005, l = class {
	language;
	locale;
	localize;
	texts;
	plurals;
	formats = /* @__PURE__ */ new Map();
	times;
	days;
	sequence;
	collator;
	constructor(e, t, n, r) {
		this.language = e, this.locale = t, this.localize = n, this.texts = o(e), this.plurals = new Intl.PluralRules(e), this.sequence = new Intl.ListFormat(e, { type: "conjunction" }), this.collator = new Intl.Collator(e, { numeric: !0 });
		let i = {
			12: !0,
			24: !1
		}[t.time_format ?? ""], a = t.time_zone === "server" ? { timeZone: r } : {};
		this.days = new Intl.DateTimeFormat(e, {
			dateStyle: "medium",
			...a
		}), this.times = new Intl.DateTimeFormat(t.time_format === "system" ? void 0 : e, {
			dateStyle: "medium",
			timeStyle: "short",
			...i === void 0 ? {} : { hour12: i },
			...a
		});
	}
	say(e, t = {}) {
		return s(this.texts[e], t);
	}
	known(e) {
		return e in this.texts ? this.texts[e] : void 0;
	}
	count(e, t) {
		let n = this.plurals.select(t) === "one" ? "one" : "other";
		return this.say(`${e}_${n}`, { n: this.number(t) });
	}
	word(e, t) {
		return this.localize(`${i[e]}.${t}`) || t.replaceAll("_", " ");
	}
	reason(e) {
		return this.known(`reason_${e}`) ?? e.replaceAll("_", " ");
	}
	number(e, t = 0) {
		return this.format(`n${t}`, { maximumFractionDigits: t }).format(e);
	}
	percent(e) {
		let t = +(e > 0 && e < .1);
		return this.format(`p${t}`, {
			style: "percent",
			maximumFractionDigits: t
		}).format(e);
	}
	seconds(e) {
		return this.format("s", {
			style: "unit",
			unit: "second",
			unitDisplay: "narrow",
			maximumFractionDigits: 2
		}).format(Math.abs(e) < c ? 0 : e);
	}
	duration(e) {
		let t = e < 90, n = {
			style: "unit",
			unitDisplay: "short",
			maximumFractionDigits: 0
		};
		return (t ? this.format("ds", {
			...n,
			unit: "second"
		}) : this.format("dm", {
			...n,
			unit: "minute"
		})).format(t ? Math.max(5, Math.ceil(e / 5) * 5) : Math.round(e / 60));
	}
	date(e) {
		let t = new Date(e);
		return Number.isNaN(t.getTime()) ? e : this.times.format(t);
	}
	day(e) {
		return this.days.format(new Date(e));
	}
	list(e) {
		return this.sequence.format(e);
	}
	compare(e, t) {
		return this.collator.compare(e, t);
	}
	format(e, t) {
		let n = this.formats.get(e);
		if (n) return n;
		let r = this.locale.number_format ?? "language", i = r === "system" ? void 0 : [...a[r] ?? (r === "none" ? ["en-US"] : [this.language])], o = new Intl.NumberFormat(i, {
			...t,
			...r === "none" ? { useGrouping: !1 } : {}
		});
		return this.formats.set(e, o), o;
	}
};
function u(e) {
	return new l(e.language, e.locale, e.localize, e.config.time_zone);
}
function d(e, t) {
	return e.language === t.language && e.locale === t.locale && e.localize === t.localize;
}
// src/controllers/config.ts
var f = (e) => typeof e == "object" && !!e && typeof e.action == "string", p = (e) => Array.isArray(e) && e.every((e) => typeof e == "string"), m = (e) => Number.isInteger(e) && e >= 1 && e <= 90, ee = {
	kind: "kind_text",
	fits: (e) => typeof e == "string"
}, te = {
	kind: "kind_flag",
	fits: (e) => typeof e == "boolean"
}, ne = {
	kind: "kind_action",
	fits: f
}, re = {
	title: ee,
	entity: ee,
	entities: {
		kind: "kind_entities",
		fits: p
	},
	sort: {
		kind: "kind_sort",
		fits: (e) => e === "worst" || e === "name"
	},
	hide_session: te,
	hide_trend: te,
	hide_legend: te,
	trend_days: {
		kind: "kind_days",
		fits: m
	},
	tap_action: ne,
	hold_action: ne
};
function ie(e, t) {
	let n = o(t), r = typeof e == "object" && e ? e : {};
	for (let [e, t] of Object.entries(r)) {
		let r = re[e];
		if (r && t != null && !r.fits(t)) throw Error(s(n.config_not, {
			option: e,
			kind: n[r.kind]
		}));
	}
}
function ae(e, t) {
	if (ie(e, t), !e?.entity) throw Error(o(t).config_no_entity);
}
var oe = [{
	name: "hide_trend",
	selector: { boolean: {} }
}, {
	name: "trend_days",
	selector: { number: {
		min: 1,
		max: 90,
		mode: "box"
	} }
}], se = [{
	name: "tap_action",
	selector: { ui_action: {} }
}, {
	name: "hold_action",
	selector: { ui_action: {} }
}];
function ce(e) {
	return e.replace(/\..*$/, "");
}
var h = [
	"light",
	"switch",
	"fan",
	"cover",
	"lock",
	"climate",
	"media_player",
	"input_boolean"
];
function le(e) {
	return (t) => {
		let n = `editor_${t.name}`, r = o(e());
		return n in r ? r[n] : t.name;
	};
}
function ue(e) {
	let t = o(e()), n = [{
		value: "worst",
		label: t.sort_worst
	}, {
		value: "name",
		label: t.sort_name
	}];
	return {
		schema: [
			{
				name: "title",
				selector: { text: {} }
			},
			{
				name: "entities",
				selector: { entity: {
					multiple: !0,
					filter: { domain: h }
				} }
			},
			{
				name: "sort",
				selector: { select: {
					mode: "dropdown",
					options: n
				} }
			},
			{
				name: "hide_session",
				selector: { boolean: {} }
			},
			{
				name: "hide_legend",
				selector: { boolean: {} }
			},
			...oe,
			...se
		],
		computeLabel: le(e),
		assertConfig: (t) => ie(t, e())
	};
}
function de(e) {
	return {
		schema: [
			{
				name: "entity",
				required: !0,
				selector: { entity: { filter: { domain: h } } }
			},
			...oe,
			...se
		],
		computeLabel: le(e),
		assertConfig: (t) => ae(t, e())
	};
}
// src/controllers/suggestions.ts
var fe = "simverity";
function pe(e, t) {
	let n = e.entities[t]?.device_id;
	return !n || !h.includes(ce(t)) ? !1 : Object.values(e.entities).some((e) => e?.platform === fe && e.device_id === n);
}
function me(e) {
	return Object.keys(e.entities).find((t) => pe(e, t)) ?? null;
}
function he(e, t) {
	return pe(e, t) ? { config: {
		type: "custom:simverity-device-card",
		entity: t
	} } : null;
}
function ge(e, t) {
	return t ? e.entities[t]?.platform === fe || h.includes(ce(t)) : !1;
}
function _e(e, t) {
	for (let [n, { entityId: r, sensors: i }] of e.subjects) if ([
		r,
		i.disposition,
		i.risk
	].includes(t)) return n;
	return null;
}
// node_modules/@lit/reactive-element/css-tag.js
var g = globalThis, ve = g.ShadowRoot && (g.ShadyCSS === void 0 || g.ShadyCSS.nativeShadow) && "adoptedStyleSheets" in Document.prototype && "replace" in CSSStyleSheet.prototype, ye = Symbol(), be = /* @__PURE__ */ new WeakMap(), xe = class {
	constructor(e, t, n) {
		if (this._$cssResult$ = !0, n !== ye) throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");
		this.cssText = e, this.t = t;
	}
	get styleSheet() {
		let e = this.o, t = this.t;
		if (ve && e === void 0) {
			let n = t !== void 0 && t.length === 1;
			n && (e = be.get(t)), e === void 0 && ((this.o = e = new CSSStyleSheet()).replaceSync(this.cssText), n && be.set(t, e));
		}
		return e;
	}
	toString() {
		return this.cssText;
	}
}, Se = (e) => new xe(typeof e == "string" ? e : e + "", void 0, ye), _ = (e, ...t) => new xe(e.length === 1 ? e[0] : t.reduce((t, n, r) => t + ((e) => {
	if (!0 === e._$cssResult$) return e.cssText;
	if (typeof e == "number") return e;
	throw Error("Value passed to 'css' function must be a 'css' function result: " + e + ". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.");
})(n) + e[r + 1], e[0]), e, ye), Ce = (e, t) => {
	if (ve) e.adoptedStyleSheets = t.map((e) => e instanceof CSSStyleSheet ? e : e.styleSheet);
	else for (let n of t) {
		let t = document.createElement("style"), r = g.litNonce;
		r !== void 0 && t.setAttribute("nonce", r), t.textContent = n.cssText, e.appendChild(t);
	}
}, we = ve ? (e) => e : (e) => e instanceof CSSStyleSheet ? ((e) => {
	let t = "";
	for (let n of e.cssRules) t += n.cssText;
	return Se(t);
})(e) : e, { is: Te, defineProperty: Ee, getOwnPropertyDescriptor: De, getOwnPropertyNames: Oe, getOwnPropertySymbols: ke, getPrototypeOf: Ae } = Object, je = globalThis, Me = je.trustedTypes, Ne = Me ? Me.emptyScript : "", Pe = je.reactiveElementPolyfillSupport, v = (e, t) => e, Fe = {
	toAttribute(e, t) {
		switch (t) {
			case Boolean:
				e = e ? Ne : null;
				break;
			case Object:
			case Array: e = e == null ? e : JSON.stringify(e);
		}
		return e;
	},
	fromAttribute(e, t) {
		let n = e;
		switch (t) {
			case Boolean:
				n = e !== null;
				break;
			case Number:
				n = e === null ? null : Number(e);
				break;
			case Object:
			case Array: try {
				n = JSON.parse(e);
			} catch {
				n = null;
			}
		}
		return n;
	}
}, Ie = (e, t) => !Te(e, t), Le = {
	attribute: !0,
	type: String,
	converter: Fe,
	reflect: !1,
	useDefault: !1,
	hasChanged: Ie
};
Symbol.metadata ??= Symbol("metadata"), je.litPropertyMetadata ??= /* @__PURE__ */ new WeakMap();
var y = class extends HTMLElement {
	static addInitializer(e) {
		this._$Ei(), (this.l ??= []).push(e);
	}
	static get observedAttributes() {
		return this.finalize(), this._$Eh && [...this._$Eh.keys()];
	}
	static createProperty(e, t = Le) {
		if (t.state && (t.attribute = !1), this._$Ei(), this.prototype.hasOwnProperty(e) && ((t = Object.create(t)).wrapped = !0), this.elementProperties.set(e, t), !t.noAccessor) {
			let n = Symbol(), r = this.getPropertyDescriptor(e, n, t);
			r !== void 0 && Ee(this.prototype, e, r);
		}
	}
	static getPropertyDescriptor(e, t, n) {
		let { get: r, set: i } = De(this.prototype, e) ?? {
			get() {
				return this[t];
			},
			set(e) {
				this[t] = e;
			}
		};
		return {
			get: r,
			set(t) {
				let a = r?.call(this);
				i?.call(this, t), this.requestUpdate(e, a, n);
			},
			configurable: !0,
			enumerable: !0
		};
	}
	static getPropertyOptions(e) {
		return this.elementProperties.get(e) ?? Le;
	}
	static _$Ei() {
		if (this.hasOwnProperty(v("elementProperties"))) return;
		let e = Ae(this);
		e.finalize(), e.l !== void 0 && (this.l = [...e.l]), this.elementProperties = new Map(e.elementProperties);
	}
	static finalize() {
		if (this.hasOwnProperty(v("finalized"))) return;
		if (this.finalized = !0, this._$Ei(), this.hasOwnProperty(v("properties"))) {
			let e = this.properties, t = [...Oe(e), ...ke(e)];
			for (let n of t) this.createProperty(n, e[n]);
		}
		let e = this[Symbol.metadata];
		if (e !== null) {
			let t = litPropertyMetadata.get(e);
			if (t !== void 0) for (let [e, n] of t) this.elementProperties.set(e, n);
		}
		this._$Eh = /* @__PURE__ */ new Map();
		for (let [e, t] of this.elementProperties) {
			let n = this._$Eu(e, t);
			n !== void 0 && this._$Eh.set(n, e);
		}
		this.elementStyles = this.finalizeStyles(this.styles);
	}
	static finalizeStyles(e) {
		let t = [];
		if (Array.isArray(e)) {
			let n = new Set(e.flat(1 / 0).reverse());
			for (let e of n) t.unshift(we(e));
		} else e !== void 0 && t.push(we(e));
		return t;
	}
	static _$Eu(e, t) {
		let n = t.attribute;
		return !1 === n ? void 0 : typeof n == "string" ? n : typeof e == "string" ? e.toLowerCase() : void 0;
	}
	constructor() {
		super(), this._$Ep = void 0, this.isUpdatePending = !1, this.hasUpdated = !1, this._$Em = null, this._$Ev();
	}
	_$Ev() {
		this._$ES = new Promise((e) => this.enableUpdating = e), this._$AL = /* @__PURE__ */ new Map(), this._$E_(), this.requestUpdate(), this.constructor.l?.forEach((e) => e(this));
	}
	addController(e) {
		(this._$EO ??= /* @__PURE__ */ new Set()).add(e), this.renderRoot !== void 0 && this.isConnected && e.hostConnected?.();
	}
	removeController(e) {
		this._$EO?.delete(e);
	}
	_$E_() {
		let e = /* @__PURE__ */ new Map(), t = this.constructor.elementProperties;
		for (let n of t.keys()) this.hasOwnProperty(n) && (e.set(n, this[n]), delete this[n]);
		e.size > 0 && (this._$Ep = e);
	}
	createRenderRoot() {
		let e = this.shadowRoot ?? this.attachShadow(this.constructor.shadowRootOptions);
		return Ce(e, this.constructor.elementStyles), e;
	}
	connectedCallback() {
		this.renderRoot ??= this.createRenderRoot(), this.enableUpdating(!0), this._$EO?.forEach((e) => e.hostConnected?.());
	}
	enableUpdating(e) {}
	disconnectedCallback() {
		this._$EO?.forEach((e) => e.hostDisconnected?.());
	}
	attributeChangedCallback(e, t, n) {
		this._$AK(e, n);
	}
	_$ET(e, t) {
		let n = this.constructor.elementProperties.get(e), r = this.constructor._$Eu(e, n);
		if (r !== void 0 && !0 === n.reflect) {
			let i = (n.converter?.toAttribute === void 0 ? Fe : n.converter).toAttribute(t, n.type);
			this._$Em = e, i == null ? this.removeAttribute(r) : this.setAttribute(r, i), this._$Em = null;
		}
	}
	_$AK(e, t) {
		let n = this.constructor, r = n._$Eh.get(e);
		if (r !== void 0 && this._$Em !== r) {
			let e = n.getPropertyOptions(r), i = typeof e.converter == "function" ? { fromAttribute: e.converter } : e.converter?.fromAttribute === void 0 ? Fe : e.converter;
			this._$Em = r;
			let a = i.fromAttribute(t, e.type);
			this[r] = a ?? this._$Ej?.get(r) ?? a, this._$Em = null;
		}
	}
	requestUpdate(e, t, n, r = !1, i) {
		if (e !== void 0) {
			let a = this.constructor;
			if (!1 === r && (i = this[e]), n ??= a.getPropertyOptions(e), !((n.hasChanged ?? Ie)(i, t) || n.useDefault && n.reflect && i === this._$Ej?.get(e) && !this.hasAttribute(a._$Eu(e, n)))) return;
			this.C(e, t, n);
		}
		!1 === this.isUpdatePending && (this._$ES = this._$EP());
	}
	C(e, t, { useDefault: n, reflect: r, wrapped: i }, a) {
		n && !(this._$Ej ??= /* @__PURE__ */ new Map()).has(e) && (this._$Ej.set(e, a ?? t ?? this[e]), !0 !== i || a !== void 0) || (this._$AL.has(e) || (this.hasUpdated || n || (t = void 0), this._$AL.set(e, t)), !0 === r && this._$Em !== e && (this._$Eq ??= /* @__PURE__ */ new Set()).add(e));
	}
	async _$EP() {
		this.isUpdatePending = !0;
		try {
			await this._$ES;
		} catch (e) {
			Promise.reject(e);
		}
		let e = this.scheduleUpdate();
		return e != null && await e, !this.isUpdatePending;
	}
	scheduleUpdate() {
		return this.performUpdate();
	}
	performUpdate() {
		if (!this.isUpdatePending) return;
		if (!this.hasUpdated) {
			if (this.renderRoot ??= this.createRenderRoot(), this._$Ep) {
				for (let [e, t] of this._$Ep) this[e] = t;
				this._$Ep = void 0;
			}
			let e = this.constructor.elementProperties;
			if (e.size > 0) for (let [t, n] of e) {
				let { wrapped: e } = n, r = this[t];
				!0 !== e || this._$AL.has(t) || r === void 0 || this.C(t, void 0, n, r);
			}
		}
		let e = !1, t = this._$AL;
		try {
			e = this.shouldUpdate(t), e ? (this.willUpdate(t), this._$EO?.forEach((e) => e.hostUpdate?.()), this.update(t)) : this._$EM();
		} catch (t) {
			throw e = !1, this._$EM(), t;
		}
		e && this._$AE(t);
	}
	willUpdate(e) {}
	_$AE(e) {
		this._$EO?.forEach((e) => e.hostUpdated?.()), this.hasUpdated || (this.hasUpdated = !0, this.firstUpdated(e)), this.updated(e);
	}
	_$EM() {
		this._$AL = /* @__PURE__ */ new Map(), this.isUpdatePending = !1;
	}
	get updateComplete() {
		return this.getUpdateComplete();
	}
	getUpdateComplete() {
		return this._$ES;
	}
	shouldUpdate(e) {
		return !0;
	}
	update(e) {
		this._$Eq &&= this._$Eq.forEach((e) => this._$ET(e, this[e])), this._$EM();
	}
	updated(e) {}
	firstUpdated(e) {}
};
y.elementStyles = [], y.shadowRootOptions = { mode: "open" }, y[v("elementProperties")] = /* @__PURE__ */ new Map(), y[v("finalized")] = /* @__PURE__ */ new Map(), Pe?.({ ReactiveElement: y }), (je.reactiveElementVersions ??= []).push("2.1.2");
// node_modules/lit-html/lit-html.js
var Re = globalThis, ze = (e) => e, Be = Re.trustedTypes, Ve = Be ? Be.createPolicy("lit-html", { createHTML: (e) => e }) : void 0, He = "$lit$", b = `lit$${Math.random().toFixed(9).slice(2)}$`, Ue = "?" + b, We = `<${Ue}>`, x = document, S = () => x.createComment(""), C = (e) => e === null || typeof e != "object" && typeof e != "function", Ge = Array.isArray, Ke = (e) => Ge(e) || typeof e?.[Symbol.iterator] == "function", qe = "[ 	\n\f\r]", w = /<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g, Je = /-->/g, Ye = />/g, T = RegExp(`>|${qe}(?:([^\\s"'>=/]+)(${qe}*=${qe}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`, "g"), Xe = /'/g, Ze = /"/g, Qe = /^(?:script|style|textarea|title)$/i, $e = (e) => (t, ...n) => ({
	_$litType$: e,
	strings: t,
	values: n
}), E = $e(1), D = $e(2), O = Symbol.for("lit-noChange"), k = Symbol.for("lit-nothing"), et = /* @__PURE__ */ new WeakMap(), A = x.createTreeWalker(x, 129);
function tt(e, t) {
	if (!Ge(e) || !e.hasOwnProperty("raw")) throw Error("invalid template strings array");
	return Ve === void 0 ? t : Ve.createHTML(t);
}
var nt = (e, t) => {
	let n = e.length - 1, r = [], i, a = t === 2 ? "<svg>" : t === 3 ? "<math>" : "", o = w;
	for (let t = 0; t < n; t++) {
		let n = e[t], s, c, l = -1, u = 0;
		for (; u < n.length && (o.lastIndex = u, c = o.exec(n), c !== null);) u = o.lastIndex, o === w ? c[1] === "!--" ? o = Je : c[1] === void 0 ? c[2] === void 0 ? c[3] !== void 0 && (o = T) : (Qe.test(c[2]) && (i = RegExp("</" + c[2], "g")), o = T) : o = Ye : o === T ? c[0] === ">" ? (o = i ?? w, l = -1) : c[1] === void 0 ? l = -2 : (l = o.lastIndex - c[2].length, s = c[1], o = c[3] === void 0 ? T : c[3] === "\"" ? Ze : Xe) : o === Ze || o === Xe ? o = T : o === Je || o === Ye ? o = w : (o = T, i = void 0);
		let d = o === T && e[t + 1].startsWith("/>") ? " " : "";
		a += o === w ? n + We : l >= 0 ? (r.push(s), n.slice(0, l) + He + n.slice(l) + b + d) : n + b + (l === -2 ? t : d);
	}
	return [tt(e, a + (e[n] || "<?>") + (t === 2 ? "</svg>" : t === 3 ? "</math>" : "")), r];
}, rt = class e {
	constructor({ strings: t, _$litType$: n }, r) {
		let i;
		this.parts = [];
		let a = 0, o = 0, s = t.length - 1, c = this.parts, [l, u] = nt(t, n);
		if (this.el = e.createElement(l, r), A.currentNode = this.el.content, n === 2 || n === 3) {
			let e = this.el.content.firstChild;
			e.replaceWith(...e.childNodes);
		}
		for (; (i = A.nextNode()) !== null && c.length < s;) {
			if (i.nodeType === 1) {
				if (i.hasAttributes()) for (let e of i.getAttributeNames()) if (e.endsWith(He)) {
					let t = u[o++], n = i.getAttribute(e).split(b), r = /([.?@])?(.*)/.exec(t);
					c.push({
						type: 1,
						index: a,
						name: r[2],
						strings: n,
						ctor: r[1] === "." ? ot : r[1] === "?" ? st : r[1] === "@" ? ct : M
					}), i.removeAttribute(e);
				} else e.startsWith(b) && (c.push({
					type: 6,
					index: a
				}), i.removeAttribute(e));
				if (Qe.test(i.tagName)) {
					let e = i.textContent.split(b), t = e.length - 1;
					if (t > 0) {
						i.textContent = Be ? Be.emptyScript : "";
						for (let n = 0; n < t; n++) i.append(e[n], S()), A.nextNode(), c.push({
							type: 2,
							index: ++a
						});
						i.append(e[t], S());
					}
				}
			} else if (i.nodeType === 8) {
				if (i.data === Ue) c.push({
					type: 2,
					index: a
				});
				else {
					let e = -1;
					for (; (e = i.data.indexOf(b, e + 1)) !== -1;) c.push({
						type: 7,
						index: a
					}), e += b.length - 1;
				}
			}
			a++;
		}
	}
	static createElement(e, t) {
		let n = x.createElement("template");
		return n.innerHTML = e, n;
	}
};
function j(e, t, n = e, r) {
	if (t === O) return t;
	let i = r === void 0 ? n._$Cl : n._$Co?.[r], a = C(t) ? void 0 : t._$litDirective$;
	return i?.constructor !== a && (i?._$AO?.(!1), a === void 0 ? i = void 0 : (i = new a(e), i._$AT(e, n, r)), r === void 0 ? n._$Cl = i : (n._$Co ??= [])[r] = i), i !== void 0 && (t = j(e, i._$AS(e, t.values), i, r)), t;
}
var it = class {
	constructor(e, t) {
		this._$AV = [], this._$AN = void 0, this._$AD = e, this._$AM = t;
	}
	get parentNode() {
		return this._$AM.parentNode;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	u(e) {
		let { el: { content: t }, parts: n } = this._$AD, r = (e?.creationScope ?? x).importNode(t, !0);
		A.currentNode = r;
		let i = A.nextNode(), a = 0, o = 0, s = n[0];
		for (; s !== void 0;) {
			if (a === s.index) {
				let t;
				s.type === 2 ? t = new at(i, i.nextSibling, this, e) : s.type === 1 ? t = new s.ctor(i, s.name, s.strings, this, e) : s.type === 6 && (t = new lt(i, this, e)), this._$AV.push(t), s = n[++o];
			}
			a !== s?.index && (i = A.nextNode(), a++);
		}
		return A.currentNode = x, r;
	}
	p(e) {
		let t = 0;
		for (let n of this._$AV) n !== void 0 && (n.strings === void 0 ? n._$AI(e[t]) : (n._$AI(e, n, t), t += n.strings.length - 2)), t++;
	}
}, at = class e {
	get _$AU() {
		return this._$AM?._$AU ?? this._$Cv;
	}
	constructor(e, t, n, r) {
		this.type = 2, this._$AH = k, this._$AN = void 0, this._$AA = e, this._$AB = t, this._$AM = n, this.options = r, this._$Cv = r?.isConnected ?? !0;
	}
	get parentNode() {
		let e = this._$AA.parentNode, t = this._$AM;
		return t !== void 0 && e?.nodeType === 11 && (e = t.parentNode), e;
	}
	get startNode() {
		return this._$AA;
	}
	get endNode() {
		return this._$AB;
	}
	_$AI(e, t = this) {
		e = j(this, e, t), C(e) ? e === k || e == null || e === "" ? (this._$AH !== k && this._$AR(), this._$AH = k) : e !== this._$AH && e !== O && this._(e) : e._$litType$ === void 0 ? e.nodeType === void 0 ? Ke(e) ? this.k(e) : this._(e) : this.T(e) : this.$(e);
	}
	O(e) {
		return this._$AA.parentNode.insertBefore(e, this._$AB);
	}
	T(e) {
		this._$AH !== e && (this._$AR(), this._$AH = this.O(e));
	}
	_(e) {
		this._$AH !== k && C(this._$AH) ? this._$AA.nextSibling.data = e : this.T(x.createTextNode(e)), this._$AH = e;
	}
	$(e) {
		let { values: t, _$litType$: n } = e, r = typeof n == "number" ? this._$AC(e) : (n.el === void 0 && (n.el = rt.createElement(tt(n.h, n.h[0]), this.options)), n);
		if (this._$AH?._$AD === r) this._$AH.p(t);
		else {
			let e = new it(r, this), n = e.u(this.options);
			e.p(t), this.T(n), this._$AH = e;
		}
	}
	_$AC(e) {
		let t = et.get(e.strings);
		return t === void 0 && et.set(e.strings, t = new rt(e)), t;
	}
	k(t) {
		Ge(this._$AH) || (this._$AH = [], this._$AR());
		let n = this._$AH, r, i = 0;
		for (let a of t) i === n.length ? n.push(r = new e(this.O(S()), this.O(S()), this, this.options)) : r = n[i], r._$AI(a), i++;
		i < n.length && (this._$AR(r && r._$AB.nextSibling, i), n.length = i);
	}
	_$AR(e = this._$AA.nextSibling, t) {
		for (this._$AP?.(!1, !0, t); e !== this._$AB;) {
			let t = ze(e).nextSibling;
			ze(e).remove(), e = t;
		}
	}
	setConnected(e) {
		this._$AM === void 0 && (this._$Cv = e, this._$AP?.(e));
	}
}, M = class {
	get tagName() {
		return this.element.tagName;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	constructor(e, t, n, r, i) {
		this.type = 1, this._$AH = k, this._$AN = void 0, this.element = e, this.name = t, this._$AM = r, this.options = i, n.length > 2 || n[0] !== "" || n[1] !== "" ? (this._$AH = Array(n.length - 1).fill(/* @__PURE__ */ new String()), this.strings = n) : this._$AH = k;
	}
	_$AI(e, t = this, n, r) {
		let i = this.strings, a = !1;
		if (i === void 0) e = j(this, e, t, 0), a = !C(e) || e !== this._$AH && e !== O, a && (this._$AH = e);
		else {
			let r = e, o, s;
			for (e = i[0], o = 0; o < i.length - 1; o++) s = j(this, r[n + o], t, o), s === O && (s = this._$AH[o]), a ||= !C(s) || s !== this._$AH[o], s === k ? e = k : e !== k && (e += (s ?? "") + i[o + 1]), this._$AH[o] = s;
		}
		a && !r && this.j(e);
	}
	j(e) {
		e === k ? this.element.removeAttribute(this.name) : this.element.setAttribute(this.name, e ?? "");
	}
}, ot = class extends M {
	constructor() {
		super(...arguments), this.type = 3;
	}
	j(e) {
		this.element[this.name] = e === k ? void 0 : e;
	}
}, st = class extends M {
	constructor() {
		super(...arguments), this.type = 4;
	}
	j(e) {
		this.element.toggleAttribute(this.name, !!e && e !== k);
	}
}, ct = class extends M {
	constructor(e, t, n, r, i) {
		super(e, t, n, r, i), this.type = 5;
	}
	_$AI(e, t = this) {
		if ((e = j(this, e, t, 0) ?? k) === O) return;
		let n = this._$AH, r = e === k && n !== k || e.capture !== n.capture || e.once !== n.once || e.passive !== n.passive, i = e !== k && (n === k || r);
		r && this.element.removeEventListener(this.name, this, n), i && this.element.addEventListener(this.name, this, e), this._$AH = e;
	}
	handleEvent(e) {
		typeof this._$AH == "function" ? this._$AH.call(this.options?.host ?? this.element, e) : this._$AH.handleEvent(e);
	}
}, lt = class {
	constructor(e, t, n) {
		this.element = e, this.type = 6, this._$AN = void 0, this._$AM = t, this.options = n;
	}
	get _$AU() {
		return this._$AM._$AU;
	}
	_$AI(e) {
		j(this, e);
	}
}, ut = {
	M: He,
	P: b,
	A: Ue,
	C: 1,
	L: nt,
	R: it,
	D: Ke,
	V: j,
	I: at,
	H: M,
	N: st,
	U: ct,
	B: ot,
	F: lt
};
(0, Re.litHtmlPolyfillSupport)?.(rt, at), (Re.litHtmlVersions ??= []).push("3.3.3");
var dt = (e, t, n) => {
	let r = n?.renderBefore ?? t, i = r._$litPart$;
	if (i === void 0) {
		let e = n?.renderBefore ?? null;
		r._$litPart$ = i = new at(t.insertBefore(S(), e), e, void 0, n ?? {});
	}
	return i._$AI(e), i;
}, ft = globalThis, N = class extends y {
	constructor() {
		super(...arguments), this.renderOptions = { host: this }, this._$Do = void 0;
	}
	createRenderRoot() {
		let e = super.createRenderRoot();
		return this.renderOptions.renderBefore ??= e.firstChild, e;
	}
	update(e) {
		let t = this.render();
		this.hasUpdated || (this.renderOptions.isConnected = this.isConnected), super.update(e), this._$Do = dt(t, this.renderRoot, this.renderOptions);
	}
	connectedCallback() {
		super.connectedCallback(), this._$Do?.setConnected(!0);
	}
	disconnectedCallback() {
		super.disconnectedCallback(), this._$Do?.setConnected(!1);
	}
	render() {
		return O;
	}
};
N._$litElement$ = !0, N.finalized = !0, ft.litElementHydrateSupport?.({ LitElement: N }), (0, ft.litElementPolyfillSupport)?.({ LitElement: N }), (ft.litElementVersions ??= []).push("4.2.2");
// src/wire/json.ts
var P = class extends Error {
	name = "WireError";
}, F = (e, t) => {
	if (typeof e != "string") throw new P(`${t} is no text`);
	return e;
}, I = (e, t) => {
	if (typeof e != "number" || !Number.isFinite(e)) throw new P(`${t} is no number`);
	return e;
}, L = (e, t) => {
	if (typeof e != "boolean") throw new P(`${t} is neither true nor false`);
	return e;
}, pt = (e, t) => {
	if (typeof e != "object" || !e || Array.isArray(e)) throw new P(`${t} is no object`);
	return e;
};
function R(...e) {
	return (t, n) => {
		let r = e.find((e) => e === t);
		if (r === void 0) throw new P(`${n} is none of ${e.join(", ")}`);
		return r;
	};
}
function z(e) {
	return (t, n) => t == null ? null : e(t, n);
}
function B(e) {
	return (t, n) => {
		if (!Array.isArray(t)) throw new P(`${n} is no list`);
		return t.map((t, r) => e(t, `${n}[${r}]`));
	};
}
function V(e) {
	return (t, n) => new Map(Object.entries(pt(t, n)).map(([t, r]) => [t, e(r, `${n}.${t}`)]));
}
function H(e, t) {
	let n = pt(e, t);
	return (e, r) => r(n[e], `${t}.${e}`);
}
var mt = "simverity/snapshot/subscribe", ht = [
	"clear",
	"abstain",
	"escalate"
], gt = [
	"none",
	"unqualified",
	"qualified",
	"expired",
	"offline"
], _t = [
	"idle",
	"qualifying",
	"strobing",
	"running",
	"finishing"
], vt = ["on", "off"], yt = (e, t) => {
	let [n, r, ...i] = B(I)(e, t);
	if (n === void 0 || r === void 0 || i.length) throw new P(`${t} is no interval`);
	return [n, r];
}, bt = (e, t) => {
	let n = H(e, t);
	return {
		property: n("property", F),
		boundary: n("boundary", F),
		direction: n("direction", z(R(...vt))),
		source: n("source", F),
		basis: n("basis", R("one_look", "standing")),
		k: n("k", I),
		n: n("n", I),
		abstained: n("abstained", I),
		interval: n("interval", z(yt)),
		upperLimit: n("upper_limit", z(I))
	};
}, xt = (e, t) => {
	let n = H(e, t);
	return {
		risk: n("risk", I),
		level: n("level", I)
	};
}, St = (e, t) => {
	let n = H(e, t);
	return {
		k: n("k", I),
		n: n("n", I),
		upperLimit: n("upper_limit", I)
	};
}, Ct = (e, t) => {
	let n = H(e, t), r = n("sensors", V(z(F)));
	return {
		entityId: n("entity_id", F),
		disposition: n("disposition", R(...ht)),
		explanation: n("explanation", F),
		carriedOver: n("carried_over", L),
		headline: n("headline", z(bt)),
		trials: n("trials", I),
		abstentions: n("abstentions", V(I)),
		lastFalseClearance: n("last_false_clearance", z(F)),
		cleanAuditsToClear: n("clean_audits_to_clear", z(I)),
		witness: n("witness", R(...gt)),
		expectedClear: n("expected_clear", z(F)),
		suspect: n("suspect", z(F)),
		before: n("before", z(St)),
		predicted: n("predicted", z(xt)),
		sensors: {
			disposition: r.get("disposition") ?? null,
			risk: r.get("false_clearance_risk") ?? null
		}
	};
}, wt = (e, t) => {
	let n = H(e, t);
	return {
		session: n("session_id", F),
		valid: n("valid", L),
		reasons: n("reasons", B(F)),
		endedAt: n("ended_at", F)
	};
}, Tt = (e, t) => {
	let n = H(e, t);
	return {
		phase: n("phase", R(..._t)),
		session: n("session_id", z(F)),
		done: n("done", I),
		total: n("total", I),
		secondsLeft: n("seconds_left", z(I)),
		last: n("last", z(wt))
	};
}, Et = (e, t) => {
	let n = H(e, t);
	return {
		state: n("state", F),
		entries: n("entries", I),
		head: n("head", z(F))
	};
}, Dt = (e, t) => {
	let n = H(e, t);
	return {
		tolerance: n("tolerance", I),
		error: n("error", I),
		together: n("together", I)
	};
}, Ot = {
	subjects: V(Ct),
	removed: B(F),
	hidden: I,
	session: Tt,
	ledger: Et,
	witness: F,
	clearance: Dt
};
function kt(e) {
	let t = Object.entries(Ot).filter(([t]) => e[t] !== void 0);
	return Object.fromEntries(t.map(([t, n]) => [t, n(e[t], t)]));
}
function At(e, t) {
	let n = H(e, "event"), r = n("type", R("snapshot", "change", "unloaded"));
	if (r === "unloaded") return { type: r };
	let i = e;
	if (r === "change") return {
		type: r,
		change: kt(i)
	};
	let a = {
		schema: n("schema", z(I)),
		version: n("version", z(F))
	};
	return a.schema !== 1 || a.version !== t ? {
		type: "mismatch",
		...a
	} : {
		type: r,
		whole: {
			subjects: n("subjects", Ot.subjects),
			hidden: n("hidden", I),
			session: n("session", Tt),
			ledger: n("ledger", Et),
			witness: n("witness", F),
			clearance: n("clearance", Dt)
		}
	};
}
// src/wire/evidence.ts
var jt = "simverity/cells/subscribe", Mt = "simverity/evidence", Nt = [
	"request",
	"source_report",
	"agent_read",
	"dispatch",
	"software_feedback",
	"observable_effect"
], Pt = [
	"open",
	"reproduced",
	"fixed",
	"not_reproduced",
	"inconclusive"
], Ft = (e, t) => {
	let [n, r] = B(I)(e, t);
	if (n === void 0 || r === void 0) throw new P(`${t} is no interval`);
	return [n, r];
}, It = (e, t) => {
	let n = H(e, t);
	return {
		key: n("cell", F),
		property: n("property", F),
		boundary: n("boundary", F),
		direction: n("direction", R(...vt)),
		path: n("path", F),
		source: n("source", F),
		disposition: n("disposition", R(...ht)),
		twoSided: n("two_sided", L),
		failures: n("failures", I),
		decided: n("decided", I),
		reasons: n("reasons", V(I)),
		unchecked: n("blocked", I) + n("source_abstained", I),
		interval: n("interval", z(Ft)),
		upperLimit: n("upper_limit", z(I)),
		cleanAuditsToClear: n("clean_audits_to_clear", z(I))
	};
}, Lt = (e, t) => {
	let n = H(e, t);
	return {
		stage: n("stage", R(...Nt)),
		earliest: n("earliest", z(I)),
		latest: n("latest", z(I)),
		unavailable: n("unavailable", z(F)),
		reason: n("reason", z(F))
	};
}, Rt = (e, t) => {
	let [n, r, i] = B(I)(e, t);
	if (n === void 0 || r === void 0 || i === void 0) throw new P(`${t} is no frame`);
	return {
		earliest: n,
		latest: r,
		level: i
	};
}, zt = (e, t) => {
	let n = H(e, t);
	return {
		on: n("on", I),
		off: n("off", I),
		guard: n("guard", I),
		frames: n("samples", B(Rt))
	};
}, Bt = (e, t) => {
	let n = H(e, t);
	return {
		cell: n("cell", F),
		property: n("property", F),
		boundary: n("boundary", F),
		failures: n("failures", I),
		decided: n("decided", I),
		status: n("status", R(...Pt))
	};
}, Vt = (e, t) => {
	let n = H(e, t);
	return {
		cell: n("cell", F),
		property: n("property", F),
		boundary: n("boundary", F),
		direction: n("direction", R(...vt)),
		expected: n("expected", I),
		failures: n("failures", I),
		decided: n("decided", I),
		interval: n("interval", Ft)
	};
}, Ht = (e, t) => {
	let n = H(e, t);
	return {
		trial: n("trial", z(F)),
		at: n("at", F),
		direction: n("direction", R(...vt)),
		path: n("path", F),
		digest: n("digest", z(F)),
		tickets: n("cells", B(Bt)),
		stages: n("stages", B(Lt)),
		film: n("channel", z(zt))
	};
}, Ut = (e, t) => {
	let n = H(e, t);
	return {
		session: n("session", F),
		declaredAt: n("declared_at", F),
		valid: n("valid", L),
		hashes: n("hashes", V(F)),
		cells: n("cells", B(It))
	};
};
function Wt(e) {
	let t = H(e, "event"), n = t("type", R("cells", "change", "unloaded"));
	return n === "unloaded" ? { type: n } : {
		type: n,
		cells: t("cells", B(It))
	};
}
function Gt(e) {
	let t = H(e, "evidence");
	return {
		falseClearances: t("false_clearances", z(B(Ht))),
		session: t("session", z(Ut)),
		reliability: t("reliability", B(Vt))
	};
}
// src/controllers/details.ts
var Kt = {
	cells: null,
	evidence: null,
	failed: !1
}, qt = class {
	home;
	subject;
	changed;
	current = Kt;
	end = null;
	closed = !1;
	constructor(e, t, n) {
		this.home = e, this.subject = t, this.changed = n;
	}
	get shown() {
		return this.current;
	}
	async open() {
		let e = {
			type: jt,
			subject: this.subject
		};
		try {
			let t = await this.home.connection.subscribeMessage((e) => this.take(e), e, { resubscribe: !1 });
			this.closed ? await t() : this.end = t;
		} catch {
			this.show({ failed: !0 });
		}
	}
	async close() {
		this.closed = !0;
		let e = this.end;
		this.end = null;
		try {
			await e?.();
		} catch {}
	}
	take(e) {
		try {
			let t = Wt(e);
			if (t.type === "unloaded") return this.show({ failed: !0 });
			let n = new Map(t.type === "cells" ? [] : this.current.cells);
			for (let e of t.cells) n.set(e.key, e);
			this.show({ cells: n }), this.ask();
		} catch {
			this.show({ failed: !0 });
		}
	}
	async ask() {
		try {
			let e = await this.home.callWS({
				type: Mt,
				subject: this.subject
			});
			this.show({ evidence: Gt(e) });
		} catch {
			this.show({ failed: !0 });
		}
	}
	show(e) {
		this.current = {
			...this.current,
			...e
		}, this.closed || this.changed(this.current);
	}
};
// src/controllers/grid.ts
function Jt(e) {
	return e === "return" ? -1 : e === "settled" ? 1e400 : Number(e);
}
function U(e, t) {
	return e === "return" ? t.say("at_return") : e === "settled" ? t.say("at_settled") : t.say("at_seconds", { seconds: t.number(Number(e), 2) });
}
function Yt(e, t) {
	return t.say(e === "on" ? "turn_on" : "turn_off");
}
function Xt(e, t) {
	return t.known(`path_${e}`) ?? e.replaceAll("_", " ");
}
function Zt(e, t) {
	let n = [t.word("disposition", e.disposition)];
	if (e.decided === 0) n.push(t.say("cell_none"));
	else {
		n.push(t.say("cell_share", {
			k: t.number(e.failures),
			n: t.number(e.decided)
		}));
		let [r, i] = e.interval ?? [0, e.upperLimit ?? 1], a = r > 0 ? "range" : "at_most";
		i < 1 && n.push(t.say(a, {
			low: t.percent(r),
			high: t.percent(i)
		}));
	}
	e.twoSided || n.push(t.say("cell_one_sided"));
	let r = [...e.reasons.values()].reduce((e, t) => e + t, 0);
	if (r > 0) {
		let i = t.list([...e.reasons.keys()].map((e) => t.reason(e)));
		n.push(t.say("cell_undecided", {
			n: t.number(r),
			reasons: i
		}));
	}
	return e.unchecked > 0 && n.push(t.say("cell_unchecked", { n: t.number(e.unchecked) })), e.disposition !== "clear" && e.cleanAuditsToClear && n.push(t.count("cell_more", e.cleanAuditsToClear)), n;
}
function Qt(e, t, n) {
	let r = Zt(e, n).join(". ");
	return {
		key: e.key,
		figures: e.decided === 0 ? null : `${n.number(e.failures)}/${n.number(e.decided)}`,
		disposition: e.disposition,
		hatched: e.disposition === "abstain" || e.decided === 0,
		label: n.say("cell_label", {
			property: t,
			boundary: U(e.boundary, n),
			content: r
		})
	};
}
function $t(e, t) {
	let n = /* @__PURE__ */ new Map();
	for (let r of e) {
		let e = n.get(t(r));
		e ? e.push(r) : n.set(t(r), [r]);
	}
	return n;
}
function en(e, t, n) {
	return [...$t(e, (e) => `${e.property} ${e.source}`).values()].map((e) => {
		let { property: r, source: i } = e[0], a = n.word("property", r), o = new Map(e.map((e) => [e.boundary, Qt(e, a, n)]));
		return {
			property: r,
			title: a,
			source: n.word("source", i),
			squares: t.map((e) => o.get(e) ?? null)
		};
	});
}
function tn(e, t) {
	return [...$t(e, (e) => `${e.direction} ${e.path}`).entries()].sort(([e], [t]) => e < t ? -1 : 1).map(([, e]) => {
		let { direction: n, path: r } = e[0], i = [...new Set(e.map((e) => e.boundary))].sort((e, t) => Jt(e) - Jt(t));
		return {
			direction: n,
			caption: t.say("grid_caption", {
				direction: Yt(n, t),
				path: Xt(r, t)
			}),
			columns: i.map((e) => U(e, t)),
			lines: en(e, i, t)
		};
	});
}
var nn = (e) => Math.min(1, Math.max(0, e)) * 160;
function rn(e, t) {
	return e.map((e) => {
		let [n, r] = e.interval, i = n <= e.expected && e.expected <= r, a = {
			property: t.word("property", e.property),
			direction: Yt(e.direction, t),
			boundary: U(e.boundary, t),
			expected: t.percent(e.expected),
			k: t.number(e.failures),
			n: t.number(e.decided),
			low: t.percent(n),
			high: t.percent(r)
		};
		return {
			x: nn(e.expected),
			y: 160 - nn(e.failures / e.decided),
			top: 160 - nn(r),
			bottom: 160 - nn(n),
			held: i,
			label: t.say(i ? "reliability_held" : "reliability_broken", a)
		};
	});
}
// node_modules/@mdi/js/mdi.js
var an = "M13 13H11V7H13M11 15H13V17H11M15.73 3H8.27L3 8.27V15.73L8.27 21H15.73L21 15.73V8.27L15.73 3Z", on = "M17 12C17 12.54 16.9 13.05 16.74 13.54L15 11.78C14.87 10.3 13.7 9.13 12.22 9L10.46 7.26C10.95 7.1 11.46 7 12 7C14.76 7 17 9.24 17 12M9.88 4H14.12L15.95 6H20V16.8L21.88 18.68C21.96 18.47 22 18.24 22 18V6C22 4.89 21.11 4 20 4H16.83L15 2H9L7.18 4L8.6 5.4L9.88 4M22.11 21.46L20.84 22.73L18.11 20H4C2.9 20 2 19.11 2 18V6C2 5.42 2.25 4.9 2.65 4.54L1.11 3L2.39 1.73L22.11 21.46M9 12C9 13.66 10.34 15 12 15C12.33 15 12.65 14.93 12.94 14.83L9.17 11.06C9.07 11.36 9 11.67 9 12M16.11 18L14.45 16.34C13.72 16.75 12.89 17 12 17C9.24 17 7 14.76 7 12C7 11.11 7.25 10.28 7.66 9.55L4.11 6H4V18H16.11Z", sn = "M20,4H16.83L15,2H9L7.17,4H4A2,2 0 0,0 2,6V18A2,2 0 0,0 4,20H20A2,2 0 0,0 22,18V6A2,2 0 0,0 20,4M20,18H4V6H8.05L9.88,4H14.12L15.95,6H20V18M12,7A5,5 0 0,0 7,12A5,5 0 0,0 12,17A5,5 0 0,0 17,12A5,5 0 0,0 12,7M12,15A3,3 0 0,1 9,12A3,3 0 0,1 12,9A3,3 0 0,1 15,12A3,3 0 0,1 12,15Z", cn = "M23,12L20.56,9.22L20.9,5.54L17.29,4.72L15.4,1.54L12,3L8.6,1.54L6.71,4.72L3.1,5.53L3.44,9.21L1,12L3.44,14.78L3.1,18.47L6.71,19.29L8.6,22.47L12,21L15.4,22.46L17.29,19.28L20.9,18.46L20.56,14.78L23,12M10,17L6,13L7.41,11.59L10,14.17L16.59,7.58L18,9L10,17Z", ln = "M19,6.41L17.59,5L12,10.59L6.41,5L5,6.41L10.59,12L5,17.59L6.41,19L12,13.41L17.59,19L19,17.59L13.41,12L19,6.41Z", un = {
	clear: cn,
	abstain: "M11,18H13V16H11V18M12,2A10,10 0 0,0 2,12A10,10 0 0,0 12,22A10,10 0 0,0 22,12A10,10 0 0,0 12,2M12,20C7.59,20 4,16.41 4,12C4,7.59 7.59,4 12,4C16.41,4 20,7.59 20,12C20,16.41 16.41,20 12,20M12,6A4,4 0 0,0 8,10H10A2,2 0 0,1 12,8A2,2 0 0,1 14,10C14,12 11,11.75 11,15H13C13,12.75 16,12.5 16,10A4,4 0 0,0 12,6Z",
	escalate: an
}, dn = ln;
function fn(e) {
	return e === "qualified" ? sn : on;
}
function W(e) {
	return E`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${D`<path d=${e}></path>`}</svg>`;
}
function pn(e, t) {
	return E`<span class="pill ${e}">${W(un[e])}<span>${t}</span></span>`;
}
// src/elements/cell-grid.ts
function mn(e) {
	return e === null ? E`<td></td>` : E`<td class="square ${e.disposition} ${e.hatched ? "hatched" : ""}" title=${e.label}>
    <span aria-hidden="true">${W(un[e.disposition])}${e.figures ?? "–"}</span>
    <span class="spoken">${e.label}</span>
  </td>`;
}
function hn(e, t) {
	return E`<div class="scroll" tabindex="0" role="group" aria-label=${e.caption}>
    <table>
      <caption>
        ${e.caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t}</th>
          ${e.columns.map((e) => E`<th scope="col">${e}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.lines.map((e) => E`<tr>
              <th scope="row">${e.title}<small>${e.source}</small></th>
              ${e.squares.map(mn)}
            </tr>`)}
      </tbody>
    </table>
  </div>`;
}
var gn = _`
  .scroll {
    overflow-x: auto;
    margin-block: 8px 16px;
  }
  table {
    border-collapse: separate;
    border-spacing: 3px;
    font-size: var(--ha-font-size-s, 12px);
    width: 100%;
  }
  caption {
    text-align: start;
    color: var(--quiet);
    padding-bottom: 4px;
  }
  th {
    font-weight: 500;
    padding: 2px 4px;
    text-align: center;
    white-space: nowrap;
  }
  th:first-child {
    text-align: start;
    white-space: normal;
    min-width: 120px;
    position: sticky;
    inset-inline-start: 0;
    background: var(--surface);
    z-index: 1;
  }
  th small {
    display: block;
    font-weight: 400;
    color: var(--quiet);
  }
  .square {
    text-align: center;
    min-width: 46px;
    height: 34px;
    border-radius: 6px;
    border: 1px solid color-mix(in srgb, var(--tone) 60%, transparent);
    background: color-mix(in srgb, var(--tone) 16%, transparent);
    font-variant-numeric: tabular-nums;
  }
  .square.hatched {
    background: var(--hatch);
    border-color: var(--line);
  }
  .square > span:first-child {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    padding: 0 4px;
    border-radius: 4px;
  }
  .square.hatched > span:first-child {
    background: var(--surface);
  }
  .square svg.icon {
    width: 14px;
    height: 14px;
    fill: var(--tone);
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  td {
    position: relative;
  }
  @media (forced-colors: active) {
    .square.hatched {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
      forced-color-adjust: none;
    }
  }
`;
// src/elements/legend.ts
function _n(e, t) {
	return E`<ul class="legend" aria-hidden="true">
    <li><i class="seen"></i>${t.say("legend_wrong")}</li>
    <li><i class="unknown"></i>${t.say("legend_unknown")}</li>
    <li><i class="ruled"></i>${t.say("legend_ruled_out")}</li>
    <li><i class="mark"></i>${t.say("limit", { value: t.percent(e) })}</li>
  </ul>`;
}
var vn = _`
  .legend {
    list-style: none;
    margin: 0;
    padding: 8px 16px 4px;
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .legend li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    border: none;
  }
  .legend i {
    display: inline-block;
    width: 18px;
    height: 10px;
    border-radius: 3px;
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .legend .seen {
    background: var(--bad);
  }
  .legend .unknown {
    background: var(--hatch);
  }
  .legend .ruled {
    background: color-mix(in srgb, var(--quiet) 10%, transparent);
  }
  .legend .mark {
    width: 0;
    height: 14px;
    border-radius: 0;
    border-inline-start: 2px dotted var(--text);
    box-shadow: none;
  }
  @media (forced-colors: active) {
    .legend i {
      border: 1px solid CanvasText;
      forced-color-adjust: none;
    }
    .legend .seen {
      background: CanvasText;
    }
    .legend .unknown {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
    }
  }
`, yn = _`
  dialog {
    box-sizing: border-box;
    width: min(720px, 100vw);
    max-width: 100vw;
    max-height: min(90dvh, 1000px);
    padding: 0;
    border: none;
    border-radius: var(--ha-dialog-border-radius, 16px);
    color: var(--text);
    background: var(--surface);
    box-shadow: 0 8px 32px rgba(0, 0, 0, 0.4);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgba(0, 0, 0, 0.5);
  }
  header {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 12px 12px 8px 20px;
    border-bottom: 1px solid var(--line);
  }
  h2 {
    flex: 1;
    margin: 0;
    font-size: var(--ha-font-size-xl, 20px);
    font-weight: 500;
    overflow-wrap: anywhere;
  }
  h3 {
    margin: 20px 0 4px;
    font-size: var(--ha-font-size-l, 16px);
    font-weight: 500;
  }
  .close {
    all: unset;
    width: 44px;
    height: 44px;
    display: grid;
    place-items: center;
    border-radius: 50%;
    cursor: pointer;
  }
  .close:focus-visible {
    outline: 2px solid var(--primary-color, #03a9f4);
  }
  .content {
    overflow-y: auto;
    padding: 12px 20px 24px;
    font-size: var(--ha-font-size-m, 14px);
  }
  .sentence {
    margin: 0 0 12px;
    line-height: 1.5;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 12px;
    margin: 8px 0 0;
    font-variant-numeric: tabular-nums;
  }
  .figures span,
  .quiet,
  .notes {
    color: var(--quiet);
  }
  .quiet {
    margin: 4px 0;
  }
  .content .legend {
    padding: 8px 0 0;
  }
  .notes {
    list-style: none;
    margin: 8px 0 0;
    padding: 0;
    line-height: 1.6;
  }
  details {
    margin-top: 20px;
  }
  summary {
    cursor: pointer;
    min-height: 32px;
    font-weight: 500;
  }
  dl {
    margin: 4px 0 0;
  }
  dt {
    color: var(--quiet);
    margin-top: 8px;
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
    user-select: all;
  }
  @media (max-width: 600px) {
    dialog {
      width: 100vw;
      height: 100dvh;
      max-height: 100dvh;
      border-radius: 0;
    }
  }
`;
// src/elements/reliability-plot.ts
function bn(e) {
	return D`<g class=${e.held ? "held" : "broken"}>
    <line x1=${e.x} x2=${e.x} y1=${e.top} y2=${e.bottom}></line>
    <circle cx=${e.x} cy=${e.y} r="3.5"></circle>
  </g>`;
}
function xn(e, t) {
	if (e.length === 0) return E`<p class="quiet">${t.say("reliability_none")}</p>`;
	let n = e.map((e) => e.label).join(". "), r = [[0, t.percent(0)], [160, t.percent(1)]];
	return E`<figure>
    <svg
      class="reliability"
      viewBox="-44 -10 ${224} ${202}"
      role="img"
      aria-label=${t.say("reliability_label", { points: n })}
    >
      <rect class="frame" x="0" y="0" width=${160} height=${160}></rect>
      <line class="diagonal" x1="0" y1=${160} x2=${160} y2="0"></line>
      ${e.map(bn)}
      ${r.map(([e, t]) => D`<text x=${e} y=${172}>${t}</text><text class="up" x="-6" y=${160 - e + 3}>${t}</text>`)}
      <text x=${80} y=${186}>${t.say("reliability_expected")}</text>
      <text class="up" x="-6" y=${80}>${t.say("reliability_seen")}</text>
    </svg>
    <ul class="notes">
      ${e.map((e) => E`<li class="own-direction">${e.label}</li>`)}
    </ul>
  </figure>`;
}
var Sn = _`
  figure {
    margin: 8px 0;
  }
  svg.reliability {
    display: block;
    width: 100%;
    max-width: 320px;
    direction: ltr;
  }
  .reliability .frame {
    fill: none;
    stroke: var(--line);
  }
  .reliability .diagonal {
    stroke: var(--quiet);
    stroke-dasharray: 4 3;
  }
  .reliability text {
    font-size: 9px;
    fill: var(--quiet);
    text-anchor: middle;
  }
  .reliability text.up {
    text-anchor: end;
  }
  .reliability line {
    stroke-width: 1.6;
  }
  .reliability .held {
    stroke: var(--text);
    fill: var(--text);
  }
  .reliability .broken {
    stroke: var(--bad);
    fill: var(--surface);
  }
`, Cn = {
	seen: 0,
	open: 1,
	point: null
};
function wn(e) {
	return Math.sqrt(Math.min(1, Math.max(0, e)));
}
function Tn(e) {
	if (e === null || e.n === 0) return [0, 1];
	let [t, n] = e.interval ?? [0, e.upperLimit ?? 1];
	return [t, Math.max(n, e.upperLimit ?? 0)];
}
function En(e) {
	if (e === null || e.n === 0) return Cn;
	let [t, n] = Tn(e);
	return {
		seen: wn(t),
		open: wn(n),
		point: wn(e.k / e.n)
	};
}
// src/elements/risk-bar.ts
var G = (e) => `${(e * 100).toFixed(2)}%`;
function Dn(e, t) {
	let { seen: n, open: r, point: i } = e.bar;
	return E`<div
    class="bar ${e.disposition}"
    role=${t === null ? k : "img"}
    aria-label=${t ?? k}
    aria-hidden=${t === null ? "true" : k}
  >
    <div class="ruled-out" style="inset-inline-start:${G(r)}"></div>
    <div class="unknown" style="inset-inline-start:${G(n)};inline-size:${G(r - n)}"></div>
    <div class="seen" style="inline-size:${G(n)}"></div>
    <div class="limit" style="inset-inline-start:${G(wn(e.limit))}"></div>
    ${i === null ? "" : E`<div class="point" style="inset-inline-start:${G(i)}"></div>`}
  </div>`;
}
var On = _`
  .bar {
    position: relative;
    height: 12px;
    border-radius: 6px;
    background: var(--surface);
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .bar > div {
    position: absolute;
    inset-block: 0;
  }
  .ruled-out {
    inset-inline-end: 0;
    border-start-end-radius: 6px;
    border-end-end-radius: 6px;
    background: color-mix(in srgb, var(--quiet) 10%, transparent);
  }
  .clear > .ruled-out {
    background: color-mix(in srgb, var(--good) 45%, transparent);
  }
  .unknown {
    background: var(--hatch);
    border-radius: 6px;
  }
  .seen {
    inset-inline-start: 0;
    background: var(--bad);
    border-start-start-radius: 6px;
    border-end-start-radius: 6px;
  }
  .bar > .limit {
    inset-block: -3px;
    width: 0;
    border-inline-start: 2px dotted var(--text);
  }
  .bar > .point {
    inset-block: -2px;
    width: 6px;
    margin-inline-start: -3px;
    border-radius: 3px;
    background: var(--text);
    box-shadow: 0 0 0 1px var(--surface);
  }
  @media (forced-colors: active) {
    .seen,
    .bar > .point {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .unknown {
      background: repeating-linear-gradient(-45deg, CanvasText 0 1px, Canvas 1px 5px);
      forced-color-adjust: none;
    }
  }
`, K = _`
  :host {
    --good: var(--success-color, #43a047);
    --bad: var(--error-color, #db4437);
    --open: var(--warning-color, #ffa600);
    --line: var(--divider-color, rgba(0, 0, 0, 0.12));
    --text: var(--primary-text-color, #212121);
    --quiet: var(--secondary-text-color, #5e5e5e);
    --surface: var(--ha-card-background, var(--card-background-color, #fff));
    --hatch: repeating-linear-gradient(
      -45deg,
      color-mix(in srgb, var(--quiet) 62%, transparent) 0 2px,
      color-mix(in srgb, var(--quiet) 14%, transparent) 2px 6px
    );
    color: var(--text);
    font-family: var(--ha-font-family-body, inherit);
  }
  .escalate {
    --tone: var(--bad);
  }
  .abstain {
    --tone: var(--open);
  }
  .clear {
    --tone: var(--good);
  }
  /* A text may be in another direction than the page: English words on an Arabic page, say. */
  .own-direction {
    unicode-bidi: plaintext;
    text-align: match-parent;
  }
  .pill {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 2px 8px 2px 4px;
    border-radius: 12px;
    border: 1px solid color-mix(in srgb, var(--tone) 60%, transparent);
    background: color-mix(in srgb, var(--tone) 14%, transparent);
    font-size: var(--ha-font-size-s, 12px);
    line-height: 1.4;
  }
  svg.icon {
    width: 20px;
    height: 20px;
    flex: none;
    fill: currentColor;
  }
  .pill svg.icon {
    width: 16px;
    height: 16px;
    fill: var(--tone);
  }
  button.action {
    font: inherit;
    font-weight: 500;
    min-height: 40px;
    padding: 0 16px;
    border-radius: 20px;
    border: 1px solid var(--primary-color, #03a9f4);
    color: var(--text);
    background: color-mix(in srgb, var(--primary-color, #03a9f4) 10%, transparent);
    cursor: pointer;
  }
  button.action:disabled {
    cursor: default;
    opacity: 0.6;
  }
  button:focus-visible,
  [tabindex]:focus-visible,
  summary:focus-visible {
    outline: 2px solid var(--primary-color, #03a9f4);
    outline-offset: 2px;
  }
  @media (prefers-contrast: more) {
    :host {
      --line: currentColor;
      --quiet: var(--text);
    }
  }
  @media (forced-colors: active) {
    .pill,
    .bar {
      border: 1px solid CanvasText;
    }
    svg.icon,
    .pill svg.icon {
      fill: CanvasText;
    }
  }
`, kn = class extends N {
	static properties = {
		hass: { attribute: !1 },
		speech: { attribute: !1 },
		row: { attribute: !1 },
		session: { attribute: !1 },
		ledger: { attribute: !1 },
		shown: { state: !0 }
	};
	details = null;
	constructor() {
		super(), this.shown = null;
	}
	firstUpdated(e) {
		this.renderRoot.querySelector("dialog")?.showModal(), this.details = new qt(this.hass, this.row.subject, (e) => {
			this.shown = e;
		}), this.details.open();
	}
	updated(e) {
		let t = e.get("session");
		t && t.phase !== "idle" && this.session.phase === "idle" && this.details?.ask();
	}
	disconnectedCallback() {
		super.disconnectedCallback(), this.details?.close();
	}
	render() {
		let { row: e, speech: t } = this;
		return E`<dialog
      aria-labelledby="name"
      @close=${() => this.closed()}
      @click=${(e) => this.aside(e)}
    >
      <header>
        <h2 id="name">${e.name}</h2>
        ${pn(e.disposition, e.verdict)}
        <button class="close" aria-label=${t.say("close")} @click=${() => this.close()}>${W(dn)}</button>
      </header>
      <div class="content">
        ${this.verdict(e, t)}
        <simverity-session-controls
          .hass=${this.hass}
          .speech=${t}
          .row=${e}
          .session=${this.session}
        ></simverity-session-controls>
        ${this.evidence(t)}
      </div>
    </dialog>`;
	}
	verdict(e, t) {
		let n = t.say("bar_label", {
			share: e.share,
			range: e.range
		});
		return E`<section>
      <p class="sentence own-direction">${e.sentence}</p>
      ${Dn(e, n)}
      <p class="figures">
        <strong class="own-direction">${e.share}</strong> <span class="own-direction">${e.range}</span>
      </p>
      ${_n(e.limit, t)}
      <ul class="notes">
        <li class="own-direction">${e.witnessText}</li>
        ${e.notes.map((e) => E`<li class="own-direction">${e}</li>`)}
      </ul>
    </section>`;
	}
	evidence(e) {
		let t = this.shown;
		if (t === null) return E`<p role="status">${e.say("loading")}</p>`;
		if (t.failed && t.cells === null) return E`<p role="alert">${e.say("unavailable")}</p>`;
		let { evidence: n } = t, r = [...t.cells?.values() ?? []];
		return E`
      ${this.clearances(t, e)}
      <section>
        <h3>${e.say("evidence_standing")}</h3>
        ${this.grids(r, e)}
      </section>
      ${n?.session ? E`<section>
              <h3>${e.say("evidence_session")}</h3>
              ${this.grids(n.session.cells, e)}
            </section>` : ""}
      ${n ? E`<section>
              <h3>${e.say("reliability")}</h3>
              ${xn(rn(n.reliability, e), e)}
            </section>` : ""}
      ${this.hashes(t, e)}
    `;
	}
	grids(e, t) {
		return e.length === 0 ? E`<p class="quiet">${t.say("no_cells")}</p>` : E`${tn(e, t).map((e) => hn(e, t.say("column_property")))}`;
	}
	clearances(e, t) {
		if (e.evidence === null) return E``;
		let n = e.evidence.falseClearances;
		return E`<section>
      <h3>${t.say("false_clearances")}</h3>
      ${n === null ? E`<p class="quiet">${t.say("unavailable")}</p>` : n.length === 0 ? E`<p class="quiet">${t.say("no_false_clearances")}</p>` : n.map((e) => E`<simverity-ticket
                    .hass=${this.hass}
                    .speech=${t}
                    .row=${this.row}
                    .session=${this.session}
                    .found=${e}
                  ></simverity-ticket>`)}
    </section>`;
	}
	hashes({ evidence: e }, t) {
		let n = [...e?.session?.hashes ?? /* @__PURE__ */ new Map()].flatMap(([e, n]) => {
			let r = t.known(`hash_${e}`);
			return r ? [[r, n]] : [];
		});
		return this.ledger.head !== null && n.unshift([t.say("hash_ledger", { n: t.number(this.ledger.entries) }), this.ledger.head]), E`<details>
      <summary>${t.say("hashes")}</summary>
      <dl>
        ${n.map(([e, t]) => E`<dt>${e}</dt>
              <dd><code>${t}</code></dd>`)}
      </dl>
    </details>`;
	}
	aside(e) {
		e.target === e.currentTarget && this.close();
	}
	close() {
		this.renderRoot.querySelector("dialog")?.close();
	}
	closed() {
		this.dispatchEvent(new CustomEvent("simverity-closed", {
			bubbles: !0,
			composed: !0
		}));
	}
	static styles = [
		K,
		On,
		gn,
		Sn,
		vn,
		yn
	];
};
// src/controllers/notice.ts
function An(e, t, n, r) {
	switch (e.status) {
		case "loading": return {
			tone: "busy",
			text: r.say("loading")
		};
		case "absent": return {
			tone: "info",
			text: r.say("absent")
		};
		case "forbidden": return {
			tone: "warning",
			text: r.say("forbidden")
		};
		case "mismatch": {
			let t = r.say("mismatch_versions", {
				card: n,
				told: e.told ?? "?"
			});
			return {
				tone: "warning",
				text: r.say("mismatch"),
				detail: t,
				reload: !0
			};
		}
		case "ready": return t > 0 ? null : e.subjects.size > 0 ? {
			tone: "info",
			text: r.say("nothing_listed")
		} : {
			tone: "info",
			text: r.say(e.hidden > 0 ? "all_hidden" : "empty")
		};
	}
}
function jn(e, t) {
	let n = [];
	if (e.stale && n.push({
		tone: "warning",
		text: t.say("stale")
	}), e.ledger.state !== "sound" && e.ledger.state !== "verifying") {
		let r = t.word("ledger", e.ledger.state);
		n.push({
			tone: "error",
			text: t.say("ledger_bad", { state: r })
		});
	}
	return [
		"unreachable",
		"unauthorized",
		"unsupported"
	].includes(e.witness) && n.push({
		tone: "warning",
		text: t.say("witness_gone")
	}), n;
}
var q = {
	status: "loading",
	stale: !1,
	subjects: /* @__PURE__ */ new Map(),
	hidden: 0,
	session: {
		phase: "idle",
		session: null,
		done: 0,
		total: 0,
		secondsLeft: null,
		last: null
	},
	ledger: {
		state: "verifying",
		entries: 0,
		head: null
	},
	witness: "not_configured",
	clearance: {
		tolerance: .05,
		error: .05,
		together: 0
	},
	told: null
};
function Mn(e, t) {
	switch (t.type) {
		case "snapshot": return {
			...q,
			...t.whole,
			status: "ready"
		};
		case "mismatch": return {
			...q,
			status: "mismatch",
			told: t.version
		};
		case "unloaded": return {
			...q,
			status: "absent"
		};
		case "change": {
			let { subjects: n, removed: r, ...i } = t.change;
			if (!n && !r) return {
				...e,
				...i
			};
			let a = new Map([...e.subjects, ...n ?? []]);
			for (let e of r ?? []) a.delete(e);
			return {
				...e,
				...i,
				subjects: a
			};
		}
	}
}
// src/controllers/link.ts
var Nn = 3e3, Pn = 5e3, Fn = class {
	connection;
	version;
	later;
	listeners = /* @__PURE__ */ new Set();
	current = q;
	cancel = () => void 0;
	end = null;
	open = !1;
	attempt = 0;
	constructor(e, t, n) {
		this.connection = e, this.version = t, this.later = n;
	}
	get picture() {
		return this.current;
	}
	listen(e) {
		return this.listeners.add(e), this.cancel(), this.open ? (this.current.status === "absent" || this.current.status === "forbidden") && this.subscribe() : this.start(), e(this.current), () => {
			this.listeners.delete(e), this.listeners.size === 0 && this.schedule(Pn, () => this.stop());
		};
	}
	onReady = () => void this.subscribe();
	onDisconnected = () => this.show({
		...this.current,
		stale: !0
	});
	start() {
		this.open = !0, this.connection.addEventListener("ready", this.onReady), this.connection.addEventListener("disconnected", this.onDisconnected), this.subscribe();
	}
	stop() {
		this.open = !1, this.connection.removeEventListener("ready", this.onReady), this.connection.removeEventListener("disconnected", this.onDisconnected), this.attempt += 1, this.leave(), this.current = q;
	}
	async subscribe() {
		this.attempt += 1;
		let e = this.attempt;
		await this.leave();
		try {
			let t = await this.connection.subscribeMessage((t) => {
				e === this.attempt && this.take(t);
			}, { type: mt }, { resubscribe: !1 });
			e === this.attempt ? this.end = t : await In(t);
		} catch (t) {
			e === this.attempt && this.refused(t);
		}
	}
	take(e) {
		try {
			let t = At(e, this.version);
			this.show(Mn(this.current, t)), t.type === "unloaded" && this.retry();
		} catch (e) {
			if (!(e instanceof P)) throw e;
			this.show({
				...q,
				status: "mismatch"
			});
		}
	}
	refused(e) {
		let t = e?.code;
		this.show({
			...q,
			status: t === "unauthorized" ? "forbidden" : "absent"
		}), this.retry();
	}
	retry() {
		this.schedule(Nn, () => void this.subscribe());
	}
	schedule(e, t) {
		this.cancel(), this.cancel = this.later(e, t);
	}
	async leave() {
		let e = this.end;
		this.end = null, e && await In(e);
	}
	show(e) {
		this.current = e;
		for (let t of [...this.listeners]) t(e);
	}
};
async function In(e) {
	try {
		await e();
	} catch {}
}
var Ln = /* @__PURE__ */ new WeakMap();
function Rn(e, t, n) {
	let r = Ln.get(e) ?? new Fn(e, t, n);
	return Ln.set(e, r), r;
}
function zn(e, t, n) {
	return (e === "tap" ? t.tap_action : t.hold_action) === void 0 ? null : {
		config: {
			...t,
			entity: n
		},
		action: e
	};
}
var Bn = class {
	later;
	cancel = null;
	held = !1;
	constructor(e) {
		this.later = e;
	}
	down(e) {
		this.up(), this.held = !1, this.cancel = this.later(500, () => {
			this.cancel = null, this.held = !0, e();
		});
	}
	up() {
		this.cancel?.(), this.cancel = null;
	}
	click(e) {
		this.up(), this.held || e(), this.held = !1;
	}
}, Vn = [
	"escalate",
	"abstain",
	"clear"
];
function Hn(e, t) {
	if (e === null || e.n === 0) return {
		share: t.say("share_none"),
		range: t.say("anything")
	};
	let [n, r] = Tn(e), i = t.say("share", {
		k: t.number(e.k),
		n: t.number(e.n)
	}), a = {
		low: t.percent(n),
		high: t.percent(r)
	};
	if (r >= 1 && n === 0) return {
		share: i,
		range: t.say("anything")
	};
	let o = t.say(n > 0 ? "range" : "at_most", a);
	return {
		share: i,
		range: e.basis === "one_look" ? t.say("one_look", { range: o }) : o
	};
}
function J(e, t) {
	let n = t?.attributes.friendly_name;
	return typeof n == "string" && n ? n : e;
}
function Un(e) {
	return e !== void 0 && e.state !== "unavailable";
}
function Wn({ tolerance: e, error: t }, n) {
	return n.say("promise", {
		tolerance: n.percent(e),
		error: n.percent(t)
	});
}
function Gn(e, t) {
	let n = [];
	if (e.carriedOver && n.push(t.say("carried_over")), e.cleanAuditsToClear !== null && e.disposition !== "clear" && e.cleanAuditsToClear > 0 && (n.push(t.count("more_audits", e.cleanAuditsToClear)), e.expectedClear !== null && n.push(t.say("expected_clear", { when: t.day(e.expectedClear) }))), e.lastFalseClearance !== null && n.push(t.say("last_failed", { when: t.date(e.lastFalseClearance) })), e.suspect !== null && e.disposition !== "clear" && n.push(t.word("suspect", e.suspect)), e.predicted !== null) {
		let { risk: r, level: i } = e.predicted;
		n.push(t.say("predicted", {
			risk: t.percent(r),
			level: t.number(i)
		}));
	}
	if (e.before !== null) {
		let { k: r, n: i } = e.before;
		n.push(t.say("before_change", {
			k: t.number(r),
			n: t.number(i)
		}));
	}
	return n;
}
function Kn(e, t, n, r, i) {
	let a = J(t.entityId, n), o = Hn(t.headline, i);
	return {
		subject: e,
		entityId: t.entityId,
		name: a,
		disposition: t.disposition,
		verdict: i.word("disposition", t.disposition),
		sentence: t.explanation === "cleared" ? Wn(r, i) : i.word("explanation", t.explanation),
		...o,
		bar: En(t.headline),
		limit: r.tolerance,
		witness: t.witness,
		witnessText: i.say("witness", { state: i.word("witness", t.witness) }),
		notes: [...Un(n) ? [] : [i.say("unavailable")], ...Gn(t, i)],
		dispositionSensor: t.sensors.disposition,
		riskSensor: t.sensors.risk
	};
}
var qn = class {
	home = null;
	kept = /* @__PURE__ */ new Map();
	speaker = null;
	speech(e) {
		return this.speaker !== null && this.home !== null && d(this.home, e) || (this.speaker = u(e), this.kept.clear()), this.home = e, this.speaker;
	}
	row(e, t, n, r) {
		let i = this.speech(r), a = r.states[t.entityId], o = this.kept.get(e), { tolerance: s, error: c } = n, l = {
			view: t,
			name: J(t.entityId, a),
			available: Un(a),
			tolerance: s,
			error: c
		};
		if (o && Object.entries(l).every(([e, t]) => o[e] === t)) return o.row;
		let u = Kn(e, t, a, n, i);
		return this.kept.set(e, {
			...l,
			row: u
		}), u;
	}
	all(e, t, n) {
		let r = t.entities?.length ? new Set(t.entities) : null, i = [];
		for (let [t, a] of e.subjects) (r === null || r.has(a.entityId)) && i.push(this.row(t, a, e.clearance, n));
		let a = this.speech(n), o = t.sort !== "name";
		return i.sort((e, t) => (o ? Vn.indexOf(e.disposition) - Vn.indexOf(t.disposition) : 0) || a.compare(e.name, t.name));
	}
	touched(e, t, n) {
		if (!d(t, n) || t.user !== n.user || t.connection !== n.connection) return !0;
		if (t.states === n.states) return !1;
		for (let { entityId: r } of e.subjects.values()) {
			let [e, i] = [t.states[r], n.states[r]];
			if (e !== i && (J(r, e) !== J(r, i) || Un(e) !== Un(i))) return !0;
		}
		return !1;
	}
};
function Jn(e, t) {
	let n = e.subjects.size + e.hidden;
	return t.say("together", {
		clear: t.number(e.clearance.together),
		all: t.number(n)
	});
}
var Yn = 864e5;
async function Xn(e, t, n, r) {
	if (t.length === 0) return /* @__PURE__ */ new Map();
	try {
		let i = await e.callWS({
			type: "recorder/statistics_during_period",
			start_time: (/* @__PURE__ */ new Date(r - n * Yn)).toISOString(),
			statistic_ids: t,
			period: n > 3 ? "day" : "hour",
			types: ["mean"]
		}), a = (e) => Math.min(1, Math.max(0, 1 - (r - e) / (n * Yn)));
		return new Map(Object.entries(i).map(([e, t]) => [e, t.flatMap(({ start: e, mean: t }) => typeof t == "number" ? [{
			at: a(e),
			share: t / 100
		}] : [])]));
	} catch {
		return /* @__PURE__ */ new Map();
	}
}
function Zn(e) {
	return e.length < 2 ? "" : e.map(({ at: e, share: t }, n) => {
		let r = 19 - Math.sqrt(Math.min(1, Math.max(0, t))) * 18;
		return `${n === 0 ? "M" : "L"}${(e * 80).toFixed(1)} ${r.toFixed(1)}`;
	}).join("");
}
// src/elements/later.ts
var Qn = (e, t) => {
	let n = setTimeout(t, e);
	return () => clearTimeout(n);
}, $n = 36e5, Y = class extends N {
	static properties = {
		picture: { state: !0 },
		opened: { state: !0 },
		trends: { state: !0 }
	};
	rows = new qn();
	home = null;
	unlisten = null;
	asked = "";
	constructor() {
		super(), this.picture = q, this.opened = null, this.trends = /* @__PURE__ */ new Map();
	}
	get hass() {
		return this.home;
	}
	set hass(e) {
		let t = this.home;
		this.home = e, e !== null && ((t === null || t.connection !== e.connection) && this.follow(), (t === null || this.rows.touched(this.picture, t, e)) && this.requestUpdate(), (t === null || t.language !== e.language) && e.loadBackendTranslation("entity", "simverity"));
	}
	get speech() {
		return this.home === null ? null : this.rows.speech(this.home);
	}
	connectedCallback() {
		super.connectedCallback(), this.follow();
	}
	disconnectedCallback() {
		super.disconnectedCallback(), this.unlisten?.(), this.unlisten = null;
	}
	gesture({ detail: { gesture: e, row: t } }, n) {
		let r = zn(e, n, t.entityId);
		r ? this.dispatchEvent(new CustomEvent("hass-action", {
			detail: r,
			bubbles: !0,
			composed: !0
		})) : e === "tap" && (this.opened = t.subject);
	}
	dialog(e, t) {
		let n = this.opened === null ? void 0 : this.picture.subjects.get(this.opened);
		return this.opened === null || n === void 0 ? E`` : E`<simverity-details
      .hass=${e}
      .speech=${t}
      .row=${this.rows.row(this.opened, n, this.picture.clearance, e)}
      .session=${this.picture.session}
      .ledger=${this.picture.ledger}
      @simverity-closed=${() => this.opened = null}
    ></simverity-details>`;
	}
	trend(e) {
		return this.trends.get(e.riskSensor ?? "") ?? null;
	}
	async askTrends(e, t, n) {
		let r = e.flatMap((e) => e.riskSensor ?? []), i = `${t} ${Math.floor(Date.now() / $n)} ${n.language} ${r.join()}`;
		if (i === this.asked || this.home === null) return;
		this.asked = i;
		let a = await Xn(this.home, r, t, Date.now()), o = n.say("trend", { days: n.number(t) }), s = [...a].map(([e, t]) => [e, {
			path: Zn(t),
			text: o
		}]);
		this.trends = new Map(s.filter(([, e]) => e.path !== ""));
	}
	follow() {
		if (this.unlisten?.(), this.unlisten = null, this.home === null || !this.isConnected) return;
		let e = Rn(this.home.connection, "0.1.0", Qn);
		this.unlisten = e.listen((e) => {
			this.picture = e;
		});
	}
};
// src/elements/notice.ts
function er(e, t) {
	return E`<div class="notice ${e.tone}" role=${e.tone === "busy" ? "status" : "note"}>
    <p>${e.text}</p>
    ${e.detail ? E`<p class="detail">${e.detail}</p>` : ""}
    ${e.reload ? E`<button class="action" @click=${() => location.reload()}>${t}</button>` : ""}
  </div>`;
}
var tr = _`
  .notice {
    margin: 12px 16px;
    padding: 12px 16px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--tone, var(--quiet)) 10%, transparent);
    border-inline-start: 4px solid var(--tone, var(--quiet));
  }
  .notice p {
    margin: 0;
    line-height: 1.5;
  }
  .notice .detail {
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .notice button {
    margin-top: 12px;
  }
  .notice.busy {
    background: none;
    border: none;
    color: var(--quiet);
  }
  .notice.warning {
    --tone: var(--open);
  }
  .notice.error {
    --tone: var(--bad);
  }
`, nr = () => document.documentElement.lang || "en", rr = class extends Y {
	static properties = {
		...Y.properties,
		config: { state: !0 }
	};
	static getConfigForm() {
		return de(nr);
	}
	static getStubConfig(e, t, n) {
		return { entity: me(e) ?? t[0] ?? n[0] ?? "light.example" };
	}
	setConfig(e) {
		ae(e, nr()), this.config = e;
	}
	getCardSize() {
		return 3;
	}
	getGridOptions() {
		return {
			columns: 12,
			min_columns: 6,
			rows: "auto"
		};
	}
	render() {
		let [e, t] = [this.hass, this.speech];
		return !e || !t || !this.config ? E`` : E`<ha-card>${this.body(e, t)}</ha-card>`;
	}
	body(e, t) {
		let [n] = this.rows.all(this.picture, { entities: [this.config.entity] }, e);
		if (!n) {
			let e = An(this.picture, 0, "0.1.0", t), n = this.picture.status === "ready" && this.picture.hidden === 0, r = t.say("not_audited");
			return er(n || !e ? {
				tone: "info",
				text: r
			} : e, t.say("reload"));
		}
		let r = this.config.trend_days ?? 7, i = this.config.hide_trend !== !0;
		return i && this.askTrends([n], r, t), E`
      ${jn(this.picture, t).map((e) => er(e, ""))}
      <simverity-device-row
        .row=${n}
        .trend=${i ? this.trend(n) : null}
        @simverity-gesture=${(e) => this.gesture(e, this.config)}
      ></simverity-device-row>
      ${this.dialog(e, t)}
    `;
	}
	static styles = [
		K,
		tr,
		_`
      ha-card {
        overflow: hidden;
        height: 100%;
      }
    `
	];
};
// src/elements/trend-line.ts
function ir(e) {
	return E`<span class="trend"
    >${e.text}
    <svg viewBox="0 0 ${80} ${20}" aria-hidden="true"><path d=${e.path}></path></svg
  ></span>`;
}
var ar = _`
  .trend {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .trend svg {
    width: 80px;
    height: 20px;
    direction: ltr;
  }
  .trend path {
    fill: none;
    stroke: var(--text);
    stroke-width: 1.5;
  }
`, or = class extends N {
	static properties = {
		row: { attribute: !1 },
		trend: { attribute: !1 }
	};
	press = new Bn(Qn);
	constructor() {
		super(), this.trend = null;
	}
	render() {
		let e = this.row;
		return E`<button
      class="row ${e.disposition}"
      @pointerdown=${() => this.press.down(() => this.tell("hold"))}
      @pointerleave=${() => this.press.up()}
      @pointercancel=${() => this.press.up()}
      @click=${() => this.press.click(() => this.tell("tap"))}
      @contextmenu=${(e) => e.preventDefault()}
    >
      <span class="badge">${W(un[e.disposition])}</span>
      <span class="head">
        <span class="name own-direction">${e.name}</span>
        ${pn(e.disposition, e.verdict)}
      </span>
      <span class="sentence own-direction">${e.sentence}</span>
      <span class="risk">${Dn(e, null)}</span>
      <span class="figures"
        ><span class="share own-direction">${e.share}</span>
        <span class="range own-direction">${e.range}</span></span
      >
      <span class="notes">
        <span class="witness">${W(fn(e.witness))}${e.witnessText}</span>
        ${e.notes.map((e) => E`<span class="own-direction">${e}</span>`)}
        ${this.trend ? ir(this.trend) : ""}
      </span>
    </button>`;
	}
	tell(e) {
		let t = {
			gesture: e,
			row: this.row
		};
		this.dispatchEvent(new CustomEvent("simverity-gesture", {
			detail: t,
			bubbles: !0,
			composed: !0
		}));
	}
	static styles = [
		K,
		On,
		ar,
		_`
      :host {
        display: block;
        content-visibility: auto;
        contain-intrinsic-size: auto 132px;
      }
      .row {
        all: unset;
        box-sizing: border-box;
        width: 100%;
        display: grid;
        grid-template-columns: 40px 1fr;
        column-gap: 12px;
        row-gap: 6px;
        padding: 12px 16px;
        cursor: pointer;
        -webkit-touch-callout: none;
        user-select: none;
      }
      .row > * {
        grid-column: 2;
        min-width: 0;
      }
      .row:hover {
        background: color-mix(in srgb, var(--text) 4%, transparent);
      }
      .row:focus-visible {
        outline: 2px solid var(--primary-color, #03a9f4);
        outline-offset: -2px;
        border-radius: var(--ha-card-border-radius, 12px);
      }
      .badge {
        grid-column: 1;
        grid-row: 1 / span 2;
        width: 40px;
        height: 40px;
        border-radius: 50%;
        display: grid;
        place-items: center;
        background: color-mix(in srgb, var(--tone) 20%, transparent);
        color: var(--tone);
      }
      .badge svg.icon {
        width: 24px;
        height: 24px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 8px;
      }
      .name {
        font-size: var(--ha-font-size-l, 16px);
        font-weight: 500;
        overflow-wrap: anywhere;
      }
      .sentence,
      .range,
      .notes {
        color: var(--quiet);
        font-size: var(--ha-font-size-s, 12px);
        line-height: 1.4;
      }
      .figures {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 8px;
        font-size: var(--ha-font-size-m, 14px);
        font-variant-numeric: tabular-nums;
      }
      .share {
        font-weight: 500;
      }
      .range {
        align-self: center;
      }
      .notes {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
      }
      .witness {
        display: inline-flex;
        align-items: center;
        gap: 4px;
      }
      .witness svg.icon {
        width: 16px;
        height: 16px;
      }
    `
	];
}, sr = class extends Y {
	static properties = {
		...Y.properties,
		context: { attribute: !1 }
	};
	static getStubConfig() {
		return { type: "custom:simverity-disposition-feature" };
	}
	setConfig(e) {}
	render() {
		let [e, t] = [this.hass, this.speech], n = this.context?.entity_id;
		if (!e || !t || !n) return E``;
		let r = _e(this.picture, n), i = r === null ? void 0 : this.picture.subjects.get(r);
		if (r === null || !i) {
			let e = this.picture.status === "ready" ? "not_audited" : this.picture.status;
			return E`<p>${t.say(e)}</p>`;
		}
		let a = this.rows.row(r, i, this.picture.clearance, e), o = t.say("bar_label", {
			share: a.share,
			range: a.range
		});
		return E`<div class="feature">
      ${pn(a.disposition, a.verdict)}
      <div class="risk">${Dn(a, o)}</div>
      <span class="share">${a.share}</span>
    </div>`;
	}
	static styles = [
		K,
		On,
		_`
      :host {
        display: block;
        container-type: inline-size;
      }
      .feature {
        display: grid;
        grid-template-columns: auto minmax(40px, 1fr) auto;
        align-items: center;
        gap: 8px;
        min-height: var(--feature-height, 42px);
        font-size: var(--ha-font-size-s, 12px);
      }
      .pill {
        min-width: 0;
        white-space: nowrap;
      }
      .pill span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .share {
        white-space: nowrap;
      }
      @container (max-width: 340px) {
        .feature {
          grid-template-columns: minmax(0, 1fr);
          gap: 6px;
        }
        .pill {
          justify-self: start;
          max-width: 100%;
          box-sizing: border-box;
        }
        .share {
          display: none;
        }
      }
      p {
        margin: 0;
        color: var(--quiet);
        font-size: var(--ha-font-size-s, 12px);
      }
    `
	];
}, cr = {
	ATTRIBUTE: 1,
	CHILD: 2,
	PROPERTY: 3,
	BOOLEAN_ATTRIBUTE: 4,
	EVENT: 5,
	ELEMENT: 6
}, lr = (e) => (...t) => ({
	_$litDirective$: e,
	values: t
}), ur = class {
	constructor(e) {}
	get _$AU() {
		return this._$AM._$AU;
	}
	_$AT(e, t, n) {
		this._$Ct = e, this._$AM = t, this._$Ci = n;
	}
	_$AS(e, t) {
		return this.update(e, t);
	}
	update(e, t) {
		return this.render(...t);
	}
}, { I: dr } = ut, fr = (e) => e, pr = () => document.createComment(""), X = (e, t, n) => {
	let r = e._$AA.parentNode, i = t === void 0 ? e._$AB : t._$AA;
	if (n === void 0) n = new dr(r.insertBefore(pr(), i), r.insertBefore(pr(), i), e, e.options);
	else {
		let t = n._$AB.nextSibling, a = n._$AM, o = a !== e;
		if (o) {
			let t;
			n._$AQ?.(e), n._$AM = e, n._$AP !== void 0 && (t = e._$AU) !== a._$AU && n._$AP(t);
		}
		if (t !== i || o) {
			let e = n._$AA;
			for (; e !== t;) {
				let t = fr(e).nextSibling;
				fr(r).insertBefore(e, i), e = t;
			}
		}
	}
	return n;
}, Z = (e, t, n = e) => (e._$AI(t, n), e), mr = {}, hr = (e, t = mr) => e._$AH = t, gr = (e) => e._$AH, _r = (e) => {
	e._$AR(), e._$AA.remove();
}, vr = (e, t, n) => {
	let r = /* @__PURE__ */ new Map();
	for (let i = t; i <= n; i++) r.set(e[i], i);
	return r;
}, yr = lr(class extends ur {
	constructor(e) {
		if (super(e), e.type !== cr.CHILD) throw Error("repeat() can only be used in text expressions");
	}
	dt(e, t, n) {
		let r;
		n === void 0 ? n = t : t !== void 0 && (r = t);
		let i = [], a = [], o = 0;
		for (let t of e) i[o] = r ? r(t, o) : o, a[o] = n(t, o), o++;
		return {
			values: a,
			keys: i
		};
	}
	render(e, t, n) {
		return this.dt(e, t, n).values;
	}
	update(e, [t, n, r]) {
		let i = gr(e), { values: a, keys: o } = this.dt(t, n, r);
		if (!Array.isArray(i)) return this.ut = o, a;
		let s = this.ut ??= [], c = [], l, u, d = 0, f = i.length - 1, p = 0, m = a.length - 1;
		for (; d <= f && p <= m;) if (i[d] === null) d++;
		else if (i[f] === null) f--;
		else if (s[d] === o[p]) c[p] = Z(i[d], a[p]), d++, p++;
		else if (s[f] === o[m]) c[m] = Z(i[f], a[m]), f--, m--;
		else if (s[d] === o[m]) c[m] = Z(i[d], a[m]), X(e, c[m + 1], i[d]), d++, m--;
		else if (s[f] === o[p]) c[p] = Z(i[f], a[p]), X(e, i[d], i[f]), f--, p++;
		else if (l === void 0 && (l = vr(o, p, m), u = vr(s, d, f)), l.has(s[d])) {
			if (l.has(s[f])) {
				let t = u.get(o[p]), n = t === void 0 ? null : i[t];
				if (n === null) {
					let t = X(e, i[d]);
					Z(t, a[p]), c[p] = t;
				} else c[p] = Z(n, a[p]), X(e, i[d], n), i[t] = null;
				p++;
			} else _r(i[f]), f--;
		} else _r(i[d]), d++;
		for (; p <= m;) {
			let t = X(e, c[m + 1]);
			Z(t, a[p]), c[p++] = t;
		}
		for (; d <= f;) {
			let e = i[d++];
			e !== null && _r(e);
		}
		return this.ut = o, hr(e, c), O;
	}
});
// src/controllers/progress.ts
function br(e, t) {
	let n = e.phase !== "idle", r = n && e.total > 0;
	return {
		running: n,
		title: t.say(`phase_${e.phase}`),
		part: r ? e.done / e.total : null,
		figures: r ? t.say("progress", {
			done: t.number(e.done),
			total: t.number(e.total)
		}) : "",
		left: n && e.secondsLeft !== null ? t.say("left", { time: t.duration(e.secondsLeft) }) : "",
		last: xr(e, t)
	};
}
function xr({ last: e }, t) {
	if (e === null) return "";
	let n = t.date(e.endedAt);
	return e.valid ? t.say("last_valid", { when: n }) : t.say("last_invalid", {
		when: n,
		reasons: t.list(e.reasons.map((e) => t.word("invalidity", e)))
	});
}
// src/elements/session-progress.ts
function Sr(e, t) {
	let n = e.part === null ? null : Math.round(e.part * 100);
	return E`<div class="session">
    <div class="session-words" role="status">
      <strong>${e.title}</strong>
      <span>${e.figures}</span>
      <span>${e.left}</span>
    </div>
    <div
      class="track ${n === null ? "unsure" : ""}"
      role="progressbar"
      aria-label=${e.title}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${n ?? 0}
      aria-valuetext=${`${e.figures} ${e.left}`.trim() || e.title}
    >
      <div style="inline-size:${n ?? 100}%"></div>
    </div>
    <p>${t}</p>
  </div>`;
}
var Cr = _`
  .session {
    padding: 8px 16px;
    font-variant-numeric: tabular-nums;
  }
  .session p {
    margin: 4px 0 0;
    color: var(--quiet);
    font-size: var(--ha-font-size-s, 12px);
  }
  .session-words {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    margin-bottom: 6px;
  }
  .session-words > :last-child {
    margin-inline-start: auto;
  }
  .track {
    height: 8px;
    border-radius: 4px;
    overflow: hidden;
    background: color-mix(in srgb, var(--primary-color, #03a9f4) 20%, transparent);
  }
  .track > div {
    height: 100%;
    background: var(--primary-color, #03a9f4);
    transition: inline-size 0.3s;
  }
  .track.unsure > div {
    opacity: 0.5;
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.15;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .track > div {
      transition: none;
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    .track {
      border: 1px solid CanvasText;
    }
    .track > div {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`, wr = () => document.documentElement.lang || "en", Tr = class extends Y {
	static properties = {
		...Y.properties,
		config: { state: !0 }
	};
	static getConfigForm() {
		return ue(wr);
	}
	static getStubConfig() {
		return {};
	}
	setConfig(e) {
		ie(e, wr()), this.config = e;
	}
	getCardSize() {
		return 2 + 3 * Math.min(this.picture.subjects.size, 6);
	}
	getGridOptions() {
		return {
			columns: 12,
			min_columns: 6,
			rows: "auto"
		};
	}
	render() {
		let [e, t] = [this.hass, this.speech];
		return !e || !t || !this.config ? E`` : E`<ha-card>
      <h2 class="card-header">${this.config.title ?? t.say("title")}</h2>
      ${this.body(e, t)}
    </ha-card>`;
	}
	body(e, t) {
		let n = this.rows.all(this.picture, this.config, e), r = An(this.picture, n.length, "0.1.0", t);
		if (r) return er(r, t.say("reload"));
		let i = this.config.trend_days ?? 7, a = (e) => this.config[`hide_${e}`] !== !0;
		a("trend") && this.askTrends(n, i, t);
		let o = br(this.picture.session, t);
		return E`
      ${jn(this.picture, t).map((e) => er(e, ""))}
      ${a("session") && o.running ? Sr(o, t.say("leave_alone")) : ""}
      <p class="together own-direction">${Jn(this.picture, t)}</p>
      <ul class="rows" @simverity-gesture=${(e) => this.gesture(e, this.config)}>
        ${yr(n, (e) => e.subject, (e) => E`<li>
              <simverity-device-row
                .row=${e}
                .trend=${a("trend") ? this.trend(e) : null}
              ></simverity-device-row>
            </li>`)}
      </ul>
      ${a("legend") ? _n(this.picture.clearance.tolerance, t) : ""} ${this.dialog(e, t)}
    `;
	}
	static styles = [
		K,
		tr,
		Cr,
		vn,
		_`
      ha-card {
        overflow: hidden;
        padding-bottom: 8px;
      }
      .card-header {
        margin: 0;
        padding: 16px 16px 4px;
        font-size: var(--ha-font-size-xl, 20px);
        font-weight: 400;
        line-height: 1.3;
      }
      .together {
        margin: 0;
        padding: 0 16px 4px;
        color: var(--quiet);
      }
      .rows {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      .rows li + li {
        border-top: 1px solid var(--line);
      }
    `
	];
}, Q = {
	least: 1,
	usual: 10,
	most: 100
}, Er = ["light", "switch"];
function Dr(e, t) {
	return e.user?.is_admin === !0 && Er.includes(ce(t));
}
function Or(e) {
	let t = Math.round(Number(e));
	return Number.isFinite(t) ? Math.min(Q.most, Math.max(Q.least, t)) : Q.usual;
}
async function kr(e, t) {
	let { translation_domain: n, translation_key: r } = t;
	if (n && r) {
		let i = (await e.loadBackendTranslation("exceptions", n))(`component.${n}.exceptions.${r}.message`, t.translation_placeholders);
		if (i) return i;
	}
	return t.message ?? t.code ?? "?";
}
async function Ar(e, t, n) {
	try {
		return await e.callWS({
			type: "call_service",
			domain: "simverity",
			service: t,
			service_data: n
		}), null;
	} catch (t) {
		return kr(e, t ?? {});
	}
}
// src/elements/session-controls.ts
var jr = class extends N {
	static properties = {
		hass: { attribute: !1 },
		speech: { attribute: !1 },
		row: { attribute: !1 },
		session: { attribute: !1 },
		considered: { state: !0 },
		working: { state: !0 },
		said: { state: !0 },
		repetitions: { state: !0 }
	};
	constructor() {
		super(), this.considered = null, this.working = !1, this.said = null, this.repetitions = Q.usual;
	}
	render() {
		let e = this.speech, t = br(this.session, e), n = Dr(this.hass, this.row.entityId);
		return E`
      ${t.running ? Sr(t, e.say("leave_alone")) : ""}
      ${!t.running && t.last ? E`<p class="last">${t.last}</p>` : ""}
      ${n ? this.considered ? this.confirmation(this.considered) : this.buttons(t.running) : ""}
      ${this.said ? E`<p class="said ${this.said.bad ? "bad" : ""}" role="alert">${this.said.text}</p>` : ""}
    `;
	}
	buttons(e) {
		let t = this.speech;
		if (e) return E`<div class="buttons">
        <button class="action" ?disabled=${this.working} @click=${() => this.request("cancel_session", {})}>
          ${t.say("stop")}
        </button>
      </div>`;
		let n = this.row.witness !== "none";
		return E`<div class="buttons">
      <button class="action" ?disabled=${this.working} @click=${() => this.consider("run_session")}>
        ${t.say("run_session")}
      </button>
      ${n ? E`<button class="action" ?disabled=${this.working} @click=${() => this.consider("requalify")}>
              ${t.say("requalify")}
            </button>` : ""}
      ${this.working ? E`<span role="status">${t.say("working")}</span>` : ""}
    </div>`;
	}
	confirmation(e) {
		let t = this.speech, n = {
			name: this.row.name,
			n: t.number(this.repetitions)
		}, r = e === "run_session";
		return E`<div class="confirm" role="group" aria-labelledby="question">
      <p id="question">${t.say(r ? "confirm_session" : "confirm_requalify", n)}</p>
      ${r ? E`<label
              >${t.say("repetitions")}
              <input
                type="number"
                min=${Q.least}
                max=${Q.most}
                .value=${String(this.repetitions)}
                @change=${(e) => {
			this.repetitions = Or(e.target.value);
		}}
            /></label>` : ""}
      <div class="buttons">
        <button class="action start" @click=${() => this.start(e)}>${t.say("start")}</button>
        <button class="action" @click=${() => this.considered = null}>${t.say("cancel")}</button>
      </div>
    </div>`;
	}
	consider(e) {
		this.said = null, this.considered = e, this.updateComplete.then(() => this.renderRoot.querySelector(".start")?.focus());
	}
	start(e) {
		let t = { entity_id: this.row.entityId };
		this.request(e, e === "run_session" ? {
			...t,
			repetitions: this.repetitions
		} : t);
	}
	async request(e, t) {
		this.considered = null, this.said = null, this.working = !0;
		let n = await Ar(this.hass, e, t);
		this.working = !1, n === null ? e === "requalify" && (this.said = {
			text: this.speech.say("requalified"),
			bad: !1
		}) : this.said = {
			text: n,
			bad: !0
		};
	}
	static styles = [
		K,
		Cr,
		_`
      :host {
        display: block;
      }
      .session {
        padding: 0;
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin-top: 12px;
      }
      .confirm {
        margin-top: 12px;
        padding: 12px;
        border: 1px solid var(--line);
        border-radius: 8px;
      }
      .confirm p {
        margin: 0 0 8px;
        line-height: 1.5;
      }
      label {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      input {
        font: inherit;
        color: var(--text);
        background: var(--surface);
        border: 1px solid var(--quiet);
        border-radius: 6px;
        padding: 6px 8px;
        width: 72px;
      }
      .start {
        background: var(--primary-color, #03a9f4);
        color: var(--text-primary-color, #fff);
      }
      .last,
      .said {
        margin: 12px 0 0;
        line-height: 1.5;
      }
      .last {
        color: var(--quiet);
      }
      .said.bad {
        border-inline-start: 4px solid var(--bad);
        padding-inline-start: 8px;
      }
    `
	];
};
// src/controllers/tickets.ts
function Mr({ tickets: e }, t) {
	let n = /* @__PURE__ */ new Map();
	for (let t of e) {
		let e = `${t.property}/${t.status}`;
		n.set(e, [...n.get(e) ?? [], t]);
	}
	return [...n.values()].map((e) => {
		let [n] = e, r = t.word("property", n.property), i = t.list([...new Set(e.map((e) => e.boundary))].map((e) => U(e, t))), a = t.say(`ticket_${n.status}`);
		return {
			status: n.status,
			text: t.say("ticket", {
				property: r,
				boundaries: i,
				status: a
			})
		};
	});
}
function Nr(e) {
	return e.trial !== null;
}
var Pr = [
	.05,
	.1,
	.2,
	.5,
	1,
	2,
	5,
	10
], Fr = 7;
function Ir({ stages: e, film: t, tickets: n }) {
	let r = e.map((e) => e.latest ?? 0);
	r.push(...n.map((e) => Number(e.boundary)).filter(Number.isFinite));
	let i = t?.frames.at(-1)?.latest ?? 0;
	return Math.max(.3, Math.min(Math.max(...r) * 1.4 + .1, Math.max(i, ...r)));
}
function Lr({ stages: e }) {
	return Math.max(-2, Math.min(-.1, ...e.map((e) => (e.latest ?? 0) - .05)));
}
function Rr(e, t, n, r, i) {
	return e.frames.filter((e) => e.latest >= r && e.earliest <= i).map((e, r) => {
		let i = (e.earliest + e.latest) / 2;
		return `${r === 0 ? "M" : "L"}${t(i).toFixed(1)} ${n(e.level).toFixed(1)}`;
	}).join("");
}
function zr(e, t, n, r) {
	let i = Pr.find((n) => (t - e) / n <= Fr) ?? Math.ceil((t - e) / Fr), a = [], o = Math.ceil(e / i) + 0;
	for (let e = o; e * i <= t; e += 1) a.push({
		x: n(e * i),
		text: r.number(e * i, 2)
	});
	return a;
}
function Br(e, t) {
	let n = t.say(`stage_${e.stage}`);
	if (e.latest === null) {
		let r = t.known(`absent_${e.unavailable ?? ""}`) ?? "?";
		return e.reason === null ? `${n}: ${r}` : `${n}: ${r} (${t.reason(e.reason)})`;
	}
	let r = t.seconds(e.latest);
	if (e.earliest === null) return t.say("stage_before", {
		stage: n,
		high: r
	});
	let i = t.seconds(e.earliest);
	return i === r ? t.say("stage_at", {
		stage: n,
		when: r
	}) : t.say("stage_between", {
		stage: n,
		low: i,
		high: r
	});
}
function Vr(e, t) {
	let n = t.list([...new Set(e.tickets.map((e) => e.boundary))].map((e) => U(e, t))), r = Yt(e.direction, t);
	return t.say("false_clearance", {
		direction: r,
		when: t.date(e.at),
		boundaries: n
	});
}
function Hr(e, t) {
	let [n, r] = [Lr(e), Ir(e)], i = (e) => (Math.min(r, Math.max(n, e)) - n) / (r - n) * 320, a = e.film, [o, s] = a ? [Math.min(a.on, a.off), Math.max(a.on, a.off)] : [0, 1], c = (s - o) * .15 || 1, l = (e) => 96 - (Math.min(s + c, Math.max(o - c, e)) - o + c) / (s - o + 2 * c) * 96, u = e.stages.map((e) => ({
		stage: e.stage,
		label: Br(e, t),
		from: e.latest === null ? null : i(e.earliest ?? n),
		to: e.latest === null ? null : i(e.latest)
	})), d = u.map((e) => e.label).join(". ");
	return {
		title: Vr(e, t),
		label: t.say("plot_label", {
			low: t.number(o),
			high: t.number(s),
			stages: d
		}),
		curve: a ? Rr(a, i, l, n, r) : "",
		midpoint: a ? l((a.on + a.off) / 2) : null,
		marks: u,
		ticks: zr(n, r, i, t),
		axis: t.say("plot_time")
	};
}
// src/elements/trial-plot.ts
var Ur = 12;
function Wr(e, t) {
	if (e.from === null || e.to === null) return D``;
	let n = 102 + t * Ur, r = Math.max(3, e.to - e.from);
	return D`<line class="guide ${e.stage}" x1=${e.to} x2=${e.to} y1="0" y2=${n}></line>
    <rect class="mark ${e.stage}" x=${Math.min(e.from, 320 - r)} y=${n} width=${r} height="8" rx="3"></rect>`;
}
function Gr(e) {
	let t = 104 + e.marks.length * Ur;
	return E`<figure>
    <figcaption>${e.title}</figcaption>
    <svg class="plot" viewBox="-12 -4 ${344} ${t + 36}" role="img" aria-label=${e.label}>
      ${e.midpoint === null ? "" : D`<line class="midpoint" x1="0" x2=${320} y1=${e.midpoint} y2=${e.midpoint}></line>`}
      <path class="curve" d=${e.curve}></path>
      ${e.marks.map(Wr)}
      ${e.ticks.map((e) => D`<line class="axis" x1=${e.x} x2=${e.x} y1=${t} y2=${t + 4}></line>
            <text x=${e.x} y=${t + 16}>${e.text}</text>`)}
      <line class="axis" x1="0" x2=${320} y1=${t} y2=${t}></line>
      <text x=${160} y=${t + 28}>${e.axis}</text>
    </svg>
    <ol class="stages">
      ${e.marks.map((e) => E`<li class=${e.from === null ? "missing" : ""}><i class="swatch ${e.stage}"></i>${e.label}</li>`)}
    </ol>
  </figure>`;
}
var Kr = _`
  figure {
    margin: 8px 0 20px;
  }
  figcaption {
    font-weight: 500;
    margin-bottom: 4px;
  }
  svg.plot {
    display: block;
    width: 100%;
    max-width: 560px;
    direction: ltr;
  }
  .plot text {
    font-size: 9px;
    fill: var(--quiet);
    text-anchor: middle;
  }
  .plot line.axis {
    stroke: var(--quiet);
    stroke-width: 1;
  }
  .plot .midpoint {
    stroke: var(--quiet);
    stroke-dasharray: 4 3;
    stroke-width: 1;
  }
  .plot .curve {
    fill: none;
    stroke: var(--text);
    stroke-width: 1.6;
    stroke-linejoin: round;
  }
  .plot .guide {
    stroke: var(--stage);
    stroke-width: 1;
    stroke-dasharray: 2 2;
  }
  .plot .mark {
    fill: var(--stage);
  }
  .swatch {
    display: inline-block;
    width: 10px;
    height: 10px;
    border-radius: 3px;
    margin-inline-end: 6px;
    background: var(--stage);
    flex: none;
  }
  .request,
  .source_report,
  .agent_read {
    --stage: var(--quiet);
  }
  .dispatch {
    --stage: var(--primary-color, #03a9f4);
  }
  .software_feedback {
    --stage: var(--good);
  }
  .observable_effect {
    --stage: var(--bad);
  }
  .stages {
    list-style: none;
    margin: 4px 0 0;
    padding: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    font-size: var(--ha-font-size-s, 12px);
  }
  .stages li {
    display: inline-flex;
    align-items: center;
  }
  .stages .missing {
    color: var(--quiet);
  }
  .stages .missing .swatch {
    background: none;
    border: 1px dashed var(--quiet);
    box-sizing: border-box;
  }
`, qr = class extends N {
	static properties = {
		hass: { attribute: !1 },
		speech: { attribute: !1 },
		row: { attribute: !1 },
		session: { attribute: !1 },
		found: { attribute: !1 },
		considered: { state: !0 },
		said: { state: !0 }
	};
	constructor() {
		super(), this.considered = !1, this.said = null;
	}
	willUpdate(e) {
		let t = e.get("session");
		t && t.phase !== "idle" && this.session.phase === "idle" && (this.said = null);
	}
	render() {
		let { found: e, speech: t } = this;
		return E`
      ${Gr(Hr(e, t))}
      ${Nr(e) ? "" : E`<p class="quiet">${t.say("traces_removed")}</p>`}
      <ul>
        ${Mr(e, t).map((e) => E`<li class="own-direction ${e.status}">${e.text}</li>`)}
      </ul>
      ${this.action()}
      ${this.said ? E`<p class="said ${this.said.bad ? "bad" : ""}" role="alert">${this.said.text}</p>` : ""}
    `;
	}
	action() {
		let { speech: e } = this;
		return !Nr(this.found) || !Dr(this.hass, this.row.entityId) ? "" : this.considered ? E`<div class="confirm" role="group" aria-labelledby="question">
      <p id="question">${e.say("confirm_replay", { name: this.row.name })}</p>
      <button class="action start" @click=${() => this.start()}>${e.say("start")}</button>
      <button class="action" @click=${() => this.considered = !1}>${e.say("cancel")}</button>
    </div>` : E`<button class="action" ?disabled=${this.session.phase !== "idle"} @click=${() => this.consider()}>
        ${e.say("replay")}
      </button>`;
	}
	consider() {
		this.said = null, this.considered = !0, this.updateComplete.then(() => this.renderRoot.querySelector(".start")?.focus());
	}
	async start() {
		this.considered = !1;
		let e = {
			entity_id: this.row.entityId,
			direction: this.found.direction,
			at: this.found.at
		}, t = await Ar(this.hass, "replay", e);
		this.said = t === null ? {
			text: this.speech.say("replay_started"),
			bad: !1
		} : {
			text: t,
			bad: !0
		};
	}
	static styles = [
		K,
		Kr,
		_`
      :host {
        display: block;
        margin-bottom: 24px;
      }
      figure {
        margin-bottom: 4px;
      }
      ul {
        margin: 4px 0 8px;
        padding-inline-start: 20px;
        line-height: 1.5;
      }
      .confirm {
        padding: 12px;
        border: 1px solid var(--line);
        border-radius: 8px;
      }
      .confirm button {
        margin-inline-end: 8px;
      }
      .confirm p {
        margin: 0 0 8px;
        line-height: 1.5;
      }
      .start {
        background: var(--primary-color, #03a9f4);
        color: var(--text-primary-color, #fff);
      }
      .said.bad {
        border-inline-start: 4px solid var(--bad);
        padding-inline-start: 8px;
      }
    `
	];
}, Jr = "https://github.com/simverity/simverity-home-assistant", Yr = {
	"simverity-device-row": or,
	"simverity-session-controls": jr,
	"simverity-ticket": qr,
	"simverity-details": kn,
	"simverity-card": Tr,
	"simverity-device-card": rr,
	"simverity-disposition-feature": sr
};
for (let [e, t] of Object.entries(Yr)) customElements.get(e) || customElements.define(e, t);
function Xr(e, t) {
	e.some((e) => e.type === t.type) || e.push(t);
}
var $ = o(document.documentElement.lang || "en");
window.customCards ??= [], window.customCardFeatures ??= [], Xr(window.customCards, {
	type: "simverity-card",
	name: $.card_name,
	description: $.card_description,
	preview: !0,
	documentationURL: Jr
}), Xr(window.customCards, {
	type: "simverity-device-card",
	name: $.device_card_name,
	description: $.device_card_description,
	preview: !0,
	documentationURL: Jr,
	getEntitySuggestion: he
}), Xr(window.customCardFeatures, {
	type: "simverity-disposition-feature",
	name: $.feature_name,
	isSupported: (e, t) => ge(e, t.entity_id),
	configurable: !1
});
