import { afterEach, expect, test } from 'vitest';
import type { LinkListener } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
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

test('a scope that the service refused is tried again after a rearm', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  let isRefused = true;
  const details = { required_scope: 'trade' };
  const error = { code: 'insufficient_scope', message: 'The key lacks it.', details };
  const response = { status: 403, headers: {}, body: { error, request_id: 'req_1' } };
  const bot = await openTestBot(server, {
    wire: (request, send) =>
      isRefused && request.endpoint === 'orders.place' ? { kind: 'answered', response } : send(),
  });
  open.push(bot);
  await bot.step(2);
  const ends = () =>
    bot.events.flatMap((item) => {
      if (item.kind !== 'intent') return [];
      const { state, guard } = item.event;
      return ['rejected', 'denied', 'accepted'].includes(state) ? [guard ?? state] : [];
    });
  const buy = async (): Promise<void> => {
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    await bot.step(1);
  };
  await buy();
  isRefused = false;
  await buy();
  expect(ends()).toEqual(['rejected', 'has_scopes']);
  await bot.bot.rearm('granted');
  await buy();
  expect(ends()).toEqual(['rejected', 'has_scopes', 'accepted']);
});
