import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv, pause } from '../../../src/env/index.ts';
import { askToRotate } from '../../../src/operate/control/askToRotate.ts';
import { controlFilesOf, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import {
  askToSettle,
  pollSettlements,
  type BotAnswer,
} from '../../../src/operate/control/index.ts';
import { pollRotations } from '../../../src/operate/control/pollRotations.ts';

/** A bot that answers after a time, and what its caller learns. */
function openBot() {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-waits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = controlFilesOf(join(folder, 'bot.sqlite'));
  const env = createVirtualEnv({ startTime: 5_000 });
  writeWhole(files.pulse, { pid: 7, time: 5_000, level: 'L0', obeyed: 0, reasons: [] });
  const answerOf = async (asking: Promise<BotAnswer>): Promise<BotAnswer> => {
    let answer: BotAnswer | undefined;
    void asking.then((given) => (answer = given));
    while (answer === undefined) {
      await new Promise(setImmediate);
      env.queue.advanceTo(env.queue.now() + 50);
    }
    return answer;
  };
  return { files, env, answerOf };
}
const isAlive = (): boolean => true;
const SECOND_MS = 1_000;

test.each([
  [
    'done',
    { done: 'signs with vk_2 from now on' },
    { kind: 'done', text: 'signs with vk_2 from now on' },
  ],
  // Whoever takes a refusal for success revokes the key in use.
  [
    'refused',
    { refused: 'it lacks the scope trade' },
    { kind: 'refused', reason: 'it lacks the scope trade' },
  ],
  ['failed', new Error('the disk is full'), { kind: 'failed', reason: 'the disk is full' }],
])('a rotation that takes a minute and is %s is answered so', async (_name, outcome, expected) => {
  const { files, env, answerOf } = openBot();
  const asked: unknown[] = [];
  const stop = pollRotations({
    env,
    files,
    async rotate(request) {
      asked.push(request);
      await pause(env.timers, 60 * SECOND_MS);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  const named = { key_id: 'vk_2', secret: { env: 'SECRET' } };
  const request = { reason: 'quarterly', by: 'ann at host', named };
  expect(await answerOf(askToRotate({ env, files, asked: request, isAlive }))).toEqual(expected);
  expect(asked).toMatchObject([request]);
  stop();
});

test.each([
  [['exe_17'], 40, { kind: 'done' }],
  // A bot that asks nobody answers at once, or hangs.
  [[], 40, { kind: 'silent', pid: 7 }],
  [[], 5, { kind: 'done' }],
])('a settlement with %j that takes %i s', async (records, seconds, expected) => {
  const { files, env, answerOf } = openBot();
  const settle = async (): Promise<undefined> =>
    void (await pause(env.timers, seconds * SECOND_MS));
  const stop = pollSettlements({ bot: { settle }, env, files });
  const asked = { as: 'accepted', records, reason: 'a test', by: 'ann at host' } as const;
  const asking = askToSettle({ env, files, key: 'k', asked, isAlive } as never);
  expect(await answerOf(asking)).toEqual(expected);
  stop();
});

test('a bot that ends meanwhile has not done it, and its caller does not wait for nothing', async () => {
  const { files, env, answerOf } = openBot();
  const asked = { as: 'absent', records: ['exe_17'], reason: 'a test', by: 'ann at host' };
  const asking = askToSettle({ env, files, key: 'k', asked, isAlive } as never);
  const ended = {
    pid: 7,
    time: 6_000,
    level: 'L0',
    obeyed: 0,
    reasons: [],
    ended: 'failed',
  } as const;
  const end = (): void => writeWhole(files.pulse, ended);
  void pause(env.timers, 3 * SECOND_MS).then(end);
  expect(await answerOf(asking)).toEqual({ kind: 'not_running' });
  expect(env.clock.wallNow()).toBeLessThan(5_000 + 5 * SECOND_MS);
});
