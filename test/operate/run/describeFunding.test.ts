import { expect, test } from 'vitest';
import { describeFunding } from '../../../src/operate/run/index.ts';
import { generateFeed } from '../../../src/paper/index.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);

test.each([1, 2, 3, 4, 5, 9])(
  'of %d stretches without funding three are named, and all others are counted',
  (count) => {
    const feed = generateFeed({
      symbol: 'BTC',
      interval: '1h',
      bars: 60,
      seed: 1,
      startTime: START,
      startPrice: 100,
    });
    // Every sixth settlement is missing, and none at the ends.
    const isMissing = (hour: number): boolean => hour % 6 === 3 && hour < 6 * count;
    const hours = Array.from({ length: 61 }, (_none, hour) => hour);
    const time = hours.filter((hour) => !isMissing(hour)).map((hour) => START + hour * HOUR);
    const rates = { time: Float64Array.from(time), rate: new Float64Array(time.length).fill(1e-4) };
    const [words] = describeFunding(
      { feeds: [feed], funding: { BTC: rates } },
      { from: START, until: START + 60 * HOUR },
    );
    expect(words!.isWhole).toBe(false);
    const [, missing, listed] = /it lacks (\d+) settlements? of the run.*: (.*)\.$/.exec(
      words!.text,
    )!;
    expect(Number(missing)).toBe(count);
    const parts = listed!.split(', ');
    expect(parts.filter((part) => part.includes(' to '))).toHaveLength(Math.min(3, count));
    expect(parts.slice(3)).toEqual(count > 3 ? [`${count - 3} more`] : []);
  },
);
