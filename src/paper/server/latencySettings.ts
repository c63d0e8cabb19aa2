import { z } from 'zod';

const delayMs = z.number().min(0).max(600_000);
/** A latency, milliseconds of the replay. */
const delaySettings = z
  .union([
    delayMs.meta({ description: 'Constant delay, milliseconds.' }),
    z
      .strictObject({
        median: delayMs.positive().meta({ description: 'Median, milliseconds.' }),
        p99: delayMs.positive().meta({ description: '99th percentile, milliseconds.' }),
      })
      .refine(({ median, p99 }) => p99 >= median, {
        path: ['p99'],
        message: 'p99 must be at least the median',
      }),
  ])
  .default(0);

/** Latencies of requests and of events. */
export const latencySettings = z.strictObject({
  order_ms: delaySettings.meta({
    description: 'From a decision until the service acts on the order, milliseconds.',
  }),
  cancel_ms: delaySettings.meta({
    description: 'The same for cancels, stops and pauses, milliseconds.',
  }),
  data_ms: delaySettings.meta({
    description: 'From an event at the venue until its frame arrives, milliseconds.',
  }),
});
