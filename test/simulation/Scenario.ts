import { createRandom, type Random } from '../../src/env/index.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import { between, HOUR_MS, pick } from './drawing.ts';
import { drawLate, LATE_FAULTS } from './drawLate.ts';

export { between, HOUR_MS, pick };

/** How the service treats a known key: the spec leaves it open. */
export const IDEMPOTENCY_MODELS = [
  'replay',
  'conflict_in_flight',
  'mismatch_error',
  'sticky_500',
  'keys_expire',
  '4xx_frees_key',
  'key_ignored',
] as const;
export type IdempotencyModel = (typeof IDEMPOTENCY_MODELS)[number];

/** Behaviour that the spec leaves open, drawn for each seed so that nothing is fitted to one service. */
export interface ServiceBehaviour {
  timestampToleranceSeconds: number;
  signQueryString: boolean;
  idempotency: IdempotencyModel;
  keyLifeMs: number;
  budgetWindow: 'sliding' | 'fixed';
  weightPerMinute: number;
}

export const REQUEST_FAULTS = [
  'refuse',
  'lose_request',
  'lose_answer',
  'slow_request',
  'slow_answer',
  'error_before',
  'error_after',
  'storm_429',
  'truncate_body',
  'strange_page',
] as const;
export const FRAME_FAULTS = [
  'frame_duplicate',
  'frame_reorder',
  'frame_missing',
  'frame_slow',
] as const;
export const MOMENT_FAULTS = [
  'socket_cut',
  'crash',
  'clock_step',
  'service_restart',
  'service_outage',
  'socket_stall',
  'disk_full',
  'degrade_layer',
  'foreign_weight',
  'kill_level',
] as const;
/** Drawn for seeds with an `s`. */
export const SUSPENSIONS = ['suspend'] as const;
/** Drawn for seeds with an `o`. */
export const STOPS = ['orderly_stop'] as const;
/** Drawn for seeds with an `h`. */
export const ALERTS = ['alert'] as const;
/** Drawn for seeds with a `d`. */
export const TRANSFERS = ['transfer'] as const;
/** Drawn for seeds with an `f`: of the instance that has the lease, its host, and its way to the database. */
export const FAILOVERS = ['hang', 'host_dies', 'database_cut', 'database_outage'] as const;
/** Drawn for seeds with a `j`. */
export const MAINTENANCE = ['compaction'] as const;
export const FAULT_KINDS = [
  ...REQUEST_FAULTS,
  ...FRAME_FAULTS,
  ...MOMENT_FAULTS,
  ...LATE_FAULTS,
  ...SUSPENSIONS,
  ...STOPS,
  ...ALERTS,
  ...TRANSFERS,
  ...FAILOVERS,
  ...MAINTENANCE,
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One fault of a seed's mix; times in milliseconds from the start. */
export interface Fault {
  id: number;
  kind: FaultKind;
  from: number;
  /** Equal to `from` for an instantaneous fault. */
  until: number;
  /** Share of the traffic that is hit. */
  rate: number;
  /** Delay, clock step, duration or count. */
  size: number;
  /** Its option: where a crash strikes, which layer degrades. */
  detail: string;
}

type DrawnFault = Omit<Fault, 'id'>;

export interface BotShape {
  instances: number;
  concurrency: number;
  market: 'wall' | 'frames';
  maxPositionNotional: number;
  /**
   * Whether appends are durable when they return, as SQLite's are, or later, as a server's are: one
   * after the other, or in groups.
   */
  disk: 'sync' | 'async' | 'grouped';
  startSkewMs: number;
  /** Share of the client's requests that take the socket. */
  viaSocket: number;
  /** Intents a bar and instance, about. */
  activity: number;
  /** Each symbol is traded on the first or the second wallet, in turns: seeds with a `t`. */
  hasTwoWallets: boolean;
  /** Of each wallet at the start, USDC; in seeds with an `m` it is scarce, and prices move more. */
  cash: number;
  isScarce: boolean;
  /** The first symbol is spot: seeds with a `p`. */
  hasSpot: boolean;
  /** Whether it also uses legs, monitors, baskets, tracked entries and every algorithm: seeds with a `w`. */
  isWide: boolean;
}

/** More than the budget can carry. */
export interface Load {
  /** The overloaded kind. */
  lane: 'entry' | 'exit';
  /** Weight of the decisions in multiples of the budget; in a rush, and otherwise. */
  rush: number;
  calm: number;
  /** Minutes of each thirty that are a rush. */
  rushMinutes: number;
  /** Share of entries that are launches. */
  launches: number;
  /** Closes a minute beside it. */
  closes: number;
}

/** Another host of the account's bot, which takes over when the lease is free. */
export interface Standby {
  /** Milliseconds from the start. */
  startsAt: number;
  /** Of its wall clock; the first host's is the bot's. */
  skewMs: number;
  /** What an instance does when it has lost the lease. */
  policy: StopPolicy;
}

/** Everything that a seed decides. */
export interface Scenario {
  seed: string;
  service: ServiceBehaviour;
  bot: BotShape;
  faults: readonly Fault[];
  /** Absent for a usual rate of decisions. */
  load?: Load;
  /** A second instance on another host: seeds with an `f`. */
  standby?: Standby;
  /** Of market data; a little over an hour if absent. */
  minutes?: number;
  /** The reference keeps open records only; the rest is not checked. */
  forgets?: boolean;
}

/** Where a crash strikes: at an instant, or around the next call of a port. */
export const CRASH_POINTS = [
  'now',
  'before_append',
  'after_append',
  'before_send',
  'after_send',
  'before_answer',
  'after_answer',
] as const;

const KILLS: readonly KillLevel[] = ['L1', 'L2', 'L3', 'L4'];
const POLICIES: readonly StopPolicy[] = ['leave', 'pause', 'stop', 'flatten'];
/** So much that no order lacks margin, USDC. */
export const CASH = 1_000_000;
const LAYERS = ['market_data', 'orders', 'account', 'executions'];

/**
 * What a seed draws besides, by the letters before its number: every kind of intent (w), a late service (l), a machine
 * that is suspended (s), a bot that is stopped orderly (o), trades spot (p), trades on two wallets (t) or whose margin
 * is scarce, so that it is liquidated (m), webhooks of the service that act on alerts beside it (h), deposits and
 * withdrawals (d), two instances on two hosts of which one has the lease of the account (f), and a journal that is
 * compacted while the bot runs (j).
 */
export const FAMILIES = [
  '',
  'w',
  'l',
  'lw',
  's',
  'lsw',
  'ow',
  'losw',
  'tw',
  'mw',
  'lmostw',
  'pw',
  'lopstw',
  'hw',
  'hlopstw',
  'dw',
  'dlostw',
  'dmpw',
  'f',
  'fw',
  'flow',
  'jw',
  'fjlosw',
] as const;
export type Family = (typeof FAMILIES)[number];

const lettersOf = (seed: string): string => /^[dfhjlmopstw]+(?=\d)/.exec(seed)?.[0] ?? '';

/** A family's own draws come from streams of their own, so that a plain seed stays what it was. */
export function drawScenario(seed: string): Scenario {
  const random = createRandom(`scenario ${seed}`);
  const letters = lettersOf(seed);
  const service = drawService(random);
  const drawnBot = drawBot(random);
  const hasTwoWallets = letters.includes('t');
  const instances = hasTwoWallets ? Math.max(2, drawnBot.instances) : drawnBot.instances;
  const isScarce = letters.includes('m');
  const cash = isScarce ? pick(createRandom(`cash ${seed}`), [60, 150, 400]) : CASH;
  const money = { cash, isScarce, hasSpot: letters.includes('p') };
  const isWide = letters.includes('w');
  const bot = { ...drawnBot, ...money, instances, hasTwoWallets, isWide };
  const drawn = drawFaults(random);
  const late = letters.includes('l') ? addLate(drawn, service, seed) : drawn;
  const stops = letters.includes('o') ? drawStops(seed) : [];
  const alerts = letters.includes('h') ? drawAlerts(seed) : [];
  const transfers = letters.includes('d') ? drawTransfers(seed, cash) : [];
  const failovers = letters.includes('f') ? drawFailovers(seed) : [];
  const faults = letters.includes('s') ? [...late, ...drawSuspensions(seed)] : late;
  const upkeep = letters.includes('j') ? drawCompactions(seed) : [];
  const all = [...faults, ...stops, ...alerts, ...transfers, ...failovers, ...upkeep];
  return {
    seed,
    service,
    bot,
    faults: all.map((fault, id) => ({ id, ...fault })),
    ...(letters.includes('f') && { standby: drawStandby(seed) }),
  };
}

/** End the process, and with it the ledger that holds each fill once. */
const ENDING: readonly FaultKind[] = ['crash', 'disk_full', 'kill_level'];

function addLate(faults: DrawnFault[], service: ServiceBehaviour, seed: string): DrawnFault[] {
  const random = createRandom(`late ${seed}`);
  // Where signatures hold for minutes, a lag of seconds is within what is waited for them.
  service.timestampToleranceSeconds = pick(random, [5, 5, 10, 60]);
  const late = drawLate(random);
  if (random.next() < 0.5) return [...faults, ...late];
  const outages = Array.from({ length: between(random, 0, 3) }, (): DrawnFault => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const size = between(random, 500, 40_000);
    return { kind: 'service_outage', from, until: from, rate: 1, size, detail: '' };
  });
  return [...faults.filter(({ kind }) => !ENDING.includes(kind)), ...outages, ...late];
}

/** A lid that is closed, a virtual machine that its host pauses: for seconds or for a quarter of an hour. */
function drawSuspensions(seed: string): DrawnFault[] {
  const random = createRandom(`suspend ${seed}`);
  return Array.from({ length: between(random, 1, 4) }, () => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const size = pick(random, [5_000, 20_000, 61_000, 150_000, 305_000, 900_000]);
    const detail = pick(random, ['jumps', 'stops']);
    return { kind: 'suspend', from, until: from, rate: 1, size, detail };
  });
}

/** An operator who deploys: the bot ends as a policy asks, and the next one starts some time later. */
function drawStops(seed: string): DrawnFault[] {
  const random = createRandom(`stop ${seed}`);
  return Array.from({ length: between(random, 1, 4) }, () => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const size = between(random, 200, 90_000);
    const detail = pick(random, POLICIES);
    return { kind: 'orderly_stop', from, until: from, rate: 1, size, detail };
  });
}

/** What a webhook does upon an alert, on a symbol that the bot trades. */
export const ALERT_ACTIONS = ['market', 'limit', 'reduce', 'launch', 'close'] as const;
export type AlertAction = (typeof ALERT_ACTIONS)[number];

/** A person who trades by alerts on the bot's account: its size is in quote units, below 0 to sell. */
function drawAlerts(seed: string): DrawnFault[] {
  const random = createRandom(`alerts ${seed}`);
  return Array.from({ length: between(random, 1, 8) }, () => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const size = between(random, 150, 2_000) * (random.next() < 0.5 ? 1 : -1);
    const detail = pick(random, ALERT_ACTIONS);
    return { kind: 'alert', from, until: from, rate: 1, size, detail };
  });
}

/** A person who moves funds into a wallet, or out of it: up to a third of the cash at the start, at any instant. */
function drawTransfers(seed: string, cash: number): DrawnFault[] {
  const random = createRandom(`transfers ${seed}`);
  return Array.from({ length: between(random, 1, 6) }, () => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const share = pick(random, [0.0005, 0.01, 0.1, 0.3]);
    const size = Math.round(cash * share * (1 + random.next())) * (random.next() < 0.5 ? 1 : -1);
    const detail = pick(random, ['first', 'last']);
    return { kind: 'transfer', from, until: from, rate: 1, size, detail };
  });
}

/** The journal retires what ended this long ago, by the wall clock of its host: far less than the days of a real one. */
function drawCompactions(seed: string): DrawnFault[] {
  const random = createRandom(`compactions ${seed}`);
  return Array.from({ length: between(random, 2, 12) }, () => {
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const size = pick(random, [0, 1_000, 60_000, 600_000]);
    return { kind: 'compaction', from, until: from, rate: 1, size, detail: '' };
  });
}

/** Where a hang strikes: at an instant, once an append is durable, or as a request leaves. */
export const HANG_POINTS = ['now', 'after_append', 'before_send'] as const;

function drawStandby(seed: string): Standby {
  const random = createRandom(`standby ${seed}`);
  return {
    startsAt: pick(random, [0, 1_000, 300_000]),
    skewMs: random.next() < 0.5 ? 0 : between(random, -600_000, 600_000),
    policy: pick(random, POLICIES),
  };
}

function drawFailovers(seed: string): DrawnFault[] {
  const random = createRandom(`failovers ${seed}`);
  return Array.from({ length: between(random, 2, 5) }, () => {
    const kind = pick<(typeof FAILOVERS)[number]>(random, [...FAILOVERS, 'hang']);
    const from = between(random, 60_000, HOUR_MS - 120_000);
    const [size, detail] = failover(kind, random);
    return { kind, from, until: from, rate: 1, size, detail };
  });
}

function failover(kind: (typeof FAILOVERS)[number], random: Random): [number, string] {
  switch (kind) {
    case 'hang': {
      const clock = pick(random, ['jumps', 'stops']);
      const size = pick(random, [15_000, 24_000, 30_000, 61_000, 150_000, 305_000, 900_000]);
      return [size, `${clock} ${pick(random, HANG_POINTS)}`];
    }
    case 'host_dies':
      return [between(random, 500, 300_000), ''];
    case 'database_cut':
      return [
        pick(random, [500, 12_000, 25_000, 29_000, 45_000, 150_000]),
        pick(random, ['reset', 'silence']),
      ];
    case 'database_outage':
      return [pick(random, [500, 5_000, 28_000, 40_000]), ''];
  }
}

/** Whether a machine is ever suspended. */
export const isSuspended = ({ faults }: Scenario): boolean =>
  faults.some(({ kind }) => kind === 'suspend' || kind === 'hang');

const LATE: ReadonlySet<string> = new Set(LATE_FAULTS);

/** Whether any of its faults is one of a late service. */
export const isLate = ({ faults }: Scenario): boolean => faults.some(({ kind }) => LATE.has(kind));

export const seedOf = (number: number, family: Family): string => `${family}${number}`;

function drawService(random: Random): ServiceBehaviour {
  return {
    timestampToleranceSeconds: pick(random, [5, 10, 30, 60, 120]),
    signQueryString: random.next() < 0.6,
    idempotency: pick(random, IDEMPOTENCY_MODELS),
    keyLifeMs: between(random, 30_000, 600_000),
    budgetWindow: pick(random, ['sliding', 'fixed']),
    weightPerMinute: pick(random, [200, 400, 1_200, 2_400]),
  };
}

type DrawnBot = Omit<BotShape, 'isWide' | 'hasTwoWallets' | 'hasSpot' | 'cash' | 'isScarce'>;

function drawBot(random: Random): DrawnBot {
  return {
    instances: pick(random, [1, 2, 3]),
    concurrency: pick(random, [2, 8]),
    market: random.next() < 0.8 ? 'wall' : 'frames',
    maxPositionNotional: pick(random, [4_000, 8_000, 20_000]),
    disk: pick(random, ['sync', 'sync', 'async']),
    startSkewMs: random.next() < 0.5 ? 0 : between(random, -600_000, 600_000),
    viaSocket: pick(random, [0, 0, 0.3]),
    activity: pick(random, [0.3, 1, 2]),
  };
}

/** Swarm testing: most kinds are off in most seeds, so that no fault always masks another. */
function drawFaults(random: Random): DrawnFault[] {
  const faults: DrawnFault[] = [];
  const share = pick(random, [0.1, 0.25, 0.5]);
  const add = (kind: FaultKind, longest: number): void => {
    if (random.next() >= share) return;
    const times = 1 + Math.floor(random.next() * 3);
    for (let index = 0; index < times; index++) {
      const from = between(random, 60_000, HOUR_MS - 120_000);
      const lasts = longest === 0 ? 0 : between(random, 10_000, longest);
      const until = Math.min(from + lasts, HOUR_MS);
      const rate = pick(random, [0.05, 0.2, 0.5, 1]);
      const [size, detail] = particulars(kind, random);
      faults.push({ kind, from, until, rate, size, detail });
    }
  };
  for (const kind of REQUEST_FAULTS) add(kind, 600_000);
  for (const kind of FRAME_FAULTS) add(kind, 900_000);
  for (const kind of MOMENT_FAULTS) add(kind, 0);
  return faults;
}

function particulars(kind: FaultKind, random: Random): [size: number, detail: string] {
  switch (kind) {
    case 'slow_request':
    case 'slow_answer':
      return [pick(random, [500, 5_000, 29_000, 31_000, 45_000, 80_000]), ''];
    case 'storm_429':
      return [between(random, 1, 30), ''];
    case 'frame_slow':
      return [between(random, 200, 8_000), ''];
    case 'lose_request':
    case 'lose_answer':
      return [0, pick(random, ['reset', 'silence'])];
    case 'crash':
      return [between(random, 200, 90_000), pick(random, CRASH_POINTS)];
    case 'clock_step':
      return [between(random, -600_000, 600_000), ''];
    case 'service_restart':
    case 'service_outage':
      return [between(random, 500, 60_000), ''];
    case 'socket_stall':
      return [between(random, 2_000, 60_000), ''];
    case 'disk_full':
      return [between(random, 1_000, 120_000), ''];
    case 'degrade_layer':
      return [between(random, 5_000, 300_000), pick(random, LAYERS)];
    case 'foreign_weight':
      return [between(random, 20, 300), ''];
    case 'kill_level':
      return [between(random, 10_000, 900_000), pick(random, KILLS)];
    default:
      return [0, ''];
  }
}

/** Where frames are the clock, what comes after a silence is read ahead, and delivered this much later at most. */
export const readAfterMsOf = ({ bot }: Scenario): number => (bot.market === 'frames' ? 521 : 0);

/** Offsets of the bot's wall clock from true time, in order, milliseconds. */
export function skewsOf({ bot, faults, standby }: Scenario): number[] {
  const steps = faults.filter(({ kind }) => kind === 'clock_step');
  const inOrder = steps.toSorted((a, b) => a.from - b.from);
  const first = [bot.startSkewMs, ...inOrder.map(({ size }) => size)];
  // Each takeover is a step between the two.
  return standby === undefined
    ? first
    : first.flatMap((skewMs) => [skewMs, standby.skewMs, skewMs]);
}
