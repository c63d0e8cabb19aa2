import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { pollRequests } from '../../../src/operate/control/pollRequests.ts';

const schema = z.object({ what: z.string(), time: z.number() });

function openPoll() {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-requests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [request, response] = [join(folder, 'request'), join(folder, 'response')];
  const env = createVirtualEnv({ startTime: 5_000 });
  const begun: string[] = [];
  const isAnsweredAtDone: boolean[] = [];
  let finish = (): void => {};
  const stop = pollRequests({
    env,
    request,
    response,
    schema,
    command: 'x',
    run: async ({ what }) => {
      begun.push(what);
      await new Promise<void>((resolve) => (finish = resolve));
      return undefined;
    },
    onDone: () => void isAnsweredAtDone.push(existsSync(response)),
  });
  const live = async (): Promise<void> => {
    for (let beat = 0; beat < 4; beat++) {
      await new Promise(setImmediate);
      env.queue.advanceTo(env.queue.now() + 500);
    }
    await new Promise(setImmediate);
  };
  const ask = (what: string, time: number): void =>
    writeFileSync(request, JSON.stringify({ what, time }));
  return { stop, live, ask, begun, isAnsweredAtDone, response, finish: () => finish() };
}

test('whoever is answered finds what was done: the status is written before the answer', async () => {
  const poll = openPoll();
  poll.ask('pause', 6_000);
  await poll.live();
  expect([poll.begun, existsSync(poll.response)]).toEqual([['pause'], false]);
  poll.finish();
  await poll.live();
  expect([poll.isAnsweredAtDone, existsSync(poll.response)]).toEqual([[false], true]);
  poll.stop();
});

test('after its end nothing is carried out, also where it ended in the middle of a request', async () => {
  const poll = openPoll();
  poll.ask('first', 6_000);
  await poll.live();
  poll.stop();
  poll.finish();
  await poll.live();
  // Its caller waits, and what it asked for is done.
  expect(existsSync(poll.response)).toBe(true);
  poll.ask('second', 7_000);
  await poll.live();
  expect(poll.begun).toEqual(['first']);
});
