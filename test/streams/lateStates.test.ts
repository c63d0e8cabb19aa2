import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createStreams, type WalletStreams } from '../../src/streams/index.ts';
import { accountSnapshot, order } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

interface Channel {
  list: string;
  /** Events that only say in which state a record is: after a later one they say nothing. */
  states: readonly string[];
  /** Events of something that has happened: they pass however late they come. */
  others: readonly string[];
  record: object;
  listen(wallet: WalletStreams, take: (event: string) => void): void;
}

const CHANNELS: Readonly<Record<string, Channel>> = {
  'tpsl.watch': {
    list: 'rows',
    states: ['leg_armed', 'trail_moved', 'entry_moved', 'entry_hold'],
    others: ['leg_triggered', 'leg_retired', 'leg_rejected'],
    record: { watch_id: 'one', status: 'armed' },
    listen: ({ watch$ }, take) => watch$.subscribe(({ event }) => take(event)),
  },
  executions: {
    list: 'executions',
    states: ['started', 'progress', 'status'],
    others: ['ended', 'stale_warning'],
    record: { execution_id: 'one', status: 'running' },
    listen: ({ executions$ }, take) => executions$.subscribe(({ event }) => take(event)),
  },
  monitors: {
    list: 'monitors',
    states: ['armed', 'paused', 'resumed'],
    others: ['fired', 'stopped'],
    record: { monitor_id: 'one', status: 'armed' },
    listen: ({ monitors$ }, take) => monitors$.subscribe(({ event }) => take(event)),
  },
};

describe.each(Object.entries(CHANNELS))('a late frame of %s', (channel, shape) => {
  const { list, states, others, record, listen } = shape;

  async function play(event: string) {
    const link = new ScriptedLink();
    const subscription = { channel, params: { wallet: 'main' } };
    link.snapshots = () => ({ [list]: [] });
    const streams = createStreams({ link, env: createVirtualEnv() });
    await streams.open();
    const seen: string[] = [];
    listen(streams.wallet('main'), (one) => seen.push(one));
    const late = link.next(subscription, event, record);
    link.snapshots = () => null;
    link.say(
      subscription,
      others.find((one) => one !== event)!,
      record,
    );
    link.deliver(late);
    return seen.filter((one) => one === event);
  }

  test.each(states)('that says no more than a state does not pass: %s', async (event) => {
    expect(await play(event)).toEqual([]);
  });

  test.each(others)('that says what happened passes: %s', async (event) => {
    expect(await play(event)).toEqual([event]);
  });
});

test('an order’s late frame passes though its number is below one of the sequence before', async () => {
  const link = new ScriptedLink();
  const subscription = { channel: 'account.state', params: { wallet: 'main' } };
  link.snapshots = () => accountSnapshot();
  const streams = createStreams({ link, env: createVirtualEnv() });
  await streams.open();
  const seen: string[] = [];
  streams
    .wallet('main')
    .orders$.subscribe(({ order_id: id, status }) => seen.push(`${id} ${status}`));
  for (let times = 0; times < 5; times++) link.say(subscription, 'order', order('one'));
  seen.length = 0;
  // A snapshot begins another sequence, in which a frame is late.
  streams.resync();
  const late = link.next(subscription, 'order', order('one', 'filled'));
  link.snapshots = () => null;
  link.say(subscription, 'order', order('two'));
  link.deliver(late);
  expect(seen).toEqual(['two open', 'one filled']);
});
