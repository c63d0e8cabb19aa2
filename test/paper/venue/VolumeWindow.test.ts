import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VolumeWindow } from '../../../src/paper/venue/VolumeWindow.ts';
import { holdLaw } from '../../holdLaw.ts';

const HOUR = 3_600_000;
const WINDOW = 14 * 24 * HOUR;

test('ACC-2: the volume of the last 14 days, to the millisecond, for any trades and reads', async () => {
  const drawn = fc.record({
    /** Trades in a row, a step apart: some rows are longer than what is forgotten at once. */
    rows: fc.array(
      fc.record({
        trades: fc.constantFrom(1, 5, 600, 1_500),
        stepMs: fc.constantFrom(0, 1, 10 * 60_000, HOUR),
        pauseMs: fc.constantFrom(0, WINDOW / 2, WINDOW - 1, WINDOW, 2 * WINDOW),
        isRead: fc.boolean(),
        isSaved: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  });
  await holdLaw(60, drawn, ({ rows }) => {
    let volume = new VolumeWindow();
    const all: Array<readonly [time: number, notional: number]> = [];
    let now = 0;
    const inside = () => all.filter(([time]) => time > now - WINDOW);
    for (const { trades, stepMs, pauseMs, isRead, isSaved } of rows) {
      now += pauseMs;
      for (let at = 0; at < trades; at++) {
        now += stepMs;
        // A fee by tier reads the volume before each fill; a fixed one never does.
        if (isRead) volume.at(now);
        // Whole numbers: their sums have no rounding error.
        const notional = 1 + (all.length % 7);
        volume.add(now, notional);
        all.push([now, notional]);
      }
      const { times, notionals, total } = volume.save();
      expect(times.map((time, at) => [time, notionals[at]])).toEqual(inside());
      const sum = inside().reduce((before, [, notional]) => before + notional, 0);
      expect(total).toBe(sum);
      if (isSaved) {
        volume = new VolumeWindow();
        volume.restore(structuredClone({ times, notionals, total }));
      }
      expect(volume.at(now)).toBe(sum);
    }
    now += WINDOW;
    expect(volume.at(now - 1)).toBe(
      all.reduce((sum, [time, each]) => (time > now - 1 - WINDOW ? sum + each : sum), 0),
    );
    expect(volume.at(now)).toBe(0);
  });
});

test('an empty window is exactly zero, whatever was rounded before', () => {
  const volume = new VolumeWindow();
  for (const [time, notional] of [
    [0, 0.1],
    [1, 0.2],
    [2, 0.3],
  ] as const)
    volume.add(time, notional);
  volume.add(WINDOW + 2, 0.7);
  expect(volume.at(WINDOW + 2)).toBe(0.7);
});
