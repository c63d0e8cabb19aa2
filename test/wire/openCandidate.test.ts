import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { defaultDialect } from '../../src/contract/dialect.ts';
import { openCandidate } from '../../src/wire/openCandidate.ts';
import type { ConnectionEvents } from '../../src/wire/SocketConnection.ts';

test('who takes a connection has it before what it received, and that before what comes', async () => {
  let given: ConnectionEvents | undefined;
  const sent: string[] = [];
  const connection = {
    isOpen: true,
    bufferedBytes: 0,
    send: (text: string) => void sent.push(text),
    close: async () => {},
  };
  const candidate = openCandidate(
    (_options, events) => {
      given = events;
      return connection;
    },
    {
      url: new URL('ws://127.0.0.1:1/v1/stream'),
      headers: {},
      stream: defaultDialect.stream,
      env: createVirtualEnv(),
    },
  );
  given!.onOpen();
  for (const text of ['welcome', 'ack']) given!.onText(text);
  const opened = await candidate;
  if ('lost' in opened) throw new Error(opened.lost);
  const order: string[] = [];
  let adopted: typeof connection | undefined;
  const events = {
    onText(text: string): void {
      order.push(text);
      // As a welcome leads to a subscription.
      adopted!.send(`upon ${text}`);
    },
    onLost: (reason: string) => void order.push(reason),
  };
  const isTaken = opened.take(events, (one) => {
    order.push('adopted');
    adopted = one as typeof connection;
  });
  given!.onText('frame');
  given!.onLost('closed_1006');
  expect([isTaken, order]).toEqual([true, ['adopted', 'welcome', 'ack', 'frame', 'closed_1006']]);
  expect(sent).toEqual(['upon welcome', 'upon ack', 'upon frame']);
});
