import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { StreamFrame } from '../../src/contract/frames.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import { createStreams, type StreamFault } from '../../src/streams/index.ts';
import { accountSnapshot, fill, position } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const subscription: Subscription = { channel: 'account.state', params: { wallet: 'main' } };

async function setUp() {
  const link = new ScriptedLink();
  link.snapshots = () => accountSnapshot();
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();
  const wallet = streams.wallet('main');
  wallet.account$.subscribe();
  const size = async () => (await firstValueFrom(wallet.account$)).positions.get('BTC')?.size;
  return { link, streams, faults, env, size };
}

describe('frames of an earlier sequence', () => {
  const at = (frame: StreamFrame, ts: number): StreamFrame => ({ ...frame, ts });

  test('a late, outdated snapshot is rejected: a fresh one is requested', async () => {
    const { link, streams, size } = await setUp();
    link.market.advanceTo(1_000);
    link.snapshots = () => accountSnapshot({ positions: [position(3)] });
    streams.resync();
    const asked = link.asked.length;
    link.deliver(at({ ...link.next(subscription, 'snapshot', accountSnapshot()), seq: 1 }, 0));
    expect(await size()).toBe(3);
    expect(link.asked.length).toBe(asked + 1);
  });

  test('an outdated snapshot with a newer number is detected, and requested again', async () => {
    const { link, streams, faults, size } = await setUp();
    const stray = link.next(subscription, 'position', position(7));
    streams.resync();
    link.market.advanceTo(1_000);
    const truth = link.next(subscription, 'position', position(2));
    link.snapshots = () => accountSnapshot({ positions: [position(2)] });
    link.deliver(stray);
    link.deliver(truth);
    expect(faults).toMatchObject([{ kind: 'gap', got: 2 }]);
    expect(await size()).toBe(2);
  });

  test('a service whose clock was set back is accepted at its second snapshot', async () => {
    const { link, streams, faults, size } = await setUp();
    link.deliver(at(link.next(subscription, 'position', position(1)), 9_000));
    link.snapshots = () => accountSnapshot({ positions: [position(4)] });
    const asked = link.asked.length;
    streams.resync();
    expect(faults).toMatchObject([{ kind: 'clock_back', byMs: 9_000 }]);
    expect(link.asked.length).toBe(asked + 2);
    expect(await size()).toBe(4);
  });

  test('without a second snapshot, the first one is accepted after a while, with later frames', async () => {
    const { link, streams, faults, env, size } = await setUp();
    const fills: string[] = [];
    streams.wallet('main').fills$.subscribe(({ fill_id: id }) => fills.push(id));
    link.deliver(at(link.next(subscription, 'position', position(1)), 9_000));
    link.snapshots = () => null;
    streams.resync();
    const answer = link.next(
      subscription,
      'snapshot',
      accountSnapshot({ positions: [position(4)] }),
    );
    link.deliver(answer);
    for (const [seq, event, data] of [
      [2, 'fill', fill('fill_1')],
      [3, 'position', position(5)],
    ] as const)
      link.deliver({ ...link.next(subscription, event, data), seq });
    expect(await size()).toBe(1);
    env.queue.advanceTo(5_000);
    expect(faults).toMatchObject([{ kind: 'no_snapshot' }, { kind: 'clock_back' }]);
    expect([await size(), fills]).toEqual([5, ['fill_1']]);
  });
});
