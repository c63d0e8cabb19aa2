import { expect, test } from 'vitest';
import { explainGaps } from '../../src/operate/run/explainGaps.ts';
import { generateFeed, type Feed } from '../../src/paper/index.ts';

const START = 1_735_689_600_000; // 2025-01-01
const HOUR = 3_600_000;
const whole = generateFeed({
  symbol: 'BTC',
  interval: '1h',
  bars: 1_000,
  seed: 1,
  startTime: START,
  startPrice: 100,
});
const run = { from: START, until: START + 1_000 * HOUR };

/** The feed without these hours; only its times are read. */
const without = (isLacking: (hour: number) => boolean): Feed => ({
  ...whole,
  time: whole.time.filter((_time, hour) => !isLacking(hour)),
});

test('a feed that lacks more than 1 % of its bars is named with their number and the longest gap', () => {
  const holes = without((hour) => hour === 50 || (hour >= 100 && hour < 112));
  expect(explainGaps([whole, holes], run)).toEqual([
    'BTC@1h lacks 13 of 1,000 bars, the most in one piece 12 from 2025-01-05 04:00 UTC: ' +
      'nothing is decided or filled on what is missing.',
  ]);
});

test('what is missing outside of the run does not count', () => {
  const holes = without((hour) => hour >= 100 && hour < 112);
  expect(explainGaps([holes], { ...run, from: START + 112 * HOUR })).toEqual([]);
  expect(explainGaps([holes], { ...run, until: START + 100 * HOUR })).toEqual([]);
  expect(
    explainGaps([holes], { ...run, from: START + 106 * HOUR, until: START + 206 * HOUR }),
  ).toEqual([
    expect.stringMatching(/lacks 6 of 100 bars, the most in one piece 6 from 2025-01-05 10:00 UTC/),
  ]);
});

test('a few bars without trades are no note, and a day in one piece is', () => {
  expect(explainGaps([without((hour) => hour % 101 === 7)], run)).toEqual([]);
  const bars = 5_000;
  const year = {
    ...whole,
    time: Float64Array.from({ length: bars }, (_none, at) => START + at * HOUR),
  };
  const long = { from: START, until: START + bars * HOUR };
  const hole = (hours: number): Feed => ({
    ...year,
    time: year.time.filter((_time, hour) => hour < 100 || hour >= 100 + hours),
  });
  expect(explainGaps([hole(24)], long)).toEqual([]);
  expect(explainGaps([hole(25)], long)).toHaveLength(1);
  expect(explainGaps([whole], run)).toEqual([]);
});
