import { z } from 'zod';
import {
  barOpenTime,
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

/** `POST /paper/replay/advance`. */
const until = z.literal('event').optional();
export const advanceRequest = z.union([
  z.strictObject({ to_time: z.int().min(0), until }),
  z.strictObject({ bars: z.int().min(1).max(10_000_000), interval: intervalSchema, until }),
]);

/** `POST /paper/replay/speed`. */
export const speedRequest = z.strictObject({
  speed: z.union([z.number().min(0), z.literal('max')]),
});

/** Bars are counted in time, gaps included; a bar that has begun counts as the first. */
export function targetOf(request: z.infer<typeof advanceRequest>, now: number): number {
  if ('to_time' in request) return request.to_time;
  const { bars, interval } = request;
  return barOpenTime(now, interval) + bars * INTERVAL_MS[interval];
}

/** @throws ServiceError `validation_failed` */
export function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = checkShape(schema, body);
  if (result.ok) return result.value;
  const { code, message, details } = result.fault;
  throw new ServiceError(code, { message, details: { ...details } });
}
