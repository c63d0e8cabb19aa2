import { expect, test } from 'vitest';
import { paperAssumptions } from '../../../src/operate/run/paperAssumptions.ts';
import { generateFeed, paperSettings } from '../../../src/paper/index.ts';

const START = Date.UTC(2025, 0, 1);

/** What a report says of a venue with these settings. */
function linesOf(settings: object): string[] {
  const symbols = ['BTC', 'ETH', 'SOL'];
  const feeds = symbols.map((symbol) => ({ symbol, interval: '1m', generate: {} }));
  const paper = paperSettings.parse({ feeds, ...settings });
  const data = {
    feeds: symbols.map((symbol) =>
      generateFeed({
        symbol,
        interval: '1m',
        bars: 10,
        seed: 1,
        startTime: START,
        startPrice: 100,
      }),
    ),
    funding: {},
  };
  return paperAssumptions({ paper, data } as never, { from: START, until: START + 600_000 });
}

test('the spread is all of what is between bid and ask, and the share of a bar is in percent', () => {
  const lines = linesOf({ half_spread_bps: 1.5, impact_bps: 7, volume_share: 0.07 }).join('\n');
  expect(lines).toContain('The spread is 3 bps around the mark; a taker also pays 7 bps times');
  expect(lines).toContain("no fill uses more than 7 % of a bar's volume");
});

test('a limit fills where the path touches it, or trades through it', () => {
  expect(linesOf({ fill_on_touch: true }).join()).toContain('when the path touches it');
  expect(linesOf({ fill_on_touch: false }).join()).toContain('when the path trades through it');
});

test('symbols with the same fees are named together, and one that has others by itself', () => {
  const fees = { ETH: { maker_bps: 1, taker_bps: 2 } };
  const lines = linesOf({ fees }).filter((line) => line.startsWith('Fees'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^Fees of BTC, SOL: /);
  expect(lines[1]).toMatch(/^Fees of ETH: venue 1 bps maker and 2 bps taker, /);
  expect(linesOf({}).filter((line) => line.startsWith('Fees'))).toEqual([
    expect.stringMatching(/^Fees: venue /),
  ]);
});

test('each latency is that of its own, in milliseconds', () => {
  const latency = { order_ms: 30, cancel_ms: 0, data_ms: { median: 5, p99: 90 } };
  expect(linesOf({ latency }).at(-1)).toBe(
    'Latency: orders 30 ms, cancels none, data 5 ms in the median and 90 ms at the 99th percentile (log-normal); a paced replay adds its own.',
  );
  expect(linesOf({}).at(-1)).toMatch(/^Decisions reach the venue instantly/);
});
