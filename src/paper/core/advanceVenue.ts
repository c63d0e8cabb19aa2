import type { Engine } from './Engine.ts';
import type { StreamHub } from './createStreamHub.ts';
import type { Transit } from './createTransit.ts';

/**
 * Advances the engine, and with it what is on its way to or from a client.
 *
 * @param untilEvent stops at the first instant at which something goes to a client, or comes from one
 * @returns whether there was such an instant
 */
export function advanceVenue(
  { engine, hub, transit }: { engine: Engine; hub: StreamHub; transit: Transit },
  toTime: number,
  untilEvent: boolean,
): boolean {
  const { handed } = hub;
  const { arrivals } = transit;
  const hasCome = (): boolean => hub.handed !== handed || transit.arrivals !== arrivals;
  const isDone = (): boolean => untilEvent && hasCome();
  const isWatched = untilEvent || transit.toClient !== null;
  for (;;) {
    const stop = Math.min(toTime, transit.nextTime());
    // A new transit may arrive before the engine's next instant.
    const isOver = (): boolean => isDone() || transit.nextTime() < stop;
    if (stop > engine.now) engine.advanceTo(stop, isWatched ? isOver : undefined);
    if (engine.now < stop && isDone()) break;
    if (engine.now < stop) continue;
    transit.advanceTo(engine.now);
    if (engine.now >= toTime || isDone()) break;
  }
  return hasCome();
}
