import type { ChannelFrame, ChannelName, StreamFrame } from '../contract/frames.ts';
import { channelCheck } from './channelCheck.ts';

/** Whether the frame's event is in the table of channels, so that its data was checked. */
export function isKnownEvent(frame: StreamFrame): boolean {
  return channelCheck(frame.channel, frame.event) !== undefined;
}

/**
 * Narrows a decoded frame to a channel and one of its known events: decoding has checked its data, so
 * the type is true. An event of a newer service is not narrowed.
 */
export function isChannelFrame<C extends ChannelName>(
  frame: StreamFrame,
  channel: C,
): frame is StreamFrame & ChannelFrame<C> {
  return frame.channel === channel && isKnownEvent(frame);
}
