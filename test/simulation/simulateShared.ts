import {
  createSharedBudget,
  type BudgetLedger,
  type SharedBudget,
} from '../../src/budget/index.ts';
import { emptyLedger, leave, takeTurn } from '../../src/budget/takeTurn.ts';
import { createRandom, type Random } from '../../src/env/index.ts';
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
import { never, SimProcess } from './SimProcess.ts';
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
/** Nobody ends earlier: the load has begun, and all know each other. */
const FIRST_END_MS = 60_000;
const TICK_MS = 5_000;
const SUPERVISOR_MS = 10_000;
/** Until what was assumed while the ledger was away has left the window. */
const ALONE_MS = 120_000;
/** After a turn without an answer: until the next one has its own. */
const LOST_MS = 5_000;
const CONTENDERS = ['BTC', 'ETH'] as const;

const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** How a process ends, and when another one takes its place: a name of its own at the ledger, as in the program. */
interface End {
  how: 'leaves' | 'crashes';
  after: number;
  returnsAfter: number;
}

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

/** What becomes of a bot's processes: it may join late, and end up to three times. */
function drawLives(sim: Simulation, name: string): { joinsAt: number; ends: readonly End[] } {
  const random = sim.random(`lives of ${name}`);
  const joinsAt = pick(random, [0, 0, between(random, 1_000, FIRST_END_MS / 2)]);
  const ends = Array.from({ length: between(random, 0, 3) }, (): End => {
    const how = pick(random, ['leaves', 'crashes'] as const);
    const after = between(random, FIRST_END_MS, LASTS_MS / 2);
    return {
      how,
      after,
      returnsAfter: pick(random, [1_000, 10_000, between(random, 1_000, ALONE_MS)]),
    };
  });
  return { joinsAt, ends };
}

interface Outage {
  from: number;
  until: number;
}

function drawOutages(random: Random, most: number, longestMs: number): Outage[] {
  return Array.from({ length: between(random, 0, most) }, () => {
    const from = between(random, FIRST_END_MS, LASTS_MS);
    return { from, until: from + between(random, 500, longestMs) };
  });
}

/**
 * The ledger's rules in virtual time, over a connection that is slow: it is away for all now and then, cut for one
 * process, and an answer is lost.
 */
function createSimLedger(sim: Simulation) {
  const state = emptyLedger();
  const random = sim.random('ledger');
  const answerMs = pick(random, [1, 20, 200, 900]);
  /** Share of turns that are booked, and whose answer never comes. */
  const lost = pick(random, [0, 0, 0.02]);
  const forAll = drawOutages(random, 2, 90_000);
  /** A process's connection; it may be cut for longer than the others reserve its share. */
  const connect = (member: string, process: SimProcess) => {
    const outages = [...forAll, ...drawOutages(sim.random(`cuts of ${member}`), 1, 200_000)];
    const wasAway = (sinceMs: number): boolean =>
      outages.some(({ from, until }) => from <= sim.elapsed() && until >= sim.elapsed() - sinceMs);
    let lostAt = -Infinity;
    const ledger: BudgetLedger = {
      async turn(turn) {
        if (wasAway(0)) throw new Error('the ledger is away');
        const answer = structuredClone(takeTurn(state, member, turn, sim.queue.now()));
        sim.note('turn', member, JSON.stringify([turn, answer]));
        await new Promise<void>((resolve) => sim.after(answerMs, resolve));
        if (!process.alive) return never();
        if (random.next() >= lost) return answer;
        lostAt = sim.elapsed();
        throw new Error('its answer is lost');
      },
      close: (last) => Promise.resolve(leave(state, member, last, sim.queue.now())),
    };
    return {
      ledger,
      /** Its answers may have been missing so recently that an exit waits for it. */
      isExcused: (): boolean => wasAway(ALONE_MS) || lostAt >= sim.elapsed() - LOST_MS,
    };
  };
  return { answerMs, connect };
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
  const shares = createSimLedger(sim);
  const each: Spending[] = [];
  const together = createSpendingCheck(sim, service.dialect);
  const [greedy, calm] = loads.map((load, at): SharedBot => ({
    name: `bot ${CONTENDERS[at]}`,
    load,
    waits: [],
    sends: 0,
  })) as [SharedBot, SharedBot];

  let lives = 0;

  async function start(one: SharedBot, index: number, ends: readonly End[]): Promise<void> {
    const life = lives++;
    const process = new SimProcess(sim, { index: life, skewMs: () => 0, received: () => {} });
    sim.note('start', one.name, life);
    const plan = planOfOne(sim, service, one, index);
    const own = createSpendingCheck(sim, service.dialect);
    each.push(own);
    const checker = watch({ sim, one, index: life, together, own });
    const network = createSimNetwork({ sim, service, faults, checker }, process);
    const { ledger, isExcused } = shares.connect(`${one.name} ${life}`, process);
    const joined = await createSharedBudget({
      ...plan.budget,
      windowMs: service.dialect.budget.windowMs,
      ledger,
      timers: process.env.timers,
      now: () => process.env.clock.monotonicNow(),
    }).catch(() => null);
    // Without the ledger no process starts: its supervisor tries again.
    if (joined === null) return void sim.after(SUPERVISOR_MS, () => void start(one, index, ends));
    const shared = wrap(joined, one.name);
    const store = meterExits(sim, one, {
      heldUntil: () => Math.max(...each.map(({ heldUntil }) => heldUntil)),
      mostMs: EXIT_WAIT_MS + shares.answerMs,
      isExcused,
    });
    const bot = assembleBot({
      process,
      network,
      service,
      plan,
      store,
      budget: shared,
      onFatal: (error) => {
        if (process.alive) sim.violate('fatal', String(error));
      },
    });
    bot.start().catch((error: unknown) => {
      if (process.alive) sim.violate('start_failed', String(error));
    });
    const [end, ...later] = ends;
    if (end === undefined) return;
    process.onKilled(() => sim.after(end.returnsAfter, () => void start(one, index, later)));
    sim.after(end.after, () => {
      if (end.how === 'crashes') return process.kill('crash');
      void bot
        .stop()
        .then(() => shared.close())
        .then(() => process.kill('left'));
    });
  }

  const tick = (): void => {
    service.tick();
    sim.after(TICK_MS, tick);
  };
  sim.after(0, tick);
  for (const [index, one] of [greedy, calm].entries()) {
    const { joinsAt, ends } = drawLives(sim, one.name);
    sim.after(joinsAt, () => void start(one, index, ends));
  }
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
  { heldUntil, mostMs, isExcused }: { heldUntil(): number; mostMs: number; isExcused(): boolean },
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
        if (waitMs > mostMs) sim.violate('exit_waits', `${one.name}: ${waitMs} ms`);
      }
      return store.append(append);
    },
  };
}
