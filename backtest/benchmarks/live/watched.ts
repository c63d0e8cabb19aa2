import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveEnv } from '../../../src/env/index.ts';
import { compare, type ComparisonResult } from '../harness.ts';
import { startServer, type BenchServer } from '../startServer.ts';
import { openBot } from './openBot.ts';

const PATHS = 1_000;
const SCRAPE_MS = 1_000;
/** As a rate, so that higher is better: three per cent more at the 99th percentile. */
const GOAL = 1 / 1.03;
const NANOSECONDS = 1e9;

/**
 * From a frame to the signed request, without and with an operator who watches: state, metrics, a reader of its
 * events and a scrape each second. Each bot has its own peer and journal; their paths alternate. A round has a
 * thousand paths of each, so that ten of them lie beyond the 99th percentile.
 */
export async function benchWatchedPath(): Promise<ComparisonResult[]> {
  const folder = mkdtempSync(join(process.env['BENCH_DISK'] ?? tmpdir(), 'trimtab-bench-'));
  const script = new URL('./serveLine.ts', import.meta.url);
  const servers = { off: await startServer(script), on: await startServer(script) };
  const listen = { host: '127.0.0.1', port: 0 };
  const operate = { listen, hosts: [], readToken: null, controlToken: null, notify: null };
  const bots = {
    off: await openBot(servers.off.port, join(folder, 'off.sqlite')),
    on: await openBot(servers.on.port, join(folder, 'on.sqlite'), operate),
  };
  const reader = watch(bots.on.address!);
  const runOf = createTurns(async (which) => onePath(servers[which], bots[which].params));
  const results = await compare({
    name: 'live/watched: frame in → signed request out, with an operator who watches',
    contenders: [
      { name: 'no operate', run: runOf('off') },
      {
        name: 'operate: state, metrics, events, scrapes',
        run: runOf('on'),
        goal: GOAL,
        note: () => `${reader.scrapes()} scrapes`,
      },
    ],
    rounds: 9,
    warmUps: 1,
  });
  await reader.end();
  for (const bot of Object.values(bots)) await bot.close();
  for (const server of Object.values(servers)) server.stop();
  rmSync(folder, { recursive: true });
  return results;
}

async function onePath(server: BenchServer, params: object): Promise<number> {
  const { nanoseconds } = await server.ask({ path: '/bot', params });
  return Number(nanoseconds);
}

/** Paths alternate, and who is first with them, so that other load of the machine affects both alike. */
function createTurns(measureOne: (which: 'off' | 'on') => Promise<number>) {
  const measured = new Map<'off' | 'on', number[]>();
  const measure = async (): Promise<void> => {
    measured.set('off', []).set('on', []);
    for (let index = 0; index < PATHS; index++)
      for (const which of index % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const))
        measured.get(which)!.push(await measureOne(which));
  };
  return (which: 'off' | 'on') => async () => {
    if (!measured.has(which)) await measure();
    const times = measured.get(which)!.toSorted((a, b) => a - b);
    measured.delete(which);
    const at = (share: number): number => times[Math.floor(times.length * share)]!;
    return { '1/p99 s': NANOSECONDS / at(0.99), '1/median s': NANOSECONDS / at(0.5) };
  };
}

/** A reader of events and a scraper, in this process: what they cost counts, too. */
function watch(address: string) {
  const { timers } = createLiveEnv();
  const abort = new AbortController();
  let scrapes = 0;
  const events = (async () => {
    const { body } = await fetch(new URL('/api/events', address), { signal: abort.signal });
    for await (const _part of body!);
  })().catch(() => {});
  let cancel = timers.after(SCRAPE_MS, function scrape() {
    void fetch(new URL('/metrics', address))
      .then((answer) => answer.text())
      .then((text) => (scrapes += text.includes('trimtab_up') ? 1 : 0))
      .catch(() => {});
    cancel = timers.after(SCRAPE_MS, scrape);
  });
  return {
    scrapes: () => scrapes,
    async end() {
      cancel();
      abort.abort();
      await events;
    },
  };
}
