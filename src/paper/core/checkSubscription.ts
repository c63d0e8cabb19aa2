import { CHANNELS, isChannelName, type ChannelName, type Interval } from '../../contract/index.ts';
import type { Connections } from './createConnections.ts';
import { knownInstrument, servedInterval } from './knownInstrument.ts';
import type { Market } from './Market.ts';
import { shaped } from './performCall.ts';
import { ServiceError } from './ServiceError.ts';

/** A subscription that may be opened. */
export interface CheckedSubscription {
  channel: ChannelName;
  params: Readonly<Record<string, unknown>>;
  wallet: string;
}

/**
 * Validates a subscription request: the channel's name, the shape of its params, then what they refer to.
 *
 * @param sessionWallet the wallet that a subscription without `wallet` is about
 * @throws ServiceError `unknown_channel`, `validation_failed`, `unknown_wallet`, `unknown_symbol`
 */
export function checkSubscription(
  wish: { channel: string; params: Readonly<Record<string, unknown>> },
  sessionWallet: string,
  known: { connections: Connections; market: Market },
): CheckedSubscription {
  const { channel } = wish;
  if (!isChannelName(channel)) throw new ServiceError('unknown_channel');
  const params = shaped(CHANNELS[channel].params, wish.params) as Record<string, unknown>;
  const wallet = (params['wallet'] as string | undefined) ?? sessionWallet;
  if (known.connections.find(wallet) === undefined) throw new ServiceError('unknown_wallet');
  if (typeof params['symbol'] === 'string') {
    knownInstrument(known.market, params['symbol']);
    const interval = params['interval'] as Interval | undefined;
    if (interval !== undefined) servedInterval(known.market, params['symbol'], interval);
  }
  return { channel, params, wallet };
}
