import { CHANNELS, isChannelName } from '../contract/frames.ts';
import type { Subscription } from '../env/Link.ts';

/**
 * The `channels` of an event stream: `price:BTC,candles:BTC:1m`. Params stand in the table's order, a
 * place left empty is a param left out, and `%`, colon and comma inside a value are percent-encoded
 * (conventions §5).
 */
export function toSseChannels(subscriptions: readonly Subscription[]): string {
  return subscriptions.map(toWish).join(',');
}

function toWish({ channel, params }: Subscription): string {
  const names: readonly string[] = isChannelName(channel)
    ? CHANNELS[channel].sse
    : Object.keys(params);
  const values = names.map((name) => encode(params[name]));
  while (values.at(-1) === '') values.pop();
  return [channel, ...values].join(':');
}

function encode(value: unknown): string {
  if (value === undefined) return '';
  return String(value as string | number | boolean).replace(/[%:,]/g, encodeURIComponent);
}
