import { z } from 'zod';
import { serviceFault } from './errorEnvelope.ts';
import { MOST_KEY_CHARACTERS } from './identifiers.ts';
import { intervalSchema } from './intervals.ts';
import * as r from './records.ts';

/**
 * Frames of the streams (conventions §5). Every stream frame carries wallet attribution (STR-5) and
 * a `seq` that starts at 1 with the subscription's first frame and counts up by 1.
 */
export interface StreamFrame<D = unknown> {
  channel: string;
  params: Record<string, unknown>;
  event: string;
  wallet: string;
  seq: number;
  ts: number;
  data: D;
}

export const streamFrame = z.looseObject({
  channel: z.string(),
  params: z.record(z.string(), z.unknown()),
  event: z.string(),
  wallet: z.string(),
  seq: z.number(),
  ts: z.number(),
  data: z.unknown().optional(),
}) as unknown as z.ZodType<StreamFrame>;

export const ackFrame = z.looseObject({
  type: z.literal('ack'),
  id: z.string(),
  wallet: z.string().nullish(),
  channel: z.string(),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type AckFrame = z.infer<typeof ackFrame>;

export const errorFrame = z.looseObject({
  type: z.literal('error'),
  id: z.string().nullish(),
  wallet: z.string().nullish(),
  error: serviceFault,
  request_id: z.string().nullish(),
});
export type ErrorFrame = z.infer<typeof errorFrame>;

/** `id` is the correlation id of the command (STR-6). */
export const resultFrame = z.looseObject({
  type: z.literal('result'),
  id: z.string().nullish(),
  wallet: z.string().nullish(),
  ok: z.boolean(),
  data: z.unknown().optional(),
  weight: z.number().nullish(),
  error: serviceFault.nullish(),
  request_id: z.string().nullish(),
});
export type ResultFrame = z.infer<typeof resultFrame>;

/** Anything that the server sends over the socket. */
export type ServerFrame =
  | { kind: 'stream'; frame: StreamFrame }
  | { kind: 'ack'; frame: AckFrame }
  | { kind: 'error'; frame: ErrorFrame }
  | { kind: 'result'; frame: ResultFrame };

/** Why a text from the socket is not a frame; `text` is its beginning, for a log or an audit. */
export interface FrameFault {
  reason: 'not_json' | 'not_normalised' | 'bad_envelope' | 'bad_data';
  detail: string;
  text: string;
}

/** A bad frame is a value, so the socket continues. */
export type FrameDecoding = { ok: true; frame: ServerFrame } | { ok: false; fault: FrameFault };

/** What a client sends: subscriptions and commands. */
export const clientMessage = z.discriminatedUnion('op', [
  z.strictObject({
    id: z.string().min(1).max(128),
    op: z.enum(['subscribe', 'unsubscribe']),
    channel: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    id: z.string().min(1).max(128),
    op: z.literal('command'),
    command: z.string(),
    args: z.record(z.string(), z.unknown()).optional(),
    wallet: z.string().optional(),
    idempotency_key: z.string().min(1).max(MOST_KEY_CHARACTERS).optional(),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

// ── Channels ─────────────────────────────────────────────────────────────────────────────────────

const barData = z.looseObject({ candles: z.array(r.candleRecord) });

/**
 * Every channel: its subscription's params, in the order in which SSE names them, and its events
 * with the shape of their data (STR-1 to STR-4). `wallet` selects a connection of the key's owner,
 * so that one socket serves several wallets; absent, it is the session's own.
 */
export const CHANNELS = {
  _meta: {
    params: z.strictObject({}),
    sse: [],
    events: {
      welcome: z.looseObject({ connectivity: r.layerStatuses, server_time: z.number() }),
      degraded: z.looseObject({ layer: z.string(), detail: z.unknown().optional() }),
      recovered: z.looseObject({ layer: z.string(), detail: z.unknown().optional() }),
      advanced: z.looseObject({ to_time: z.number() }),
    },
  },
  'account.state': {
    params: z.strictObject({ wallet: z.string().optional() }),
    sse: ['wallet'],
    events: {
      snapshot: z.looseObject({
        positions: z.array(r.positionRecord),
        balances: z.array(r.balanceRecord),
        open_orders: z.array(r.orderRecord),
        account: r.accountRecord,
      }),
      position: r.positionRecord,
      balance: r.balanceRecord,
      order: r.orderRecord,
      fill: r.fillRecord,
      funding: z.looseObject({ symbol: z.string(), amount: z.number(), time: z.number() }),
      liquidation: z.looseObject({ symbol: z.string(), time: z.number() }),
    },
  },
  'tpsl.watch': {
    params: z.strictObject({ symbol: z.string().optional(), wallet: z.string().optional() }),
    sse: ['symbol', 'wallet'],
    events: {
      snapshot: z.looseObject({ rows: z.array(r.watchRow) }),
      leg_armed: r.watchRow,
      trail_moved: r.watchRow,
      leg_triggered: r.watchRow,
      leg_retired: r.watchRow,
      leg_rejected: r.watchRow,
      entry_moved: r.watchRow,
      entry_hold: r.watchRow,
      entry_tracking_stopped: r.watchRow,
      entry_retired: r.watchRow,
    },
  },
  executions: {
    params: z.strictObject({ execution_id: z.string().optional(), wallet: z.string().optional() }),
    sse: ['execution_id', 'wallet'],
    events: {
      snapshot: z.looseObject({ executions: z.array(r.executionRecord) }),
      started: r.executionRecord,
      progress: r.executionRecord,
      status: r.executionRecord,
      stale_warning: r.executionRecord,
      ended: r.executionRecord,
    },
  },
  monitors: {
    params: z.strictObject({ wallet: z.string().optional() }),
    sse: ['wallet'],
    events: {
      snapshot: z.looseObject({ monitors: z.array(r.monitorRecord) }),
      armed: r.monitorRecord,
      fired: r.monitorRecord,
      failed: r.monitorRecord,
      stopped: r.monitorRecord,
      paused: r.monitorRecord,
      resumed: r.monitorRecord,
    },
  },
  candles: {
    params: z.strictObject({
      symbol: z.string(),
      interval: intervalSchema,
      include_forming: z.boolean().optional(),
      limit: z.int().min(1).max(5_000).optional(),
    }),
    sse: ['symbol', 'interval', 'include_forming', 'limit'],
    events: {
      snapshot: barData,
      bar_closed: r.candleRecord,
      bar_forming: r.candleRecord,
    },
  },
  price: {
    params: z.strictObject({ symbol: z.string() }),
    sse: ['symbol'],
    events: { tick: r.priceRecord },
  },
  /** The market record, at least at each closed minute and each settlement. */
  markets: {
    params: z.strictObject({ symbol: z.string() }),
    sse: ['symbol'],
    events: { snapshot: r.marketRecord, tick: r.marketRecord },
  },
  /** Whole levels, best first, no deltas; at most one frame each 100 ms. */
  orderbook: {
    params: z.strictObject({ symbol: z.string(), depth: z.int().min(1).max(50).optional() }),
    sse: ['symbol', 'depth'],
    events: { snapshot: r.bookRecord, book: r.bookRecord },
  },
} as const satisfies Record<
  string,
  { params: z.ZodType; sse: readonly string[]; events: Record<string, z.ZodType> }
>;

export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES = Object.keys(CHANNELS) as ChannelName[];
export type ChannelParams<C extends ChannelName> = z.infer<(typeof CHANNELS)[C]['params']>;
type Events<C extends ChannelName> = (typeof CHANNELS)[C]['events'];

/** Union of a channel's frames, discriminated by `event`. */
export type ChannelFrame<C extends ChannelName> = {
  [E in keyof Events<C> & string]: Omit<StreamFrame, 'event' | 'data' | 'channel'> & {
    channel: C;
    event: E;
    data: Events<C>[E] extends z.ZodType ? z.infer<Events<C>[E]> : never;
  };
}[keyof Events<C> & string];

export function isChannelName(name: string): name is ChannelName {
  return Object.hasOwn(CHANNELS, name);
}
