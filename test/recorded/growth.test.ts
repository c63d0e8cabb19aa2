import { test } from 'vitest';
import type { EndpointId } from '../../src/contract/index.ts';
import { createGrowingFeed } from '../../src/paper/index.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { createBench, feedOf, flat, MINUTE, walk } from '../paper/engine/bench.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { resultText, valueText } from './resultText.ts';

const SYMBOLS = ['BTC', 'ETH'] as const;
const BARS = 50;

const LAUNCHES = [
  { algo: 'glidemaker', params: { strategy: 'aggressive', limit_price: 101 } },
  { algo: 'pacemaker', params: { duration_seconds: 600, slices: 5 } },
  { algo: 'flowscale', params: { participation: 0.2, max_duration_seconds: 700 } },
  { algo: 'ghostsweep', params: { trigger_price: 100.4 } },
  { algo: 'smartexit', reduce_only: true, params: { stop_price: 99.6, patience_seconds: 40 } },
];

test('an engine whose feeds grow bar by bar, as a shadow has it', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < 6; seed++) {
    const draw = createDraw(`growth ${seed}`);
    const growing = SYMBOLS.map((symbol) => createGrowingFeed(symbol, '1m'));
    const tapes = SYMBOLS.map((symbol) =>
      feedOf([...flat(100, 6), ...walk(`${seed} ${symbol}`, BARS, { move: 0.008, volume: 20 })], {
        symbol,
      }),
    );
    const append = (row: number): boolean[] =>
      growing.map(({ append: add }, at) => {
        const { time, open, high, low, close, volume } = tapes[at]!;
        return add({
          time: time[row]!,
          open: open[row]!,
          high: high[row]!,
          low: low[row]!,
          close: close[row]!,
          volume: volume[row]!,
        });
      });
    append(0);
    const bench = createBench({ feeds: growing.map(({ feed }) => feed) }, { balance: 4_000 });
    const lines: string[] = [];
    const call = (endpoint: EndpointId, parts: object): void =>
      void lines.push(`${endpoint} ${resultText(() => bench.call(endpoint, parts))}`);
    for (let row = 1; row < BARS; row++) {
      bench.engine.advanceTo(bench.engine.endTime);
      lines.push(valueText([append(row), append(row), bench.engine.endTime]));
      bench.engine.feedsGrew();
      bench.engine.advanceTo(bench.engine.now + draw.pick([0, 1, 20_000, MINUTE]));
      lines.push(valueText([bench.engine.now, bench.engine.quietUntil(bench.engine.endTime)]));
      const [symbol, side] = [draw.pick(SYMBOLS), draw.pick(['buy', 'sell'])];
      const roll = draw.number(0, 1);
      if (roll < 0.4) {
        const body = { symbol, side, size: draw.int(1, 60), order_type: 'market' };
        call('orders.place', { body: { ...body, reduce_only: draw.chance(0.4) } });
      } else if (roll < 0.7) {
        const body = { symbol, side, total_size: draw.int(1, 20), ...draw.pick(LAUNCHES) };
        call('executions.launch', { body, idempotencyKey: `k${row}` });
      } else if (roll < 0.85) {
        const stop_loss = { trail: { pct: 0.4, interval: '1m' } };
        call('positions.attachLegs', { pathParams: { symbol }, body: { stop_loss } });
      }
    }
    const frames = bench.events.map(valueText);
    const state = [valueText(bench.engine.save()), valueText(bench.engine.publishedBars())];
    outcomes.set(
      `growth ${seed}`,
      new Map([
        ['lines', lines],
        ['frames', frames],
        ['state', state],
      ]),
    );
  }
  await expectRecorded('growth', outcomes);
});
