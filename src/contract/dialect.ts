import { z } from 'zod';
import { createTranslation, type WireAnswer, type WireRequest } from './createTranslation.ts';
import { createWireShapes, type DialectShapes, type WireShapes } from './createWireShapes.ts';
import { ENDPOINT_IDS, endpointSpec, type EndpointId, type EndpointSpec } from './endpoints.ts';
import { isMap } from './isMap.ts';
import { createListQuery, listQuery } from './marketRequests.ts';
import { EXECUTION_ACTIONS, SCOPES } from './vocabulary.ts';

/**
 * The dialect (DIAL-1): every point that the spec leaves "not shown", in one place, each with the section
 * that leaves it open and our default. A user whose service differs changes values here from the
 * configuration (`dialect:`), or supplies a module whose default export is a {@link DialectModule} for
 * the shapes of requests, answers, frames and commands. Nothing else in the code holds such a choice.
 *
 * The code uses the names of this folder. Outgoing data is renamed first and then passes the module's
 * functions; incoming data passes the functions first and is then renamed. So a function sees the
 * service's own JSON.
 */

/** A value with its default, and the section of the spec that does not show it. */
const open = <T extends z.ZodType>(
  schema: T,
  section: string,
  fallback: z.infer<T>,
  note: string,
) =>
  (schema as z.ZodType).default(fallback as never).meta({
    description: `${note} (spec ${section}: not shown)`,
    section,
  }) as unknown as z.ZodDefault<T>;

const header = (section: string, fallback: string, note: string) =>
  open(z.string().min(1), section, fallback, note);
const count = (section: string, fallback: number, note: string) =>
  open(z.number().nonnegative(), section, fallback, note);

const headers = z.strictObject({
  wallet: header('§5.8', 'X-Service-Wallet', 'Selects a connection by its id.'),
  walletResolved: header('§5.8', 'X-Service-Wallet-Resolved', 'The connection id that was used.'),
  requestId: header('§5.7', 'X-Request-Id', 'Names the response.'),
  idempotencyReplayed: header('§5.8', 'Idempotency-Replayed', '`true` on a replay.'),
  weight: header('§8', 'X-Service-Weight', 'Weight that the call was charged.'),
  weightRemaining: header('§8', 'X-Service-Weight-Remaining', 'Weight left in the window.'),
  retryAfter: header(
    '§7',
    'Retry-After',
    'Seconds to wait after a 429, where its body names none.',
  ),
});

const nameMap = z.record(z.string(), z.string().min(1));
const map = (section: string, note: string) => open(nameMap, section, {}, note);

/** Our names with those of the service; unlisted names are the same. */
const names = z.strictObject({
  fields: map('§2.8', 'Fields: `{ ours: theirs }`; `stop_loss.price` only inside stop_loss.'),
  query: map('§4', 'Query parameters, `cursor` and `limit` among them.'),
  words: open(
    z.record(z.string(), nameMap),
    '§2.4',
    {},
    'Values of a field: `algo: {pacemaker: …}`.',
  ),
  codes: map('§7', 'Error codes.'),
  channels: map('§6', 'Channels of the streams.'),
  events: map('§6', 'Events of the channels.'),
  commands: map('§6', 'Commands of the WebSocket.'),
  clientIdPrefix: header('§4', 'client:', 'Stands before a client id where a path takes an id.'),
});

/** Signing options that AUTH-8 leaves open; headers, scopes and idempotency are separate values. */
const signing = z.strictObject({
  timestampToleranceSeconds: count('§5.8', 30, 'How far a timestamp may be off, either way.'),
  signQueryString: open(z.boolean(), '§5.8', true, 'Whether the query is part of the signed path.'),
  idempotencyConflict: open(
    z.enum(['refuse', 'replay']),
    '§5.8',
    'refuse',
    'Another request with a key that was used: 409 `idempotency_conflict`, or the first answer.',
  ),
});

const limits = z.strictObject({
  bodyBytes: count('§8', 256 * 1024, 'Largest request body.'),
  pageDefault: count('§4', 100, 'Items of a list without `limit`.'),
  pageMax: open(z.int().min(1), '§4', 500, 'Largest `limit`.'),
  idempotencyHours: count('§5.8', 24, 'How long an answer is kept under its key.'),
  pacemakerMinSeconds: open(
    z.int().min(1).max(86_400),
    '§8',
    60,
    'Shortest duration of a Pacemaker, launched or unwinding.',
  ),
});

const action = z.enum(EXECUTION_ACTIONS);
/** A terminal status stays, and no control leads to the current status. */
const transitions = z.strictObject({
  running: open(
    z.array(action.exclude(['resume'])),
    '§3',
    ['pause', 'stop', 'complete-at-market'],
    'Controls that a running execution takes. By default it must be paused before `mark-complete`.',
  ),
  paused: open(
    z.array(action.exclude(['pause'])),
    '§3',
    ['resume', 'stop', 'mark-complete'],
    'Controls that a paused execution takes.',
  ),
  interrupted: open(
    z.array(action),
    '§3',
    ['resume', 'stop', 'mark-complete'],
    'Controls that an interrupted execution takes.',
  ),
});

const executions = z.strictObject({
  transitions: transitions.prefault({}).meta({
    description: 'Controls by status; an ended execution takes none (spec §3: not shown)',
    section: '§3',
  }),
});

const budget = z.strictObject({
  window: open(z.enum(['sliding', 'fixed']), '§8', 'sliding', 'How the minute is measured.'),
  windowMs: count('§8', 60_000, 'Length of the window.'),
  standard: count('§8', 1_200, 'Weight a minute, standard tier.'),
  professional: count('§8', 2_400, 'Weight a minute, professional tier.'),
  institutional: count('§8', 6_000, 'Weight a minute, institutional tier.'),
  elite: count('§8', 12_000, 'Weight a minute, elite tier.'),
  venue: count('§8', 1_200, 'Venue weight a minute, for the whole service.'),
  readGate: open(z.number().min(0).max(1), '§8', 0.7, 'Share of it above which reads are refused.'),
  replayWeight: count('§5.8', 1, 'Weight of an idempotent replay.'),
});

const stream = z.strictObject({
  lacks: open(
    z.array(z.enum(['candles', 'markets', 'orderbook'])),
    '§6',
    [],
    'Channels that the service lacks; what they carry is read by requests instead.',
  ),
  serverPingMs: count('§6', 15_000, 'Server ping.'),
  clientPingMs: count('§6', 5_000, 'Client ping.'),
  serverIdleCloseMs: count('§6', 45_000, 'Silence after which the server closes.'),
  clientStallMs: count('§6', 15_000, 'Silence that the client calls a stall.'),
  slowConsumerFrames: count('§6', 1_000, 'Frames waiting before a subscriber is closed.'),
  slowConsumerBytes: count('§6', 4 * 1024 * 1024, 'Bytes waiting before a subscriber is closed.'),
  slowConsumerCode: count('§6', 4008, 'Close code of a slow consumer.'),
});

const venue = z.strictObject({
  minOrderValue: count('§8', 10, 'Smallest order value of an instrument, quote units.'),
  algoMinValue: count('§8', 100, 'Algo minimum of an instrument, quote units.'),
  marketSlippageBps: count('§2.2', 50, 'Price bound of a market order, from the mark.'),
});

const endpointChange = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  weight: z.number().nonnegative().optional(),
  scope: z.enum(SCOPES).nullable().optional(),
});

/** The values of a dialect, as the configuration's `dialect:` section takes them. */
export const dialectValues = z.strictObject({
  headers: headers.prefault({}),
  names: names.prefault({}),
  signing: signing.prefault({}),
  limits: limits.prefault({}),
  executions: executions.prefault({}),
  budget: budget.prefault({}),
  stream: stream.prefault({}),
  venue: venue.prefault({}),
  endpoints: z
    .partialRecord(z.enum(ENDPOINT_IDS as [EndpointId, ...EndpointId[]]), endpointChange)
    .prefault({})
    .meta({
      description: 'Methods, paths, weights and scopes that differ (spec §4, §5.8, §8: not shown).',
    }),
});
export type DialectValues = z.infer<typeof dialectValues>;

export interface DialectModule {
  values?: z.input<typeof dialectValues>;
  shapes?: Partial<DialectShapes>;
}

export interface Dialect extends Omit<DialectValues, 'endpoints'> {
  endpoints: Readonly<Record<EndpointId, EndpointSpec>>;
  shapes: WireShapes;
}

export type { DialectShapes, WireAnswer, WireRequest, WireShapes };

/**
 * The dialect that a bot or a paper service runs with: defaults, then the module, then the configuration.
 *
 * ```ts
 * const dialect = createDialect({ signing: { timestampToleranceSeconds: 10 } });
 * openService(paper, { dialect });
 * ```
 */
export function createDialect(
  values: z.input<typeof dialectValues> = {},
  module: DialectModule = {},
): Dialect {
  const merged = dialectValues.parse(mergeSections(module.values ?? {}, values));
  const { endpoints: changes, ...rest } = merged;
  const lists = createListQuery(merged.limits.pageMax);
  const table = ENDPOINT_IDS.map((id) => {
    const spec = endpointSpec(id);
    const query = spec.query === listQuery ? lists : spec.query;
    return [id, { ...spec, query, ...changes[id] }];
  });
  return {
    ...rest,
    endpoints: Object.fromEntries(table) as Record<EndpointId, EndpointSpec>,
    shapes: createWireShapes(createTranslation(merged.names), module.shapes ?? {}),
  };
}

/**
 * The same service by our own names and shapes, as the paper service speaks: its addresses, headers and
 * numbers are the dialect's.
 */
export function spokenPlainly(dialect: Dialect): Dialect {
  const { names: plain, shapes } = defaultDialect;
  return { ...dialect, names: plain, shapes };
}

function mergeSections(
  base: z.input<typeof dialectValues>,
  over: z.input<typeof dialectValues>,
): z.input<typeof dialectValues> {
  return mergeObjects(base, over, 2);
}

/** The override wins; objects are merged `depth` levels down. */
function mergeObjects(base: object, over: object, depth: number): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const under = merged[name];
    const isDeep = depth > 0 && isMap(under) && isMap(value);
    merged[name] = isDeep ? mergeObjects(under, value, depth - 1) : value;
  }
  return merged;
}

/**
 * What the conventions say where the specification is silent.
 *
 * ```ts
 * defaultDialect.endpoints['orders.place'].path; // => '/order'
 * ```
 */
export const defaultDialect: Dialect = createDialect();
