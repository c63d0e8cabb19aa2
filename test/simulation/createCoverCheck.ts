import type { MonitorRecord, PositionRecord, StreamFrame } from '../../src/contract/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import type { ReadJourney } from './createBooksCheck.ts';
import type { SimService } from './createSimService.ts';
import { readAfterMsOf } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/**
 * The bot never believes that more of a position is protected than the service's stops protect. With no
 * frame on the wire that is the present state. While some are, position and protection are reported one after the other:
 * each is one of those since before the oldest of these frames, those within an instant included. Where frames were lost
 * or came out of order it is not held to anything until the next snapshot of their channel, nor while it is not connected.
 */
export interface CoverCheck {
  /** A frame leaves the service. */
  underWay(process: number, frame: StreamFrame): ReadJourney;
  opened(process: number): void;
  lost(process: number): void;
  /** The process runs again after a suspension. */
  resumed(): void;
  /** The service has done everything that it does at this instant. */
  stepped(): void;
  /** The bot has taken whatever came. */
  look(process: number, bot: Bot): void;
  /** How often a position with a stop was looked at. */
  readonly checked: number;
}

/** The state after so many frames, by symbol. */
interface Truth {
  after: number;
  states: ReadonlyMap<string, State>;
  /** Within an instant: only the position of one symbol is known. */
  isPartial?: boolean;
}

/** Base units. */
interface State {
  size: number;
  /** What stops close of the position. */
  stopped: number;
  /** What each of them would close at most if the position were another one, by its id. */
  stops: ReadonlyMap<string, number>;
}

interface Line {
  isOpen: boolean;
  /** Numbers of the frames under way, in order. */
  underWay: Set<number>;
  /** Channels of wallets that had their snapshot on this connection. */
  shown: Set<string>;
  /** The last frame of a channel of a wallet that was lost or out of order. */
  spoilt: Map<string, number>;
}

/** What a position and its protection consist of; executions and orders tell how far a stop has grown. */
const CHANNELS = ['account.state', 'tpsl.watch', 'monitors', 'executions'];
const UNWATCHED: ReadJourney = { arrived() {}, read() {}, lost() {}, spoilt() {} };
const MOST_TRUTHS = 500;
/** Of float sums, base units. */
const ROUNDING = 1e-9;

export function createCoverCheck(sim: Simulation, service: () => SimService | null): CoverCheck {
  const lines = new Map<number, Line>();
  const readAfterMs = readAfterMsOf(sim.scenario);
  let unreadUntil = 0;
  let truths: Truth[] = [{ after: 0, states: new Map() }];
  let sent = 0;
  let checked = 0;

  const lineOf = (process: number): Line => {
    const known = lines.get(process);
    if (known !== undefined) return known;
    const fresh = {
      isOpen: false,
      underWay: new Set<number>(),
      shown: new Set<string>(),
    };
    const line: Line = { ...fresh, spoilt: new Map<string, number>() };
    lines.set(process, line);
    return line;
  };

  function reset(process: number, isOpen: boolean): void {
    const line = lineOf(process);
    line.isOpen = isOpen;
    line.underWay.clear();
    line.shown.clear();
    line.spoilt.clear();
  }

  /** Several fills of one instant tell a position each, and some may be on the wire while others have come. */
  function passThrough(frame: StreamFrame, after: number): void {
    if (frame.channel !== 'account.state' || frame.event !== 'position') return;
    const { symbol, size } = frame.data as unknown as PositionRecord;
    const before = truths.at(-1)!.states;
    const state = { ...(before.get(symbol) ?? FLAT), size };
    truths.push({ after, states: new Map(before).set(symbol, state), isPartial: true });
  }

  /** By symbol, the least that was uncovered by what the bot may know. */
  function leastOf({ underWay }: Line): ReadonlyMap<string, number> {
    const [oldest = Number.POSITIVE_INFINITY] = underWay;
    const from = truths.findLastIndex(({ after }) => after < oldest);
    const known = truths.slice(Math.max(0, from));
    return new Map(service()!.symbols.map((symbol) => [symbol, leastIn(known, symbol)]));
  }

  return {
    underWay(process, frame) {
      const line = lineOf(process);
      if (!CHANNELS.includes(frame.channel)) return UNWATCHED;
      const channel = `${frame.channel} ${frame.wallet}`;
      const number = ++sent;
      line.underWay.add(number);
      passThrough(frame, number);
      return {
        arrived() {},
        read() {
          line.underWay.delete(number);
          if (frame.event !== 'snapshot') return;
          line.shown.add(channel);
          if ((line.spoilt.get(channel) ?? 0) < number) line.spoilt.delete(channel);
        },
        lost: () => void line.underWay.delete(number),
        spoilt: () => void line.spoilt.set(channel, number),
      };
    },
    opened: (process) => reset(process, true),
    lost: (process) => reset(process, false),
    resumed() {
      unreadUntil = sim.queue.now() + readAfterMs;
    },
    stepped() {
      const { after, isPartial = false } = truths.at(-1)!;
      if (after === sent && !isPartial) return;
      truths.push({ after: sent, states: statesOf(service()!) });
      if (truths.length > MOST_TRUTHS) truths = truths.slice(-MOST_TRUTHS / 2);
    },
    look(process, bot) {
      const line = lineOf(process);
      if (sim.queue.now() < unreadUntil) return;
      const { wallets, walletOf } = service()!;
      const isShown = (wallet: string): boolean =>
        CHANNELS.every((channel) => line.shown.has(`${channel} ${wallet}`));
      const isKnown = line.isOpen && wallets.every(isShown);
      if (!isKnown || line.spoilt.size > 0) return;
      const believed = new Map(
        bot.coverage.uncovered().map(({ symbol, size, covered }) => [symbol, size - covered]),
      );
      for (const [symbol, least] of leastOf(line)) {
        const open = believed.get(symbol) ?? 0;
        if (bot.book(walletOf(symbol)).position(symbol) !== 0 && open === 0) checked++;
        if (open < least - ROUNDING)
          sim.violate('cover_believed', `${symbol}: ${open} without a stop, truly ${least}`);
      }
    },
    get checked() {
      return checked;
    },
  };
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

const FLAT: State = { size: 0, stopped: 0, stops: new Map() };

function leastIn(truths: readonly Truth[], symbol: string): number {
  const states = truths.map((truth) => truth.states.get(symbol) ?? FLAT);
  const [now] = states;
  if (now !== undefined && states.length === 1) return Math.max(0, now.size - now.stopped);
  const size = Math.min(...states.map((state) => state.size));
  // One may be armed and another one fire within an instant, so that both were armed between two frames.
  const most = new Map<string, number>();
  for (const [id, stopped] of states.flatMap(({ stops: all }) => [...all]))
    most.set(id, Math.max(stopped, most.get(id) ?? 0));
  return Math.max(0, size - sum([...most.values()]));
}

/** What the service would close for each position if the market went against it. */
function statesOf({ core, symbols, wallets }: SimService): ReadonlyMap<string, State> {
  // A symbol is traded on one wallet only.
  const read = (channel: 'account.state' | 'tpsl.watch' | 'monitors', field: string) =>
    wallets.flatMap((wallet) => core.engine.snapshot(channel, wallet, {})![field] as unknown[]);
  const positions = read('account.state', 'positions') as PositionRecord[];
  const rows = read('tpsl.watch', 'rows') as Row[];
  const monitors = read('monitors', 'monitors') as MonitorRecord[];
  const stateOf = (symbol: string): State => {
    const position = positions.find((one) => one.symbol === symbol);
    const stops = rows.filter(
      (row) => row.symbol === symbol && row.kind === 'stop_loss' && row.status === 'armed',
    );
    const follows = stops.some(({ coupled }) => coupled === true);
    const byRows = follows ? Infinity : sum(stops.map(({ size }) => size ?? 0));
    const ofMonitors = (side: string): Array<[string, number]> =>
      monitors.map((one) => [one.monitor_id, stoppedBy(one, symbol, side)]);
    const ofRows = stops.map((row): [string, number] => [
      String(row.leg_id),
      row.coupled === true ? Infinity : (row.size ?? 0),
    ]);
    const either = [...ofMonitors('long'), ...ofMonitors('short')].filter(([, size]) => size > 0);
    const all = new Map([...ofRows, ...either]);
    if (position === undefined) return { size: 0, stopped: 0, stops: all };
    const byMonitors = sum(ofMonitors(position.side).map(([, size]) => size));
    return { size: position.size, stopped: byRows + byMonitors, stops: all };
  };
  return new Map(symbols.map((symbol) => [symbol, stateOf(symbol)]));
}

interface Row {
  leg_id?: string;
  symbol: string;
  kind?: string;
  status: string;
  coupled?: boolean;
  size?: number | null;
}

/** What a monitor takes off a position once its price is reached. */
function stoppedBy(monitor: MonitorRecord, symbol: string, positionSide: string): number {
  const { status, trigger } = monitor;
  const { request } = monitor.action as unknown as { request: Record<string, unknown> };
  const { symbol: watched, direction } = trigger as { symbol?: string; direction?: string };
  const isLong = positionSide === 'long';
  const isAgainst = direction === (isLong ? 'below' : 'above');
  const isExit = request['reduce_only'] === true && request['side'] === (isLong ? 'sell' : 'buy');
  const isOfIt = watched === symbol && request['symbol'] === symbol;
  if (status !== 'armed' || !isAgainst || !isExit || !isOfIt) return 0;
  return Number(request['total_size'] ?? request['size']);
}
