import { z } from 'zod';
import { isMap } from '../contract/isMap.ts';

/** Finds the path of the first part that doesn't fit, or null when all of it fits. */
export type Check = (value: unknown) => string | null;

/**
 * Compiles a plain check from a schema. There are thousands of frames: a check walks the value once without
 * allocating, while the schema itself would copy it. Both accept and refuse the same values, which a test
 * ensures.
 *
 * @throws Error for a kind of schema that no frame uses yet; add it here
 */
export function compileCheck(schema: z.ZodType): Check {
  if (schema instanceof z.ZodUnknown) return () => null;
  if (schema instanceof z.ZodString) return (value) => (typeof value === 'string' ? null : '');
  if (schema instanceof z.ZodNumber) return (value) => (Number.isFinite(value) ? null : '');
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? null : '');
  if (schema instanceof z.ZodLiteral) return checkLiteral(schema);
  if (schema instanceof z.ZodOptional) return checkUnless(undefined, schema.unwrap());
  if (schema instanceof z.ZodNullable) return checkUnless(null, schema.unwrap());
  if (schema instanceof z.ZodArray) return checkArray(schema.element);
  if (schema instanceof z.ZodTuple) return checkTuple(schema.def.items);
  if (schema instanceof z.ZodRecord) return checkRecord(schema.valueType);
  if (schema instanceof z.ZodObject) return checkObject(schema.shape);
  throw new Error(`No check is written for schemas of type ${schema.def.type}.`);
}

function checkLiteral(schema: z.ZodLiteral): Check {
  return (value) => (schema.values.has(value as never) ? null : '');
}

function checkUnless(allowed: null | undefined, inner: z.core.SomeType): Check {
  const check = compileCheck(inner as z.ZodType);
  return (value) => (value === allowed ? null : check(value));
}

function checkArray(element: z.core.SomeType): Check {
  const check = compileCheck(element as z.ZodType);
  return (value) => {
    if (!Array.isArray(value)) return '';
    for (let index = 0; index < value.length; index++) {
      const fault = check(value[index]);
      if (fault !== null) return join(index, fault);
    }
    return null;
  };
}

/** A book's level: a fixed number of parts, and no more. */
function checkTuple(items: readonly z.core.SomeType[]): Check {
  const checks = items.map((item) => compileCheck(item as z.ZodType));
  return (value) => {
    if (!Array.isArray(value) || value.length !== checks.length) return '';
    for (let index = 0; index < checks.length; index++) {
      const fault = checks[index]!(value[index]);
      if (fault !== null) return join(index, fault);
    }
    return null;
  };
}

function checkRecord(valueType: z.core.SomeType): Check {
  const check = compileCheck(valueType as z.ZodType);
  return (value) => {
    if (!isMap(value)) return '';
    for (const key in value) {
      const fault = check(value[key]);
      if (fault !== null) return join(key, fault);
    }
    return null;
  };
}

function checkObject(shape: Readonly<Record<string, z.core.SomeType>>): Check {
  const keys = Object.keys(shape);
  const checks = keys.map((key) => compileCheck(shape[key] as z.ZodType));
  return (value) => {
    if (!isMap(value)) return '';
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const fault = checks[index]!(value[key]);
      if (fault !== null) return join(key, fault);
    }
    return null;
  };
}

const join = (key: string | number, rest: string): string =>
  rest === '' ? String(key) : `${key}.${rest}`;
