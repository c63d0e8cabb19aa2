import {
  ackFrame,
  CHANNELS,
  errorFrame,
  isChannelName,
  resultFrame,
  streamFrame,
} from '../../../src/contract/index.ts';
import type { z } from 'zod';

const CONTROLS: Readonly<Record<string, z.ZodType>> = {
  ack: ackFrame,
  error: errorFrame,
  result: resultFrame,
};

/** Whether a text is a frame by the contract's schemas themselves: a second opinion on the decoder's. */
export function isFrameBySchema(text: string): boolean {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof json !== 'object' || json === null) return false;
  const type = (json as { type?: unknown }).type;
  const control = typeof type === 'string' && Object.hasOwn(CONTROLS, type) ? CONTROLS[type] : null;
  if (control) return control.safeParse(json).success;
  const parsed = streamFrame.safeParse(json);
  if (!parsed.success) return false;
  const { channel, event, data } = parsed.data;
  if (!isChannelName(channel)) return true;
  const events: Readonly<Record<string, z.ZodType>> = CHANNELS[channel].events;
  return !Object.hasOwn(events, event) || events[event]!.safeParse(data).success;
}
