import { Subject } from 'rxjs';
import { withCode, type InstrumentRecord, type PriceRecord } from '../contract/index.ts';
import { createRandom } from '../env/index.ts';
import type { Intent } from '../intents/index.ts';
import {
  checkParams,
  createStrategyHost,
  strategyFailureCode,
  type Emission,
  type Outcome,
  type Strategy,
  type StrategyFault,
  type StrategyNotice,
} from '../strategy/index.ts';
import { toStateDefinition } from '../strategy/StateDefinition.ts';
import { createAnswers } from './createAnswers.ts';
import { createBarDriver } from './createBarDriver.ts';
import { createDelivery } from './createDelivery.ts';
import { createDrivenSources } from './createDrivenSources.ts';
import { createFills } from './createFills.ts';
import { createMarketDriver } from './createMarketDriver.ts';
import { createRows } from './createRows.ts';
import { createTestClock } from './createTestClock.ts';
import { createTestAccount } from './createTestAccount.ts';
import { createTestLog, type LogLine } from './createTestLog.ts';
import { createTestState } from './createTestState.ts';
import { listInstruments } from './listInstruments.ts';
import { parseDuration } from './parseDuration.ts';
import type { BarsOptions, StrategyTest, StrategyTestOptions, TestedPlot } from './StrategyTest.ts';
import type { TestMarket } from './TestMarket.ts';
import { toTestedIntent, toTestedIntents, type TestedIntent } from './TestedIntent.ts';
import { requireStep } from './requireStep.ts';
import { testRefusal } from './testRefusal.ts';

const BASIS_POINT = 1e-4;

/** Assembles a test: wallet, sources, answers, and the host over them. */
export function openStrategyTest(
  plugin: Strategy,
  options: StrategyTestOptions,
  market: TestMarket,
): StrategyTest {
  const { symbols, wallet = 'main', capital = 10_000, seed = 'test' } = options;
  const instance = options.instance ?? plugin.name;
  const [symbol] = symbols;
  if (symbol === undefined) {
    throw testRefusal('symbols: a strategy owns at least one symbol.', "Write symbols: ['BTC'].");
  }
  if (!(Number.isFinite(capital) && capital >= 0)) {
    throw testRefusal(`capital: ${capital}.`, 'Write an amount of quote units from 0.');
  }
  const instruments = listInstruments(symbols, options.instruments ?? {});
  const now = (): number => market.now();
  const clock = createTestClock(market);
  const requireSymbol = (call: string, name: string): InstrumentRecord => {
    const found = instruments.get(name);
    if (found !== undefined) return found;
    throw testRefusal(
      `${call}: there is no symbol ${JSON.stringify(name)} in this test; there is ${[...instruments.keys()].join(', ')}.`,
      'Add it to `symbols`, or to `instruments` if the strategy only reads it.',
    );
  };

  const intents: TestedIntent[] = [];
  const suppressed: TestedIntent[] = [];
  const intents$ = new Subject<TestedIntent>();
  const proposed = new Map<TestedIntent, Intent>();
  const decided = new Set<string>();
  const logs: LogLine[] = [];
  const faults: StrategyFault[] = [];
  const notices: StrategyNotice[] = [];
  const outcomes: Outcome[] = [];
  const plots: TestedPlot[] = [];
  const ids = new Map<string, number>();
  const nextId = (prefix: string): string => {
    const id = (ids.get(prefix) ?? 0) + 1;
    ids.set(prefix, id);
    return `${prefix}_${id}`;
  };

  const account = createTestAccount({
    wallet,
    capital,
    instrumentOf: (name) => requireSymbol('position', name),
    now,
  });
  const delivery = createDelivery(() => driven);
  const onOutcome = (outcome: Outcome): void => void outcomes.push(outcome);
  const answers = createAnswers({
    instance,
    intents: () => intents,
    suppressed: () => suppressed,
    proposed: (intent) => proposed.get(intent)!,
    context: () => ({
      wallet,
      now: now(),
      nextId,
      position: account.position,
      markOf: account.markOf,
    }),
    delivery,
    onOutcome,
  });
  const rows = createRows({ answers, delivery, symbol, wallet, now, nextId, requireSymbol });
  const driven = createDrivenSources({
    account: account.account,
    balances: account.balances(),
    refs$: delivery.refs$,
    existing: rows.existing,
    now,
    order: {
      placeOf: (name) => [...instruments.keys()].indexOf(name),
      symbols: instruments.size,
      // In a diagram time passes without a call.
      limit: (_due, end) => market.at(now(), end),
    },
  });
  const markets = createMarketDriver({ driven, account, now, requireSymbol });
  const fills = createFills({ answers, account, driven, delivery, now, nextId, requireSymbol });
  const bars = createBarDriver({
    market,
    requireSymbol,
    feed: driven.feed,
    requested: driven.requested,
    isRunning: () => life.host.status.state === 'running',
    mark: account.mark,
  });
  const given =
    options.state === undefined
      ? undefined
      : {
          version: options.stateVersion ?? versionOf(plugin),
          state: options.state,
        };
  const state = createTestState(given);

  function onIntent(emission: Emission): void {
    const { intent, decisionKey, cause, trigger, marketTime } = emission;
    // The journal accepts a decision once, across restarts as well.
    if (decided.has(decisionKey)) {
      const duplicate: Outcome = { state: 'duplicate', intent, decisionKey, time: marketTime };
      onOutcome(duplicate);
      return delivery.outcome(duplicate, undefined);
    }
    decided.add(decisionKey);
    const liveness = emission.isCatchUp === true ? 'catch_up' : 'live';
    const details = { cause, liveness, time: marketTime, decisionKey, trigger } as const;
    const tested = toTestedIntent(intent, details);
    proposed.set(tested, intent);
    intents.push(tested);
    if (options.answers === 'accept') answers.answer(tested);
    intents$.next(tested);
  }

  function onSuppressed(intent: Intent, cause: string): void {
    const details = {
      cause,
      liveness: 'warm_up',
      time: now(),
      decisionKey: '',
      trigger: {},
    } as const;
    suppressed.push(toTestedIntent(intent, details));
  }

  function createLife(current: Strategy) {
    const checked = checkParams(current, options.params ?? {});
    if (!checked.ok) {
      const { code, reason, remedy } = checked.fault;
      throw withCode(code, new Error(`${reason}\n  ${remedy}`));
    }
    const host = createStrategyHost({
      strategy: current,
      params: checked.value,
      instance,
      wallet,
      symbols,
      capitalShare: 1,
      sources: driven.sources,
      market: clock,
      state: state.store,
      random: createRandom(seed),
      log: createTestLog(logs),
      instrument: (name) => instruments.get(name),
      onIntent,
      onSuppressed,
      onFault: (fault) => faults.push(fault),
      onNotice: (notice) => notices.push(notice),
      onPlot: (line, time, value) => void plots.push({ ...line, time, value }),
    });
    return { plugin: current, host };
  }

  let life = createLife(plugin);
  /** Faults that a call has thrown, or that are only listed. */
  let reported = 0;

  /** A test of what a strategy doesn't do must not pass because the strategy has ended, or could not say it. */
  function requireRunning(): void {
    const fault = faults[reported];
    reported = faults.length;
    if (fault === undefined || options.onFault === 'list') return;
    const happened = fault.kind === 'malformed_intent' ? 'emitted' : 'ended';
    const error = new Error(`${fault.instance} ${happened} (${fault.kind}): ${fault.reason}`);
    // The plugin's own stack shows the place.
    if (fault.stack !== undefined) error.stack = fault.stack;
    throw withCode(fault.code ?? strategyFailureCode(fault), error);
  }

  /**
   * @param first what becomes of history that is held for that of other bars; default: it is delivered, so that only
   * histories given one after the other are merged
   */
  function act(work: () => void, first: () => void = driven.releaseHistory): StrategyTest {
    try {
      market.sync?.();
      first();
      work();
      requireRunning();
    } catch (error) {
      if (market.fail === undefined) throw error;
      market.fail(error);
    }
    return test;
  }

  const before = ({ liveness }: BarsOptions): (() => void) =>
    liveness === 'warm_up' ? () => {} : driven.goLive;

  const test: StrategyTest = {
    get now() {
      return now();
    },
    get intents() {
      driven.releaseHistory();
      return toTestedIntents(intents);
    },
    get suppressed() {
      driven.releaseHistory();
      return toTestedIntents(suppressed);
    },
    intents$: intents$.asObservable(),
    get logs() {
      driven.releaseHistory();
      return logs;
    },
    get plots() {
      driven.releaseHistory();
      return plots;
    },
    get state() {
      driven.releaseHistory();
      return state.read(life.plugin);
    },
    get faults() {
      driven.releaseHistory();
      return faults;
    },
    get notices() {
      driven.releaseHistory();
      return notices;
    },
    get outcomes() {
      driven.releaseHistory();
      return outcomes;
    },
    positionOf(name) {
      requireSymbol('positionOf', name);
      return account.position(name);
    },
    bars: (name, interval, inputs, how = {}) =>
      act(() => bars.bars({ symbol: name, interval, bars: inputs }, how), before(how)),
    feeds: (feeds, how = {}) => act(() => bars.feeds(feeds, how), before(how)),
    forming: (name, interval, bar) => act(() => bars.forming(name, interval, bar), driven.goLive),
    price: (name, price) =>
      act(() => {
        requireSymbol('price', name);
        const record = toPrice(name, price, { last: account.markOf(name), time: now() });
        account.mark(name, record.mark);
        driven.price$(name).next(record);
      }),
    market: (name, change) => act(() => markets.market(name, change)),
    book: (name, given) => act(() => markets.book(name, given)),
    funding: (name, given) => act(() => markets.funding(name, given)),
    position: (name, input) =>
      act(() => {
        const instrument = requireSymbol('position', name);
        if (input !== null) requirePosition(name, input);
        if (input !== null) requireStep('position', instrument, input.size);
        if (input?.side === 'short' && instrument.kind === 'spot')
          throw testRefusal(`position of ${name}: spot is never short.`, "Write side: 'long'.");
        driven.position$(name).next(account.set(name, input));
        driven.balances$.next(account.balances());
        driven.account$.next(account.account);
      }),
    account: (change) =>
      act(() => {
        account.update(change);
        driven.account$.next(account.account);
      }),
    accept: (ref, record) =>
      act(() => answers.report(answers.find('accept', ref), 'accepted', undefined, record)),
    outcome: (ref: Parameters<StrategyTest['outcome']>[0], to: Outcome['state'], why?: string) =>
      act(() => answers.report(answers.find('outcome', ref), to, why)),
    fill: (ref, fill = {}) => act(() => fills.own(ref, fill)),
    foreignFill: (fill) => act(() => fills.foreign(fill)),
    leg: (event, row) => act(() => rows.leg(event, row)),
    balances: (given) =>
      act(() => {
        account.setBalances(given);
        driven.balances$.next(given);
      }),
    monitor: (ref, event, change = {}) => act(() => rows.monitor(ref, event, change)),
    execution: (ref, event, change = {}) => act(() => rows.execution(ref, event, change)),
    advance: (duration, how = {}) =>
      act(() => clock.advanceTo(now() + parseDuration('advance', duration), how)),
    restart: (next = life.plugin) =>
      act(() => {
        void life.host.stop();
        driven.newLife();
        delivery.restart(rows.open());
        life = createLife(next);
        life.host.start();
      }),
    stop: () => void life.host.stop(),
  };
  life.host.start();
  requireRunning();
  return test;
}

function versionOf({ state }: Strategy): number {
  if (state !== undefined) return toStateDefinition(state).version;
  throw testRefusal(
    'state: the plugin declares no state.',
    'Leave `state` out, or add a schema to the definition.',
  );
}

function toPrice(
  symbol: string,
  price: number | Partial<PriceRecord>,
  known: { last: number | undefined; time: number },
): PriceRecord {
  const given = typeof price === 'number' ? { mark: price } : price;
  const { bid, ask } = given;
  const mid = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : undefined;
  const mark = given.mark ?? given.last ?? mid ?? known.last ?? Number.NaN;
  const near = { bid: mark * (1 - BASIS_POINT), ask: mark * (1 + BASIS_POINT), last: mark };
  const record: PriceRecord = { symbol, mark, ...near, time: known.time, ...given };
  for (const name of ['mark', 'bid', 'ask', 'last'] as const) {
    if (Number.isFinite(record[name]) && record[name] > 0) continue;
    throw testRefusal(`price of ${symbol}: ${name} ${record[name]}.`, 'Write a number above 0.');
  }
  if (record.bid > record.ask) {
    const what = `price of ${symbol}: bid ${record.bid} is above ask ${record.ask}.`;
    throw testRefusal(what, 'Write both, the ask at the bid or above.');
  }
  return record;
}

function requirePosition(
  symbol: string,
  { side, size, entry_price }: { side: string; size: number; entry_price: number },
): void {
  const isWhole = size > 0 && entry_price > 0 && Number.isFinite(size * entry_price);
  if (isWhole && (side === 'long' || side === 'short')) return;
  throw testRefusal(
    `position of ${symbol}: ${JSON.stringify({ side, size, entry_price })}.`,
    "Write { side: 'long' or 'short', size, entry_price }, both above 0, or null for none.",
  );
}
