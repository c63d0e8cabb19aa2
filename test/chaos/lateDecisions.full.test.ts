import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { filter, firstValueFrom, ReplaySubject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { BAR_BOT, type BarBotLine, type BarBotOrders } from './bot/barBot.ts';
import { COMPILED } from './compiled.ts';
import { startService } from './startService.ts';

const MAIN = join(import.meta.dirname, 'bot/barBot.ts');
/** Replay seconds a second: a bar of five minutes every five seconds. */
const SPEED = 60;
const STOPPED_MS = 17_000;
/** Market time per second of a busy machine. */
const DOUBT_MS = 60_000;
const LIMIT_MS = 300_000;

test('SIGSTOP of a bot: no entry on a bar missed meanwhile is accepted, and it keeps trading', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-late-'));
  const service = await startService(folder, { speed: SPEED });
  const account = await service.openAccount('late');
  const { baseUrl, wsUrl } = service;
  const { wallet, keyId, secret } = account;
  const orders: BarBotOrders = { baseUrl, wsUrl, keyId, secret, wallet };
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...COMPILED, [BAR_BOT]: JSON.stringify(orders) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await account.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines$ = new ReplaySubject<BarBotLine>();
  const lines: BarBotLine[] = [];
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as BarBotLine;
    lines.push(line);
    lines$.next(line);
  });
  const accepted = (after: number) =>
    firstValueFrom(
      lines$.pipe(filter(({ state, close }) => state === 'accepted' && close > after)),
    );
  const { close: before } = await accepted(0);
  child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
  child.kill('SIGCONT');
  // Beyond the bars of the stop, and the one that closes while it catches up.
  const { close: last } = await accepted(before + STOPPED_MS * SPEED);

  const ages = lines.flatMap((line) =>
    line.state === 'accepted' ? line.created - line.close : [],
  );
  expect(Math.max(...ages), JSON.stringify(lines)).toBeLessThanOrEqual(LIMIT_MS + DOUBT_MS);
  const late = lines.filter((line) => line.state !== 'accepted' && line.close < last);
  expect(late.length, JSON.stringify(lines)).toBeGreaterThanOrEqual(2);
  const guards = new Set(late.map((line) => (line.state === 'accepted' ? '' : line.guard)));
  expect(guards).toContain('catch_up');
}, 120_000);
