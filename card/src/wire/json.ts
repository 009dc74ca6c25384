/** Reading messages: the border at which a loose value becomes a typed one. */

export class WireError extends Error {
  override name = "WireError";
}

export type Json = unknown;
export type Reader<T> = (value: Json, path: string) => T;

export const text: Reader<string> = (value, path) => {
  if (typeof value !== "string") throw new WireError(`${path} is no text`);
  return value;
};

export const number: Reader<number> = (value, path) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new WireError(`${path} is no number`);
  return value;
};

export const flag: Reader<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw new WireError(`${path} is neither true nor false`);
  return value;
};

export const object: Reader<Record<string, Json>> = (value, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new WireError(`${path} is no object`);
  return value as Record<string, Json>;
};

/** One of the given words, and no other. */
export function word<const T extends string>(...words: readonly T[]): Reader<T> {
  return (value, path) => {
    const found = words.find((one) => one === value);
    if (found === undefined) throw new WireError(`${path} is none of ${words.join(", ")}`);
    return found;
  };
}

/** Something, or null. A field that is missing reads as null. */
export function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (value, path) => (value === null || value === undefined ? null : read(value, path));
}

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new WireError(`${path} is no list`);
    return value.map((one, index) => read(one, `${path}[${index}]`));
  };
}

export function record<T>(read: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return (value, path) =>
    new Map(Object.entries(object(value, path)).map(([key, one]) => [key, read(one, `${path}.${key}`)]));
}

/** Reads the fields of one object. */
export function fields(value: Json, path: string): <T>(name: string, read: Reader<T>) => T {
  const found = object(value, path);
  return (name, read) => read(found[name], `${path}.${name}`);
}
