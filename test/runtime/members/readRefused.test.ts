/** What the bot made and the service shows to nobody: it counts until a list of its kind says that it is over. */
import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { readRefused } from '../../../src/runtime/members/readRefused.ts';

type Kind = 'execution' | 'monitor';

function open() {
  const shown = {
    executionsRefused$: new Subject<unknown>(),
    executionsShown$: new Subject<unknown>(),
    monitorsRefused$: new Subject<unknown>(),
    monitorsShown$: new Subject<unknown>(),
    account$: new Subject<{ account: object }>(),
  };
  /** What the exposure holds of each kind, what the answers have, and what no list can have yet. */
  const unshown: Record<Kind, string[]> = { execution: ['e1', 'e2'], monitor: ['m1', 'm2'] };
  const listed: Record<Kind, string[]> = { execution: ['e1'], monitor: ['m1'] };
  const state = { failed: [] as Kind[], unseen: [] as string[] };
  const asked: Array<{ kinds: readonly Kind[]; within: number; answer(): Promise<void> }> = [];
  const warned: string[] = [];
  const read = (_wallet: string, until: number, kinds: readonly Kind[]) => {
    const { promise, resolve } = Promise.withResolvers<object>();
    asked.push({
      kinds,
      within: until - 5_000,
      async answer() {
        const failed = new Map(state.failed.map((kind) => [kind, { reason: `no ${kind}s` }]));
        const executions = listed.execution.map((execution_id) => ({ execution_id }));
        const monitors = listed.monitor.map((monitor_id) => ({ monitor_id }));
        resolve({ ok: failed.size === 0, failed, work: { executions, monitors } });
        await new Promise(setImmediate);
      },
    });
    return promise;
  };
  const drop = (id: string): void => {
    for (const ids of Object.values(unshown)) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1);
  };
  const subscription = readRefused('main', {
    streams: { wallet: () => shown },
    env: {
      clock: { monotonicNow: () => 5_000 },
      log: {
        warn: (text: string, fields: object) => warned.push(`${text} ${JSON.stringify(fields)}`),
      },
    },
    exposure: { unshown: (_wallet: string, kind: Kind) => [...unshown[kind]], seen: drop },
    accepted: { isUnseen: (id: string) => state.unseen.includes(id) },
    read,
  } as never);
  onTestFinished(() => subscription.unsubscribe());
  const snapshot = (account: object = {}): void => shown.account$.next({ account });
  /** A new account record, and the answer to what it led to. */
  const look = async (): Promise<void> => {
    const before = asked.length;
    snapshot();
    if (asked.length > before) await asked.at(-1)!.answer();
  };
  return { shown, unshown, listed, state, asked, warned, subscription, snapshot, look };
}

const ALL = { execution: ['e1', 'e2'], monitor: ['m1', 'm2'] };

test('kinds that are refused are read with each account record, and the others never', async () => {
  const { shown, unshown, asked, snapshot, look } = open();
  await look();
  expect(asked).toEqual([]);
  shown.monitorsRefused$.next(true);
  const record = {};
  snapshot(record);
  expect(asked).toMatchObject([{ kinds: ['monitor'], within: 30_000 }]);
  // The same record again, and another while the read is under way.
  snapshot(record);
  snapshot();
  expect(asked).toHaveLength(1);
  await asked[0]!.answer();
  expect(unshown).toEqual({ ...ALL, monitor: ['m1'] });
  shown.executionsRefused$.next(true);
  await look();
  expect(asked.slice(1).map(({ kinds }) => [...kinds].toSorted())).toEqual([
    ['execution', 'monitor'],
  ]);
  expect(unshown).toEqual({ execution: ['e1'], monitor: ['m1'] });
});

test('with nothing to wait for nothing is read', async () => {
  const { shown, unshown, asked, look } = open();
  shown.executionsRefused$.next(true);
  unshown.execution.splice(0);
  await look();
  expect(asked).toEqual([]);
});

test.each(['execution', 'monitor'] as const)(
  'a list of %ss that can’t be read ends nothing of its kind, and is reported once a trouble',
  async (kind) => {
    const other = kind === 'execution' ? 'monitor' : 'execution';
    const { shown, unshown, state, warned, look } = open();
    shown.executionsRefused$.next(true);
    shown.monitorsRefused$.next(true);
    for (let trouble = 1; trouble <= 2; trouble++) {
      state.failed = [kind];
      await look();
      await look();
      expect(unshown[kind]).toEqual(trouble === 1 ? ALL[kind] : [ALL[kind][0]]);
      expect(unshown[other]).toEqual([ALL[other][0]]);
      expect(warned).toHaveLength(trouble);
      expect(warned.at(-1)).toContain(`The ${kind}s are neither shown nor read`);
      expect(warned.at(-1)).toContain(`"reason":"no ${kind}s"`);
      state.failed = [];
      await look();
    }
    expect(unshown[kind]).toEqual([ALL[kind][0]]);
  },
);

test('what was accepted just now may be in no list yet', async () => {
  const { shown, unshown, state, look } = open();
  shown.executionsRefused$.next(true);
  state.unseen = ['e2'];
  await look();
  expect(unshown.execution).toEqual(['e1', 'e2']);
  state.unseen = [];
  await look();
  expect(unshown.execution).toEqual(['e1']);
});

test.each(['execution', 'monitor'] as const)(
  'a channel that shows %ss after all is read no longer, and the other one is',
  async (kind) => {
    const { shown, asked, look } = open();
    shown.executionsRefused$.next(true);
    shown.monitorsRefused$.next(true);
    shown[`${kind}sShown$`].next(true);
    await look();
    expect(asked).toMatchObject([{ kinds: [kind === 'execution' ? 'monitor' : 'execution'] }]);
  },
);

test('an answer after the end counts for nothing', async () => {
  const { shown, unshown, asked, warned, state, subscription, snapshot } = open();
  shown.executionsRefused$.next(true);
  state.failed = ['execution'];
  snapshot();
  subscription.unsubscribe();
  await asked[0]!.answer();
  expect([unshown, warned]).toEqual([ALL, []]);
});
