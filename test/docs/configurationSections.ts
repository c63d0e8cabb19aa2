import { z } from 'zod';
import { createConfigSchema } from '../../src/config/createConfigSchema.ts';
import { dialectValues } from '../../src/contract/index.ts';
import { table } from './table.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

interface Row {
  path: string;
  takes: readonly string[];
  fallback: string;
  text: string;
}

/** One section per key of a bot's configuration; the dialect has its own page. */
export function configurationSections(): string {
  const { properties = {}, required = [] } = createConfigSchema() as Schema;
  return Object.entries(properties)
    .map(([key, schema]) => {
      if (key === 'dialect')
        return `## dialect\n\n${schema.description} See [Dialect](dialect.md).`;
      const rows = rowsOf(schema, key, required.includes(key));
      return `## ${key}\n\n${schema.description ?? ''}\n\n${tableOf(rows)}`;
    })
    .join('\n\n');
}

/** A section a group of the dialect's values. */
export function dialectSections(): string {
  const schema = z.toJSONSchema(dialectValues, { io: 'input', unrepresentable: 'any' }) as Schema;
  return Object.entries(schema.properties ?? {})
    .map(([key, group]) => `## ${key}\n\n${tableOf(rowsOf(group, key, false))}`)
    .join('\n\n');
}

const tableOf = (rows: readonly Row[]): string =>
  table(
    ['key', 'takes', 'default', 'what it is'],
    rows.map(({ path, takes, fallback, text }) => [
      `\`${path}\``,
      takes.join(', '),
      fallback,
      text,
    ]),
  );

/** The value itself, where it takes more than a map of known keys; then the keys below it. */
function rowsOf(schema: Schema, path: string, isRequired: boolean): Row[] {
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const below = new Map<string, Row>();
  const add = (rows: readonly Row[]): void => {
    // Alternatives of one key share common parts; the first one with a value counts.
    for (const row of rows) {
      const known = below.get(row.path);
      const takes = new Set([...(known?.takes ?? []), ...row.takes]);
      below.set(row.path, { ...(known ?? row), takes: [...takes] });
    }
  };
  for (const branch of branches) {
    for (const [key, inner] of Object.entries(branch.properties ?? {})) {
      add(rowsOf(inner, `${path}.${key}`, branch.required?.includes(key) ?? false));
    }
    if (branch.items !== undefined) add(rowsOf(branch.items, `${path}[]`, false).filter(hasText));
    if (typeof branch.additionalProperties === 'object') {
      add(rowsOf(branch.additionalProperties, `${path}.*`, false).filter(hasText));
    }
  }
  const own: Row = {
    path,
    takes: takesOf(schema),
    fallback: isRequired ? 'required' : fallbackOf(schema),
    text: schema.description ?? '',
  };
  const isGroup = own.takes[0] === 'map' && own.text === '' && own.fallback !== 'required';
  return isGroup ? [...below.values()] : [own, ...below.values()];
}

const hasText = ({ text, takes }: Row): boolean => text !== '' || takes.length > 0;

function takesOf(schema: Schema): readonly string[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.flatMap(takesOf))];
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``);
  if (schema.type === 'array') return ['list'];
  if (schema.type === 'object') return ['map'];
  return schema.type === undefined ? [] : [`${schema.type}${rangeOf(schema)}`];
}

/** Explicit bounds, not those of a safe integer. */
function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const isSet = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const parts = [
    ...(isSet(minimum) ? [`≥ ${minimum}`] : []),
    ...(isSet(exclusiveMinimum) ? [`> ${exclusiveMinimum}`] : []),
    ...(isSet(maximum) ? [`≤ ${maximum}`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
}

function fallbackOf({ default: value }: Schema): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.map((item) => `\`${item}\``).join(', ');
  if (value === undefined || typeof value === 'object') return '';
  return `\`${JSON.stringify(value).replaceAll('"', '')}\``;
}
