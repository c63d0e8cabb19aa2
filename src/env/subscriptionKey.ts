import type { Subscription } from './Link.ts';

/** Equal for subscriptions with equal channel and params, regardless of their order. */
export function subscriptionKey({ channel, params }: Subscription): string {
  let key = channel;
  for (const name of Object.keys(params).sort()) key += `\n${name}=${String(params[name])}`;
  return key;
}
