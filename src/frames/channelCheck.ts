import { CHANNELS } from '../contract/frames.ts';
import { compileCheck, type Check } from './compileCheck.ts';

/**
 * The check of each channel's events, created once from the table of channels: a channel added there is decoded
 * here.
 */
const CHECKS: ReadonlyMap<string, ReadonlyMap<string, Check>> = new Map(
  Object.entries(CHANNELS).map(([channel, { events }]) => [
    channel,
    new Map(Object.entries(events).map(([event, schema]) => [event, compileCheck(schema)])),
  ]),
);

/** Undefined for a channel or event of a newer service: unknown data is passed on unchecked (ERR-2). */
export function channelCheck(channel: string, event: string): Check | undefined {
  return CHECKS.get(channel)?.get(event);
}
