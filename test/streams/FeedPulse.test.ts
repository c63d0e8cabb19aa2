import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeedPulse } from '../../src/streams/FeedPulse.ts';
import { holdLaw } from '../holdLaw.ts';

test('a feed is silent beyond its own rhythm, and is asked for again once in each such time', async () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom('look', 'look', 'hear', 'hear', 'hear', 'skip'),
      fc.constantFrom(1, 2, 5, 10, 11, 21, 40, 90, 400),
    ),
    { maxLength: 60, size: 'max' },
  );
  const rhythms = fc.record({
    leastMs: fc.constantFrom(10, 20),
    factor: fc.constantFrom(1, 2),
    leastGaps: fc.constantFrom(0, 1, 3),
  });
  await holdLaw(300, fc.tuple(steps, rhythms), ([drawn, rhythm]) => {
    let given: number | undefined;
    let now = 0;
    const pulse = new FeedPulse({ ...rhythm, given: () => given }, now);
    /** The gaps that are known, in the order in which they ended. */
    const gaps: number[] = [];
    let [heardAt, askedAt, isSilent] = [0, 0, false];
    // The longest of late: each has faded with each that came after it.
    const limit = (): number => {
      const faded = gaps.map((gap, at) => gap * 0.99 ** (gaps.length - 1 - at));
      return Math.max(rhythm.leastMs, rhythm.factor * Math.max(0, ...faded));
    };
    for (const [kind, ms] of drawn) {
      now += ms;
      if (kind === 'skip') {
        pulse.skip(ms);
        [heardAt, askedAt] = [heardAt + ms, askedAt + ms];
        continue;
      }
      if (kind === 'hear') {
        // Of a silence that ended only a part is its rhythm.
        if (given !== undefined)
          gaps.push(isSilent ? Math.min(now - heardAt, 2 * limit()) : now - heardAt);
        given = (given ?? 0) + 1;
        [heardAt, askedAt, isSilent] = [now, now, false];
      }
      const isKnown = given !== undefined && gaps.length >= rhythm.leastGaps;
      const off = now - heardAt - limit();
      if (Math.abs(off) < 1e-6) return;
      if (isKnown && off > 0) isSilent = true;
      const isDue = isKnown && off > 0 && now - askedAt > limit();
      if (Math.abs(now - askedAt - limit()) < 1e-6) return;
      if (isDue) askedAt = now;
      expect([pulse.look(now), pulse.isSilent]).toEqual([isDue, isSilent]);
    }
  });
});

test('a silence of exactly the allowed length is none, to be silent and to be asked for again', () => {
  let given = 1;
  const rhythm = { given: () => given, leastMs: 10, factor: 3, leastGaps: 1 };
  const pulse = new FeedPulse(rhythm, 0);
  given = 2;
  expect(pulse.look(4)).toBe(false);
  const looks: Array<[now: number, isDue: boolean, isSilent: boolean]> = [
    [16, false, false],
    [17, true, true],
    [29, false, true],
    [30, true, true],
  ];
  for (const [now, isDue, isSilent] of looks)
    expect([now, pulse.look(now), pulse.isSilent]).toEqual([now, isDue, isSilent]);
});
