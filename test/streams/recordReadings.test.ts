/** What is refused, owed or read in place of a snapshot, of each channel of records. */
import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createStreams } from '../../src/streams/index.ts';
import { execution } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const CHANNELS = ['tpsl.watch', 'executions', 'monitors'] as const;
const EXECUTIONS = { channel: 'executions', params: { wallet: 'main' } };

async function open() {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  await streams.open();
  const wallet = streams.wallet('main');
  const later = (ms: number) => env.queue.advanceTo(env.clock.monotonicNow() + ms);
  return { link, streams, wallet, later };
}

describe.each(CHANNELS)('of %s alone', (channel) => {
  async function listen() {
    const { wallet, ...more } = await open();
    const seen: string[] = [];
    const note = (name: string) => (): void => void seen.push(name);
    wallet.watchRefused$.subscribe(note('tpsl.watch refused'));
    wallet.executionsRefused$.subscribe(note('executions refused'));
    wallet.monitorsRefused$.subscribe(note('monitors refused'));
    wallet.watchMissing$.subscribe(note('tpsl.watch missing'));
    wallet.executionsMissing$.subscribe(note('executions missing'));
    wallet.monitorsMissing$.subscribe(note('monitors missing'));
    wallet.executionsShown$.subscribe(note('executions shown'));
    wallet.monitorsShown$.subscribe(note('monitors shown'));
    return { ...more, seen };
  }
  const subscription = { channel, params: { wallet: 'main' } };

  test('a refusal is known', async () => {
    const { link, seen } = await listen();
    link.listener.onFault?.({ kind: 'refused', subscription } as never);
    expect(seen).toEqual([`${channel} refused`]);
  });

  test('it is known that a snapshot is owed', async () => {
    const { link, later, seen } = await listen();
    const lists = { 'tpsl.watch': 'rows', executions: 'executions', monitors: 'monitors' };
    for (const other of CHANNELS)
      if (other !== channel)
        link.say({ ...subscription, channel: other }, 'snapshot', { [lists[other]]: [] });
    seen.length = 0;
    await later(10_000);
    expect(seen).toEqual([`${channel} missing`]);
  });

  test.each(channel === 'tpsl.watch' ? [] : [channel])(
    'it is known that all were shown: %s',
    async () => {
      const { link, seen } = await listen();
      link.say(subscription, 'snapshot', { [channel]: [] });
      expect(seen).toEqual([`${channel} shown`]);
    },
  );
});

describe('a reading in place of a snapshot', () => {
  async function openReading() {
    const { link, wallet, later, streams } = await open();
    const seen: string[] = [];
    let model: string[] = [];
    const model$ = wallet.executionsModel$.subscribe((now) => {
      model = [...now.values()].map((one) => `${one.execution_id} ${one.status}`);
    });
    const events$ = wallet.executions$.subscribe(({ event, execution: { execution_id: id } }) =>
      seen.push(`${event} ${id}, known ${model.length}`),
    );
    const shown$ = wallet.executionsShown$.subscribe(() => seen.push('shown'));
    const refused$ = wallet.executionsRefused$.subscribe(() => seen.push('refused'));
    await later(10_000);
    const leave = (): void => {
      for (const one of [model$, events$, shown$, refused$]) one.unsubscribe();
    };
    return { link, wallet, later, streams, seen, leave, model: () => model };
  }

  test('that is refused as well counts once, and it is asked for again minutes later', async () => {
    const { link, wallet, later, seen } = await openReading();
    const asked = link.asked.length;
    const reading = wallet.beginExecutionsReading();
    expect([reading.refused(), reading.refused()]).toEqual([true, false]);
    await later(300_000);
    expect([seen, link.asked.length]).toEqual([['refused'], asked]);
    await later(5_000);
    expect(link.asked.length).toBe(asked + 1);
  });

  test('that a snapshot has overtaken is not refused', async () => {
    const { link, wallet, seen } = await openReading();
    const reading = wallet.beginExecutionsReading();
    link.say(EXECUTIONS, 'snapshot', { executions: [] });
    expect([reading.refused(), seen]).toEqual([false, ['shown']]);
  });

  test('of a part leaves what may be lacking, takes the newer of both, and does not count as all', async () => {
    const { wallet, seen, model } = await openReading();
    const all = ['exe_1', 'exe_2', 'exe_3'].map((id) => execution(id, 'running'));
    wallet.beginExecutionsReading().takes(all);
    expect(seen.splice(0)).toEqual([
      'snapshot exe_1, known 3',
      'snapshot exe_2, known 3',
      'snapshot exe_3, known 3',
      'shown',
    ]);
    const part = [execution('exe_1', 'paused')];
    const mayLack = ({ execution_id: id }: { execution_id: string }): boolean => id !== 'exe_3';
    wallet.beginExecutionsReading().takes(part, mayLack);
    expect(model()).toEqual(['exe_1 paused', 'exe_2 running']);
    expect(seen.at(-1)).toBe('gone exe_3, known 2');
    expect(seen).not.toContain('shown');
  });

  test('is newer than a frame that comes late while it is read', async () => {
    const { link, wallet, model } = await openReading();
    link.say(EXECUTIONS, 'started', execution('exe_1', 'running'));
    const late = link.next(EXECUTIONS, 'stale_warning', execution('exe_1', 'running'));
    link.say(EXECUTIONS, 'progress', execution('exe_1', 'running'));
    const reading = wallet.beginExecutionsReading();
    link.deliver(late);
    expect(reading.takes([execution('exe_1', 'paused')])).toBe(true);
    expect(model()).toEqual(['exe_1 paused']);
  });

  test('of who has left is none of the next listener', async () => {
    const { wallet, leave } = await openReading();
    const reading = wallet.beginExecutionsReading();
    leave();
    wallet.executionsModel$.subscribe();
    expect(reading.takes([execution('exe_1', 'running')])).toBe(false);
  });
});

test.each(CHANNELS)(
  'a snapshot of %s ends its refusal: who listens later hears of none',
  async (channel) => {
    const { link, wallet } = await open();
    const lists = { 'tpsl.watch': 'rows', executions: 'executions', monitors: 'monitors' };
    const refusedOf = {
      'tpsl.watch': wallet.watchRefused$,
      executions: wallet.executionsRefused$,
      monitors: wallet.monitorsRefused$,
    };
    const subscription = { channel, params: { wallet: 'main' } };
    const seen: string[] = [];
    refusedOf[channel].subscribe(() => seen.push('first'));
    link.listener.onFault?.({ kind: 'refused', subscription } as never);
    refusedOf[channel].subscribe(() => seen.push('second'));
    expect(seen).toEqual(['first', 'second']);
    link.say(subscription, 'snapshot', { [lists[channel]]: [] });
    refusedOf[channel].subscribe(() => seen.push('third'));
    expect(seen).toEqual(['first', 'second']);
  },
);

test('who listens through an operator gets the snapshot that is there at once', async () => {
  const { link, wallet } = await open();
  link.snapshots = () => ({ executions: [execution('exe_1', 'running')] });
  const seen: string[] = [];
  wallet.executions$.pipe(map(({ event }) => event)).subscribe((event) => seen.push(event));
  expect(seen).toEqual(['snapshot']);
});

test('a snapshot is the model, then its events come, and then all were shown', async () => {
  const { link, wallet } = await open();
  const seen: string[] = [];
  wallet.executionsModel$.subscribe((now) => seen.push(`${now.size} known`));
  wallet.executions$.subscribe(({ event }) => seen.push(event));
  wallet.executionsShown$.subscribe(() => seen.push('shown'));
  link.say(EXECUTIONS, 'snapshot', { executions: [execution('exe_1', 'running')] });
  expect(seen).toEqual(['1 known', 'snapshot', 'shown']);
});

test('an execution whose id is another one after an outage is not gone', async () => {
  const { link, wallet } = await open();
  const seen: string[] = [];
  wallet.executions$.subscribe(({ event, execution: { execution_id: id } }) =>
    seen.push(`${event} ${id}`),
  );
  const named = (id: string, name: string) => ({
    ...execution(id, 'running'),
    client_execution_id: name,
  });
  link.say(EXECUTIONS, 'snapshot', { executions: [named('exe_1', 'a'), named('exe_2', 'b')] });
  link.lose();
  link.reopen([EXECUTIONS]);
  link.say(EXECUTIONS, 'snapshot', { executions: [named('exe_9', 'a')] });
  expect(seen.slice(2)).toEqual(['snapshot exe_9', 'gone exe_2']);
});

test('of a snapshot’s many ended records those are known that changed last', async () => {
  const { link, wallet } = await open();
  const known = { executions: [] as string[], monitors: [] as string[] };
  wallet.executionsModel$.subscribe((now) => (known.executions = [...now.keys()]));
  wallet.monitorsModel$.subscribe((now) => (known.monitors = [...now.keys()]));
  const numbers = Array.from({ length: 70 }, (_none, at) => at);
  link.say(EXECUTIONS, 'snapshot', {
    executions: numbers.map((at) => ({
      ...execution(`exe_${at}`, 'completed'),
      created_time: 1_000 - at,
      updated_time: 1_000 + at,
    })),
  });
  link.say({ ...EXECUTIONS, channel: 'monitors' }, 'snapshot', {
    monitors: numbers.map((at) => ({
      monitor_id: `mon_${at}`,
      status: 'stopped',
      created_time: at < 3 ? 5_000 : 1_000 - at,
      last_fired_time: at < 3 ? null : 1_000 + at,
    })),
  });
  expect(known.executions).toEqual(numbers.slice(6).map((at) => `exe_${at}`));
  // Those that never fired are as old as they are.
  const left = numbers.filter((at) => at < 3 || at >= 9);
  expect(known.monitors).toEqual(left.map((at) => `mon_${at}`));
});
