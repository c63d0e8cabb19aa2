import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Secret, type BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteStore } from '../../../src/journal/index.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import { openTestBot } from '../../runtime/openTestBot.ts';
import { RULES } from '../notify/fixtures.ts';
import { openReceiver } from '../notify/receivers.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const CONTROL = 'control-token-of-the-test';
const LOCAL = {
  listen: { host: '127.0.0.1', port: 0 },
  hosts: [],
  readToken: null,
  controlToken: null,
  notify: null,
};

async function openWith(rest: Partial<BotConfig>, takesCommands: boolean) {
  const server = await openTwoWallets();
  onTestFinished(() => server.close());
  let operator: Operator | undefined;
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    async onBot(created, plan) {
      const config = configOf(plan, rest);
      const from = { bot: created, plan, config, env: createLiveEnv(), now: () => created.instant };
      operator = await openOperator({ ...from, service: null, takesCommands });
    },
  });
  onTestFinished(() => bot.close());
  return { bot, operator };
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-opened-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('alerts go out without a server, and a secret that was read after the start is in none', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const url = new Secret(receiver.url);
  const channel = { kind: 'webhook', url, template: 'plain', ...RULES } as const;
  const notify = { channels: [channel], uncoveredSeconds: null };
  const { bot, operator } = await openWith({ operate: { ...LOCAL, listen: null, notify } }, false);
  expect(operator!.address).toBeNull();
  operator!.hide('a-second-key-of-the-test');
  await bot.bot.kill('L1', 'the key a-second-key-of-the-test leaked');
  await expect.poll(() => receiver.texts().join('\n')).toContain('kill level L1');
  expect(receiver.texts().join('\n')).not.toContain('a-second-key-of-the-test');
  await operator!.close();
});

test('with neither a server nor a channel there is no operator', async () => {
  const { operator } = await openWith({ operate: { ...LOCAL, listen: null } }, false);
  expect(operator).toBeUndefined();
});

test('a page offers commands where a token allows them and the bot takes them', async () => {
  const path = join(openFolder(), 'bot.sqlite');
  const journal = { path, durability: 'power', keep_days: 90 } as const;
  const stateOf = async (token: string | null, takesCommands: boolean): Promise<boolean> => {
    const operate = { ...LOCAL, controlToken: token === null ? null : new Secret(token) };
    const { operator } = await openWith({ operate, journal }, takesCommands);
    const answer = await fetch(new URL('/api/state', operator!.address!));
    const { control } = (await answer.json()) as { control: boolean };
    await operator!.close();
    return control;
  };
  expect(await stateOf(CONTROL, true)).toBe(true);
  expect(await stateOf(CONTROL, false)).toBe(false);
  expect(await stateOf(null, true)).toBe(false);
});

test.runIf(existsSync('/proc/self/fd'))('after its end it has no file of the journal', async () => {
  const path = join(openFolder(), 'bot.sqlite');
  await createSqliteStore(path).close();
  const journal = { path, durability: 'power', keep_days: 90 } as const;
  const { operator } = await openWith({ operate: LOCAL, journal }, false);
  const opened = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${fd}`);
        return file.startsWith(path) ? [file] : [];
      } catch {
        return [];
      }
    });
  expect((await fetch(new URL('/api/intents', operator!.address!))).status).toBe(200);
  expect(opened()).not.toEqual([]);
  await operator!.close();
  expect(opened()).toEqual([]);
});
