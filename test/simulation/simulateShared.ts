import {
  createSharedBudget,
  type BudgetLedger,
  type SharedBudget,
} from '../../src/budget/index.ts';
import { emptyLedger, leave, takeTurn } from '../../src/budget/takeTurn.ts';
import { createRandom } from '../../src/env/index.ts';
import { effectOf } from '../../src/intents/effectOf.ts';
import { createMemoryStore, type JournalStore } from '../../src/journal/index.ts';
import { assembleBot } from './assembleBot.ts';
import { createFaultPlan } from './createFaultPlan.ts';
import { BUDGET } from './createLaneMeter.ts';
import { createLoadStrategy } from './createLoadStrategy.ts';
import { createSimNetwork, type NetworkCheck } from './createSimNetwork.ts';
import { createSimService, START_TIME, type SimService } from './createSimService.ts';
import { createSpendingCheck } from './createSpendingCheck.ts';
import { drawOverload } from './drawOverload.ts';
import { between, pick, type Load, type Scenario } from './Scenario.ts';
import { planOf } from './planOf.ts';
import { SimProcess } from './SimProcess.ts';
import { createSimulation, type Simulation, type Violation } from './Simulation.ts';

/** One of the bots: its load, and what became of its exits. */
interface SharedBot {
  name: string;
  load: Load;
  /** Milliseconds from the approval of each exit to its sending, while no 429 held it and the ledger answered. */
  waits: number[];
  sends: number;
}

export interface SharedResult {
  violation: Violation | null;
  digest: string;
  own429s: number;
  greedy: SharedBot;
  calm: SharedBot;
}

type Spending = ReturnType<typeof createSpendingCheck>;

/** As one bot's exits; a turn at the ledger, which another's turn may precede, is added to it. */
const EXIT_WAIT_MS = 2_000;
const LASTS_MS = 12 * 60_000;
const TICK_MS = 5_000;
/** Until what was assumed while the ledger was away has left the window. */
const ALONE_MS = 120_000;
const CONTENDERS = ['BTC', 'ETH'] as const;

const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A bot that wants three times the key's budget for entries, and one that only closes now and then. */
function drawShared(seed: string): { scenario: Scenario; loads: readonly Load[] } {
  const drawn = drawOverload(`shared ${seed}`);
  const random = createRandom(`shared ${seed}`);
  const bot = { ...drawn.bot, instances: CONTENDERS.length, disk: 'sync' as const };
  // An answer that takes long holds a place among those that are under way, whatever the budget.
  const faults = drawn.faults.filter(
    ({ kind, detail }) => kind === 'storm_429' || (kind === 'lose_answer' && detail === 'reset'),
  );
  const inTime = faults.map((fault) => {
    const from = fault.from % (LASTS_MS / 2);
    return { ...fault, from, until: from + (fault.until - fault.from) };
  });
  const base = { ...drawn.load!, lane: 'entry' as const };
  const greedy = { ...base, rush: 3, calm: 3, rushMinutes: 30, closes: 2 };
  const calm = { ...base, rush: 0, calm: 0, rushMinutes: 0, closes: between(random, 6, 40) };
  return { scenario: { ...drawn, bot, faults: inTime }, loads: [greedy, calm] };
}

/** The ledger's rules in virtual time, over a connection that is slow, and cut now and then. */
function createSimLedger(sim: Simulation) {
  const state = emptyLedger();
  const random = sim.random('ledger');
  const answerMs = pick(random, [1, 20, 200]);
  const outages = Array.from({ length: between(random, 0, 2) }, () => {
    const from = between(random, 60_000, LASTS_MS);
    return { from, until: from + between(random, 500, 90_000) };
  });
  const wasAway = (sinceMs: number): boolean =>
    outages.some(({ from, until }) => from <= sim.elapsed() && until >= sim.elapsed() - sinceMs);
  const at = (member: string): BudgetLedger => ({
    async turn(turn) {
      if (wasAway(0)) throw new Error('the ledger is away');
      const answer = structuredClone(takeTurn(state, member, turn, sim.queue.now()));
      await new Promise<void>((resolve) => sim.after(answerMs, resolve));
      return answer;
    },
    close: (last) => Promise.resolve(leave(state, member, last, sim.queue.now())),
  });
  return { at, wasAway };
}

/** Two bots with one key, each in a process of its own, share the key's budget through a ledger. */
export async function simulateShared(
  seed: string,
  wrap: (budget: SharedBudget, name: string) => SharedBudget = (budget) => budget,
): Promise<SharedResult> {
  const { scenario, loads } = drawShared(seed);
  const sim = createSimulation(scenario, { startTime: START_TIME, traced: false });
  const service = createSimService(sim);
  const faults = createFaultPlan(sim);
  const ledger = createSimLedger(sim);
  const each: Spending[] = [];
  const together = createSpendingCheck(sim, service.dialect);
  const [greedy, calm] = loads.map((load, at): SharedBot => ({
    name: `bot ${CONTENDERS[at]}`,
    load,
    waits: [],
    sends: 0,
  })) as [SharedBot, SharedBot];

  async function start(one: SharedBot, index: number): Promise<void> {
    const process = new SimProcess(sim, { index, skewMs: () => 0, received: () => {} });
    const plan = planOfOne(sim, service, one, index);
    const own = createSpendingCheck(sim, service.dialect);
    each.push(own);
    const checker = watch({ sim, one, index, together, own });
    const network = createSimNetwork({ sim, service, faults, checker }, process);
    const shared = await createSharedBudget({
      ...plan.budget,
      windowMs: service.dialect.budget.windowMs,
      ledger: ledger.at(one.name),
      timers: process.env.timers,
      now: () => process.env.clock.monotonicNow(),
    });
    const store = meterExits(sim, one, {
      heldUntil: () => Math.max(...each.map(({ heldUntil }) => heldUntil)),
      isExcused: () => ledger.wasAway(ALONE_MS),
    });
    const bot = assembleBot({
      process,
      network,
      service,
      plan,
      store,
      budget: wrap(shared, one.name),
      onFatal: (error) => sim.violate('fatal', String(error)),
    });
    bot.start().catch((error: unknown) => sim.violate('start_failed', String(error)));
  }

  const tick = (): void => {
    service.tick();
    sim.after(TICK_MS, tick);
  };
  sim.after(0, tick);
  for (const [index, one] of [greedy, calm].entries()) sim.after(0, () => void start(one, index));
  const { queue } = sim;
  for (
    let next = queue.nextTime();
    next !== undefined && next <= START_TIME + LASTS_MS && sim.violations.length === 0;
    next = queue.nextTime()
  ) {
    queue.advanceTo(next);
    await drain();
  }
  return {
    violation: sim.violations[0] ?? null,
    digest: sim.digest(),
    own429s: together.own429s,
    greedy,
    calm,
  };
}

function planOfOne(sim: Simulation, service: SimService, { name, load }: SharedBot, index: number) {
  const strategy = createLoadStrategy(sim, load, () => false);
  const plan = planOf(sim.scenario, service, strategy);
  const strategies = [{ ...plan.strategies[index]!, name, capitalShare: 0.5 }];
  return { ...plan, budget: { ...plan.budget, ...BUDGET }, strategies };
}

/** The key's spending over both bots, and each one's obedience to the 429s that it got itself. */
function watch(parts: {
  sim: Simulation;
  one: SharedBot;
  index: number;
  together: Spending;
  own: Spending;
}): NetworkCheck {
  const { sim, one, index, together, own } = parts;
  return {
    sending(_process, message) {
      one.sends++;
      sim.note('send', one.name, message.method, message.path);
      together.sent(0, message);
      own.sent(index, message);
      return { key: null, left: false, outcome: 'pending', sentAt: sim.queue.now() };
    },
    sendingText: () => {},
    served: (_message, { status }) => {
      if (status === 429) together.refused();
    },
    concluded: (_process, { sentAt }, exchange) =>
      own.answered(index, exchange, sim.queue.now() - sentAt),
    opened: () => {},
    lost: () => {},
    emitted: () => () => {},
    delivered: () => {},
    underWay: () => ({ arrived: () => {}, lost: () => {}, spoilt: () => {} }),
  };
}

/** How long each exit waits from its approval until it is sent; a 429 of one bot holds the other, too (LIM-2). */
function meterExits(
  sim: Simulation,
  one: SharedBot,
  { heldUntil, isExcused }: { heldUntil(): number; isExcused(): boolean },
): JournalStore {
  const store = createMemoryStore();
  const exits = new Set<string>();
  const readyAt = new Map<string, number>();
  return {
    ...store,
    append(append) {
      const { intent: row, entries } = append;
      if (row !== undefined) {
        const { intent } = JSON.parse(row.intent) as { intent: Parameters<typeof effectOf>[0] };
        if (effectOf(intent).isExit) exits.add(row.key);
      }
      for (const { key, state } of entries) {
        if (!exits.has(key)) continue;
        if (state === 'guarded') readyAt.set(key, sim.queue.now());
        const since = state === 'sending' ? readyAt.get(key) : undefined;
        if (since === undefined) continue;
        readyAt.delete(key);
        if (isExcused()) continue;
        const waitMs = Math.max(0, sim.queue.now() - Math.max(since, heldUntil()));
        one.waits.push(waitMs);
        if (waitMs > EXIT_WAIT_MS) sim.violate('exit_waits', `${one.name}: ${waitMs} ms`);
      }
      return store.append(append);
    },
  };
}
