import { z } from 'zod';
import {
  barOpenTime,
  CHANNEL_NAMES,
  checkShape,
  CONNECTION_STATUSES,
  INTERVAL_MS,
  intervalSchema,
  SCOPES,
  TIERS,
} from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';

/** `POST /paper/keys`. */
export const keyRequest = z.strictObject({
  label: z.string().min(1).max(64),
  scopes: z.array(z.enum(SCOPES)).min(1),
  connection_id: z.string().optional(),
  tier: z.enum(TIERS).optional(),
});

/** `POST /paper/connections`. */
export const connectionRequest = z.strictObject({
  label: z.string().min(1).max(64),
  balance: z.number().min(0),
  status: z.enum(CONNECTION_STATUSES).optional(),
});

/** `POST /paper/transfers`: a deposit, or a withdrawal if the amount is below 0; USDC. */
export const transferRequest = z.strictObject({
  wallet: z.string().optional(),
  amount: z.number().refine((amount) => amount !== 0, 'Must not be 0.'),
});

/** `POST /paper/replay/advance`: to a time, or by a number of bars of an interval. */
export const advanceRequest = z
  .strictObject({
    to_time: z.int().min(0).optional(),
    bars: z.int().min(1).max(10_000_000).optional(),
    interval: intervalSchema.optional(),
    until: z.literal('event').optional(),
    /** Subscriptions whose frames are no such event: their client decides nothing by them. */
    apart_from: z
      .array(
        z.strictObject({
          channel: z.enum(CHANNEL_NAMES),
          params: z.record(z.string(), z.unknown()),
        }),
      )
      .max(1_000)
      .optional(),
  })
  .superRefine(({ to_time, bars, interval }, context) => {
    const isWhole = to_time === undefined ? bars !== undefined && interval !== undefined : true;
    const isOne = to_time === undefined || (bars === undefined && interval === undefined);
    if (isWhole && isOne) return;
    const path = to_time !== undefined ? 'to_time' : bars === undefined ? 'bars' : 'interval';
    const message = 'Give either to_time, or bars and their interval.';
    context.addIssue({ code: 'custom', path: [path], message });
  });

/** `POST /paper/replay/speed`. */
export const speedRequest = z.strictObject({
  speed: z.union([z.number().min(0), z.literal('max')]),
});

/** Bars are counted in time, gaps included; a bar that has begun counts as the first. */
export function targetOf(request: z.infer<typeof advanceRequest>, now: number): number {
  const { to_time: toTime, bars = 1, interval = '1m' } = request;
  return toTime ?? barOpenTime(now, interval) + bars * INTERVAL_MS[interval];
}

/** @throws ServiceError `validation_failed` */
export function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = checkShape(schema, body);
  if (result.ok) return result.value;
  const { code, message, details } = result.fault;
  throw new ServiceError(code, { message, details: { ...details } });
}
