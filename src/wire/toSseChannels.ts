import type { ChannelWish } from '../contract/createWireShapes.ts';
import { CHANNELS, isChannelName } from '../contract/frames.ts';
import type { Subscription } from '../env/Link.ts';

/**
 * The `channels` of an event stream: `price:BTC,candles:BTC:1m`. Params are in the table's order, an empty
 * place is an omitted param, and `%`, colon and comma inside a value are percent-encoded (conventions §5).
 */
export function toSseChannels(
  subscriptions: readonly Subscription[],
  /** The same by the service's names, one for one. */
  named: readonly ChannelWish[] = subscriptions,
): string {
  return subscriptions.map((one, index) => toWish(one, named[index] ?? one)).join(',');
}

function toWish({ channel, params }: Subscription, named: ChannelWish): string {
  const names: readonly string[] = isChannelName(channel)
    ? CHANNELS[channel].sse
    : Object.keys(params);
  // Renaming preserves the order of the params, so that a place is the same on both sides.
  const theirs = Object.values(named.params);
  const given = Object.keys(params);
  const values = names.map((name) => encode(theirs[given.indexOf(name)]));
  while (values.at(-1) === '') values.pop();
  return [named.channel, ...values].join(':');
}

function encode(value: unknown): string {
  if (value === undefined) return '';
  return String(value as string | number | boolean).replace(/[%:,]/g, encodeURIComponent);
}
