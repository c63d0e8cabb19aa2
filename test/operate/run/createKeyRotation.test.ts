import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createKeyRotation } from '../../../src/operate/run/createKeyRotation.ts';
import { openService } from '../../../src/operate/run/openService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { toServiceError } from '../../../src/wire/errors/index.ts';
import {
  confirmKey,
  keyBefore,
  lastKeyChange,
  latchKey,
} from '../../../src/runtime/control/rotateKey.ts';

const DAY_MS = 86_400_000;
const WHY = 'quarterly rotation (by ann at host)';
const keyOf = (keyId: string, secret = `vs_${keyId}`) => ({ keyId, secret: new Secret(secret) });

/** A bot whose service accepts every key, and the journal of it. */
function setUp(check: () => Promise<void> = async () => {}, unanswered = 0) {
  const store = createMemoryStore();
  let now = 1_735_689_600_000;
  const refused: string[] = [];
  const hidden: string[] = [];
  const rotation = createKeyRotation({
    bot: {
      keyRotated: (about) => confirmKey(store, about, now),
      keyConfirmed: (about) => confirmKey(store, about, now),
      lastKeyChange: (keyId) => lastKeyChange(store, keyId),
      keyRotationRefused: (reason) => void refused.push(reason!),
    },
    wallNow: () => now,
    key: {
      keyId: 'vk_1',
      async change(_next, _check, onChange) {
        await check();
        onChange(unanswered);
        return { kind: 'changed', unanswered };
      },
    },
    first: keyOf('vk_1'),
    dialect: defaultDialect,
    wallets: [],
    scopes: [],
    weightPerMinute: undefined,
    hide: (secret) => void hidden.push(secret),
    open: async () => ({ use: () => {}, drop: async () => {} }),
  });
  return {
    store,
    refused,
    hidden,
    rotation,
    pass: (ms: number) => void (now += ms),
    rotate: (key: ReturnType<typeof keyOf>, why = WHY) => rotation.rotate(async () => key, why),
    latch: () => store.latch('api key'),
  };
}

test('the budget of the configuration precedes what the service grants the new key', async () => {
  const server = await openTestServer();
  onTestFinished(() => server.close());
  const { client, link } = openService(server, {
    dialect: defaultDialect,
    env: createLiveEnv(),
    market: 'frames',
  });
  onTestFinished(() => link.close());
  const granted = await client.utility.rateLimits();
  expect(granted.budget).toBeGreaterThan(700);
  for (const [weightPerMinute, limit] of [
    [700, 700],
    [undefined, granted.budget],
  ] as const) {
    const opened: number[] = [];
    const rotated: unknown[] = [];
    const rotation = createKeyRotation({
      bot: {
        keyRotated: async ({ budget }) => void rotated.push(budget?.limit),
        keyConfirmed: async () => {},
        lastKeyChange: () => undefined,
        keyRotationRefused: (reason) => expect.unreachable(reason!),
      },
      wallNow: () => 1,
      key: {
        keyId: 'vk_1',
        async change(_next, check, onChange) {
          await check(client);
          onChange(0);
          return { kind: 'changed', unanswered: 0 };
        },
      },
      first: keyOf('vk_1'),
      dialect: defaultDialect,
      wallets: ['main'],
      scopes: [],
      weightPerMinute,
      hide: () => {},
      async open(_keyId, weight) {
        opened.push(weight);
        return { use: () => {}, drop: async () => {} };
      },
    });
    expect(await rotation.rotate(async () => keyOf('vk_2'), WHY)).toHaveProperty('done');
    expect([opened, rotated]).toEqual([[limit], [limit]]);
  }
});

test('a command after the bot has rotated by itself succeeds, and its reason is in the journal', async () => {
  const { rotate, pass, latch, refused } = setUp();
  expect(await rotate(keyOf('vk_2'), 'its file has changed')).toHaveProperty('done');
  pass(12_000);
  expect(await rotate(keyOf('vk_2'))).toEqual({
    done:
      'signs with vk_2, since 2025-01-01 00:00 UTC, in place of vk_1; nothing of the old key is in flight, ' +
      'and it can be revoked',
  });
  expect(latch()).toMatchObject({
    value: 'vk_2',
    reason: expect.stringMatching(/vk_1: quarterly/),
  });
  expect(refused).toEqual([]);
});

test('one that comes after the bot’s own rotation says what of the old key is still in flight', async () => {
  const { rotate } = setUp(async () => {}, 3);
  await rotate(keyOf('vk_2'), 'its file has changed');
  expect(await rotate(keyOf('vk_2'))).toEqual({
    done: expect.stringContaining('3 requests of the old key had no answer yet'),
  });
});

test('so does one after a start with the new key, and after another secret of the same key', async () => {
  const { rotate, store, latch } = setUp();
  await latchKey(store, 'vk_0', 1);
  await latchKey(store, 'vk_1', 1_735_689_500_000);
  expect(await rotate(keyOf('vk_1'))).toEqual({
    done: expect.stringMatching(/^signs with vk_1, since .*, in place of vk_0; /),
  });
  expect(latch()?.reason).toContain('quarterly rotation');
  await rotate(keyOf('vk_1', 'vs_other'), 'its file has changed');
  expect(await rotate(keyOf('vk_1', 'vs_other'))).toEqual({
    done: expect.stringMatching(/in place of its former secret; /),
  });
});

test('a start by a clock that was set back still replaces the key of the process before', async () => {
  const store = createMemoryStore();
  await latchKey(store, 'vk_1', 100);
  await latchKey(store, 'vk_2', 900);
  await latchKey(store, 'vk_1', 500);
  expect(keyBefore(store)).toBe('vk_1');
  expect(store.latch('api key')).toMatchObject({
    reason: expect.stringContaining('in place of vk_2'),
    time: 500,
  });
});

test('a key that was in use all along is refused with what to do, and nothing is recorded', async () => {
  const { rotate, store, latch } = setUp();
  await latchKey(store, 'vk_1', 1);
  const before = latch();
  expect(await rotate(keyOf('vk_1'))).toEqual({
    refused: expect.stringMatching(/in use already, and the journal names none.*write the new one/),
    mayPass: true,
  });
  expect(latch()).toEqual(before);
});

test('a rotation of long ago is not what a command asks for: its new key never reached the files', async () => {
  const { rotate, pass, latch } = setUp();
  await rotate(keyOf('vk_2'), 'its file has changed');
  pass(DAY_MS + 1);
  expect(await rotate(keyOf('vk_2'))).toEqual({
    refused: expect.stringMatching(/since 2025-01-01 00:00 UTC, when it came in place of vk_1; /),
    mayPass: true,
  });
  expect(latch()?.reason).toContain('its file has changed');
});

test.each([
  ['unknown_key', 401, false],
  ['invalid_signature', 401, false],
  ['insufficient_scope', 403, false],
  // The refusal taught the time, and the same pair may pass.
  ['timestamp_out_of_window', 401, true],
  ['rate_limited', 429, true],
  ['internal', 500, true],
])('a key that is refused with %s (%i) may pass later: %j', async (code, status, mayPass) => {
  const body = { error: { code, message: 'no', details: {} }, request_id: 'r' };
  const { rotate } = setUp(() => Promise.reject(toServiceError({ status, headers: {}, body })));
  expect(await rotate(keyOf('vk_2'))).toEqual({
    refused: expect.stringContaining(`vk_2 can't be used: ${code}`),
    mayPass,
  });
});

test('a key that can’t be read may be readable later, and nothing else is said of it', async () => {
  const { rotation, refused } = setUp();
  const result = await rotation.rotate(async () => ({ unread: 'no such file' }), WHY);
  expect(result).toEqual({ refused: 'no such file', mayPass: true });
  expect(refused).toEqual([]);
});

test('the second of two rotations reads its key once the first one has ended', async () => {
  const gate = Promise.withResolvers<void>();
  const { rotation } = setUp(() => gate.promise);
  const read: string[] = [];
  const both = ['vk_2', 'vk_3'].map((keyId) =>
    rotation.rotate(async () => {
      read.push(keyId);
      return keyOf(keyId);
    }, WHY),
  );
  await new Promise(setImmediate);
  expect(read).toEqual(['vk_2']);
  gate.resolve();
  for (const result of await Promise.all(both)) expect(result).toHaveProperty('done');
  expect(read).toEqual(['vk_2', 'vk_3']);
});

test.each([
  [{ env: 'SECRET' }, 'link.secret is the environment variable SECRET'],
  [{ file: 'secret' }, 'write the new one where link.key_id and link.secret are read first'],
])('the key in use is refused with what would change it: %j', async (secret, remedy) => {
  const { rotation } = setUp();
  const named = { key_id: 'vk_1', secret };
  const result = await rotation.rotate(async () => keyOf('vk_1'), WHY, named);
  expect(result).toEqual({ refused: expect.stringContaining(remedy), mayPass: true });
});

test('a rotation that failed does not keep the next one from its key', async () => {
  const { rotation, rotate } = setUp();
  const lost = rotation.rotate(() => Promise.reject(new Error('the file is gone')), WHY);
  await expect(lost).rejects.toThrow('the file is gone');
  expect(await rotate(keyOf('vk_2'))).toHaveProperty('done');
});

test.each(['accepts', 'refuses'])(
  'a secret is hidden before a service that %s it is asked, and so is one in use',
  async (what) => {
    const hiddenThen: string[][] = [];
    const run = setUp(async () => {
      hiddenThen.push([...run.hidden]);
      if (what === 'refuses') throw new Error('no such key');
    });
    await run.rotate(keyOf('vk_2', 'vs_next'));
    expect(hiddenThen).toEqual([['vs_next']]);
    await run.rotate(keyOf('vk_1'));
    expect(run.hidden).toContain('vs_vk_1');
  },
);

test.each(['refused', 'thrown', 'changed'])(
  'what was opened for another key is closed unless that signs: %s',
  async (how) => {
    const server = await openTestServer();
    onTestFinished(() => server.close());
    const env = createLiveEnv();
    const { client, link } = openService(server, {
      dialect: defaultDialect,
      env,
      market: 'frames',
    });
    onTestFinished(() => link.close());
    const opened: string[] = [];
    const rotation = createKeyRotation({
      bot: {
        keyRotated: async () => {},
        keyConfirmed: async () => {},
        lastKeyChange: () => undefined,
        keyRotationRefused: () => {},
      },
      wallNow: () => 1,
      key: {
        keyId: 'vk_1',
        async change(_next, check, onChange) {
          await check(client);
          if (how === 'thrown') throw new Error('the service is away');
          if (how === 'refused') return { kind: 'refused', reason: 'another change is under way' };
          onChange(0);
          return { kind: 'changed', unanswered: 0 };
        },
      },
      first: keyOf('vk_1'),
      dialect: defaultDialect,
      wallets: ['main'],
      scopes: [],
      weightPerMinute: undefined,
      hide: () => {},
      async open(keyId) {
        opened.push(`open ${keyId}`);
        return { use: () => void opened.push('use'), drop: async () => void opened.push('drop') };
      },
    });
    await rotation.rotate(async () => keyOf('vk_2'), WHY);
    expect(opened).toEqual(['open vk_2', how === 'changed' ? 'use' : 'drop']);
  },
);
