/** What the service owes a snapshot of and sends none: it is read, and what no list has stays as it was known. */
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv, type Subscription } from '../../../src/env/index.ts';
import { readUnshown } from '../../../src/runtime/members/readUnshown.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { accountSnapshot, execution } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const leg = (id: string) => ({
  watch_kind: 'leg',
  watch_id: id,
  leg_id: id,
  symbol: 'BTC',
  status: 'armed',
});
const ENTRY = {
  watch_kind: 'entry',
  watch_id: 'entry',
  leg_id: null,
  symbol: 'BTC',
  status: 'queued',
};

type Unread = { id: string | undefined; field: string };

/** A wallet that was shown with two stops, an entry that is tracked and two executions, after an outage without snapshots. */
async function open() {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  const lines: string[] = [];
  const note = (text: string, fields: object): void =>
    void lines.push(`${text} ${JSON.stringify(fields)}`);
  const subscriptions = new Map<string, Subscription>();
  let isQuiet = false;
  link.snapshots = (subscription) => {
    subscriptions.set(subscription.channel, subscription);
    if (subscription.channel === 'account.state') return accountSnapshot();
    if (isQuiet) return null;
    if (subscription.channel === 'tpsl.watch') return { rows: [leg('l1'), leg('l2'), ENTRY] };
    return { executions: [execution('e1'), execution('e2')], monitors: [] };
  };
  const streams = createStreams({ link, env });
  await streams.open();
  const answers = {
    stops: { ok: true, rows: [leg('l2')] } as object,
    executions: { ok: true, work: { executions: [execution('e2')], monitors: [] } } as object,
    unread: [] as Unread[],
  };
  const reads: string[] = [];
  const following = readUnshown('main', {
    streams,
    env: { ...env, log: { ...env.log, warn: note, error: note } },
    async read(
      _wallet: string,
      _until: number,
      kinds: readonly string[],
      onUnreadable: (one: Unread) => void,
    ) {
      reads.push(kinds.join(' '));
      if (kinds.includes('execution')) for (const one of answers.unread) onUnreadable(one);
      return answers.executions;
    },
    async readStops(_wallet: string, _until: number, onUnreadable: (one: Unread) => void) {
      reads.push('stops');
      for (const one of answers.unread) onUnreadable(one);
      return answers.stops;
    },
  } as never);
  onTestFinished(() => following.unsubscribe());
  const shown = { stops: [] as string[], executions: [] as string[] };
  const wallet = streams.wallet('main');
  wallet.watchModel$.subscribe((rows) => (shown.stops = [...rows.keys()].toSorted()));
  wallet.executionsModel$.subscribe((rows) => (shown.executions = [...rows.keys()].toSorted()));
  expect(shown.stops).toHaveLength(3);
  expect(shown.executions).toEqual(['e1', 'e2']);
  isQuiet = true;
  const later = async (ms: number): Promise<void> => {
    const until = env.queue.now() + ms;
    while (env.queue.now() < until) {
      env.queue.advanceTo(Math.min(until, env.queue.now() + 500));
      await new Promise(setImmediate);
    }
  };
  const outage = async (): Promise<void> => {
    link.lose();
    link.reopen([...subscriptions.values()]);
    await later(11_000);
  };
  return { link, later, outage, answers, reads, lines, shown, following, streams };
}

const idsOf = (shown: string[]): string[] => shown.filter((id) => /l1|l2|entry/.test(id));

test('what is read counts, and entries that are tracked stay, since no list has them', async () => {
  const { outage, shown, lines } = await open();
  const before = idsOf(shown.stops);
  await outage();
  expect(shown.executions).toEqual(['e2']);
  expect(before.filter((id) => !shown.stops.includes(id))).toEqual([expect.stringContaining('l1')]);
  expect(lines).toEqual([]);
});

test.each<[string, Unread[], string[], number]>([
  ['is there', [{ id: 'e1', field: 'status' }], ['e1', 'e2'], 1],
  ['and is not known ends nothing else', [{ id: 'e9', field: 'status' }], ['e2'], 1],
  [
    'and has no id may be any',
    [
      { id: undefined, field: 'execution_id' },
      { id: 'e9', field: 'x' },
    ],
    ['e1', 'e2'],
    2,
  ],
])('a record that can’t be read %s', async (_what, unread, executions, count) => {
  const { outage, answers, shown, lines } = await open();
  answers.unread = unread;
  await outage();
  expect(shown.executions).toEqual(executions);
  const line = lines.find((one) => one.includes('Some executions'))!;
  expect(line).toContain(`"count":${count},"field":"${unread[0]!.field}"`);
});

test('what fails is read again until it is answered, and reported once in a while', async () => {
  const { outage, later, answers, reads, shown, lines } = await open();
  const { executions } = answers;
  answers.executions = {
    ok: false,
    failed: new Map([
      ['execution', { reason: 'down', isRefused: false }],
      ['monitor', { reason: 'down', isRefused: false }],
    ]),
  };
  await outage();
  await later(60_000);
  const tries = reads.filter((one) => one === 'execution').length;
  expect(tries).toBeGreaterThan(3);
  expect(tries).toBeLessThan(21);
  expect(lines.filter((one) => one.includes('The executions are not shown'))).toHaveLength(1);
  expect(shown.executions).toEqual(['e1', 'e2']);
  answers.executions = executions;
  await later(30_000);
  expect(shown.executions).toEqual(['e2']);
  const reading = reads.length;
  await later(60_000);
  expect(reads.length).toBe(reading);
});

test('nothing is read once it is over', async () => {
  const { outage, later, answers, reads, following } = await open();
  answers.stops = { ok: false, reason: 'down', isRefused: false };
  await outage();
  following.unsubscribe();
  const reading = reads.length;
  expect(reading).toBeGreaterThan(0);
  await later(60_000);
  expect(reads.length).toBe(reading);
});
