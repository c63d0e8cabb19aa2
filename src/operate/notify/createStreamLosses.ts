import { BRIDGE_MS, type StreamLosses } from './conditionsOf.ts';

/** Over which losses of the stream are added up. */
const LOSSES_MS = 600_000;

/** Adds up how long the stream was down; times are of the bot's own clock. */
export function createStreamLosses(now: () => number): { see(isOpen: boolean): StreamLosses } {
  let spans: { from: number; to: number }[] = [];
  let wasOpen = true;
  return {
    see(isOpen) {
      const time = now();
      const since = time - LOSSES_MS;
      if (!isOpen && wasOpen) spans.push({ from: time, to: time });
      // What is down at two looks was down between them.
      else if (!isOpen) spans.at(-1)!.to = time;
      wasOpen = isOpen;
      spans = spans.filter(({ to }) => to > since);
      const apart = spans.filter(
        ({ from }, at) => at === 0 || from - spans[at - 1]!.to >= BRIDGE_MS,
      );
      const downMs = spans.reduce((sum, { from, to }) => sum + to - Math.max(from, since), 0);
      return { count: apart.length, downMs };
    },
  };
}
