import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { PaperControls } from '../../wire/index.ts';
import { Inconclusive } from './Inconclusive.ts';

/** The replay of a paper service, moved by the checks; times are epoch milliseconds. */
export interface Tape {
  now(): Promise<number>;
  /** Advances by a number of bars of 1m, or of the given interval. */
  bars(count: number, interval?: Interval): Promise<number>;
  to(time: number): Promise<number>;
  /**
   * Steps bar by bar until `probe` finds something, at most `most` bars.
   *
   * @throws Inconclusive when nothing was found: the tape didn't produce what the check needs
   */
  until<T>(what: string, most: number, probe: () => Promise<T | undefined>): Promise<T>;
}

const MINUTE_MS = INTERVAL_MS['1m'];

export function createTape(controls: PaperControls): Tape {
  const to = async (time: number): Promise<number> => {
    const { end_time: end } = await controls.replay();
    if (time > end) throw new Inconclusive('The tape ended before the check did.');
    return (await controls.advance({ to_time: time })).time;
  };
  const now = async (): Promise<number> => (await controls.replay()).time;
  const bars: Tape['bars'] = async (count, interval = '1m') => {
    const length = INTERVAL_MS[interval];
    const time = await now();
    return to((Math.floor(time / length) + count) * length);
  };
  return {
    now,
    bars,
    to,
    async until(what, most, probe) {
      for (let step = 0; ; step++) {
        const found = await probe();
        if (found !== undefined) return found;
        if (step === most)
          throw new Inconclusive(`In ${most} bars the tape did not bring ${what}.`, true);
        await to((Math.floor((await now()) / MINUTE_MS) + 1) * MINUTE_MS);
      }
    },
  };
}
