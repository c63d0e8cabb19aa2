import type { DelaySetting } from '../../env/index.ts';
import type { PaperSettings } from '../../paper/index.ts';

/** Latencies of requests and data, in a sentence for the report. */
export function describeLatency({ latency }: Pick<PaperSettings, 'latency'>): string {
  const { order_ms, cancel_ms, data_ms } = latency;
  if ([order_ms, cancel_ms, data_ms].every((delay) => delay === 0)) {
    return 'Decisions reach the venue instantly, also within a bar; the only latency is that of a paced replay.';
  }
  const [orders, cancels, data] = [order_ms, cancel_ms, data_ms].map(wordsOf);
  return `Latency: orders ${orders}, cancels ${cancels}, data ${data}; a paced replay adds its own.`;
}

function wordsOf(delay: DelaySetting): string {
  if (typeof delay === 'number') return delay === 0 ? 'none' : `${delay} ms`;
  return `${delay.median} ms in the median and ${delay.p99} ms at the 99th percentile (log-normal)`;
}
