import { afterEach, expect, test } from 'vitest';
import type { LinkListener } from '../../../src/env/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('a key that is revoked while the stream stays up is noticed by the next read', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  let listener: LinkListener | undefined;
  let isRevoked = false;
  const body = { error: { code: 'unknown_key', message: 'No such key.' }, request_id: 'req_1' };
  const bot = await openTestBot(server, {
    onListener: (given) => void (listener = given),
    wire: (_request, send) =>
      isRevoked ? { kind: 'answered', response: { status: 401, headers: {}, body } } : send(),
  });
  open.push(bot);
  await bot.step(1);
  const refusals = () => bot.events.filter(({ kind }) => kind === 'key_refused');
  expect(refusals()).toEqual([]);
  isRevoked = true;
  // What asks for the layers again; every five minutes a bot does so by itself.
  listener!.onFault!({ kind: 'gap', channel: '_meta', params: {}, expected: 1, got: 3 } as never);
  await expect.poll(refusals).toEqual([{ kind: 'key_refused', code: 'unknown_key' }]);
  isRevoked = false;
});
