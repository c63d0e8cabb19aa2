import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { take } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { loadTape } from '../../src/operate/run/loadTape.ts';
import { openSocketVenue } from '../../src/operate/run/openSocketVenue.ts';
import { runTape } from '../../src/operate/run/runTape.ts';
import { root } from '../sourceFiles.ts';

const progress = { update: () => {}, finish: () => {} };

/** The demo's tape, and its service on real sockets. */
async function openDemo(more: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-tape-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [journal, seen] = [join(folder, 'bot.sqlite'), join(folder, 'seen.jsonl')];
  const set = [
    `record=${seen}`,
    ...[0, 1].map((at) => `paper.feeds[${at}].generate.bars=1100`),
    ...more,
  ];
  const loaded = await loadConfig(join(root, 'configs/demo.yaml'), { overrides: { journal, set } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const venue = await openSocketVenue(tape.value, createLiveEnv());
  return { journal, seen, tape: tape.value, venue };
}

test('a tape of which the warm-up takes every bar is refused, and one with a bar more is not', async () => {
  for (const bars of [1_000, 1_001]) {
    const set = [0, 1].map((at) => `paper.feeds[${at}].generate.bars=${bars}`);
    const journal = ':memory:';
    const overrides = { journal, set: [...set, 'paper.warmup=1000'] };
    const loaded = await loadConfig(join(root, 'configs/demo.yaml'), { overrides });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const tape = await loadTape(loaded);
    const code = tape.ok ? undefined : tape.failure.code;
    expect(code).toBe(bars === 1_000 ? 'TRIMTAB_TAPE_NOTHING_TO_TRADE' : undefined);
  }
});

test('a service that is lost before the plan leaves no journal in use', async () => {
  const { journal, tape, venue } = await openDemo();
  const position = async () => {
    const found = await venue.position();
    await venue.close();
    return found;
  };
  const gone = { ...venue, position };
  const run = runTape({ tape, venue: gone, progress, isStopped: () => false });
  await expect(run).rejects.toThrow();
  await createSqliteStore(journal).close();
});

test('a start that fails leaves no journal in use, and a recording with its end', async () => {
  const { journal, seen, tape, venue } = await openDemo();
  onTestFinished(() => venue.close());
  const onBot = (): never => {
    throw new Error('Whoever is given the bot fails.');
  };
  const run = runTape({ tape, venue, progress, isStopped: () => false, onBot });
  await expect(run).rejects.toThrow('is given the bot');
  await createSqliteStore(journal).close();
  expect(readFileSync(seen, 'utf8')).toMatch(/"end":true\}\n$/);
});

test('a run whose preparation is refused ends with that, and trades nothing', async () => {
  const { journal, tape, venue } = await openDemo();
  onTestFinished(() => venue.close());
  let isDriven = false;
  const drive: typeof venue.drive = (driven) => {
    isDriven = true;
    return venue.drive(driven);
  };
  const refused = { ok: false, failure: { code: 'TRIMTAB_PORT_IN_USE', message: 'In use.' } };
  const onBot = async () => refused as never;
  const from = { tape, venue: { ...venue, drive }, progress, isStopped: () => false, onBot };
  expect([await runTape(from), isDriven]).toEqual([refused, false]);
  const store = createSqliteStore(journal);
  expect([...store.newestIntents()]).toEqual([]);
  await store.close();
});

test('a failed start is reported before a later failing end, and everything possible is closed', async () => {
  const { journal, seen, tape, venue } = await openDemo();
  onTestFinished(() => venue.close());
  const close = (): never => {
    throw new Error('the link does not close');
  };
  const run = runTape({
    tape,
    venue: { ...venue, link: { ...venue.link, close } },
    progress,
    isStopped: () => false,
    onBot() {
      throw new Error('Whoever is given the bot fails.');
    },
  });
  const reported = 'Whoever is given the bot fails.\n  And then: the link does not close';
  await expect(run).rejects.toThrow(reported);
  await createSqliteStore(journal).close();
  expect(readFileSync(seen, 'utf8')).toMatch(/"end":true\}\n$/);
});

test('a failing journal is reported before a later failing end', async () => {
  const { journal, tape, venue } = await openDemo();
  onTestFinished(() => venue.close());
  const close = (): never => {
    throw new Error('the link does not close');
  };
  const run = await runTape({
    tape,
    venue: { ...venue, link: { ...venue.link, close } },
    progress,
    isStopped: () => false,
    onBot(bot) {
      // As a disk does that fails beneath it.
      bot.events$
        .pipe(take(1))
        .subscribe(() => new DatabaseSync(journal).exec('DROP TABLE entries'));
    },
  });
  const message = expect.stringMatching(
    /^The journal failed, [^]*entries[^]*\n {2}And then: the link/,
  );
  expect(run).toMatchObject({ ok: false, failure: { message } });
});

test.each(['max', 100_000])('at the speed %s each step shows how far the run is', async (speed) => {
  const { tape, venue } = await openDemo([`paper.speed=${speed}`]);
  onTestFinished(() => venue.close());
  const shown: Array<[done: number, total: number]> = [];
  const run = await runTape({
    tape,
    venue,
    progress: {
      ...progress,
      update: ({ barsDone, barsTotal }) => void shown.push([barsDone, barsTotal]),
    },
    isStopped: () => false,
  });
  expect(run.ok).toBe(true);
  const done = shown.map(([bars]) => bars);
  expect(done).toEqual(done.toSorted((one, other) => one - other));
  const [bars, total] = shown.at(-1)!;
  expect(total).toBeGreaterThan(0);
  expect(bars).toBe(total);
});

test('a paced run is interrupted although the market never lets a strategy come to rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-paced-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'busy.yaml');
  const bars = 3_000;
  const each = Object.fromEntries(
    Array.from({ length: bars }, (_none, at) => [at, at % 2 === 0 ? 0.001 : -0.001]),
  );
  writeFileSync(
    file,
    `name: busy
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 7, bars: ${bars}, start_price: 60000 } }
  warmup: 100
  speed: 600
  latency: { order_ms: 600000 }
strategies:
  - { name: busy, use: ${join(root, 'test/backtest/plants/trades.ts')}, symbols: [BTC], wallet: main, params: { at: ${JSON.stringify(each)} } }
guards: { max_intents_per_minute: 100000 }
journal: memory
`,
  );
  const loaded = await loadConfig(file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const venue = await openSocketVenue(tape.value, createLiveEnv());
  onTestFinished(() => venue.close());
  let steps = 0;
  const stepping = { update: () => void steps++, finish: () => {} };
  const isStopped = (): boolean => steps > 3;
  const run = await runTape({ tape: tape.value, venue, progress: stepping, isStopped });
  if (!run.ok) throw new Error(run.failure.message);
  const { time } = await venue.position();
  expect(run.value.interruptedAt).toBe(run.value.data.endTime);
  // Each bar brings an order that is answered ten bars later, so that some are always on their way.
  expect(time - run.value.data.startTime).toBeLessThan(250 * 60_000);
});
