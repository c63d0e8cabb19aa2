import type { ChannelFrame, ChannelName, StreamFrame } from '../contract/frames.ts';
import { channelCheck } from './channelChecks.ts';

/**
 * Narrows a decoded frame to a channel and one of its known events: decoding has checked its data, so
 * the type is true. An event of a newer service is not narrowed.
 */
export function isChannelFrame<C extends ChannelName>(
  frame: StreamFrame,
  channel: C,
): frame is StreamFrame & ChannelFrame<C> {
  return frame.channel === channel && channelCheck(channel, frame.event) !== undefined;
}
