import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv, pause } from '../../../src/env/index.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { openKeyRotation } from '../../../src/operate/run/openKeyRotation.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { clientOfKey } from './clientOfKey.ts';
import { loadRemote } from './loadRemote.ts';

const live = createLiveEnv();
/** Files are looked at more often than every half second. */
const after: typeof live.timers.after = (ms, run) => live.timers.after(Math.min(ms, 20), run);
const env = { ...live, timers: { ...live.timers, after } };

/** The rotation of a bot that signs with whatever it is given, and what became of it. */
async function openRotation(over: Partial<Parameters<typeof openKeyRotation>[0]> = {}, more = '') {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { loaded, directory } = await loadRemote(server, `journal: ./bot.sqlite\n${more}`);
  const signed: string[] = [];
  const reasons: string[] = [];
  const refused: Array<string | null> = [];
  let done = 0;
  const files = controlFilesOf(join(directory, 'bot.sqlite'));
  const bot = {
    async keyRotated({ keyId, reason }: { keyId: string; reason: string }) {
      signed.push(keyId);
      reasons.push(reason);
    },
    lastKeyChange: () => undefined,
    keyRotationRefused: (reason: string | null) => void refused.push(reason),
  };
  const stop = openKeyRotation({
    bot: bot as never,
    env,
    loaded,
    plan: { dialect: defaultDialect, strategies: [] } as never,
    key: {
      keyId: server.keyId,
      async change(_next, _check, onChange) {
        onChange(0);
        return { kind: 'changed', unanswered: 0 };
      },
    },
    files,
    hide: () => {},
    onDone: () => void done++,
    shared: undefined,
    openShared: async () => ({ ok: true, value: undefined }),
    ...over,
  });
  onTestFinished(stop);
  const place = (name: string): string => join(directory, name);
  return {
    signed,
    reasons,
    refused,
    place,
    stop,
    done: () => done,
    answer: (): string | undefined =>
      existsSync(files.rotationDone) ? readFileSync(files.rotationDone, 'utf8') : undefined,
    write: (name: string, text: string, mode = 0o600): void =>
      writeFileSync(place(name), text, { mode }),
    command(time = 1): void {
      // As a configuration names them, beside itself.
      const named = { key_id: { file: 'id' }, secret: { file: 'secret' } };
      writeWhole(files.rotation, { reason: 'moved', by: 'ann at host', named, time });
    },
  };
}

test('the files that a command named are watched from then on, in place of the first ones', async () => {
  const { signed, write, command } = await openRotation();
  write('id', 'vk_2');
  write('secret', 'vs_second');
  command();
  await expect.poll(() => signed).toEqual(['vk_2']);
  write('id', 'vk_3');
  write('secret', 'vs_third');
  await expect.poll(() => signed.at(-1)).toBe('vk_3');
});

test.skipIf(process.platform === 'win32')(
  'a key that can’t be read is refused with its place, the reason and the remedy',
  async () => {
    const { signed, refused, write, place, command } = await openRotation();
    write('id', 'vk_2');
    write('secret', 'vs_second');
    command();
    await expect.poll(() => signed).toEqual(['vk_2']);
    write('secret', 'vs_third');
    chmodSync(place('secret'), 0o644);
    const reported = () => refused.findLast((reason) => reason?.includes('mode is 644') === true);
    await expect
      .poll(reported)
      .toBe(
        `link.secret: others may read the file ${place('secret')} (its mode is 644) (Make it yours alone: chmod 600 ${place('secret')})`,
      );
    expect(signed).toEqual(['vk_2']);
    // The files have the key in use again, and nothing is refused any more.
    chmodSync(place('secret'), 0o600);
    write('secret', 'vs_second');
    await expect.poll(() => refused.at(-1)).toBeNull();
  },
);

test('a command is answered once its key signs, for its reason, and none after the end', async () => {
  const { signed, reasons, write, command, answer, done, stop } = await openRotation();
  write('id', 'vk_2');
  write('secret', 'vs_second');
  command();
  await expect.poll(answer).toContain('signs with vk_2');
  expect([reasons, done()]).toEqual([['moved (by ann at host)'], 1]);
  stop();
  write('id', 'vk_3');
  write('secret', 'vs_third');
  command(2);
  await pause(live.timers, 200);
  expect([signed, done()]).toEqual([['vk_2'], 1]);
});

test('the files of a command that was refused are not watched', async () => {
  const { signed, write, command, answer } = await openRotation({
    key: {
      keyId: 'vk_1',
      async change({ keyId }, _check, onChange) {
        if (keyId === 'vk_2') return { kind: 'refused', reason: 'another one is under way' };
        onChange(0);
        return { kind: 'changed', unanswered: 0 };
      },
    },
  });
  write('id', 'vk_2');
  write('secret', 'vs_second');
  command();
  await expect.poll(answer).toContain('another one is under way');
  write('id', 'vk_3');
  write('secret', 'vs_third');
  await pause(live.timers, 200);
  expect(signed).toEqual([]);
});

/** A service that shows this of a key, and another change that is under way by then. */
const changing = (known: string[], lacks: string[] = []) => ({
  key: {
    keyId: 'vk_1',
    async change(_next: unknown, check: (client: ReturnType<typeof clientOfKey>) => Promise<void>) {
      await check(clientOfKey({ known, lacks }));
      return { kind: 'refused' as const, reason: 'another one is under way' };
    },
  },
});

test.each([
  [['main'], [], 'it has no wallet sub'],
  [['main', 'sub'], ['algo'], 'it lacks the scope algo'],
  [['main', 'sub'], ['trade'], 'another one is under way'],
])(
  'a key has the wallets and scopes of all strategies: %j without %j',
  async (known, lacks, why) => {
    const strategies = [
      { wallet: 'main', strategy: { scopes: [] } },
      { wallet: 'sub', strategy: { scopes: ['algo'] } },
    ];
    const { write, command, answer } = await openRotation({
      ...changing(known, lacks),
      plan: { dialect: defaultDialect, strategies } as never,
    });
    write('id', 'vk_2');
    write('secret', 'vs_second');
    command();
    await expect.poll(answer).toContain(why);
  },
);

test.each([true, false])(
  'another key is refused with the budget that it shares, which is closed: opened %j',
  async (isOpen) => {
    const seen: string[] = [];
    const { write, command, answer } = await openRotation(
      {
        ...changing(['main']),
        shared: { replace: async () => void seen.push('replaced') } as never,
        async openShared(keyId, limit) {
          // The configuration's limit precedes what the service grants.
          seen.push(`open ${keyId} ${limit}`);
          if (!isOpen) return { ok: false, failure: { message: 'the ledger is away' } as never };
          return { ok: true, value: { close: async () => void seen.push('closed') } as never };
        },
      },
      'budget: { weight_per_minute: 700 }\n',
    );
    write('id', 'vk_2');
    write('secret', 'vs_second');
    command();
    await expect.poll(answer).toContain(isOpen ? 'another one is under way' : 'the ledger is away');
    expect(seen).toEqual(['open vk_2 700', ...(isOpen ? ['closed'] : [])]);
  },
);

test('a command that names two files which are not there says so of both', async () => {
  const { command, answer } = await openRotation();
  command();
  await expect.poll(answer).toMatch(/link\.key_id: .*; link\.secret: /);
});
