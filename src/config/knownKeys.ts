import { z } from 'zod';
import type { KeyPath } from './ConfigFault.ts';

/** The part of JSON Schema that our own schemas use. */
export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  description?: string;
  default?: unknown;
}

/** JSON Schema (draft-07) of the user's input, defaults and descriptions included. */
export function toInputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;
}

/** Every schema that a value at the path may follow: more than one if alternatives exist. */
function schemasAt(root: JsonSchema, path: KeyPath): JsonSchema[] {
  return path.reduce<JsonSchema[]>(
    (schemas, key) => schemas.flatMap(alternatives).flatMap((schema) => step(schema, key)),
    [root],
  );
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...branches.flatMap(alternatives)];
}

function step(schema: JsonSchema, key: string | number): JsonSchema[] {
  if (typeof key === 'number') return schema.items ? [schema.items] : [];
  const properties = schema.properties ?? {};
  const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (named !== undefined) return [named];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** Keys that the map at the path may have. */
export function knownKeys(root: JsonSchema, path: KeyPath): string[] {
  const keys = schemasAt(root, path)
    .flatMap(alternatives)
    .flatMap((schema) => Object.keys(schema.properties ?? {}));
  return [...new Set(keys)];
}

/** Keys that the map at the path may have beside this one. */
export function keysBeside(root: JsonSchema, path: KeyPath, key: string): string[] {
  const holding = schemasAt(root, path)
    .flatMap(alternatives)
    .filter(({ properties = {} }) => Object.hasOwn(properties, key));
  return holding.flatMap(({ properties = {} }) => Object.keys(properties));
}

/** The description of the value at the path, units included; empty if there is none. */
export function describe(root: JsonSchema, path: KeyPath): string {
  const described = schemasAt(root, path).find((schema) => schema.description !== undefined);
  return described?.description ?? '';
}
