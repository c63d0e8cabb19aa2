import { test } from 'vitest';
import { defaultDialect, type Exchange } from '../../src/contract/index.ts';
import { createLiveMarketClock, createRandom, createVirtualEnv } from '../../src/env/index.ts';
import type { Random } from '../../src/env/index.ts';
import { createMemoryStore, INTENT_STATES } from '../../src/journal/index.ts';
import { createStrangers } from '../../src/runtime/members/createStrangers.ts';
import { createRowReservations } from '../../src/runtime/pipe/createRowReservations.ts';
import type { PersistedIntent } from '../../src/runtime/pipe/PersistedIntent.ts';
import { createLevelLog } from '../../src/runtime/record/createLevelLog.ts';
import { createPlotLog } from '../../src/runtime/record/createPlotLog.ts';
import { checkRecords } from '../../src/runtime/recovery/checkRecords.ts';
import { remainingOf } from '../../src/runtime/recovery/remainingOf.ts';
import { createReferences } from '../../src/runtime/wallet/createReferences.ts';
import { SAMPLES } from '../intents/samples.ts';
import { answered, emission, silence } from '../runtime/setUpPipe.ts';
import { between, pick } from '../simulation/drawing.ts';
import { answerLine, laterLine, lineOf } from './answerLine.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const CASES = 12;
const SYMBOLS = ['BTC', 'PURR/USDC', 'SPAM/USDC', 'ETH'] as const;

const maybe = <T>(random: Random, share: number, value: T): T[] =>
  random.next() < share ? [value] : [];

/** What others have on some symbols of a wallet: each record with or without a price. */
function drawForeign(random: Random, now: number) {
  const price = (): number | null => pick(random, [null, 0, 90.5, 101, 250]);
  const of = (name: string, at: number) => ({
    symbol: pick(random, SYMBOLS),
    order_id: `ord_${name}${at}`,
    execution_id: `exe_${name}${at}`,
    monitor_id: `mon_${name}${at}`,
    price: price(),
    arrival_price: price(),
    average_price: price(),
    created_time: now - pick(random, [0, 119_999, 120_001, 9_000_000]),
    trigger: {
      type: pick(random, ['price_level', 'indicator']),
      symbol: pick(random, SYMBOLS),
      price: price(),
    },
    action: { type: 'order', request: { symbol: pick(random, SYMBOLS), price: price() } },
  });
  const several = (name: string): unknown[] =>
    Array.from({ length: Math.floor(random.next() * 4) }, (_none, at) => of(name, at));
  const positions = new Map(
    SYMBOLS.flatMap((symbol) =>
      maybe(random, 0.3, [symbol, { symbol, size: 2.5, mark_price: price() }] as const),
    ),
  );
  const held = new Map(SYMBOLS.flatMap((symbol) => maybe(random, 0.3, [symbol, 7] as const)));
  const [orders, executions, monitors] = [several('a'), several('b'), several('c')];
  return {
    positionRecord: (symbol: string) => positions.get(symbol as 'BTC'),
    position: (symbol: string) => held.get(symbol as 'BTC') ?? 0,
    openOrders: () => orders,
    liveExecutions: () => executions,
    entryMonitors: () => monitors,
    spotHoldings: () =>
      maybe(random, 0.5, { symbol: 'SPAM/USDC', size: 7, price: pick(random, [undefined, 3]) }),
  };
}

// What others have on symbols that the bot does not follow counts against its limits, at these prices.
test('prices of what others have are read as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const random = createRandom(`references ${seed}`);
    const env = createVirtualEnv({ startTime: 10_000_000 });
    let offsetMs = 0;
    const market = createLiveMarketClock(env, () => offsetMs);
    const lines: string[] = [];
    let books = new Map<string, ReturnType<typeof drawForeign>>();
    const draw = (): void => {
      books = new Map(['main', 'sub'].map((wallet) => [wallet, drawForeign(random, market.now())]));
    };
    draw();
    const references = createReferences({
      bookOf: (wallet) => books.get(wallet) as never,
      budget: {
        admit: (lane: string, weight: number) => {
          const admitted = random.next() < 0.8;
          lines.push(`${market.now()} asks for ${weight} of ${lane}: ${admitted}`);
          return { admitted };
        },
        spend: (...one: unknown[]) => void lines.push(`spends ${lineOf(one)}`),
      } as never,
      dialect: defaultDialect,
      isListed: (symbol) => symbol !== 'SPAM/USDC',
      market,
      request(request) {
        lines.push(`${market.now()} ${lineOf(request)}`);
        const mark = pick(random, [0, -1, 97.5, 103, 240]);
        const record = { mark, bid: 1, ask: 1, last: 1 };
        const exchange = pick<Exchange>(random, [
          answered(200, record),
          answered(200, record),
          answered(200, record),
          answered(200, { mark: 'x' }),
          answered(404, { error: { code: 'not_found', message: '' } }),
          silence,
        ]);
        return random.next() < 0.3 ? Promise.resolve(exchange) : exchange;
      },
    });
    for (let step = 0; step < 150; step++) {
      const [wallet, symbol] = [pick(random, ['main', 'sub']), pick(random, SYMBOLS)];
      lines.push(`${market.now()} ${wallet} ${symbol} ${lineOf(references.of(wallet, symbol))}`);
      if (random.next() < 0.04) draw();
      if (random.next() < 0.03) offsetMs -= 90_000;
      if (step === 140) references.stop();
      env.queue.advanceTo(
        env.queue.now() + pick(random, [0, 500, 29_000, 60_000, 61_000, 130_000]),
      );
      for (let tick = 0; tick < 4; tick++) await Promise.resolve();
    }
    outcomes.set(`references ${seed}`, new Map([['all', lines]]));
  }
  await expectRecorded('references', outcomes);
}, 120_000);

// TRK-6: which entries make room for which intent, and what is said of it.
test('maintained rows are given up as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const random = createRandom(`rows ${seed}`);
    const market = createVirtualEnv().queue;
    const lines: string[] = [];
    const orders = Array.from({ length: 6 }, (_none, at) => ({
      order_id: `ord_${at}`,
      client_order_id: random.next() < 0.8 ? `own_${at}` : `other_${at}`,
      execution_id: random.next() < 0.1 ? 'exe' : null,
      symbol: pick(random, ['BTC', 'ETH', 'SOL']),
      reduce_only: random.next() < 0.15,
      price: pick(random, [null, 97, 90, 90, 110.5]),
      created_time: Math.floor(between(random, 0, 3)),
    }));
    const shown = new Set(orders.map(({ order_id: id }) => id).filter(() => random.next() < 0.9));
    const asked: string[] = [];
    const slots = createRowReservations({
      market,
      priceOf: (symbol) => ({ BTC: 100, ETH: 95 })[symbol],
      workOf: (wallet) => ({
        wallet,
        orders: orders as never,
        executions: [],
        positions: [],
        monitors: [],
        isOwn: (key) => key.startsWith('own_'),
      }),
      trackedOrders: () => shown,
      submit(one) {
        asked.push(one.cause);
        lines.push(`${market.now()} submits ${lineOf(one)}`);
      },
    });
    if (seed % 3 !== 0) slots.open();
    for (let step = 0; step < 60; step++) {
      const key = `intent_${Math.floor(random.next() * 4)}`;
      const sample = pick(random, SAMPLES);
      const end = random.next() < 0.4 ? { not_after: market.now() + 40 } : {};
      const pending = { emission: emission(key, { ...sample, ...end }), key };
      const wake = (): void => void lines.push(`${market.now()} ${key} is woken`);
      const act = random.next();
      if (act < 0.35) {
        const room = slots.reserveRow(pending, 1 + Math.floor(random.next() * 3));
        lines.push(`${key} ${lineOf(room?.reason)}`);
        if (random.next() < 0.8) room?.begin(wake);
      } else if (act < 0.45) slots.hold(pending, wake);
      else if (act < 0.8 && asked.length > 0) {
        const cause = pick(random, asked);
        const state = pick(random, [
          ...INTENT_STATES,
          'duplicate',
          'accepted',
          'accepted',
        ] as const);
        const code = pick(random, [undefined, 'not_found', 'invalid_transition', 'unauthorized']);
        const one = { ...emission('cancel'), instance: 'operator', cause };
        const fault = code === undefined ? {} : { fault: { code, message: '' } };
        lines.push(`${cause} ${state} ${code}`);
        slots.follow({ state, emission: one, key: 'cancel', attempt: 1, ...fault } as never);
      } else if (act < 0.87) {
        const state = pick(random, INTENT_STATES);
        slots.follow({ state, emission: pending.emission, key, attempt: 1 } as never);
      } else if (act < 0.93) shown.delete(pick(random, [...shown, 'none']));
      else if (act < 0.95) slots.open();
      market.advanceTo(market.now() + Math.floor(random.next() * 12));
      lines.push(lineOf([slots.freed('main'), slots.freed('sub')]));
    }
    slots.stop();
    market.advanceTo(market.now() + 1_000);
    outcomes.set(`rows ${seed}`, new Map([['all', lines]]));
  }
  await expectRecorded('maintainedRows', outcomes);
}, 120_000);

const FIELDS = ['order_id', 'execution_id', 'monitor_id'] as const;

// What an operator may settle an intent with, and what of an unsent change a start still sends.
test('records and remainders are found as before', async () => {
  const random = createRandom('records');
  const checked: string[] = [];
  for (const intent of SAMPLES) {
    for (let at = 0; at < 40; at++) {
      const field = pick(random, FIELDS);
      const made = {
        ...maybe(random, 0.8, { symbol: pick(random, ['BTC', 'BTC', 'ETH']) })[0],
        ...maybe(random, 0.8, { side: pick(random, ['buy', 'sell']) })[0],
        ...maybe(random, 0.5, { reduce_only: random.next() < 0.5 })[0],
        ...maybe(random, 0.4, { idempotency_key: pick(random, ['k', 'other']) })[0],
        ...maybe(random, 0.5, { client_order_id: pick(random, ['k', 'mine-1', null]) })[0],
        ...maybe(random, 0.3, { client_execution_id: pick(random, ['k', 'own']) })[0],
      };
      const body = {
        [field]: pick(random, ['a', 'a', 'a', 'a', 'b']),
        ...made,
        ...maybe(random, 0.5, { action: { type: 'order', request: made } })[0],
      };
      const error = (code: string) => ({ error: { code, message: 'no' } });
      const exchange = pick<Exchange>(random, [
        ...Array.from({ length: 8 }, () => answered(200, body)),
        answered(404, error('not_found')),
        answered(404, { message: 'no route' }),
        answered(403, error('insufficient_scope')),
        answered(500),
        silence,
        { kind: 'not_sent', reason: 'no route' },
      ]);
      const ids = random.next() < 0.2 ? ['a', 'b'] : ['a'];
      const asked = { emission: { intent, wallet: 'main' }, key: 'k', field, ids };
      const requests: unknown[] = [];
      const answer = await laterLine(() =>
        checkRecords(asked, (request) => {
          requests.push(request);
          return exchange;
        }),
      );
      checked.push(`${intent.kind} ${field} ${lineOf(requests)} ${lineOf(exchange)}: ${answer}`);
    }
  }

  const remainders: string[] = [];
  const changes = SAMPLES.filter(({ kind }) =>
    ['attach_tpsl', 'retire_tpsl', 'modify_order', 'set_leverage', 'control_execution'].includes(
      kind,
    ),
  ).flatMap((one) => [
    one,
    { ...one, ...('symbol' in one ? { symbol: 'ETH' } : {}) } as typeof one,
  ]);
  const refs = {
    resolverOf: () => (kind: string, ref: string) =>
      ref === 'entry' ? `${kind} exe_1` : undefined,
  };
  for (let at = 0; at < 400; at++) {
    const store = createMemoryStore();
    for (let number = 0; number < 5; number++) {
      const intent = pick(random, changes);
      const key = `k${number}`;
      const wallet = pick(random, ['main', 'main', 'sub']);
      const identity = { key, decisionKey: key, generation: 0, instance: 'ema', wallet };
      const row = { ...identity, kind: intent.kind, intent: JSON.stringify({ intent }) };
      const data = JSON.stringify({
        ...maybe(random, 0.3, { target: pick(random, ['ord_1', 'exe_1']) })[0],
        ...maybe(random, 0.3, { pathParams: { id: pick(random, ['ord_1', 'exe_1']) } })[0],
        ...maybe(random, 0.5, { record: { order_id: 'ord_1', execution_id: 'exe_1' } })[0],
      });
      const step = { key, wallTime: 1, marketTime: 1, data };
      const state = pick(random, ['accepted', 'accepted', 'rejected', 'guarded'] as const);
      const entries = (['emitted', 'guarded', state] as const).map((one) => ({
        ...step,
        state: one,
      }));
      void store.append({ intent: row, entries });
    }
    const intent = pick(random, changes);
    const legs = 'legs' in intent ? JSON.stringify(intent.legs) : '{"price":1,"size":2}';
    const isSent = random.next() < 0.5;
    const persisted = {
      key: `k${Math.floor(random.next() * 5)}`,
      emission: emission('k', intent),
      stage: isSent ? 'sent' : 'unsent',
      ...(isSent
        ? {
            target: pick(random, [undefined, 'ord_1']),
            request: {
              endpoint: 'orders.modify',
              pathParams: { id: 'exe_1' },
              query: {},
              body: legs,
            },
          }
        : {}),
    } as unknown as PersistedIntent;
    const sources = { store, refs: refs as never, accepted: new Map<string, readonly string[]>() };
    const answer = answerLine(() => remainingOf(store.intents(), persisted, sources));
    remainders.push(`${lineOf(persisted)}: ${answer} ${lineOf(sources.accepted)}`);
  }
  await expectRecorded(
    'records',
    new Map<string, Outcome>([
      [
        'drawn',
        new Map([
          ['checked', checked],
          ['remainders', remainders],
        ]),
      ],
    ]),
  );
}, 120_000);

const EVENTS = [
  'leg_armed',
  'trail_moved',
  'leg_triggered',
  'leg_retired',
  'leg_rejected',
  'entry_moved',
  'entry_retired',
  'entry_tracking_stopped',
  'gone',
  'other',
];

// What a report shows of a strategy: its lines, and its levels; and whose a position's fills are.
test('plots, levels and strangers are followed as before', async () => {
  const random = createRandom('followed');
  const plots = createPlotLog();
  const levels = createLevelLog();
  const strangers = createStrangers();
  const names = ['ema(10)', 'ema(20)', 'close'];
  const drawn = names.map(
    (name) => ({ name, group: name, symbol: 'BTC', interval: '1m' }) as const,
  );
  const fills: string[] = [];
  for (let at = 0; at < 3_000; at++) {
    const line = pick(random, drawn);
    const time = at + Math.floor(random.next() * 3) - 1;
    plots.take(
      pick(random, ['one', 'two']),
      random.next() < 0.1 ? { ...line } : line,
      time,
      at % 97,
    );
    const row = {
      watch_kind: pick(random, ['leg', 'entry']),
      kind: pick(random, ['stop_loss', 'take_profit', null]),
      symbol: pick(random, ['BTC', 'ETH']),
      form: pick(random, ['trail', 'price']),
      trigger_price: pick(random, [null, undefined, 90, 91, 92]),
      ...pick(random, [{ leg_id: `leg_${at % 7}` }, { watch_id: `watch_${at % 5}` }, {}]),
    };
    levels.take(pick(random, ['one', undefined]), pick(random, EVENTS), row as never, at);
    const symbol = pick(random, ['BTC', 'ETH']);
    const size = pick(random, [0.1, 0.2, 0.3]);
    const fill = { symbol, side: pick(random, ['buy', 'sell']), size, time };
    if (random.next() < 0.1) strangers.add(symbol, pick(random, [0.3, -0.1, 0.6]));
    if (random.next() < 0.05) {
      const positions = new Map(maybe(random, 0.5, ['BTC', {}] as const));
      strangers.shown({ positions: positions as never, time });
    }
    fills.push(
      lineOf([strangers.takes(fill as never), strangers.has('BTC'), strangers.has('ETH')]),
    );
  }
  // A line that is thinned, and more lines than are followed.
  for (let at = 0; at < 140_000; at++) plots.take('long', drawn[0]!, at, (at * 7_919) % 1_013);
  for (let at = 0; at < 1_030; at++) plots.take(`many ${at}`, drawn[1]!, 1, at);
  const sections = new Map([
    ['plots', plots.list().map(lineOf)],
    ['levels', levels.levels.map(lineOf)],
    ['strangers', fills],
  ]);
  await expectRecorded('followed', new Map<string, Outcome>([['drawn', sections]]));
}, 120_000);
