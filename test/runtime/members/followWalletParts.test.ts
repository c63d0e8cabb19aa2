/** Which part of a bot hears of which frame of a wallet, and whose results it is: a table of every kind of frame. */
import { merge, Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { followWallet } from '../../../src/runtime/members/followWallet.ts';
import type { Cover } from '../../../src/runtime/wallet/createCoverage.ts';
import type { WalletEvent } from '../../../src/runtime/wallet/index.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { accountSnapshot, execution, fill, order, position } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const of = (channel: string) => ({ channel, params: { wallet: 'main' } });
const ACCOUNT = of('account.state');
const STOPS = of('tpsl.watch');
const MONITORS = of('monitors');
const EXECUTIONS = of('executions');

/** Two strategies of the wallet with other shares, and one of another wallet on the same symbol. */
const PLANNED = [
  { name: 'one', wallet: 'main', symbols: ['BTC', 'LTC'], capitalShare: 0.25 },
  { name: 'two', wallet: 'main', symbols: ['ETH'], capitalShare: 0.5 },
  { name: 'else', wallet: 'second', symbols: ['BTC', 'SOL'], capitalShare: 1 },
];
const OWNERS: ReadonlyArray<[symbol: string, owner: string | undefined]> = [
  ['BTC', 'one'],
  ['LTC', 'one'],
  ['ETH', 'two'],
  ['SOL', undefined],
];

async function open({ manages = true } = {}) {
  const link = new ScriptedLink();
  const streams = createStreams({ link, env: createVirtualEnv() });
  await streams.open();
  link.market.advanceTo(4);
  /** What each part was reported, one after the other. */
  const reported: unknown[][] = [];
  const part = (name: string, ...methods: string[]) =>
    Object.fromEntries(
      methods.map((method) => [
        method,
        (...args: unknown[]) => void reported.push([`${name}.${method}`, ...args]),
      ]),
    );
  const ledgers = PLANNED.map((planned) => [
    planned.name,
    { planned, ledger: part(planned.name, 'fund', 'adopt', 'fill', 'funding') },
  ]);
  const events: WalletEvent[] = [];
  const events$ = new Subject<WalletEvent>();
  events$.subscribe((event) => events.push(event));
  const covers: Cover[] = [];
  const faults$ = new Subject<unknown>();
  const silent = part('silent', 'model', 'executions', 'watches', 'monitors', 'positionShown');
  const following = followWallet('main', {
    streams: {
      wallet: (wallet: string) => streams.wallet(wallet),
      faults$: merge(streams.faults$, faults$),
    },
    members: new Map(ledgers as never),
    book: {
      ...silent,
      ...part('book', 'fill', 'fillInTurn', 'funding', 'orderShown'),
      equity: () => 1_000,
      position: () => 1,
      order: () => undefined,
    },
    exposure: part('exposure', 'seen', 'shown'),
    accepted: { ...part('accepted', 'seen'), closedBy: () => false },
    isOwn: () => false,
    coverage: { see: (_wallet: string, all: Cover[]) => void covers.splice(0, 9, ...all) },
    instants: part('instants', 'reach'),
    events$,
    holdings: part('holdings', 'fill'),
    snapshotsOf: () => ({
      ...part('snapshots', 'setBack'),
      shown() {},
      inTurn() {},
      includesFill: ({ fill_id: id }: { fill_id: string }) => id === 'fill_included',
      isEarlier: ({ fill_id: id }: { fill_id: string }) => id === 'fill_earlier',
    }),
    manages: () => manages,
    market: link.market,
  } as never);
  onTestFinished(() => following.unsubscribe());
  const calls = (): unknown[][] =>
    reported.splice(0).filter(([name]) => !String(name).startsWith('silent'));
  return {
    link,
    covers,
    faults$,
    calls,
    events: () => events.splice(0),
    show: (changes: object = {}) => link.say(ACCOUNT, 'snapshot', accountSnapshot(changes)),
  };
}

test('with the first snapshot each strategy has its share of the equity, and its positions', async () => {
  const { show, calls } = await open();
  const positions = OWNERS.map(([symbol]) => position(1, symbol));
  show({ positions });
  expect(calls()).toEqual([
    ['exposure.shown', 'main', 'order', 4],
    ['one.fund', 250],
    ['two.fund', 500],
    ['one.adopt', positions[0]],
    ['one.adopt', positions[1]],
    ['two.adopt', positions[2]],
  ]);
});

test.each(OWNERS)('a fill and funding on %s are those of %s', async (symbol, owner) => {
  const { link, show, calls, events } = await open();
  const early = { ...fill('fill_0'), symbol };
  link.say(ACCOUNT, 'fill', early);
  const inTurn = (one: object) => ['book.fillInTurn', one];
  expect(calls()).toEqual([inTurn(early)]);
  const ofOwner = (what: string, ...args: unknown[]) =>
    owner === undefined ? [] : [[`${owner}.${what}`, ...args]];
  const taken = (one: { fill_id: string; time: number }) => [
    ['instants.reach', one.time],
    ...(one.fill_id === 'fill_included' ? [] : [['book.fill', one]]),
    ...ofOwner('fill', one),
    ['holdings.fill', 'main', one],
  ];
  show();
  // It was held for the snapshot that may have it.
  expect(calls()).toEqual([
    ['exposure.shown', 'main', 'order', 4],
    ['one.fund', 250],
    ['two.fund', 500],
    ...taken(early),
  ]);
  expect(events()).toEqual([{ kind: 'fill', instance: owner, wallet: 'main', fill: early }]);
  for (const id of ['fill_1', 'fill_included']) {
    const one = { ...fill(id), symbol };
    link.say(ACCOUNT, 'fill', one);
    expect(calls()).toEqual([inTurn(one), ...taken(one)]);
    expect(events()).toEqual([{ kind: 'fill', instance: owner, wallet: 'main', fill: one }]);
  }
  const old = { ...fill('fill_earlier'), symbol };
  link.say(ACCOUNT, 'fill', old);
  expect([calls(), events()]).toEqual([[inTurn(old)], []]);
  link.say(ACCOUNT, 'funding', { symbol, amount: -2, rate: 0.0001, time: 7 });
  expect(calls()).toEqual([
    ['instants.reach', 7],
    ['book.funding', -2],
    ...ofOwner('funding', symbol, -2),
  ]);
});

test.each(OWNERS)('what was a stranger’s on %s is none of a strategy’s', async (symbol) => {
  const { link, show, calls } = await open({ manages: false });
  show({ positions: [position(1, symbol)] });
  calls();
  const more = { ...fill('fill_1'), symbol, size: 2 };
  link.say(ACCOUNT, 'fill', more);
  link.say(ACCOUNT, 'funding', { symbol, amount: 3, rate: 0.0001, time: 7 });
  expect(calls().filter(([name]) => /^(one|two|else)\./.test(String(name)))).toEqual([]);
});

test.each(OWNERS)(
  'an order and an execution on %s are seen by their id and their name',
  async (symbol, owner) => {
    const { link, show, calls, events } = await open();
    show();
    calls();
    const named = { ...order('ord_1'), symbol, client_order_id: 'own-1' };
    link.say(ACCOUNT, 'order', named);
    expect(calls()).toEqual([
      ['exposure.seen', 'ord_1', named],
      ['exposure.seen', 'client:own-1', named],
      ['accepted.seen', 'ord_1', 'client:own-1'],
      ['book.orderShown', 'ord_1'],
    ]);
    const run = { ...execution('exe_1'), symbol, client_execution_id: 'own-2' };
    const standing = { size: 1, updated_time: 1 };
    link.say(EXECUTIONS, 'snapshot', { executions: [run] });
    const seen = [
      ['exposure.seen', 'exe_1', standing],
      ['exposure.seen', 'client:own-2', standing],
      ['accepted.seen', 'exe_1', 'client:own-2'],
    ];
    expect(calls()).toEqual(
      expect.arrayContaining([...seen, ['exposure.shown', 'main', 'execution', 4]]),
    );
    expect(events()).toEqual([
      { kind: 'execution', instance: owner, wallet: 'main', execution: run },
    ]);
  },
);

test('what a snapshot shows releases what was on its way: orders, executions and monitors', async () => {
  const { link, show, calls } = await open();
  show({ open_orders: [{ ...order('ord_1'), client_order_id: 'own-1' }] });
  const names = (): unknown[] => calls().map((call) => call.slice(0, 3));
  expect(names()).toEqual(
    expect.arrayContaining([
      ['exposure.shown', 'main', 'order'],
      ['exposure.seen', 'ord_1', expect.objectContaining({ order_id: 'ord_1' })],
      ['exposure.seen', 'client:own-1', expect.objectContaining({ order_id: 'ord_1' })],
    ]),
  );
  link.market.advanceTo(5_000);
  link.say(EXECUTIONS, 'snapshot', { executions: [] });
  expect(calls()).toEqual([['exposure.shown', 'main', 'execution', 5_000]]);
  link.say(MONITORS, 'snapshot', { monitors: [{ monitor_id: 'mon_1', status: 'armed' }] });
  expect(calls()).toEqual(
    expect.arrayContaining([
      ['exposure.shown', 'main', 'monitor', 5_000],
      ['exposure.seen', 'mon_1', undefined],
      ['accepted.seen', 'mon_1', undefined],
    ]),
  );
});

const LONG = { ...position(2), entry_price: 100, liquidation_price: 80 };
const END = { ...fill('fill_end'), side: 'sell', price: 80, size: 2, time: 9 } as const;
const liquidations = (all: WalletEvent[]) =>
  all.flatMap((one) => (one.kind === 'liquidation' ? [one.liquidation] : []));
const LIQUIDATED = { wallet: 'main', instance: 'one', symbol: 'BTC', time: 9 };

test.each<[what: string, steps: Array<'reported' | 'fill' | 'late'>, expected: object[]]>([
  ['a frame alone', ['reported'], [LIQUIDATED]],
  ['a frame and its fill', ['reported', 'fill'], [LIQUIDATED]],
  ['a frame, and its fill late', ['reported', 'late'], [LIQUIDATED]],
  ['a fill in its turn', ['fill'], []],
  ['a fill that comes late', ['late'], [{ ...LIQUIDATED, isMissed: true }]],
  ['a fill that comes late, twice', ['late', 'late'], [{ ...LIQUIDATED, isMissed: true }]],
])('a liquidation is reported once: %s', async (_what, steps, expected) => {
  const { link, show, events } = await open();
  show({ positions: [LONG] });
  let fills = 0;
  for (const step of steps) {
    if (step === 'reported') link.say(ACCOUNT, 'liquidation', { symbol: 'BTC', time: 9 });
    else if (step === 'fill') link.say(ACCOUNT, 'fill', END);
    else {
      const late = link.next(ACCOUNT, 'fill', { ...END, fill_id: `fill_${++fills}` });
      link.market.advanceTo(link.market.now() + 1_000);
      show();
      link.deliver(late);
    }
  }
  expect(liquidations(events())).toEqual(expected);
});

test('a clock that was set back is that of the account’s own stream', async () => {
  const { faults$, show, calls } = await open();
  show();
  calls();
  for (const channel of ['account.state', 'executions'])
    for (const wallet of ['main', 'second'])
      faults$.next({ kind: 'clock_back', channel, params: { wallet }, byMs: 3_000 });
  expect(calls()).toEqual([['snapshots.setBack', 3_000]]);
});

test.each<[what: string, owner: object, grow: object, event: [typeof ACCOUNT, string]]>([
  ['an order', { order_id: 'ord_1' }, { ...order('ord_1'), filled_size: 0.75 }, [ACCOUNT, 'order']],
  [
    'an execution',
    { execution_id: 'exe_1' },
    { ...execution('exe_1'), filled_size: 0.75 },
    [EXECUTIONS, 'status'],
  ],
])(
  'the stop of %s covers what that has filled, as soon as it is shown',
  async (_what, owner, grown, [of_, event]) => {
    const { link, show, covers } = await open();
    show({ positions: [position(1)] });
    link.say(MONITORS, 'snapshot', { monitors: [] });
    const row = {
      watch_kind: 'leg',
      kind: 'stop_loss',
      leg_id: 'leg_1',
      symbol: 'BTC',
      status: 'armed',
    };
    link.say(STOPS, 'snapshot', { rows: [{ ...row, ...owner }] });
    expect(covers).toMatchObject([{ symbol: 'BTC', size: 1 }]);
    link.say(of_, event, grown);
    expect(covers).toMatchObject([{ symbol: 'BTC', size: 1, covered: 0.75 }]);
  },
);
