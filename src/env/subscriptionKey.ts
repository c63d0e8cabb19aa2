import type { Subscription } from './Link.ts';

/** Text that is the same for subscriptions with equal channel and params, in whatever order these stand. */
export function subscriptionKey({ channel, params }: Subscription): string {
  let key = channel;
  for (const name of Object.keys(params).sort()) key += `\n${name}=${String(params[name])}`;
  return key;
}
