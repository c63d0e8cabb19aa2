import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { watchKeyFiles } from '../../../src/operate/run/watchKeyFiles.ts';

const LOOK_MS = 2_000;

/** Files with a key's id, and a bot that takes every key that the watcher gives it, if its service does. */
function setUp(refusal?: { refused: string; mayPass: boolean }) {
  const env = createVirtualEnv({ seed: 1 });
  const state = { file: 'vk_1', inUse: 'vk_1' };
  const taken: string[] = [];
  const unread: string[] = [];
  let agreed = 0;
  const keyOf = (keyId: string) => ({ keyId, secret: { reveal: () => `secret of ${keyId}` } });
  const stop = watchKeyFiles({
    env,
    read: async () =>
      (state.file.startsWith('v') ? keyOf(state.file) : { unread: state.file }) as never,
    onUnread: (reason) => void unread.push(reason),
    onInUse: () => void agreed++,
    rotation: {
      isInUse: ({ keyId }) => keyId === state.inUse,
      async rotate(read) {
        const found = (await read()) as unknown as { keyId: string };
        taken.push(found.keyId);
        if (refusal !== undefined) return refusal;
        state.inUse = found.keyId;
        return { done: 'rotated' };
      },
    },
  });
  /** By default long enough for the watcher to see the same twice. */
  const look = async (times = 2): Promise<void> => {
    for (let count = 0; count < times; count++) {
      env.queue.advanceTo(env.queue.now() + LOOK_MS);
      for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    }
  };
  /** Whether the files were found to have the key in use since the last question. */
  const hasAgreed = (): boolean => {
    const before = agreed;
    agreed = 0;
    return before > 0;
  };
  return { state, taken, unread, look, stop, hasAgreed };
}

test('a changed file replaces the key, back to an earlier one as well', async () => {
  const { state, taken, look, stop } = setUp();
  await look();
  for (const keyId of ['vk_2', 'vk_1', 'vk_3']) {
    state.file = keyId;
    await look();
  }
  expect(taken).toEqual(['vk_2', 'vk_1', 'vk_3']);
  stop();
});

test('files that differ from one look to the next are being written, and their key is not taken', async () => {
  const { state, taken, look, stop } = setUp();
  await look();
  for (const keyId of ['v', 'vk', 'vk_', 'vk_2']) {
    state.file = keyId;
    await look(1);
    expect(taken).toEqual([]);
  }
  await look(1);
  expect(taken).toEqual(['vk_2']);
  stop();
});

test('a key that a command put in its place stays while the file is as it was', async () => {
  const { state, taken, look, stop } = setUp();
  await look();
  // The command read it from elsewhere.
  state.inUse = 'vk_2';
  await look();
  expect(taken).toEqual([]);
  state.file = 'vk_3';
  await look();
  expect(taken).toEqual(['vk_3']);
  stop();
});

test('it tells that the files have the key in use, as after a refused one was taken out of them', async () => {
  const { state, look, stop, hasAgreed } = setUp({ refused: 'it has no wallet', mayPass: false });
  await look();
  expect(hasAgreed()).toBe(true);
  state.file = 'vk_2';
  await look();
  hasAgreed();
  await look();
  expect(hasAgreed()).toBe(false);
  state.file = 'vk_1';
  await look();
  expect(hasAgreed()).toBe(true);
  stop();
});

test.each([
  [true, ['vk_2', 'vk_2']],
  [false, ['vk_2']],
])(
  'a key that is refused, which may pass: %s, is given again each half minute or never',
  async (mayPass, expected) => {
    const { state, taken, look, stop } = setUp({ refused: 'the service is away', mayPass });
    await look();
    state.file = 'vk_2';
    await look();
    await look();
    expect(taken).toEqual(['vk_2']);
    for (let count = 0; count < 16; count++) await look();
    expect(taken.slice(0, 2)).toEqual(expected);
    stop();
  },
);

test('a key that was refused for good is given again once the files had the one in use meanwhile', async () => {
  const { state, taken, look, stop } = setUp({ refused: 'it has no wallet', mayPass: false });
  await look();
  for (const keyId of ['vk_2', 'vk_1', 'vk_2']) {
    state.file = keyId;
    await look(40);
  }
  expect(taken).toEqual(['vk_2', 'vk_2']);
  stop();
});

test('what keeps the files from being a key is said once, and again after they were one', async () => {
  const { state, unread, look, stop } = setUp();
  await look();
  for (const file of ['others may read it', 'it is empty', 'others may read it', 'vk_1']) {
    state.file = file;
    await look(5);
  }
  expect(unread).toEqual(['others may read it', 'it is empty', 'others may read it']);
  state.file = 'others may read it';
  await look(5);
  expect(unread.slice(3)).toEqual(['others may read it']);
  stop();
});
