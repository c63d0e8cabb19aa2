import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../src/env/index.ts';
import { connectPg } from '../../../src/journal/postgres/index.ts';
import { openWorkshop, type Workshop } from '../../e2e/startProcess.ts';
import { ended, trust } from '../../e2e/sweepBot.ts';
import { root } from '../../sourceFiles.ts';
import { RESULTS } from './storedRows.ts';
import { hasPooler, startPooler, startServer } from './startPooler.ts';

/** Points of one side of the grid; a busy machine may take a smaller one. */
const SIDE = Number(process.env['TRIMTAB_TEST_SWEEP_SIDE'] ?? 100);
const BOT = `name: large
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 20000, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: some, use: ${join(root, 'test/backtest/plants/buysSometimes.ts')}, symbols: [BTC] }
sweep: { params: { every: '25..${24 + SIDE}', milli: '1..${SIDE}' } }
`;
const HOURS = 3_600_000;
const seconds = (count: number): Promise<void> =>
  new Promise((done) => setTimeout(done, count * 1_000));

const rowsOf = (shop: Workshop, file: string): unknown[] => {
  const db = new DatabaseSync(join(shop.folder, file), { readOnly: true });
  const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
  db.close();
  return rows;
};

/** What a run took, and its points took of the processor. */
function say(shop: Workshop, { name, file, began }: { name: string; file: string; began: number }) {
  const db = new DatabaseSync(join(shop.folder, file), { readOnly: true });
  const row = db.prepare('SELECT sum(points) AS points, sum(cpu_ms) AS cpu FROM workers').get()!;
  db.close();
  const wall = (performance.now() - began) / 1_000;
  process.stderr.write(
    `${name}: ${row['points']} points in ${wall.toFixed(0)} s; ` +
      `${(Number(row['cpu']) / 1_000).toFixed(0)} s of the processor in their threads\n`,
  );
}

describe(`${SIDE * SIDE} points of 20,000 bars, workers killed and the server restarted`, () => {
  let expected: unknown[] | undefined;
  const cases = ['PostgreSQL', ...(hasPooler || process.env.CI === 'true' ? ['a pooler'] : [])];
  test.each(cases)('over %s are what one thread computes', { timeout: 6 * HOURS }, async (name) => {
    const { server, port } = await startServer();
    const pooled = name === 'PostgreSQL' ? port : await startPooler(port);
    const url = `postgres://postgres@127.0.0.1:${pooled}/postgres`;
    const shop = openWorkshop('sweep-scale');
    onTestFinished(() => shop.close());
    shop.write('bot.yaml', BOT);
    const random = createRandom(`${name} 1`);
    const sweep = shop.start(['sweep', 'bot.yaml', '--engine', url, '--out', 'many.sqlite']);
    const work = ['worker', '--engine', url, ...(await trust(shop)), '--threads', '1'];
    while (!sweep.text().includes('trimtab worker')) {
      expect(sweep.child.exitCode, sweep.text()).toBeNull();
      await seconds(0.2);
    }
    const began = performance.now();
    const workers = [1, 2, 3, 4].map(() => shop.start(work));
    const client = await connectPg({
      url: url.replace(String(pooled), String(port)),
      name: 'test',
    });
    const count = async (): Promise<number> => (await client.query({ text: RESULTS })).rows.length;
    const half = SIDE * SIDE * (0.2 + random.next() * 0.3);
    while ((await count()) < half) await seconds(0.5);
    await client.end();
    const [first, second] = workers.toSorted(() => random.next() - 0.5);
    first!.child.kill('SIGKILL');
    await seconds(random.next() * 5);
    await server.stop();
    await seconds(3);
    await server.start();
    second!.child.kill('SIGKILL');
    const [code, said] = await ended(sweep);
    expect([code, said]).toEqual([0, expect.stringContaining(`${SIDE * SIDE} of `)]);
    say(shop, { name, file: 'many.sqlite', began });
    const rows = rowsOf(shop, 'many.sqlite');
    expect(rows).toHaveLength(SIDE * SIDE);
    if (expected === undefined) {
      const since = performance.now();
      const one = shop.start(['sweep', 'bot.yaml', '--threads', '1', '--out', 'one.sqlite']);
      expect((await ended(one))[0]).toBe(0);
      say(shop, { name: 'one thread', file: 'one.sqlite', began: since });
      expected = rowsOf(shop, 'one.sqlite');
    }
    expect(JSON.stringify(rows)).toBe(JSON.stringify(expected));
    const left = await connectPg({ url: url.replace(String(pooled), String(port)), name: 'test' });
    for (const table of ['queue', 'job'])
      expect((await left.query({ text: `SELECT * FROM trimtab_jobs.${table}` })).rows).toEqual([]);
    await left.end();
  });
});
