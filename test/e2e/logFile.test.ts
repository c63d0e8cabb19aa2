import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { longEntry } from './plugins.ts';
import { runCli } from './runCli.ts';
import { openWorkshop, remoteBot, type Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

let workshop: Workshop;
beforeEach(() => void (workshop = openWorkshop('log')));
afterEach(() => workshop.close());

const demo = (...more: string[]) =>
  runCli([
    'run',
    'configs/demo.yaml',
    '--no-report',
    '--journal',
    'memory',
    '--log-level',
    'debug',
    ...[0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=1200`]),
    ...more,
  ]);

it('a run logs into files within their limits, which `logs` reads in order', async () => {
  const path = join(workshop.folder, 'bot.log');
  const limits = ['--log', path, '--log-max-mb', '0.001', '--log-keep', '2'];
  const { code, err } = await demo(...limits);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(err).not.toContain('"level"');
  const names = readdirSync(workshop.folder).filter((name) => name.startsWith('bot.log'));
  expect(names.toSorted()).toEqual(['bot.log', 'bot.log.1', 'bot.log.2']);
  const lines = ['.2', '.1', ''].flatMap((end) => {
    expect(statSync(path + end).size).toBeLessThanOrEqual(1_000);
    return readFileSync(path + end, 'utf8')
      .split('\n')
      .slice(0, -1);
  });
  const times = lines.map((line) => (JSON.parse(line) as { time: number }).time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const shown = await runCli(['logs', path]);
  expect(shown.out.split('\n').length).toBeGreaterThanOrEqual(lines.length);
}, 60_000);

it('a full disk costs log lines and not the run', async () => {
  const { code, err } = await demo('--log', '/dev/full');
  expect(code).toBe(0);
  expect(err).toMatch(/--log: \/dev\/full can't be written, and lines are lost: .*ENOSPC/);
}, 60_000);

it('SIGHUP opens the file again, and a killed bot leaves whole lines', async () => {
  const service = await workshop.startPaper(600);
  workshop.write('own.ts', longEntry);
  workshop.write('bot.yaml', remoteBot(service));
  const args = ['run', 'bot.yaml', '--log-level', 'debug', '--log', 'bot.log'];
  const bot = workshop.start(args, { TRIMTAB_TEST_SECRET: service.secret });
  const path = join(workshop.folder, 'bot.log');
  await expect.poll(() => existsSync(path), { timeout: 30_000 }).toBe(true);
  renameSync(path, `${path}.moved`);
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('strategies own');
  bot.child.kill('SIGHUP');
  const read = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await expect.poll(read, { timeout: 30_000 }).toContain('launch');
  expect(bot.child.exitCode).toBeNull();
  bot.child.kill('SIGKILL');
  await once(bot.child, 'exit');
  for (const text of [readFileSync(`${path}.moved`, 'utf8'), read()]) {
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.split('\n').slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
  }
}, 90_000);
