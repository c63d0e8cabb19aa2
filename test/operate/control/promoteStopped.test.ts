import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteStore } from '../../../src/journal/index.ts';
import { promoteStopped, type StageMove } from '../../../src/operate/control/index.ts';
import { settleStages } from '../../../src/operate/run/settleStages.ts';
import { readStage, type PlannedStrategy } from '../../../src/runtime/index.ts';

const env = createLiveEnv();
let folder = '';
afterEach(() => rmSync(folder, { recursive: true }));

/** It can be typed as it is printed. */
const BACK =
  "trimtab promote '/bots/my bot.yaml' trend --back --hand-over BTC,ETH --reason TEXT --journal /elsewhere/bot.sqlite";

const shadowOf = (use: string) => ({ use, params: {}, canary: 0.1, isolation: null });

/** A bot whose strategy trend has this `use` and shadow, and a journal in a file. */
function configOf(use: string, shadow?: string): BotConfig {
  const path = join(folder, 'bot.sqlite');
  return {
    name: 'bot',
    file: '/bots/my bot.yaml',
    journalFlag: '/elsewhere/bot.sqlite',
    link: { kind: 'paper' },
    directory: '/bots',
    journal: { path, durability: 'power', keep_days: 90 },
    strategies: [
      { name: 'trend', use, symbols: ['BTC', 'ETH'], shadow: shadow && shadowOf(shadow) },
    ],
  } as unknown as BotConfig;
}

const open = () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-promote-'));
  return configOf('/bots/trend.ts', '/bots/trend2.ts');
};
const promote = (config: BotConfig, move: StageMove, handOver: string[] = ['BTC', 'ETH']) =>
  promoteStopped({ config, env, instance: 'trend', asked: { move, reason: 'a test', handOver } });

async function settle(config: BotConfig) {
  const store = createSqliteStore(config.journal.path);
  const strategies = config.strategies.map(({ name, shadow }) => ({
    name,
    shadow: shadow && { use: shadow.use, directory: config.directory },
  })) as unknown as PlannedStrategy[];
  const settled = await settleStages({ config, strategies, store, env });
  const row = readStage(store, 'trend');
  await store.close();
  return { settled, row };
}

test('goes up and back in the journal of a stopped bot, with all symbols by name', async () => {
  const config = open();
  const refused = { refused: expect.stringContaining('--hand-over BTC,ETH') as unknown };
  expect(await promote(config, 'next', ['BTC'])).toEqual(refused);
  expect(await promote(config, 'live')).toEqual({
    refused: expect.stringContaining('canary first') as unknown,
  });
  expect(await promote(config, 'next')).toEqual({ to: 'canary' });
  expect(await promote(config, 'next', [])).toEqual({ to: 'live' });
  expect((await settle(config)).row).toMatchObject({ stage: 'live', version: './trend2.ts' });
  expect(await promote(config, 'next')).toMatchObject({ refused: expect.anything() as unknown });
  expect(await promote(config, 'back')).toEqual({ to: 'canary' });
  // Down again another version trades, too.
  expect(await promote(config, 'back', ['BTC'])).toEqual(refused);
  expect(await promote(config, 'back')).toEqual({ to: 'shadow' });
});

test('a start without the promoted version is refused, and possible after a step back', async () => {
  const config = open();
  await promote(config, 'next');
  for (const other of [configOf('/bots/trend.ts'), configOf('/bots/trend.ts', '/bots/trend3.ts')]) {
    const { settled } = await settle(other);
    const message = expect.stringContaining(`or take the stage back: ${BACK}`) as string;
    expect(settled).toMatchObject({
      ok: false,
      failure: { code: 'TRIMTAB_STAGE_REFUSED', message },
    });
  }
  expect(await promote(configOf('/bots/trend.ts'), 'back')).toEqual({ to: 'shadow' });
  expect((await settle(configOf('/bots/trend.ts'))).settled).toMatchObject({ ok: true });
});

test('the stage ends where the version is the strategy’s own, and its identity goes on', async () => {
  const config = open();
  await promote(config, 'next');
  const { settled, row } = await settle(configOf('/bots/trend2.ts'));
  expect(settled).toMatchObject({ ok: true, value: [{ version: './trend2.ts' }] });
  expect(row?.stage).toBe('shadow');
  expect(await promote(configOf('/bots/trend2.ts'), 'next')).toEqual({
    refused: expect.stringContaining('trend has no new version') as unknown,
  });
  expect((await settle(configOf('/bots/trend4.ts'))).settled).toMatchObject({
    ok: true,
    value: [{ version: './trend2.ts' }],
  });
});

test('each strategy’s stage ends by its own `use`', async () => {
  const two = (use: string, shadow?: string): BotConfig => {
    const config = configOf('/bots/trend.ts');
    const pair = { name: 'pair', use, symbols: ['BTC', 'ETH'], shadow: shadow && shadowOf(shadow) };
    return { ...config, strategies: [...config.strategies, pair] } as unknown as BotConfig;
  };
  open();
  const asked = { move: 'next', reason: 'a test', handOver: ['BTC', 'ETH'] } as const;
  const config = two('/bots/pair.ts', '/bots/pair2.ts');
  expect(await promoteStopped({ config, env, instance: 'pair', asked })).toEqual({ to: 'canary' });
  const { settled } = await settle(two('/bots/pair2.ts'));
  expect(settled).toMatchObject({
    ok: true,
    value: [{ version: undefined }, { version: './pair2.ts' }],
  });
  const store = createSqliteStore(config.journal.path);
  expect(readStage(store, 'pair')?.stage).toBe('shadow');
  await store.close();
});

test('a version of the same plugin with other parameters keeps its stage while the file names it', async () => {
  open();
  const config = configOf('/bots/trend.ts', '/bots/trend.ts');
  const restart = async (file: BotConfig) => {
    const { settled, row } = await settle(file);
    return { ok: settled.ok, stage: row?.stage };
  };
  expect(await promote(config, 'next')).toEqual({ to: 'canary' });
  expect(await restart(config)).toEqual({ ok: true, stage: 'canary' });
  expect(await promote(config, 'next', [])).toEqual({ to: 'live' });
  expect(await restart(config)).toEqual({ ok: true, stage: 'live' });
  expect(await promote(config, 'back')).toEqual({ to: 'canary' });
  expect(await promote(config, 'back')).toEqual({ to: 'shadow' });
  await promote(config, 'next');
  expect(await restart(configOf('/bots/trend.ts'))).toEqual({ ok: true, stage: 'shadow' });
});

test('a version outside of the bot’s folder goes where the bot goes, and keeps its name', async () => {
  const at = (root: string, shadow = 'strategies/next.ts'): BotConfig => ({
    ...configOf(`${root}/strategies/trend.ts`, `${root}/${shadow}`),
    directory: `${root}/bots`,
  });
  open();
  await promote(at('/here'), 'next');
  const moved = await settle(at('/elsewhere/project'));
  expect(moved.row).toMatchObject({ stage: 'canary', version: '../strategies/next.ts' });
  expect(moved.settled).toMatchObject({ ok: true });
  expect((await settle(at('/elsewhere', 'strategies/other.ts'))).settled).toMatchObject({
    ok: false,
  });

  // As it was named before: the end of the path decides, and its name stays, by which its state is found.
  const store = createSqliteStore(at('/here').journal.path as string);
  const version = '/old/strategies/next.ts';
  await store.setLatch('stage trend', { value: `canary ${version}`, reason: '', time: 1 });
  await store.close();
  expect((await settle(at('/here'))).settled).toMatchObject({ ok: true });
  expect((await settle(at('/here', 'strategies/anext.ts'))).settled).toMatchObject({ ok: false });
  expect(await promote(at('/here'), 'next')).toEqual({ to: 'live' });
  expect((await settle(at('/here'))).row).toMatchObject({ stage: 'live', version });
});

test('another version than the promoted one goes no further', async () => {
  const config = open();
  await promote(config, 'next');
  for (const other of [configOf('/bots/trend.ts', '/bots/trend3.ts'), configOf('/bots/trend.ts')])
    for (const move of ['next', 'live'] as const)
      expect(await promote(other, move)).toEqual({
        refused: expect.stringMatching(
          new RegExp(
            `^it is at the stage canary with ./trend2.ts.* or take the stage back: ${BACK}$`,
          ),
        ) as unknown,
      });
  await promote(config, 'next');
  expect(await promote(configOf('/bots/trend.ts'), 'next')).toEqual({
    refused: expect.stringContaining(`or take the stage back, twice: ${BACK}`) as unknown,
  });
  await promote(configOf('/bots/trend.ts'), 'back');
  expect((await settle(config)).row).toMatchObject({ stage: 'canary', version: './trend2.ts' });
});

test('a promoted version that is the strategy’s own hands over to the next one, by its identity', async () => {
  await promote(open(), 'next');
  await promote(configOf('/bots/trend.ts', '/bots/trend2.ts'), 'next', []);
  const next = configOf('/bots/trend2.ts', '/bots/trend3.ts');
  // Nothing is ended by what is refused.
  expect(await promote(next, 'back')).toEqual({
    refused: expect.stringContaining('at the stage shadow, the last one that way') as unknown,
  });
  expect(await promote(next, 'next', [])).toEqual({
    refused: expect.stringContaining('--hand-over BTC,ETH') as unknown,
  });
  const store = createSqliteStore(next.journal.path);
  expect(store.latch('version trend')).toBeUndefined();
  expect(readStage(store, 'trend')).toMatchObject({ stage: 'live', version: './trend2.ts' });
  await store.close();
  expect(await promote(next, 'next')).toEqual({ to: 'canary' });
  expect(await settle(next)).toMatchObject({
    settled: { ok: true, value: [{ version: './trend2.ts' }] },
    row: { stage: 'canary', version: './trend3.ts' },
  });
  expect(await promote(next, 'back')).toEqual({ to: 'shadow' });
  expect(await settle(next)).toMatchObject({
    settled: { ok: true, value: [{ version: './trend2.ts' }] },
  });
});

test('after a step back another version may be promoted', async () => {
  const config = open();
  await promote(config, 'next');
  await promote(config, 'back');
  const other = configOf('/bots/trend.ts', '/bots/trend3.ts');
  expect(await promote(other, 'next')).toEqual({ to: 'canary' });
  expect(await settle(other)).toMatchObject({
    settled: { ok: true },
    row: { stage: 'canary', version: './trend3.ts' },
  });
});
