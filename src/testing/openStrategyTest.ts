import { withCode, type InstrumentRecord } from '../contract/index.ts';
import { createRandom } from '../env/index.ts';
import {
  checkParams,
  createStrategyHost,
  strategyFailureCode,
  type Outcome,
  type Strategy,
  type StrategyFault,
  type StrategyNotice,
} from '../strategy/index.ts';
import { toStateDefinition } from '../strategy/StateDefinition.ts';
import { createDecisions } from './createDecisions.ts';
import { createTestClock } from './createTestClock.ts';
import { createTestLog, type LogLine } from './createTestLog.ts';
import { createTestService } from './createTestService.ts';
import { createTestState } from './createTestState.ts';
import { listInstruments } from './listInstruments.ts';
import { parseDuration } from './parseDuration.ts';
import type { BarsOptions, StrategyTest, StrategyTestOptions, TestedPlot } from './StrategyTest.ts';
import type { TestMarket } from './TestMarket.ts';
import { toTestedIntents } from './TestedIntent.ts';
import { testRefusal } from './testRefusal.ts';

/** Assembles a test: wallet, sources, answers, and the host over them. */
export function openStrategyTest(
  plugin: Strategy,
  options: StrategyTestOptions,
  market: TestMarket,
): StrategyTest {
  const { symbols, wallet = 'main', capital = 10_000, seed = 'test' } = options;
  const instance = options.instance ?? plugin.name;
  const symbol = requireOptions(symbols, capital);
  const instruments = listInstruments(symbols, options.instruments ?? {});
  const now = (): number => market.now();
  const clock = createTestClock(market);
  const requireSymbol = createSymbolCheck(instruments);

  const logs: LogLine[] = [];
  const faults: StrategyFault[] = [];
  const notices: StrategyNotice[] = [];
  const outcomes: Outcome[] = [];
  const plots: TestedPlot[] = [];

  const onOutcome = (outcome: Outcome): void => void outcomes.push(outcome);
  const decisions = createDecisions({
    now,
    answer(intent) {
      if (options.answers === 'accept') answers.answer(intent);
    },
    onDuplicate(outcome) {
      onOutcome(outcome);
      delivery.outcome(outcome, undefined);
    },
  });
  const service = createTestService({
    market,
    instruments,
    instance,
    wallet,
    symbol,
    capital,
    decisions,
    onOutcome,
    requireSymbol,
    isRunning: () => life.host.status.state === 'running',
  });
  const { account, delivery, answers, rows, driven, markets, walletDriver, fills, bars } = service;
  const given =
    options.state === undefined
      ? undefined
      : {
          version: options.stateVersion ?? versionOf(plugin),
          state: options.state,
        };
  const state = createTestState(given);

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
      onIntent: decisions.onIntent,
      onSuppressed: decisions.onSuppressed,
      onFault: (fault) => faults.push(fault),
      onNotice: (notice) => notices.push(notice),
      onPlot: (line, time, value) => void plots.push({ ...line, time, value }),
    });
    return { plugin: current, host };
  }

  let life = createLife(plugin);
  const requireRunning = createFaultCheck(faults, options.onFault);

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
      return toTestedIntents(decisions.intents);
    },
    get suppressed() {
      driven.releaseHistory();
      return toTestedIntents(decisions.suppressed);
    },
    intents$: decisions.intents$,
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
    price: (name, price) => act(() => markets.price(name, price)),
    market: (name, change) => act(() => markets.market(name, change)),
    book: (name, given) => act(() => markets.book(name, given)),
    funding: (name, given) => act(() => markets.funding(name, given)),
    position: (name, input) => act(() => walletDriver.position(name, input)),
    account: (change) => act(() => walletDriver.account(change)),
    accept: (ref, record) =>
      act(() => answers.report(answers.find('accept', ref), 'accepted', undefined, record)),
    outcome: (ref: Parameters<StrategyTest['outcome']>[0], to: Outcome['state'], why?: string) =>
      act(() => answers.report(answers.find('outcome', ref), to, why)),
    fill: (ref, fill = {}) => act(() => fills.own(ref, fill)),
    foreignFill: (fill) => act(() => fills.foreign(fill)),
    leg: (event, row) => act(() => rows.leg(event, row)),
    balances: (given) => act(() => walletDriver.balances(given)),
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

/** @returns the strategy's first symbol */
function requireOptions(symbols: readonly string[], capital: number): string {
  const [symbol] = symbols;
  if (symbol === undefined) {
    throw testRefusal('symbols: a strategy owns at least one symbol.', "Write symbols: ['BTC'].");
  }
  if (!(Number.isFinite(capital) && capital >= 0)) {
    throw testRefusal(`capital: ${capital}.`, 'Write an amount of quote units from 0.');
  }
  return symbol;
}

const createSymbolCheck =
  (instruments: ReadonlyMap<string, InstrumentRecord>) =>
  (call: string, name: string): InstrumentRecord => {
    const found = instruments.get(name);
    if (found !== undefined) return found;
    throw testRefusal(
      `${call}: there is no symbol ${JSON.stringify(name)} in this test; there is ${[...instruments.keys()].join(', ')}.`,
      'Add it to `symbols`, or to `instruments` if the strategy only reads it.',
    );
  };

/** A test of what a strategy doesn't do must not pass because the strategy has ended, or could not say it. */
function createFaultCheck(
  faults: readonly StrategyFault[],
  onFault: StrategyTestOptions['onFault'],
): () => void {
  /** Faults that a call has thrown, or that are only listed. */
  let reported = 0;
  return () => {
    const fault = faults[reported];
    reported = faults.length;
    if (fault === undefined || onFault === 'list') return;
    const happened = fault.kind === 'malformed_intent' ? 'emitted' : 'ended';
    const error = new Error(`${fault.instance} ${happened} (${fault.kind}): ${fault.reason}`);
    // The plugin's own stack shows the place.
    if (fault.stack !== undefined) error.stack = fault.stack;
    throw withCode(fault.code ?? strategyFailureCode(fault), error);
  };
}

function versionOf({ state }: Strategy): number {
  if (state !== undefined) return toStateDefinition(state).version;
  throw testRefusal(
    'state: the plugin declares no state.',
    'Leave `state` out, or add a schema to the definition.',
  );
}
