import type { z } from 'zod';
import { dialectValues, type Dialect } from '../../contract/index.ts';

/** A point that the spec leaves open, and the choice of our dialect (DIAL-1). */
export interface SilentPoint {
  /** `section.name` of the dialect's values, or a name of {@link OPEN_SHAPES}. */
  point: string;
  /** Section of the spec that doesn't show it. */
  section: string;
  note: string;
  /** The dialect's value, as text. */
  expected: string;
}

/** What the spec leaves open that isn't a single value: shapes, lists and rules. */
const OPEN_SHAPES = {
  'endpoints.paths': ['§4', 'Paths of the endpoints that the spec does not show.'],
  'endpoints.scopes': ['§5.8', 'Which scope each endpoint asks for.'],
  'endpoints.weights': ['§8', 'Weight of each endpoint.'],
  'errors.codes': ['§7', 'Fields of the error envelope and the codes.'],
  'idempotency.replay': ['§5.8', 'A repeated key replays the first answer.'],
  'legs.price': ['§2.3', 'Field of an absolute price in a leg.'],
  'algorithms.identifiers': ['§2.4', 'Identifiers of the six algorithms.'],
  'candles.query': ['§4', 'Query of candles beyond include_forming.'],
  'evaluate.body': ['§4', 'Body of an indicator evaluation.'],
  'records.fields': ['§2.8', 'Fields of the records.'],
  'stream.messages': ['§6', 'Subscriptions, frames, commands and results.'],
  'stream.channels': ['§6', 'Channels beyond the four that the spec names.'],
} as const satisfies Record<string, readonly [section: string, note: string]>;

const SECTIONS = [
  'headers',
  'names',
  'signing',
  'limits',
  'executions',
  'budget',
  'stream',
  'venue',
] as const;
type Section = (typeof SECTIONS)[number];

export type SilentPointId =
  keyof typeof OPEN_SHAPES | { [S in Section]: `${S}.${keyof Dialect[S] & string}` }[Section];

/** Every silent point: the dialect's values, taken from its schema, and the open shapes. */
export function silentPoints(dialect: Dialect): SilentPoint[] {
  const values = SECTIONS.flatMap((section) => {
    const { shape } = dialectValues.shape[section].unwrap();
    return Object.entries(shape).map(([name, schema]) => {
      const { section: where = '', description = '' } = (schema as z.ZodType).meta() ?? {};
      const value = (dialect[section] as Readonly<Record<string, unknown>>)[name];
      const note = description.replace(/ \(spec [^)]*\)$/, '');
      return { point: `${section}.${name}`, section: String(where), note, expected: textOf(value) };
    });
  });
  const shapes = Object.entries(OPEN_SHAPES).map(([point, [section, note]]) => ({
    point,
    section,
    note,
    expected: 'as the contract has it',
  }));
  return [...values, ...shapes];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
