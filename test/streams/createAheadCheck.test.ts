import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVAL_MS } from '../../src/contract/intervals.ts';
import { createAheadCheck } from '../../src/streams/createAheadCheck.ts';
import type { StreamFault } from '../../src/streams/index.ts';
import { holdLaw } from '../holdLaw.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2025, 0, 6, 12);

const drawn = fc.record({
  interval: fc.constantFrom('1m' as const, '15m' as const, '1h' as const),
  bars: fc.array(
    fc.record({
      /** Where it opens, in bars from now; far ones are of a wrong time. */
      place: fc.oneof(fc.integer({ min: -8, max: 2 }), fc.integer({ min: 55, max: 64 })),
      closed: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
});

test('bars of a time that has not come are left out wherever they stand, and the first of them is told', async () => {
  await holdLaw(300, drawn, ({ interval, bars }) => {
    const faults: StreamFault[] = [];
    const check = createAheadCheck(interval, (fault) => faults.push(fault));
    const length = INTERVAL_MS[interval];
    const given = bars.map(({ place, closed }) => {
      const time = NOW + place * length;
      return { time, open: 1, high: 1, low: 1, close: 1, volume: 1, closed };
    });
    // A closed bar has ended by now, or within the hour that a clock may be off; one in progress has begun.
    const isWrong = ({ time, closed }: (typeof given)[number]) =>
      (closed ? time + length : time) > NOW + HOUR;
    const left = check.leaveOut(given, NOW);
    expect(left).toEqual(given.filter((bar) => !isWrong(bar)));
    const first = given.find(isWrong);
    expect(faults).toEqual(
      first === undefined
        ? []
        : [
            {
              kind: 'undecodable',
              fault: { reason: 'bad_data', detail: 'data.time', text: JSON.stringify(first) },
            },
          ],
    );
  });
});
