import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { openKeyRotation } from '../../../src/operate/run/openKeyRotation.ts';
import { openService } from '../../../src/operate/run/openService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { loadRemote } from './loadRemote.ts';

const live = createLiveEnv();
/** Files are looked at more often than every half second. */
const after: typeof live.timers.after = (ms, run) => live.timers.after(Math.min(ms, 20), run);
const env = { ...live, timers: { ...live.timers, after } };

test('the files that a command named are watched from then on, in place of the first ones', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { loaded, directory } = await loadRemote(server, 'journal: ./bot.sqlite\n');
  const write = (name: string, text: string): void =>
    writeFileSync(join(directory, name), text, { mode: 0o600 });
  const signed: string[] = [];
  const files = controlFilesOf(join(directory, 'bot.sqlite'));
  const bot = {
    keyRotated: async ({ keyId }: { keyId: string }) => void signed.push(keyId),
    // Its first files are not there; on a busy machine they are looked at before the command.
    keyRotationRefused: () => {},
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
  write('id', 'vk_2');
  write('secret', 'vs_second');
  const named = {
    key_id: { file: join(directory, 'id') },
    secret: { file: join(directory, 'secret') },
  };
  writeWhole(files.rotation, { reason: 'moved', by: 'ann at host', named, time: 1 });
  await expect.poll(() => signed).toEqual(['vk_2']);
  write('id', 'vk_3');
  write('secret', 'vs_third');
  await expect.poll(() => signed.at(-1)).toBe('vk_3');
});

test('a budget that processes share is that of the new key from the change on', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { client, link } = openService(server, {
    dialect: defaultDialect,
    env: live,
    market: 'frames',
  });
  onTestFinished(() => link.close());
  const { loaded, directory } = await loadRemote(server, 'journal: ./bot.sqlite\n');
  const files = controlFilesOf(join(directory, 'bot.sqlite'));
  for (const [name, text] of Object.entries({ id: 'vk_2', secret: 'vs_second' }))
    writeFileSync(join(directory, name), text, { mode: 0o600 });
  const course: string[] = [];
  const next = { close: async () => void course.push('closed') };
  const stop = openKeyRotation({
    bot: {
      keyRotated: async () => void course.push('rotated'),
      // Its own files are not there.
      keyRotationRefused: () => {},
    } as never,
    env,
    loaded,
    plan: { dialect: defaultDialect, strategies: [] } as never,
    key: {
      keyId: server.keyId,
      async change(_next, check, onChange) {
        await check(client);
        course.push('checked');
        onChange(0);
        return { kind: 'changed', unanswered: 0 };
      },
    },
    files,
    hide: () => {},
    shared: { replace: (one: unknown) => void course.push(one === next ? 'used' : '?') } as never,
    openShared: async (keyId) => {
      course.push(`opened for ${keyId}`);
      return { ok: true, value: next as never };
    },
  });
  onTestFinished(stop);
  const named = {
    key_id: { file: join(directory, 'id') },
    secret: { file: join(directory, 'secret') },
  };
  writeWhole(files.rotation, { reason: 'moved', by: 'ann at host', named, time: 1 });
  await expect.poll(() => course).toEqual(['opened for vk_2', 'checked', 'used', 'rotated']);
});
