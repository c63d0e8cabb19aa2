import type { z } from 'zod';
import type { Dialect } from './dialect.ts';
import type { EndpointId } from './endpoints.ts';
import type { FieldIssue } from './errorEnvelope.ts';
import { checkShape, faultOfFields, type ShapeResult } from './validation.ts';

/** A Pacemaker's duration as it was sent, and its path. */
interface Duration {
  path: string;
  seconds: unknown;
}

type Find = (value: unknown) => Duration[];

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

const under = (name: string | number, found: readonly Duration[]): Duration[] =>
  found.map(({ path, seconds }) => ({ path: `${name}.${path}`, seconds }));

const at =
  (name: string, find: Find): Find =>
  (value) =>
    under(name, find(fieldOf(value, name)));

const inEach =
  (find: Find): Find =>
  (values) =>
    Array.isArray(values) ? values.flatMap((value, index) => under(index, find(value))) : [];

const inParams: Find = (params) => [
  { path: 'duration_seconds', seconds: fieldOf(params, 'duration_seconds') },
];
const inLaunch: Find = (launch) =>
  fieldOf(launch, 'algo') === 'pacemaker' ? at('params', inParams)(launch) : [];
const inLeg: Find = (leg) =>
  fieldOf(leg, 'unwind_algo') === 'pacemaker' ? at('unwind_params', inParams)(leg) : [];

/** Requests that can hold a Pacemaker. A webhook's is checked as a launch, with an alert's values in it. */
const DURATIONS: Partial<Record<EndpointId, Find>> = {
  'executions.launch': inLaunch,
  'positions.close': inLaunch,
  'positions.attachLegs': (body) => [
    ...at('take_profit', inLeg)(body),
    ...at('stop_loss', inLeg)(body),
  ],
  'monitors.create': at('action', at('request', inLaunch)),
  'baskets.launch': at('legs', inEach(inLaunch)),
  'baskets.createTemplate': at('legs', inEach(inLaunch)),
};

/** A request inside the checked value. */
export interface HeldRequest {
  endpoint: EndpointId;
  body: unknown;
  /** The field that holds it; undefined if it is checked by itself. */
  field?: string;
}

/**
 * What a shape check found, and beside it the Pacemakers of the request that are shorter than the service
 * takes. The schemas can't know that minimum: it is the dialect's (spec §8: not shown).
 *
 * @param minSeconds `limits.pacemakerMinSeconds` of the dialect
 */
export function withPacemakerMinimum<T>(
  result: ShapeResult<T>,
  { endpoint, body, field }: HeldRequest,
  minSeconds: number,
): ShapeResult<T> {
  const found = DURATIONS[endpoint]?.(body) ?? [];
  const short = found.flatMap(({ path, seconds }): FieldIssue[] => {
    if (!Number.isSafeInteger(seconds) || Number(seconds) >= minSeconds) return [];
    const message = `Too small: expected number to be >=${minSeconds}`;
    return [{ path: field === undefined ? path : `${field}.${path}`, code: 'too_small', message }];
  });
  if (short.length === 0) return result;
  const others = result.ok ? [] : result.fault.details.fields;
  const apart = others.filter(({ path }) => short.every((issue) => issue.path !== path));
  return { ok: false, fault: faultOfFields([...apart, ...short]) };
}

/**
 * Checks the body of an endpoint that takes one: its shape, and the limits of the dialect. The value is
 * returned unchanged (RULE-1).
 */
export function checkRequest(
  endpoint: EndpointId,
  body: unknown,
  { endpoints, limits }: Pick<Dialect, 'endpoints' | 'limits'>,
): ShapeResult<unknown> {
  const schema: z.ZodType | null = endpoints[endpoint].body;
  if (schema === null) throw new Error(`${endpoint} takes no body.`);
  const result = checkShape(schema, body);
  return withPacemakerMinimum(result, { endpoint, body }, limits.pacemakerMinSeconds);
}
