import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { generateFeed, paperSettings, startPaperServer } from '../../src/paper/index.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { spawnScript } from '../journal/spawnScript.ts';
import type { SpenderOptions } from './spendWithOthers.ts';
import { isFull } from '../tiers.ts';

const { database, missing } = await findTestDatabase();

describe.skipIf(database === undefined)(`over PostgreSQL${missing}`, () => {
  vi.setConfig({ testTimeout: 120_000 });
  // A tenth is kept back: at a rate that fills the window, a process may lag by a tenth of it.
  const WINDOW_MS = 8_000;
  const LIMIT = 600;
  const RUN_MS = (isFull ? 3 : 1.5) * WINDOW_MS;

  async function startService() {
    const env = createLiveEnv();
    const settings = paperSettings.parse({
      feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }],
      paused: true,
      port: 0,
      warmup: 10,
    });
    const feed = {
      symbol: 'BTC',
      bars: 100,
      interval: '1m',
      seed: 'x',
      startTime: 0,
      startPrice: 1,
    };
    const dialect = createDialect({ budget: { windowMs: WINDOW_MS, standard: LIMIT } });
    const data = { feeds: [generateFeed({ ...feed, interval: '1m' })], funding: {} };
    const server = await startPaperServer({ settings, data, dialect }, env);
    onTestFinished(() => server.close());
    return server;
  }

  test('LIM-1: three processes on one key use what it allows, fairly, and cause no 429', async () => {
    const { baseUrl, keyId, secret } = await startService();
    const shared = {
      baseUrl,
      keyId,
      secret,
      url: database!.url,
      windowMs: WINDOW_MS,
      limit: LIMIT,
      runMs: RUN_MS,
    };
    const spenders = ([2, 5, 2] as const).map((weight, n) => {
      const own: SpenderOptions = { ...shared, member: `m${n}`, lane: 'exit', weight };
      return spawnScript('budget/spendWithOthers.ts', [JSON.stringify(own)]);
    });
    for (const spender of spenders) await spender.said(1);
    const late = monitorEventLoopDelay({ resolution: 10 });
    late.enable();
    const startTime = Date.now() + 500;
    for (const { child } of spenders) child.stdin!.end(`${startTime}\n`);
    for (const spender of spenders) await spender.said(2);
    const results = spenders.map(
      ({ lines }) =>
        JSON.parse(lines[1]!) as {
          statuses: Record<string, number>;
          spent: number;
          lateMs: number;
        },
    );
    const latest = Math.max(late.max / 1e6, ...results.map(({ lateMs }) => lateMs));
    // A machine that stops a process for longer than what is kept back can cause one all the same.
    if (latest < WINDOW_MS / 20) {
      for (const { statuses } of results) expect(Object.keys(statuses)).toEqual(['200']);
    }
    const total = results.reduce((sum, { spent }) => sum + spent, 0);
    const allowed = 0.9 * LIMIT * (RUN_MS / WINDOW_MS);
    expect(total).toBeGreaterThanOrEqual(0.9 * allowed);
    for (const { spent } of results) expect(spent).toBeGreaterThan((0.5 * total) / 3);
  });
});
