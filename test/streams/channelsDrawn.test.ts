import fc from 'fast-check';
import type { Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createStreams, type AccountModel, type WalletStreams } from '../../src/streams/index.ts';
import { holdLaw } from '../holdLaw.ts';
import { playChannel, STEPS, type PlayedStep, type Standing } from './playChannel.ts';
import { account, accountSnapshot, fill, order, position } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const someSteps = fc.array(
  fc.tuple(fc.constantFrom(...STEPS), fc.integer({ min: 0, max: 999 })) as fc.Arbitrary<PlayedStep>,
  { maxLength: 60, size: 'max' },
);

async function openStreams() {
  const link = new ScriptedLink();
  const streams = createStreams({ link, env: createVirtualEnv() });
  await streams.open();
  return { link, streams };
}

const SYMBOLS = ['BTC', 'ETH'] as const;
const STATUSES = [
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
  'expired',
] as const;
const ENDED: readonly string[] = ['filled', 'cancelled', 'rejected', 'expired'];
type Data = Record<string, unknown>;

/** A wallet's frame of a number: few ids, so that records change and end, and fills repeat. */
function accountFrame(isSnapshot: boolean, choice: number): readonly [string, Data] {
  const symbol = SYMBOLS[choice % 2]!;
  const size = choice % 3;
  if (isSnapshot) {
    const [positions, open_orders] = [[position(size, symbol)], [order(`ord_${choice % 5}`)]];
    const own = { ...account, equity: choice };
    return ['snapshot', accountSnapshot({ positions, open_orders, account: own })];
  }
  const status = STATUSES[choice % STATUSES.length]!;
  const all: ReadonlyArray<readonly [string, object]> = [
    ['position', position(size, symbol)],
    ['balance', { asset: choice % 2 ? 'USDC' : 'BTC', total: choice, available: 1, held: 0 }],
    ['order', order(`ord_${choice % 5}`, status)],
    ['fill', fill(`fil_${choice % 7}`)],
    ['funding', { symbol, amount: choice, time: 1 }],
    ['liquidation', { symbol, time: choice }],
    ['a_newer_event', { symbol }],
  ];
  return all[Math.floor(choice / 10) % all.length] as readonly [string, Data];
}

interface Wallet {
  positions: Map<string, unknown>;
  balances: Map<string, unknown>;
  openOrders: Map<string, unknown>;
}

const put = (map: Map<string, unknown>, id: unknown, record: unknown): void =>
  void (record === null ? map.delete(id as string) : map.set(id as string, record));

/** Whether a later frame of the record came before this one, in a sequence. */
function isOutdated(
  last: Map<string, number>,
  id: string,
  seq: number,
  standing: Standing,
): boolean {
  const isOld = standing === 'late' && seq < (last.get(id) ?? 0);
  if (!isOld) last.set(id, seq);
  return isOld;
}

test('STR-2: whatever a line does, a wallet’s model and events are those that a second reading has', async () => {
  await holdLaw(200, someSteps, async (steps) => {
    const { link, streams } = await openStreams();
    const wallet = streams.wallet('main');
    const [seen, expected]: [unknown[][], unknown[][]] = [[], []];
    const log = (name: string) => (value: unknown) => void seen.push([name, value]);
    const toLine = ({ version, time, complete, account: own, ...maps }: AccountModel) => [
      version,
      time,
      complete,
      own.equity,
      ...(['positions', 'balances', 'openOrders'] as const).map((name) => [...maps[name]]),
    ];
    let model:
      (Wallet & { version: number; time: number; complete: boolean; equity: unknown }) | undefined;
    let version = 0;
    const [fills, inTurn] = [new Set<unknown>(), new Set<unknown>()];
    const lastSeqs = new Map<string, number>();
    let positionOfBtc: unknown;
    const show = (): void => {
      const { time, complete, equity, positions, balances, openOrders } = model!;
      const maps = [positions, balances, openOrders].map((map) => [...map]);
      expected.push(['model', [model!.version, time, complete, equity, ...maps]]);
      const own = positions.get('BTC') ?? null;
      if (own !== positionOfBtc) expected.push(['BTC', own]);
      positionOfBtc = own;
    };
    const apply = (event: string, data: Data): boolean => {
      if (event === 'position')
        put(model!.positions, data['symbol'], data['size'] === 0 ? null : data);
      else if (event === 'balance') put(model!.balances, data['asset'], data);
      else if (event === 'order')
        put(
          model!.openOrders,
          data['order_id'],
          ENDED.includes(String(data['status'])) ? null : data,
        );
      return ['position', 'balance', 'order'].includes(event);
    };
    playChannel(
      {
        link,
        subscription: { channel: 'account.state', params: { wallet: 'main' } },
        hasSnapshot: true,
        make: accountFrame,
        listen() {
          const all = [
            wallet.account$.subscribe((one) => log('model')(toLine(one))),
            wallet.position('BTC').subscribe(log('BTC')),
            wallet.positionsInTurn$.subscribe(log('position')),
            wallet.orders$.subscribe(log('order')),
            wallet.fillsInTurn$.subscribe(log('fill in turn')),
            wallet.fills$.subscribe(log('fill')),
            wallet.funding$.subscribe(log('funding')),
            wallet.liquidations$.subscribe(log('liquidation')),
          ];
          return () => all.forEach((one) => one.unsubscribe());
        },
        takes(frame, standing) {
          const data = frame.data as Data;
          if (frame.event === 'snapshot') {
            const {
              positions,
              balances,
              open_orders,
              account: own,
            } = data as Record<string, Data[]>;
            lastSeqs.clear();
            const held = positions!.filter(({ size }) => size !== 0);
            model = {
              version: ++version,
              time: frame.ts,
              complete: true,
              equity: (own as unknown as Data)['equity'],
              positions: new Map(held.map((one) => [String(one['symbol']), one])),
              balances: new Map(balances!.map((one) => [String(one['asset']), one])),
              openOrders: new Map(open_orders!.map((one) => [String(one['order_id']), one])),
            };
            show();
            return;
          }
          if (model !== undefined && standing !== 'late' && apply(frame.event, data)) {
            Object.assign(model, { version: ++version, time: frame.ts });
            show();
          }
          if (frame.event === 'position' && standing !== 'late') expected.push(['position', data]);
          const isOld =
            frame.event === 'order' &&
            isOutdated(lastSeqs, String(data['order_id']), frame.seq, standing);
          if (['order', 'funding', 'liquidation'].includes(frame.event) && !isOld)
            expected.push([frame.event, data]);
          if (frame.event !== 'fill') return;
          const id = data['fill_id'];
          if (standing !== 'late' && !inTurn.has(id)) {
            inTurn.add(id);
            expected.push(['fill in turn', data]);
          }
          if (!fills.has(id)) expected.push(['fill', data]);
          fills.add(id);
        },
        mayMiss() {
          if (model?.complete !== true) return;
          Object.assign(model, { version: ++version, complete: false });
          show();
        },
        forgets: () => void (model = positionOfBtc = undefined),
      },
      steps,
    );
    expect(seen).toEqual(expected);
  });
});

const RECORDS = {
  'tpsl.watch': {
    list: 'rows',
    ids: ['watch_id', 'leg_id'],
    events: [
      'leg_armed',
      'trail_moved',
      'entry_moved',
      'leg_triggered',
      'leg_retired',
      'leg_rejected',
      'entry_retired',
      'entry_tracking_stopped',
    ],
    statuses: ['armed', 'active', 'triggered', 'retired', 'rejected', 'stopped'],
    states: ['leg_armed', 'trail_moved', 'entry_moved'],
    ends: /^(leg_(triggered|retired|rejected)|entry_(retired|tracking_stopped))$|^(triggered|retired|rejected|stopped)$/,
  },
  executions: {
    list: 'executions',
    ids: ['execution_id'],
    events: ['started', 'progress', 'status', 'ended'],
    states: ['started', 'progress', 'status'],
    statuses: ['running', 'paused', 'completed', 'stopped'],
    ends: /^(completed|stopped)$/,
  },
  monitors: {
    list: 'monitors',
    ids: ['monitor_id'],
    events: ['armed', 'fired', 'paused', 'stopped', 'resumed'],
    states: ['armed', 'paused', 'resumed'],
    statuses: ['armed', 'paused', 'fired', 'failed', 'stopped'],
    ends: /^(fired|failed|stopped)$/,
  },
} as const;
type Channel = keyof typeof RECORDS;
const channels = fc.constantFrom(...(Object.keys(RECORDS) as Channel[]));

const pick = <T>(all: readonly T[], choice: number): T => all[choice % all.length]!;
const recordOf = (channel: Channel, choice: number): Data => ({
  [pick(RECORDS[channel].ids, choice)]: `id_${Math.floor(choice / 2) % 5}`,
  status: pick(RECORDS[channel].statuses, Math.floor(choice / 10)),
  ...(channel === 'tpsl.watch' ? { watch_kind: 'leg', symbol: 'BTC' } : {}),
  ...(channel === 'monitors' ? { rearm: choice % 3 === 0 } : {}),
});
const idOf = (channel: Channel, record: Data): string =>
  String(RECORDS[channel].ids.map((name) => record[name]).find((id) => id !== undefined));
const endsBy = (channel: Channel, record: Data, event: string): boolean => {
  const isEvent = channel === 'tpsl.watch' && RECORDS[channel].ends.test(event);
  const isArmedAgain = record['rearm'] === true && record['status'] === 'fired';
  return isEvent || (RECORDS[channel].ends.test(String(record['status'])) && !isArmedAgain);
};

/** Events, records and the name of the record in an event. */
type RecordStreams = readonly [Observable<object>, Observable<ReadonlyMap<string, object>>, string];

function streamsOf(channel: Channel, wallet: WalletStreams): RecordStreams {
  if (channel === 'tpsl.watch') return [wallet.watch$, wallet.watchModel$, 'row'];
  if (channel === 'monitors') return [wallet.monitors$, wallet.monitorsModel$, 'monitor'];
  return [wallet.executions$, wallet.executionsModel$, 'execution'];
}

test('STR-3, EXE-8, MON-1: whatever a line does, records and their events are those of a second reading', async () => {
  await holdLaw(200, fc.tuple(channels, someSteps), async ([channel, steps]) => {
    const { link, streams } = await openStreams();
    const [events$, model$, name] = streamsOf(channel, streams.wallet('main'));
    const [seen, expected]: [unknown[][], unknown[][]] = [[], []];
    let model: Map<string, Data> | undefined;
    /** Whose end was seen. */
    const ended = new Set<string>();
    const lastSeqs = new Map<string, number>();
    playChannel(
      {
        link,
        subscription: { channel, params: { wallet: 'main' } },
        hasSnapshot: true,
        make: (isSnapshot, choice) =>
          isSnapshot
            ? [
                'snapshot',
                {
                  [RECORDS[channel].list]: [
                    recordOf(channel, choice),
                    recordOf(channel, choice + 2),
                  ],
                },
              ]
            : [pick(RECORDS[channel].events, Math.floor(choice / 7)), recordOf(channel, choice)],
        listen() {
          const all = [
            model$.subscribe(
              (one: ReadonlyMap<string, unknown>) => void seen.push(['model', [...one]]),
            ),
            events$.subscribe((one) => {
              const { event, [name]: record } = one as Record<string, unknown>;
              seen.push([event, record]);
            }),
          ];
          return () => all.forEach((one) => one.unsubscribe());
        },
        takes({ event, data, seq }, standing: Standing) {
          if (event === 'snapshot') {
            const records = (data as Record<string, Data[]>)[RECORDS[channel].list]!;
            const before = [...(model ?? [])];
            const shown = new Map(records.map((one) => [idOf(channel, one), one]));
            const gone = before.filter(([id]) => !shown.has(id) && !ended.has(id));
            model = shown;
            ended.clear();
            lastSeqs.clear();
            for (const [id, one] of shown) if (endsBy(channel, one, '')) ended.add(id);
            expected.push(
              ['model', [...model]],
              ...records.map((one) => [event, one]),
              ...gone.map(([, one]) => ['gone', one]),
            );
            return;
          }
          const record = data as Data;
          const isOld = isOutdated(lastSeqs, idOf(channel, record), seq, standing);
          // What has only been said of a state is outdated; that one fired or ended is news whenever it comes.
          if (isOld && (RECORDS[channel].states as readonly string[]).includes(event)) return;
          if (model !== undefined && standing !== 'late') {
            // One that ends comes after the others.
            const id = idOf(channel, record);
            if (endsBy(channel, record, event)) model.delete(id);
            if (endsBy(channel, record, event)) ended.add(id);
            else ended.delete(id);
            model.set(idOf(channel, record), record);
            expected.push(['model', [...model]]);
          }
          expected.push([event, record]);
        },
        mayMiss: () => {},
        forgets() {
          model = undefined;
          ended.clear();
        },
      },
      steps,
    );
    expect(seen).toEqual(expected);
  });
});

test('of records that have ended those are retained that ended last', async () => {
  const ends = fc.array(fc.integer({ min: 0, max: 90 }), {
    minLength: 60,
    maxLength: 260,
    size: 'max',
  });
  await holdLaw(15, ends, async (ids) => {
    const { link, streams } = await openStreams();
    link.snapshots = () => ({ monitors: [{ monitor_id: 'mon_x', status: 'armed' }] });
    let model: ReadonlyMap<string, unknown> = new Map();
    streams.wallet('main').monitorsModel$.subscribe((one) => (model = one));
    const subscription = { channel: 'monitors', params: { wallet: 'main' } };
    for (const id of ids)
      link.say(subscription, 'stopped', { monitor_id: `mon_${id}`, status: 'stopped' });
    const inOrder = ids.filter((id, at) => ids.lastIndexOf(id) === at).map((id) => `mon_${id}`);
    // What ends again while it is retained is no new one.
    const retained: string[] = [];
    for (const id of ids.map((one) => `mon_${one}`)) {
      if (retained.includes(id)) retained.splice(retained.indexOf(id), 1);
      if (retained.length >= 64) retained.shift();
      retained.push(id);
    }
    expect([...model.keys()]).toEqual(['mon_x', ...retained]);
    expect(inOrder.slice(-retained.length)).toEqual(retained);
  });
});

test('a line of months holds as many monitors as stand, and the last that ended', async () => {
  const { link, streams } = await openStreams();
  const record = (at: number, status: string, rest = {}) => ({
    monitor_id: `mon_${at}`,
    status,
    rearm: false,
    created_time: at,
    ...rest,
  });
  const standing = [
    record(1, 'armed'),
    record(2, 'paused'),
    record(3, 'fired', { rearm: true }),
    // What its leg's row must not count as a stop for.
    record(4, 'failed', { request: { exit_style: 'algo_unwind' } }),
  ];
  const ended = (at: number) => record(at, at % 2 === 0 ? 'fired' : 'failed');
  // Newest first, as a list may be.
  const past = Array.from({ length: 500 }, (_none, at) => ended(1_000 - at));
  const last = ended(2_000);
  link.snapshots = () => ({ monitors: [last, ...past, ...standing] });
  let model: ReadonlyMap<string, unknown> = new Map();
  let events = 0;
  streams.wallet('main').monitorsModel$.subscribe((one) => (model = one));
  streams.wallet('main').monitors$.subscribe(() => events++);
  const expectBounded = (newest: string): void => {
    expect(model.size).toBe(64 + standing.length);
    expect(standing.every(({ monitor_id: id }) => model.has(id))).toBe(true);
    expect(model.has(newest)).toBe(true);
  };
  expectBounded('mon_2000');
  const subscription = { channel: 'monitors', params: { wallet: 'main' } };
  for (let at = 10_000; at < 15_000; at++) {
    link.say(subscription, 'armed', record(at, 'armed'));
    link.say(subscription, 'fired', ended(at));
  }
  expectBounded('mon_14999');
  // Each is told, however many there are.
  expect(events).toBeGreaterThanOrEqual(10_000);
});

const LATEST = {
  price: {
    hasSnapshot: false,
    make: (choice: number) => ({
      mark: choice,
      bid: 1,
      ask: 2,
      last: 3,
      ...(choice % 2 ? { time: choice } : {}),
    }),
  },
  markets: {
    hasSnapshot: true,
    make: (choice: number) => ({
      symbol: 'BTC',
      mark: choice,
      index: 1,
      funding_rate: 0,
      next_funding_time: null,
      volume_24h: 1,
      open_interest: null,
    }),
  },
  orderbook: {
    hasSnapshot: true,
    make: (choice: number) => ({
      bids: [[1, choice]],
      asks: [[2, 1]],
      ...pick([{}, { source: 'recorded' }, { source: 'synthesised' }, { source: 'odd' }], choice),
    }),
  },
} as const;

test('MKT-6: of prices, market records and books the latest is what a line had last in order, also for who comes later', async () => {
  const names = fc.constantFrom(...(Object.keys(LATEST) as Array<keyof typeof LATEST>));
  await holdLaw(200, fc.tuple(names, someSteps), async ([channel, steps]) => {
    const { link, streams } = await openStreams();
    const { hasSnapshot, make } = LATEST[channel];
    const stream$: Observable<object> = {
      price: streams.price('BTC'),
      markets: streams.market('BTC'),
      orderbook: streams.book('BTC'),
    }[channel];
    const [seen, expected]: [unknown[], unknown[]] = [[], []];
    let latest: object | undefined;
    playChannel(
      {
        link,
        subscription: { channel, params: { symbol: 'BTC' } },
        hasSnapshot,
        make: (isSnapshot, choice) => [
          isSnapshot ? 'snapshot' : channel === 'orderbook' ? 'book' : 'tick',
          make(choice),
        ],
        listen() {
          const first = stream$.subscribe((one) => seen.push(one));
          return () => {
            // Who comes as the last ones are about to leave gets the latest, and nothing more.
            const late: unknown[] = [];
            const last = stream$.subscribe((one) => late.push(one));
            expect(late).toEqual(latest === undefined ? [] : [latest]);
            first.unsubscribe();
            last.unsubscribe();
          };
        },
        takes({ ts, data }, standing) {
          if (standing === 'late') return;
          const own = data as { time?: number; source?: string };
          const time = channel === 'price' ? (own.time ?? ts) : ts;
          const source = ['recorded', 'synthesised'].includes(own.source!) ? own.source : 'service';
          latest = { ...own, symbol: 'BTC', time, ...(channel === 'orderbook' ? { source } : {}) };
          expected.push(latest);
        },
        mayMiss: () => {},
        forgets: () => void (latest = undefined),
      },
      steps,
    );
    expect(seen).toEqual(expected);
  });
});
