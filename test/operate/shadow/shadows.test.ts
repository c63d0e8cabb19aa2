import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runLoadedBacktest } from '../../../backtest/index.ts';
import { openDirectVenue } from '../../../backtest/openDirectVenue.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { loadTape, runPaper, runTape, type PaperRun } from '../../../src/operate/run/index.ts';
import { compareVersions, firstParting } from '../../../src/operate/shadow/index.ts';
import { root } from '../../sourceFiles.ts';
import { inTurn } from '../../inTurn.ts';
import { rotated } from '../../tiers.ts';

const it = inTurn(2);

const plant = (name: string): string => join(root, `test/operate/shadow/plants/${name}.ts`);
const BARS = 400;
const WARMUP = 50;

/** A bot that trades in turns, with a shadow as given in YAML, and the parts beside its journal. */
function writeBot(shadow: string | null, { journal = 'memory', more = '' } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-shadow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `name: shadowed
link: { kind: paper }
paper:
  speed: max
  warmup: ${WARMUP}
  budget_clock: replay
  feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: ${BARS}, start_price: 60000 } }]
journal: { path: ${journal}, durability: process }
guards: { max_order_notional: 3000 }
strategies:
  - name: turns
    use: ${plant('turns')}
    symbols: [BTC]
${more}${shadow === null ? '' : `    shadow: ${shadow}\n`}`,
  );
  return file;
}

async function load(file: string) {
  const loaded = await loadConfig(file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const progress = { update: () => {}, finish: () => {} };
  return { loaded, env: createLiveEnv(), progress, isStopped: () => false };
}

async function backtest(file: string): Promise<PaperRun> {
  const ran = await runLoadedBacktest({ ...(await load(file)), shadows: true });
  if (!ran.ok) throw new Error(ran.failure.message);
  return ran.value;
}

async function overSockets(file: string): Promise<PaperRun> {
  const ran = await runPaper(await load(file));
  if (!ran.ok) throw new Error(ran.failure.message);
  return ran.value;
}

const own = `{ use: ${plant('turns')} }`;
const smaller = `{ use: ${plant('turns')}, params: { size: 0.02, every: 10 } }`;

/** What a shadow must not change. */
const liveOf = ({ data }: PaperRun) => ({
  hash: data.hash,
  fills: data.fills,
  intents: data.intents,
  strategies: data.strategies,
});

describe('a shadow', () => {
  test('of the same version decides and earns the same, to the last cent', async () => {
    const { shadows } = await backtest(writeBot(own));
    const compared = compareVersions(shadows[0]!);
    expect(compared.state).toBe('ended');
    expect(compared.counts.live.intents).toBeGreaterThan(60);
    expect([compared.parted, compared.same]).toEqual([0, compared.counts.live.intents]);
    expect(firstParting(compared)).toBeUndefined();
    expect(compared.shadow).toEqual(compared.live);
    for (const [, live, shadow] of compared.curve) expect(shadow).toBeCloseTo(live, 9);
    expect(compared.curve.length).toBe(BARS - WARMUP);
  });

  test('of bars that are longer than those it is fed with decides the same', async () => {
    const more = '    params: { interval: 5m, every: 15 }\n';
    const shadow = `{ use: ${plant('turns')}, params: { interval: 5m, every: 15 } }`;
    const { shadows } = await backtest(writeBot(shadow, { more }));
    const compared = compareVersions(shadows[0]!);
    expect(compared.counts.live.intents).toBeGreaterThan(15);
    expect(compared.parted).toBe(0);
    expect(compared.shadow).toEqual(compared.live);
  });

  it(
    'that decides otherwise parts from it, and leaves it as it is',
    { timeout: 60_000 },
    async () => {
      const alone = await backtest(writeBot(null));
      expect(alone.data).not.toHaveProperty('shadows');
      const bare = liveOf(alone);
      const first = await backtest(writeBot(smaller));
      expect(liveOf(first)).toEqual(bare);
      const compared = compareVersions(first.shadows[0]!);
      expect(compared.parted).toBeGreaterThan(30);
      expect(compared.counts.live.denied).toBe(0);
      expect(compared.shadow!.netPnl).not.toBe(compared.live!.netPnl);
      const again = await backtest(writeBot(smaller));
      expect(again.shadows).toEqual(first.shadows);
      const sockets = await overSockets(writeBot(smaller));
      expect(sockets.data.hash).toBe(bare.hash);
      expect(sockets.shadows).toEqual(first.shadows);
      const [reported] = sockets.data.shadows!;
      expect(reported).toMatchObject({ strategy: 'turns', state: 'ended', same: compared.same });
      expect(reported!.partings.length).toBe(compared.parted);
      expect(reported!.partings[0]!.live).toMatch(/^place_order (buy|sell) 0\.01 BTC$/);
    },
  );

  it('has guards of its own', async () => {
    const big = `{ use: ${plant('turns')}, params: { size: 1 } }`;
    const { shadows, data } = await backtest(writeBot(big));
    const compared = compareVersions(shadows[0]!);
    expect(compared.counts.shadow.denied).toBe(compared.counts.shadow.intents);
    expect(shadows[0]!.shadowIntents[0]).toMatchObject({ refusedBy: 'max_order_notional' });
    expect(compared.pairs.every(({ differs }) => differs.includes('verdict'))).toBe(true);
    expect(compared.shadow!.fills).toBe(0);
    expect(data.intents.some(({ outcome }) => outcome === 'denied')).toBe(false);
  });
});

describe('a shadow that misbehaves ends, and the live version is as without it', () => {
  const isolation = '{ worker: { turn_deadline_seconds: 2, memory_mb: 96 } }';
  const WAYS = [
    ['throws', /thrown on purpose/],
    ['floods', /flooded|did not finish|more than|memory/i],
    ['loops', /did not finish one event within 2 s/],
    ['exits', /process\.exit\(0\)/],
    ['leaks', /memory/],
    ['aside', /rejected on purpose/],
  ] as const;

  test.each(rotated(WAYS, 1))('%s', { timeout: 60_000 }, async (how, reason) => {
    const bare = await backtest(writeBot(null));
    const shadow = `{ use: ${plant('misbehaves')}, params: { how: ${how} }, isolation: ${isolation} }`;
    const ran = await backtest(writeBot(shadow));
    expect(liveOf(ran)).toEqual(liveOf(bare));
    const [course] = ran.shadows;
    expect(course).toMatchObject({ state: 'quarantined', hash: null });
    expect(course!.reason).toMatch(reason);
  });
});

describe('what a shadow leaves', () => {
  test('is its own journal beside the bot’s, and begins anew with the next start', async () => {
    const file = writeBot(smaller, { journal: 'bot.sqlite' });
    const { shadows } = await overSockets(file);
    const journal = join(file, '../bot.sqlite.shadow-turns.sqlite');
    const db = new DatabaseSync(journal, { readOnly: true });
    const count = db.prepare('SELECT count(*) AS count FROM intents').get();
    db.close();
    expect(count).toEqual({ count: shadows[0]!.shadowIntents.length });
    await overSockets(file);
    expect(existsSync(`${journal}.previous`)).toBe(true);
    expect(existsSync(join(file, '../bot.sqlite.shadow-turns.json.previous'))).toBe(true);
  });
});

describe('a version that is promoted on a replay', () => {
  const minute = (count: number): number => count * 60_000;

  /** Canary, live and back to the file's version at fixed market times; positions go with the symbol's name. */
  async function promoted(file: string) {
    const { loaded, env, progress, isStopped } = await load(file);
    const tape = await loadTape(loaded);
    if (!tape.ok) throw new Error(tape.failure.message);
    const venue = openDirectVenue(tape.value, { live: env });
    const { time: start } = await venue.position();
    const steps = [
      { at: start + minute(60), to: 'canary' },
      { at: start + minute(150), to: 'live' },
      { at: start + minute(240), to: 'canary' },
      { at: start + minute(300), to: 'shadow' },
    ] as const;
    const taken: string[] = [];
    const refusals: Promise<string | undefined>[] = [];
    const ran = await runTape({
      tape: tape.value,
      venue,
      progress,
      isStopped,
      onBot(bot) {
        const left = [...steps];
        bot.events$.subscribe((event) => {
          if (event.kind === 'strategy_stage') taken.push(event.taken.to);
        });
        bot.onInstant((time) => {
          if (left[0] === undefined || time < left[0].at) return;
          const { to } = left.shift()!;
          refusals.push(bot.promote('turns', { to, reason: 'as planned', handOver: ['BTC'] }));
        });
      },
    });
    if (!ran.ok) throw new Error(ran.failure.message);
    expect(await Promise.all(refusals)).toEqual(steps.map(() => undefined));
    return { run: ran.value, taken, start };
  }

  test(
    'trades from then on, goes back by one step, and gives one hash',
    { timeout: 60_000 },
    async () => {
      const file = writeBot(smaller);
      const first = await promoted(file);
      expect(first.taken).toEqual(['canary', 'live', 'canary', 'shadow']);
      const again = await promoted(file);
      expect(liveOf(again.run)).toEqual(liveOf(first.run));
      expect(again.run.shadows).toEqual(first.run.shadows);
      // The plugin's size is a parameter: at canary and live it is that of the new version, else the file's own.
      const { start } = first;
      const sizes = (from: number, until: number) => [
        ...new Set(
          first.run.data.fills
            .filter(({ time }) => time > start + minute(from) && time <= start + minute(until))
            .map(({ size }) => size),
        ),
      ];
      expect(sizes(0, 60)).toEqual([0.01]);
      expect(sizes(62, 240)).toEqual([0.02]);
      expect(sizes(302, BARS - WARMUP)).toEqual([0.01]);
      // Beside itself it would prove nothing.
      const [shadow] = first.run.shadows;
      expect(shadow).toMatchObject({ state: 'ended' });
      expect(shadow!.reason).toContain('its version trades, at the stage canary');
      expect(shadow!.until).toBeLessThanOrEqual(start + minute(61));
    },
  );
});
