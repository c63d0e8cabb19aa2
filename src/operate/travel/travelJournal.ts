import { isMap } from '../../contract/isMap.ts';
import type { IntentLife, JournalEntry, JournalReader, Latch } from '../../journal/index.ts';
import { symbolOf, type Intent } from '../../intents/index.ts';
import { findLife, settleCommand } from '../journal/index.ts';
import { intentOf } from '../journal/formatIntents.ts';
import { readJson } from '../journal/readJson.ts';
import { ownVersion } from '../../env/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import type { Blocks, BlockName, EventRow, StrategyRow, WholeView } from '../state/index.ts';
import { createIntentTrack, type IntentTrack } from '../state/createIntentTrack.ts';
import { STAGES } from '../../runtime/index.ts';
import { lastUntil, timesAround } from './lastUntil.ts';
import type { Travel } from './Travel.ts';

/** A journal holds what was decided and asked for; not the market, not the account. */
const UNKNOWN: readonly BlockName[] = [
  'connection',
  'feeds',
  'wallets',
  'positions',
  'orders',
  'executions',
  'budget',
];
const SHOWN_EVENTS = 200;

type Change = Latch & { name: string };
/** What the page shows of a step: the texts of a long journal would not fit in memory. */
interface Step {
  state: JournalEntry['state'];
  marketTime: number;
  key: string;
  instance: string;
  wallet: string;
  kind: string;
  symbol: string;
  reason: string | undefined;
  code: string | undefined;
  guard: string | undefined;
}
/**
 * A step of an intent or a change of a latch, at its wall time, or that of the one before it where the clock was set
 * back: of one intent, and of the latches, what the journal has later came later.
 */
type Row = { time: number } & ({ step: Step } | { latch: Change });

/** Steps after which a walk is remembered: a step backwards walks at most so many. */
const CHECKPOINT_ROWS = 2_000;

/**
 * A bot as its journal alone shows it, by wall time: strategies with what they decided, what had no answer, levels,
 * pauses and commands. Everything else is named as unknown.
 *
 * @param about.name of the bot, if a configuration named its journal
 * @param about.kind of its link, likewise: a journal does not say
 */
export async function travelJournal(
  reader: JournalReader,
  about: About & { path: string },
): Promise<RunResult<Travel>> {
  const rows: Row[] = [];
  for await (const life of reader.lives()) {
    for (const row of stepsOf(life)) rows.push(row);
  }
  let latchedAt = -Infinity;
  for (const latch of await reader.latchChanges()) {
    latchedAt = Math.max(latchedAt, latch.time);
    rows.push({ time: latchedAt, latch });
  }
  rows.sort((one, other) => one.time - other.time);
  const [first] = rows;
  if (first === undefined) {
    const message = `The journal ${about.path} is empty: its bot has decided nothing yet.`;
    return failed('TRIMTAB_JOURNAL_UNREADABLE', message);
  }
  const walkTo = createWalker(rows, about);

  return {
    ok: true,
    value: {
      about: {
        ...about,
        source: 'journal',
        from: first.time,
        until: rows.at(-1)!.time,
        changes: rows.length,
        explains: true,
        isComplete: true,
      },
      at(time) {
        const count = Math.max(1, lastUntil(rows, time) + 1);
        return walkTo(count).view(Math.max(time, first.time));
      },
      around: (time) => timesAround(rows, time),
      candles: () => undefined,
      life: (key) => findLife(reader, key),
      close: () => reader.close(),
    },
  };
}

function* stepsOf({ intent: row, entries }: IntentLife): Generator<Row> {
  const { key, instance, wallet, kind } = row;
  const symbol = symbolOf(intentOf(row) as unknown as Intent);
  let time = -Infinity;
  for (const { state, data, marketTime, wallTime } of entries) {
    time = Math.max(time, wallTime);
    const about = readJson(data);
    const text = (field: string): string | undefined =>
      typeof about[field] === 'string' ? about[field] : undefined;
    const fault = isMap(about['fault']) ? about['fault'] : undefined;
    const code = typeof fault?.['code'] === 'string' ? fault['code'] : text('code');
    const reason = text('reason') ?? (fault?.['message'] as string | undefined);
    const guard = text('guard');
    const step = { state, marketTime, key, instance, wallet, kind, symbol, reason, code, guard };
    yield { time, step };
  }
}

/** @returns the walk after a number of rows; backwards, it begins at the checkpoint before */
function createWalker(rows: readonly Row[], about: About): (count: number) => Walk {
  let walk = createWalk(about);
  const checkpoints: Walk[] = [];
  return (count) => {
    const nearest =
      checkpoints[Math.min(checkpoints.length, Math.floor(count / CHECKPOINT_ROWS)) - 1];
    if (count < walk.taken) walk = nearest?.copy() ?? createWalk(about);
    else if (nearest !== undefined && nearest.taken > walk.taken) walk = nearest.copy();
    while (walk.taken < count) {
      walk.take(rows[walk.taken]!);
      if (walk.taken === (checkpoints.length + 1) * CHECKPOINT_ROWS) checkpoints.push(walk.copy());
    }
    return walk;
  };
}

type About = Pick<Blocks['bot'], 'name'> & Partial<Pick<Blocks['bot'], 'kind'>>;

type Walk = ReturnType<typeof walkFrom>;

const createWalk = (about: About): Walk =>
  walkFrom(about, {
    intents: createIntentTrack((key) => settleCommand(key)),
    strategies: new Map(),
    latches: new Map(),
    events: [],
    taken: 0,
    marketTime: 0,
    wallStarted: 0,
  });

interface Walked {
  intents: IntentTrack;
  strategies: Map<string, { wallet: string; symbols: Set<string> }>;
  latches: Map<string, Change>;
  events: EventRow[];
  taken: number;
  marketTime: number;
  wallStarted: number;
}

/** What is known after some rows, by the tracks of a running bot. */
function walkFrom(about: About, walked: Walked) {
  const { name, kind = null } = about;
  const { intents, strategies, latches, events } = walked;
  let { taken, marketTime, wallStarted } = walked;

  /** At wall time, by which this past is ordered. */
  function addEvent(event: Omit<EventRow, 'sequence' | 'time'>): void {
    events.push({ ...event, sequence: taken, time: event.wall_time });
    if (events.length > 2 * SHOWN_EVENTS) events.splice(0, SHOWN_EVENTS);
  }

  function takeStep(step: Step, wallTime: number): void {
    const { state, marketTime: time, key, instance, wallet, kind, symbol } = step;
    const { reason, code, guard } = step;
    const known = strategies.get(instance) ?? { wallet, symbols: new Set() };
    strategies.set(instance, known);
    // A later start may have given it another one, while what it decided before still ends on the former.
    if (state === 'emitted') known.wallet = wallet;
    if (symbol !== '') known.symbols.add(symbol);
    const emission = { intent: { kind, symbol }, instance, wallet, marketTime: time };
    intents.follow({
      state,
      key,
      emission,
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { fault: { code, message: reason ?? '' } }),
      ...(guard === undefined ? {} : { guard }),
    } as unknown as Parameters<typeof intents.follow>[0]);
    marketTime = time;
    if (!SHOWN.includes(state)) return;
    const level = WARNED.includes(state) ? 'warn' : 'info';
    const fields = { strategy: instance, wallet, symbol, reason: reason ?? code ?? '' };
    addEvent({ wall_time: wallTime, level, text: `${kind} ${state}`, key, fields });
  }

  function takeLatch(latch: Change, wallTime: number): void {
    latches.set(latch.name, latch);
    const level = latch.name === 'operator' || latch.value === 'off' ? 'info' : 'warn';
    const fields = { value: latch.value, reason: latch.reason };
    addEvent({ wall_time: wallTime, level, text: latch.name, fields });
  }

  const latched = (latch: string): Change | undefined => latches.get(latch);
  const strategyRow = ([strategy, { wallet, symbols }]: readonly [
    string,
    { wallet: string; symbols: ReadonlySet<string> },
  ]): StrategyRow => {
    const { newest, emitted, accepted, denied } = intents.of(strategy);
    const pause = latched(`pause ${strategy}`);
    const life = latched(`strategy ${strategy}`);
    const isEnded = life?.value === 'quarantined';
    const throttle = latched(`throttle ${strategy}`);
    return {
      name: strategy,
      plugin: '',
      wallet,
      symbols: [...symbols],
      life: isEnded ? 'quarantined' : 'running',
      fault: isEnded ? life.reason : null,
      paused: pause?.value === 'on' ? pause.reason : null,
      stage: stageIn(latched(`stage ${strategy}`)?.value),
      throttled: throttle !== undefined && throttle.value !== 'off' ? throttle.reason : null,
      bar_symbol: null,
      bar_time: null,
      intent: newest,
      emitted,
      accepted,
      denied,
      net_pnl: Number.NaN,
      realized_pnl: Number.NaN,
      unrealized_pnl: Number.NaN,
      fees: Number.NaN,
      funding: Number.NaN,
      fills: Number.NaN,
      shadow: null,
    };
  };

  return {
    get taken() {
      return taken;
    },
    copy() {
      const copies = [...strategies].map(
        ([strategy, { wallet, symbols }]) =>
          [strategy, { wallet, symbols: new Set(symbols) }] as const,
      );
      return walkFrom(about, {
        intents: intents.copy(),
        strategies: new Map(copies),
        latches: new Map(latches),
        events: [...events],
        taken,
        marketTime,
        wallStarted,
      });
    },
    take(row: Row): void {
      taken++;
      wallStarted ||= row.time;
      if ('latch' in row) takeLatch(row.latch, row.time);
      else takeStep(row.step, row.time);
    },
    view(time: number): WholeView {
      const kill = latched('kill');
      const level = kill?.value ?? 'L0';
      const blocks: Blocks = {
        bot: {
          name,
          kind,
          version: ownVersion(),
          config_hash: '',
          service: null,
          wall_started: wallStarted,
          kill_level: level,
          kill_reason: level === 'L0' ? null : (kill?.reason ?? null),
          gate: [],
          closed_symbols: [],
          closed_wallets: [],
          key_refused: null,
        },
        connection: { state: 'closed', reason: null, wall_since: time, reconnects: 0 },
        feeds: [],
        wallets: [],
        positions: [],
        strategies: [...strategies].map(strategyRow),
        orders: [],
        executions: [],
        unanswered: intents.unanswered(),
        budget: {
          used: 0,
          limit: 0,
          allowance: 0,
          peak: 0,
          held_until: null,
          spent: {},
          deferred: intents.deferred(),
        },
      };
      const shown = events.slice(-SHOWN_EVENTS);
      const times = { sequence: taken, time: marketTime, wall_time: time };
      return { ...times, blocks, control: false, events: shown, past: { unknown: UNKNOWN } };
    },
  };
}

/** A row has the stage, then the version. */
function stageIn(value = ''): StrategyRow['stage'] {
  const [stage] = value.split(' ');
  return STAGES.find((one) => one === stage) ?? null;
}

/** What a running bot's list has too, and at which level: not the steps between a decision and its outcome. */
const WARNED: readonly string[] = ['rejected', 'unknown', 'unresolved'];
const SHOWN: readonly string[] = [...WARNED, 'accepted', 'denied', 'expired', 'absent'];
