import { z } from 'zod';
import { nearest } from './nearest.ts';

/** The fields that an object at this path of a value may have; of several kinds of object, those of all. */
export function knownFields(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const objects = path.reduce<z.core.$ZodType[]>(
    (outer, key) => outer.flatMap((one) => stepInto(one, key)),
    alternatives(schema),
  );
  const names = objects.flatMap((one) =>
    one instanceof z.ZodObject ? Object.keys(one.shape) : [],
  );
  return [...new Set(names)];
}

/** ` Did you mean …?` for a field that is almost one of the known ones; empty otherwise. */
export function meantField(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

function stepInto(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return alternatives(schema.element);
  const inner: z.core.$ZodType | undefined =
    schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined;
  return inner === undefined ? [] : alternatives(inner);
}

function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional) return alternatives(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  return [schema];
}
