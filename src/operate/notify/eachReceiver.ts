import type { ChannelConfig } from '../../config/index.ts';
import { senderOf } from './createEmailSender.ts';

export interface Receiver {
  /** Kind and place in the configuration, such as `webhook notify[0]`; an address would be a secret. */
  name: string;
  channel: ChannelConfig;
}

export const nameOf = ({ kind }: ChannelConfig, index: number): string =>
  `${kind} notify[${index}]`;

/**
 * Channels with one receiver each. A mail to several counts as sent once the server takes one of them; alone, each
 * has a queue of its own, and what one does not get is tried again or lost by itself.
 */
export function eachReceiver(channels: readonly ChannelConfig[]): Receiver[] {
  return channels.flatMap((channel, index): Receiver[] => {
    const name = nameOf(channel, index);
    if (channel.kind !== 'email' || channel.to.length === 1) return [{ name, channel }];
    const from = channel.from ?? senderOf(channel.url.reveal(), channel.to);
    return channel.to.map((address, at) => ({
      name: `${name}.to[${at}]`,
      channel: { ...channel, to: [address], from },
    }));
  });
}
