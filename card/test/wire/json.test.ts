import { describe, expect, it } from "vitest";
import { fields, flag, list, nullable, number, object, record, text, WireError, word } from "../../src/wire/json";

describe("what is not as promised is refused with its place", () => {
  it.each([
    ["a number for a text", () => text(1, "a.b"), "a.b is no text"],
    ["a text for a number", () => number("1", "a"), "a is no number"],
    ["a number that is none", () => number(Number.NaN, "a"), "a is no number"],
    ["a text for a flag", () => flag("true", "a"), "a is neither true nor false"],
    ["a list for an object", () => object([], "a"), "a is no object"],
    ["nothing for an object", () => object(null, "a"), "a is no object"],
    ["another word", () => word("on", "off")("dim", "a"), "a is none of on, off"],
    ["an object for a list", () => list(text)({}, "a"), "a is no list"],
    ["a wrong item", () => list(text)(["x", 2], "a"), "a[1] is no text"],
    ["a wrong value", () => record(number)({ k: "v" }, "a"), "a.k is no number"],
    ["a missing field", () => fields({}, "a")("b", text), "a.b is no text"],
  ])("%s", (_, read, message) => {
    expect(read).toThrow(new WireError(message));
  });
});

describe("what is as promised is read", () => {
  it("reads words, lists, records and fields", () => {
    expect(word("on", "off")("off", "a")).toBe("off");
    expect(list(number)([1, 2], "a")).toEqual([1, 2]);
    expect(record(flag)({ k: true }, "a")).toEqual(new Map([["k", true]]));
    expect(fields({ b: "x" }, "a")("b", text)).toBe("x");
  });

  it("reads null and a missing field as null", () => {
    expect(nullable(text)(null, "a")).toBeNull();
    expect(nullable(text)(undefined, "a")).toBeNull();
    expect(nullable(text)("x", "a")).toBe("x");
  });
});
