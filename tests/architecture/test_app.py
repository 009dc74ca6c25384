"""The witness app is one that Supervisor installs and the published linter passes."""

import ast
import re
from pathlib import Path

import pytest

from .app import APP, ARCHITECTURES, docker_instructions, findings, mapping, read_yaml
from .repository import ROOT, JsonValue, leaves, name_of, read_object, repository_files

CONFIG = read_yaml(APP / "config.yaml")
TRANSLATIONS = sorted((APP / "translations").glob("*.yaml"))
SERVICES = APP / "rootfs" / "etc" / "s6-overlay" / "s6-rc.d"
LANGUAGES = {"de", "en", "fr"}
PACKAGE = sorted((APP / "simverity_witness").rglob("*.py"))


def test_the_linter_has_nothing_against_it() -> None:
    assert findings(CONFIG) == []


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"ingress_port": 8099}, "ingress_port is written down although it is the default"),
        ({"boot": "auto"}, "boot is written down although it is the default"),
        ({"hassio_api": False}, "hassio_api is written down although it is the default"),
        ({"watchdog": "http://[HOST]:8127"}, "watchdog is not known"),
        ({"build_from": "x"}, "build_from is not known"),
        ({"arch": ["amd64", "armv7"]}, "arch names an architecture that is no longer supported"),
        ({"arch": []}, "arch names an architecture that is no longer supported"),
        ({"ports": 8127}, "ports is no dict"),
        ({"webui": "http://[HOST]"}, "webui is not used beside ingress"),
        ({"schema": {}}, "option log_level has no schema"),
        ({"schema": {"log_level": "words"}}, "schema of log_level is not known"),
        ({"schema": {"log_level": "list(a|b)"}}, "option log_level is not among its choices"),
        ({"options": {}}, "option log_level has neither a value nor a question mark"),
    ],
)
def test_what_the_linter_refuses_is_found(change: dict[str, JsonValue], finding: str) -> None:
    assert finding in findings(CONFIG | change)


@pytest.mark.parametrize("key", ["arch", "description", "name", "slug", "version"])
def test_a_key_that_is_needed_is_missed(key: str) -> None:
    assert f"{key} is missing" in findings({name: value for name, value in CONFIG.items() if name != key})


def test_both_architectures_are_served() -> None:
    assert CONFIG["arch"] == sorted(ARCHITECTURES)


def test_it_asks_for_no_more_than_it_needs() -> None:
    risky = {"docker_api", "full_access", "hassio_api", "homeassistant_api", "host_network", "map", "privileged", "usb"}
    assert CONFIG.keys() & risky == set()
    assert mapping(CONFIG, "ports") == {"8127/tcp": None}, "the API is open to the network before somebody asked"


def test_it_announces_what_the_integration_listens_to() -> None:
    manifest = read_object(ROOT / "custom_components" / "simverity" / "manifest.json")
    assert CONFIG["discovery"] == [manifest["domain"]]
    assert CONFIG["homeassistant"] == read_object(ROOT / "hacs.json")["homeassistant"]


def test_the_versions_agree() -> None:
    declared = re.search(r'^version = "(.+)"', (APP / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    said = re.search(r'^APP_VERSION = "(.+)"', (APP / "simverity_witness" / "__init__.py").read_text(), re.MULTILINE)
    logged = re.search(r"^## (\S+)", (APP / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    built = re.search(r"^ARG BUILD_VERSION=(\S+)", (APP / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert [found and found[1] for found in (declared, said, logged, built)] == [CONFIG["version"]] * 4


def test_the_repository_can_be_added_to_the_app_store() -> None:
    repository = read_yaml(ROOT / "repository.yaml")
    assert set(repository) == {"name", "url", "maintainer"}
    assert [path for path in repository_files() if path.name == "config.yaml"] == [APP / "config.yaml"]


@pytest.mark.parametrize("name", ["README.md", "DOCS.md", "CHANGELOG.md", "Dockerfile", "apparmor.txt"])
def test_what_supervisor_looks_for_is_there(name: str) -> None:
    assert (APP / name) in repository_files()


@pytest.mark.parametrize(("name", "size"), [("icon.png", (128, 128)), ("logo.png", (250, None))])
def test_pictures_have_the_expected_size(name: str, size: tuple[int, int | None]) -> None:
    header = (APP / name).read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = int.from_bytes(header[16:20]), int.from_bytes(header[20:24])
    assert width == size[0]
    assert size[1] in (height, None)


def test_every_language_is_there() -> None:
    assert {path.stem for path in TRANSLATIONS} == LANGUAGES


@pytest.mark.parametrize("path", TRANSLATIONS, ids=name_of)
def test_every_option_and_port_is_explained(path: Path) -> None:
    texts = dict(leaves(read_yaml(path)))
    options = {("configuration", name, part) for name in mapping(CONFIG, "schema") for part in ("name", "description")}
    assert set(texts) == options | {("network", port) for port in mapping(CONFIG, "ports")}
    assert [keys for keys, text in texts.items() if not text.strip()] == []


def test_the_image_stands_on_the_debian_base() -> None:
    bases = [arguments for name, arguments in docker_instructions() if name == "FROM"]
    assert bases == ["ghcr.io/home-assistant/base-debian:trixie"]


def test_docker_watches_the_health_of_the_service() -> None:
    checks = [arguments for name, arguments in docker_instructions() if name == "HEALTHCHECK"]
    assert len(checks) == 1
    script = APP / "rootfs" / re.findall(r'"/([^"]+\.py)"', checks[0])[0]
    assert ":8127/v1/health" in script.read_text(encoding="utf-8")


def test_the_image_says_what_it_is() -> None:
    labels = " ".join(arguments for name, arguments in docker_instructions() if name == "LABEL")
    assert 'io.hass.type="app"' in labels
    assert {"io.hass.version", "io.hass.arch"} <= set(re.findall(r"([\w.]+)=", labels))


def test_what_is_copied_into_the_image_lies_in_the_app() -> None:
    sources = [source for name, words in docker_instructions() if name == "COPY" for source in words.split()[:-1]]
    assert sources
    assert [source for source in sources if not (APP / source).exists()] == []
    allowed = {line[1:] for line in (APP / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert set(sources) == allowed


def test_every_package_is_pinned_and_comes_as_a_wheel() -> None:
    text = (APP / "requirements.txt").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text)
    pinned = [entry for entry in entries if not entry.startswith("#")]
    assert len(pinned) > 4
    assert [entry for entry in pinned if not re.match(r"[\w-]+==[\w.]+ \\\n +--hash=sha256:[0-9a-f]{64}", entry)] == []
    installs = " ".join(arguments for name, arguments in docker_instructions() if name == "RUN")
    assert "--require-hashes --only-binary :all: -r" in installs


def test_the_image_holds_the_versions_that_are_tested() -> None:
    text = (APP / "requirements.txt").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE))
    tested = dict(
        re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "requirements" / "instruments.txt").read_text(), re.MULTILINE)
    )
    declared = re.search(r"^dependencies = \[(.+)\]$", (APP / "pyproject.toml").read_text(), re.MULTILINE)
    assert declared is not None
    direct = re.findall(r'"([\w-]+)>=', declared[1])
    assert direct
    assert {name: pins[name] for name in direct} == {name: tested[name] for name in direct}


@pytest.mark.parametrize("path", PACKAGE, ids=name_of)
def test_the_witness_is_written_for_the_images_python(path: Path) -> None:
    """Debian trixie has Python 3.13; what is newer in 3.14 would only fail inside the image."""
    ast.parse(path.read_text(encoding="utf-8"), filename=str(path), feature_version=(3, 13))


def test_the_services_form_a_whole() -> None:
    names = {path.name for path in SERVICES.iterdir()} - {"user"}
    assert {path.name for path in (SERVICES / "user" / "contents.d").iterdir()} == names
    for name in names:
        kind = (SERVICES / name / "type").read_text().strip()
        needed = {"longrun": "run", "oneshot": "up"}[kind]
        assert (SERVICES / name / needed).is_file()
        before = {path.name for path in (SERVICES / name / "dependencies.d").iterdir()}
        assert before <= names | {"base"}


def test_scripts_in_the_image_are_executable() -> None:
    scripts = [path for path in (APP / "rootfs").rglob("*") if path.is_file() and path.read_bytes()[:2] == b"#!"]
    assert len(scripts) >= 3
    assert [name_of(path) for path in scripts if not path.stat().st_mode & 0o100] == []


def test_the_witness_does_not_run_as_root() -> None:
    run = (SERVICES / "witness" / "run").read_text(encoding="utf-8")
    last = re.sub(r"\s*\\\n\s*", " ", run).strip().splitlines()[-1]
    assert last.startswith("exec s6-setuidgid witness /opt/witness/bin/simverity-witness ")
    assert any("useradd" in arguments and arguments.endswith(" witness") for _, arguments in docker_instructions())


def test_the_witness_may_write_its_token_and_nothing_else() -> None:
    profile = (APP / "apparmor.txt").read_text(encoding="utf-8")
    assert re.findall(r"^profile (\S+)", profile, re.MULTILINE) == [CONFIG["slug"]]
    inner = profile[profile.index("  profile witness") :]
    rules = re.findall(r"^ +(?:owner )?(/\S+) (\w+),", inner, re.MULTILINE)
    assert {path for path, permissions in rules if set(permissions) & set("wak")} == {
        "/data/token",
        "/data/token.partial",
    }


def test_both_ways_without_supervisor_are_one_line() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (APP / "DOCS.md").read_text(encoding="utf-8"), re.DOTALL)
    assert [block for block in blocks if block.count("\n") != 1] == []
    assert {block.split()[0] for block in blocks} == {"docker", "uvx", "uv"}
