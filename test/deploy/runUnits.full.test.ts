import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyBar } from '../e2e/plugins.ts';
import { openWorkshop, remoteBot, type Service } from '../e2e/startProcess.ts';
import { installPackage, packBuilt } from '../installPackage.ts';
import { canContain, OTHER_USER, rootly } from './asOtherUser.ts';
import { givePrivate } from './givePrivate.ts';
import { readUnit } from './readUnit.ts';
import { secondsOf } from './secondsOf.ts';
import { endContained, startContained, type Contained } from './startContained.ts';

const needs = canContain() ? '' : ' (needs root, unshare and setpriv)';
const INSTANCE = 'my-bot';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-units-')));
const bots = join(folder, 'srv/bots');
const state = join(folder, 'var/lib/trimtab', INSTANCE);
const workshop = openWorkshop('units');

afterAll(() => {
  endContained();
  workshop.close();
  rootly('rm', '-rf', folder);
});

/** Starts what ExecStart of a unit names, with the folders that systemd would make. */
function startUnit(file: string, credentials: Record<string, string>): Contained {
  const unit = readUnit(file);
  const directory = join(folder, 'run/credentials', unit.Description![0]!.replaceAll(/\W/g, '-'));
  const names = unit.LoadCredential!.map((credential) => credential.split(':')[0]!);
  givePrivate(directory, Object.fromEntries(names.map((name) => [name, credentials[name]!])));
  const command = unit
    .ExecStart![0]!.replaceAll('/srv/bots', bots)
    .replaceAll('%i', INSTANCE)
    .split(' ');
  return startContained(command, {
    cwd: unit.WorkingDirectory![0]!.replace('/srv/bots', bots),
    env: {
      PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      CREDENTIALS_DIRECTORY: directory,
      TMPDIR: '/tmp',
    },
  });
}

/** Stops it as systemd does; returns its exit code, or undefined if SIGKILL would have followed. */
async function stopUnit(file: string, running: Contained): Promise<number | null | undefined> {
  const limit = secondsOf(readUnit(file).TimeoutStopSec![0]!) * 1_000;
  running.signal('SIGTERM');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit);
  });
  const code = await Promise.race([running.ended, late]);
  clearTimeout(timer);
  if (code === undefined) running.signal('SIGKILL');
  return code;
}

async function keyOfWatchdog({ base_url: base }: Service): Promise<Record<string, string>> {
  const answer = await fetch(`${base}/paper/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'watchdog', scopes: ['read', 'trade', 'algo'] }),
  });
  const { key_id: id, secret } = (await answer.json()) as { key_id: string; secret: string };
  return { watchdog_key_id: id, watchdog_secret: secret };
}

describe.skipIf(needs !== '')(`the units' commands${needs}`, () => {
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'bin'));
    copyFileSync(process.execPath, join(folder, 'bin/node'));
    await installPackage(bots, [await packBuilt(folder)]);
    rootly('install', '-d', `--owner=${OTHER_USER}`, `--group=${OTHER_USER}`, '--mode=0700', state);
  }, 180_000);

  test('bot and watchdog run as another user in a folder that is read only, and stop in time', async () => {
    const service = await workshop.startPaper(1_200);
    writeFileSync(join(bots, 'own.ts'), everyBar);
    const watchdog = `watchdog:
  key_id: { file: watchdog_key_id }
  secret: { file: watchdog_secret }
`;
    const text = remoteBot(service, watchdog)
      .replace(/key_id: vk_\w+/, 'key_id: { file: key_id }')
      .replace('{ env: TRIMTAB_TEST_SECRET }', '{ file: secret }')
      .replace('./bot.sqlite', join(state, 'bot.sqlite'));
    writeFileSync(join(bots, `${INSTANCE}.yaml`), text);
    rootly('chmod', '-R', 'a-w,a+rX', bots);

    const BOT = 'deploy/systemd/trimtab@.service';
    const bot = startUnit(BOT, { key_id: service.key_id, secret: service.secret });
    // Fills are logged at the level that the unit asks for.
    await expect.poll(() => bot.text(), { timeout: 30_000 }).toMatch(/(fill[^]*){2}/i);

    const WATCHDOG = 'deploy/systemd/trimtab-watchdog@.service';
    const key = await keyOfWatchdog(service);
    const watching = startUnit(WATCHDOG, key);
    await expect.poll(() => watching.text(), { timeout: 20_000 }).toContain('watching remote: L2');

    expect(await stopUnit(BOT, bot), bot.text()).toBe(0);
    expect(await stopUnit(WATCHDOG, watching), watching.text()).toBe(0);
    const printed = bot.text() + watching.text();
    for (const secret of [service.secret, key['watchdog_secret']!])
      expect(printed).not.toContain(secret);
  }, 120_000);
});
