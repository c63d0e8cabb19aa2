import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { openKeyRotation } from '../../../src/operate/run/openKeyRotation.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { loadRemote } from './loadRemote.ts';

const live = createLiveEnv();
/** Files are looked at more often than every half second. */
const after: typeof live.timers.after = (ms, run) => live.timers.after(Math.min(ms, 20), run);
const env = { ...live, timers: { ...live.timers, after } };

/** The rotation of a bot that signs with whatever it is given, and what became of it. */
async function openRotation() {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { loaded, directory } = await loadRemote(server, 'journal: ./bot.sqlite\n');
  const signed: string[] = [];
  const refused: Array<string | null> = [];
  const files = controlFilesOf(join(directory, 'bot.sqlite'));
  const bot = {
    keyRotated: async ({ keyId }: { keyId: string }) => void signed.push(keyId),
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
    shared: undefined,
    openShared: async () => ({ ok: true, value: undefined }),
  });
  onTestFinished(stop);
  const place = (name: string): string => join(directory, name);
  return {
    signed,
    refused,
    place,
    write: (name: string, text: string, mode = 0o600): void =>
      writeFileSync(place(name), text, { mode }),
    command(): void {
      const named = { key_id: { file: place('id') }, secret: { file: place('secret') } };
      writeWhole(files.rotation, { reason: 'moved', by: 'ann at host', named, time: 1 });
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
  },
);
