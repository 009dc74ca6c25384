import { describe, expect, it } from "vitest";
import { ask, mayAct, repetitionsFrom } from "../../src/controllers/requests";
import type { Home } from "../../src/home";
import { fakeHome } from "../fakes/home";

describe("who may act", () => {
  it.each<[string, Partial<Home>, string, boolean]>([
    ["an administrator on a light", {}, "light.desk", true],
    ["an administrator on a switch", {}, "switch.pump", true],
    ["an administrator on a lock", {}, "lock.door", false],
    ["an administrator on nothing", {}, "", false],
    ["a user", { user: { is_admin: false } }, "light.desk", false],
  ])("%s", (_, changes, entity, may) => {
    expect(mayAct(fakeHome(changes), entity)).toBe(may);
  });

  it("is nobody while the user is not known", () => {
    const { user: _, ...home } = fakeHome();
    expect(mayAct(home, "light.desk")).toBe(false);
  });
});

describe("repetitions", () => {
  it.each([
    ["12", 12],
    ["2.6", 3],
    ["0", 1],
    ["-4", 1],
    ["1000", 100],
    ["many", 10],
  ])("%s", (given, taken) => {
    expect(repetitionsFrom(given)).toBe(taken);
  });
});

describe("asking", () => {
  it("calls the integration's action", async () => {
    const sent: unknown[] = [];
    const home = fakeHome({
      callWS: async (message) => {
        sent.push(message);
        return {} as never;
      },
    });
    expect(await ask(home, "run_session", { entity_id: "light.desk", repetitions: 3 })).toBeNull();
    expect(sent).toEqual([
      {
        type: "call_service",
        domain: "simverity",
        service: "run_session",
        service_data: { entity_id: "light.desk", repetitions: 3 },
      },
    ]);
  });

  const refusing = (refusal: unknown, said = "") =>
    fakeHome({
      callWS: async () => Promise.reject(refusal),
      loadBackendTranslation: async (category) => (key, values) =>
        said && `${category} ${key} ${JSON.stringify(values ?? {})}`,
    });
  const refusal = {
    code: "service_validation_error",
    message: "A session runs",
    translation_domain: "simverity",
    translation_key: "session_running",
    translation_placeholders: { session: "s-1" },
  };

  it("says a refusal in the user's language", async () => {
    expect(await ask(refusing(refusal, "yes"), "run_session", {})).toBe(
      'exceptions component.simverity.exceptions.session_running.message {"session":"s-1"}',
    );
  });

  it.each([
    ["as it came, without a translation", refusal, "A session runs"],
    ["as it came, without a key", { message: "Unauthorized" }, "Unauthorized"],
    ["by its code, without a message", { code: "unauthorized" }, "unauthorized"],
    ["somehow, in any case", undefined, "?"],
  ])("says a refusal %s", async (_, given, expected) => {
    expect(await ask(refusing(given), "requalify", {})).toBe(expected);
  });
});
