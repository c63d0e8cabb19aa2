import { z } from 'zod';
import {
  basketTemplateRecord,
  connectionRecord,
  deliveryRecord,
  executionEventRecord,
  executionRecord,
  fillRecord,
  legRecord,
  monitorGroupRecord,
  monitorRecord,
  orderRecord,
  pnlRecord,
} from '../../contract/index.ts';
import { savedAnswer, savedKey } from './Change.ts';
import type { SavedService } from './SavedService.ts';

/** The shape of a saved service, as far as damage could be undetected; the records are the contract's. */
const text = z.string();
const number = z.number();
const texts = z.array(text);
const rows = (item: z.ZodType) => z.array(z.tuple([text, item]));
const pairs = (value: z.ZodType) => z.array(z.tuple([text, value]));

const position = z.looseObject({
  symbol: text,
  size: number,
  entryPrice: number,
  realizedPnl: number,
  openedTime: number,
  updatedTime: number,
  entryFees: number,
  entryNotional: number,
  makerNotional: number,
  margin: number.nullable(),
});

const order = z.looseObject({
  record: orderRecord,
  wallet: text,
  bound: number.nullable(),
  volumeShare: number.nullable(),
  persistent: z.boolean(),
  filledNotional: number,
  legIds: texts,
});

const leg = z.looseObject({
  record: legRecord,
  wallet: text,
  spec: z.looseObject({}),
  positionSide: z.enum(['long', 'short']),
  createdTime: number,
});

const execution = z.looseObject({
  record: executionRecord,
  wallet: text,
  spec: z.looseObject({ algo: text, symbol: text }),
  filledNotional: number,
  children: texts,
  orderIds: texts,
  fillIds: texts,
  events: z.array(executionEventRecord),
  legIds: texts,
  triggered: z.boolean(),
  unwinds: z.boolean().optional(),
  staleSince: number.nullable(),
  resumedTime: number.nullable(),
});

const monitor = z.looseObject({ record: monitorRecord, wallet: text, ready: z.boolean() });

const entryWatch = z.looseObject({
  watchId: text,
  wallet: text,
  symbol: text,
  spec: z.looseObject({}),
  firstPrice: number,
  price: number,
});

/** Absent in a file that was written before it was kept; `restoreAccount` says what holds then. */
const endedAs = text.nullable().optional();
const createdTime = number.optional();

const basket = z.looseObject({
  basketId: text,
  legs: z.array(z.looseObject({ executionId: text, endedAs })),
  createdTime: number,
});

const webhook = z.looseObject({
  webhookId: text,
  name: text,
  action: z.looseObject({ type: text }),
  token: text,
  createdTime: number,
  acceptedToday: z.strictObject({ day: number, count: number }),
});

const account = z.strictObject({
  wallet: text,
  cash: number,
  realizedPnl: number,
  feesPaid: number,
  fundingPaid: number,
  positions: z.array(position),
  holdings: z.array(position),
  leverage: pairs(number),
  isolated: texts,
  settings: z.strictObject({ default_slippage_bps: number, default_leverage: number }),
  volume: z.strictObject({ times: z.array(number), notionals: z.array(number), total: number }),
  pnl: rows(pnlRecord),
  orders: rows(order),
  fills: rows(fillRecord),
  legs: rows(leg),
  entryWatches: z.array(entryWatch),
  executions: rows(execution),
  monitors: rows(monitor),
  monitorGroups: rows(monitorGroupRecord.omit({ status: true }).extend({ createdTime })),
  baskets: rows(basket),
  basketTemplates: rows(basketTemplateRecord.extend({ createdTime })),
  webhooks: rows(webhook),
  deliveries: rows(deliveryRecord),
  clientOrderIds: pairs(text),
  clientExecutionIds: pairs(text),
});

const owned = { topic: text, wallet: text, id: text };

/** Absent in a file that was written before it was kept; `restoreTaken` says what holds then. */
const side = z.enum(['bid', 'ask']).optional();

const used = z.array(z.tuple([number, number]));
const tick = z.union([
  z.strictObject({ time: number, below: used, above: used }),
  // Of a file that was written before sides were kept.
  z.strictObject({ time: number, size: number }),
]);

const engine = z.strictObject({
  startTime: number,
  tokenSecret: text,
  ids: pairs(z.int()),
  market: z.looseObject({
    now: number,
    watchOrder: z.int(),
    symbols: z.record(
      text,
      z.strictObject({
        used: z.array(z.tuple([z.int(), number])),
        tick,
        taken: z.array(z.strictObject({ side, price: number, size: number, taken: number })),
      }),
    ),
    watches: z.array(
      z.looseObject({
        ...owned,
        symbol: text,
        level: number,
        side: z.enum(['below', 'above']),
        order: z.int(),
        since: number,
        until: number.nullable(),
      }),
    ),
  }),
  hooks: z.array(z.looseObject({ ...owned, symbol: text, interval: text })),
  timers: z.array(z.strictObject({ ...owned, time: number })),
  accounts: z.array(account),
});

/** Validates a saved service; the value itself is used afterwards, not a copy of it. */
export const savedService: z.ZodType = z.strictObject({
  starts: z.int().min(1),
  connections: z.array(connectionRecord),
  keys: z.array(savedKey),
  answers: z.array(savedAnswer),
  engine,
}) satisfies z.ZodType<Record<keyof SavedService, unknown>>;
