import { z } from 'zod';

/** The value as the schema returns it, or {@link UNSURE}: then only the schema itself can decide. */
export type ReadShape = (value: unknown) => unknown;

/** It does not fit, or a plain reader can't decide; the schema then reports the fault. */
export const UNSURE: unique symbol = Symbol('unsure');

/**
 * Compiles a plain reader from a request's schema. Every order passes two such checks, the bot's and the
 * service's, and the schema's own takes many times as long, especially the first few times.
 *
 * It returns what the schema would return: a copy with the schema's fields in the schema's order. In any
 * doubt it returns UNSURE, so that it can never accept what the schema refuses; a test compares the two.
 */
export function compileShape(schema: z.core.$ZodType): ReadShape {
  const read = readerOf(schema);
  const checks = (schema._zod.def.checks ?? []).map((check) => compileCheck(check));
  if (read === null || checks.includes(null)) return askPart(schema);
  const wanted = checks.filter((check) => check !== null);
  if (wanted.length === 0) return read;
  return (value) => {
    const found = read(value);
    if (found === UNSURE) return UNSURE;
    for (const pass of wanted) if (!pass(found as never)) return UNSURE;
    return found;
  };
}

/** Parts without a plain reader are checked by the schema itself. */
function askPart(schema: z.core.$ZodType): ReadShape {
  return (value) => {
    if (pathToProto(value) !== null) return UNSURE;
    const parsed = z.safeParse(schema, value);
    return parsed.success ? parsed.data : UNSURE;
  };
}

/** A reader without the schema's checks; null for an unknown kind of schema. */
function readerOf(schema: z.core.$ZodType): ReadShape | null {
  const isFormat = schema._zod.traits.has('$ZodCheck');
  if (schema instanceof z.ZodOptional) return compileShape(schema.unwrap());
  if (schema instanceof z.ZodObject) return readObject(schema);
  if (schema instanceof z.ZodArray) return readArray(compileShape(schema.element));
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
    const { values } = schema._zod;
    return (value) => (values.has(value as never) ? value : UNSURE);
  }
  if (schema instanceof z.ZodBoolean && !coerces(schema)) {
    return (value) => (typeof value === 'boolean' ? value : UNSURE);
  }
  if (schema instanceof z.ZodNumberFormat) {
    if (schema._zod.def.format !== 'safeint') return null;
    return (value) => (Number.isSafeInteger(value) ? value : UNSURE);
  }
  if (schema instanceof z.ZodNumber && !isFormat && !coerces(schema)) {
    return (value) => (Number.isFinite(value) ? value : UNSURE);
  }
  if (schema instanceof z.ZodString && !isFormat && !coerces(schema)) {
    return (value) => (typeof value === 'string' ? value : UNSURE);
  }
  if (schema instanceof z.ZodUnknown) return readPlain;
  return null;
}

const coerces = ({ _zod }: z.ZodString | z.ZodNumber | z.ZodBoolean): boolean =>
  _zod.def.coerce === true;

const readPlain: ReadShape = (value) => (pathToProto(value) === null ? value : UNSURE);

/**
 * Finds a field with the name `__proto__`, which only parsed text can have: zod omits it from a loose
 * object, so a later, strict check of that object no longer sees it (RULE-1).
 */
export function pathToProto(value: unknown): string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, PROTO)) return [PROTO];
  // Of an array its items only: a field that a program hung on it never reaches the wire.
  for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = pathToProto(inner);
    if (found !== null) return [String(name), ...found];
  }
  return null;
}

function readArray(read: ReadShape): ReadShape {
  return (value) => {
    if (!Array.isArray(value) || Object.hasOwn(value, PROTO)) return UNSURE;
    const found: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      const item = read(value[index]);
      if (item === UNSURE) return UNSURE;
      found.push(item);
    }
    return found;
  };
}

const PROTO = '__proto__';

function readObject(schema: z.ZodObject): ReadShape | null {
  const { shape } = schema;
  const fields = Object.keys(shape).map((name) => ({
    name,
    read: compileShape(shape[name]!),
    isOptional: shape[name] instanceof z.ZodOptional,
  }));
  const places = new Map(fields.map(({ name }, place) => [name, place]));
  if (places.has(PROTO)) return null;
  const required = fields.filter(({ isOptional }) => !isOptional).length;
  const isLoose = schema._zod.def.catchall instanceof z.ZodUnknown;

  /** Any object: of each field that there may be, whether it is there. */
  function readFields(given: Readonly<Record<string, unknown>>): unknown {
    const found: Record<string, unknown> = {};
    for (const { name, read, isOptional } of fields) {
      const field = given[name];
      if (field === undefined) {
        // A field that is present and undefined differs from one that is absent.
        if (!isOptional || name in given) return UNSURE;
        continue;
      }
      const part = read(field);
      if (part === UNSURE) return UNSURE;
      found[name] = part;
    }
    for (const name in given) {
      if (places.has(name)) continue;
      const part = isLoose ? readPlain(given[name]) : UNSURE;
      if (part === UNSURE) return UNSURE;
      found[name] = part;
    }
    return found;
  }

  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNSURE;
    if (Object.hasOwn(value, PROTO)) return UNSURE;
    const given = value as Record<string, unknown>;
    if (Object.getPrototypeOf(given) !== Object.prototype) return readFields(given);
    // Mostly a few of many fields are there, in the schema's order: a copy of them is what is to be returned.
    const found = { ...given };
    let last = -1;
    let missing = required;
    for (const name in found) {
      const place = places.get(name);
      if (place === undefined || place < last) return readFields(given);
      const { read, isOptional } = fields[place]!;
      const field = found[name];
      const part = field === undefined ? UNSURE : read(field);
      if (part === UNSURE) return UNSURE;
      if (part !== field) found[name] = part;
      if (!isOptional) missing--;
      last = place;
    }
    return missing > 0 ? UNSURE : found;
  };
}

type Pass = (value: never) => boolean;

/** null for a kind of check that no request has; add it here. */
function compileCheck(check: z.core.$ZodCheck): Pass | null {
  const { when, ...def } = check._zod.def as z.core.$ZodCheckDef & {
    value?: unknown;
    inclusive?: boolean;
    minimum?: number;
    maximum?: number;
    pattern?: RegExp;
    format?: string;
  };
  const bound = typeof def.value === 'number' ? def.value : Number.NaN;
  const { minimum = 0, maximum = 0, pattern } = def;
  switch (def.check) {
    case 'greater_than':
      if (def.inclusive === true) return (value: number) => value >= bound;
      return (value: number) => value > bound;
    case 'less_than':
      if (def.inclusive === true) return (value: number) => value <= bound;
      return (value: number) => value < bound;
    // A schema counts a text's characters, which may be half as many as its units.
    case 'min_length':
      return (value: string | unknown[]) =>
        value.length >= minimum * 2 || (minimum === 1 && value.length === 1);
    case 'max_length':
      return (value: string | unknown[]) => value.length <= maximum;
    case 'string_format':
      if (def.format !== 'regex' || pattern === undefined || pattern.global) return null;
      return (value: string) => pattern.test(value);
    case 'custom':
      return when === undefined ? (value) => passes(check, value) : null;
    default:
      return null;
  }
}

/** A rule across fields runs as written. */
function passes(check: z.core.$ZodCheck, value: never): boolean {
  const payload = { value, issues: [] };
  const later = check._zod.check(payload);
  return later === undefined && payload.issues.length === 0 && payload.value === value;
}
