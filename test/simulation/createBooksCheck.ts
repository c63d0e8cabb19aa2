import type { FillRecord, StreamFrame } from '../../src/contract/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import { isSpot } from '../../src/runtime/wallet/index.ts';
import type { FundingEvent, SimService } from './createSimService.ts';
import { isLate, type Fault, type FaultKind, type Scenario } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/**
 * The ledger law: whenever nothing is under way, the bot's books are the service's own figures, and each strategy's
 * ledger is what the service booked on its symbol since the process took over its position, whatever happened before.
 *
 * What the bot can't know is stated here, and nothing else is left out. A ledger begins with the position at its entry
 * price, whatever it earned before its process. A fill that the service states twice with different fees has the fee of
 * either statement that came. Funding of which no frame came in its turn is in the account's sum alone: it is charged if a
 * single strategy holds something, and may be missing where several do. Fills of one instant have no order but that of
 * their frames: once some were lost, a buy and a sell of one instant may be split otherwise into what is realized and what
 * is not, and only their sum is certain.
 */
export interface BooksCheck {
  /** A frame leaves the service. */
  underWay(process: number, frame: StreamFrame): ReadJourney;
  opened(process: number): void;
  lost(process: number): void;
  /** The law, if this is a quiet point. */
  look(process: number, bot: Bot): void;
  /** The law, after everything; not if the bot has still to read something. */
  hold(process: number, bot: Bot): void;
  /** How often the law was checked. */
  readonly checked: number;
}

/** How a frame's way to a process ends, unless the connection does. */
export interface Journey {
  arrived(): void;
  lost(): void;
  /** It comes after later ones, if at all. */
  spoilt(): void;
}

/** The same, with what the bot makes of it: a frame that came after a silence is held back for a while. */
export interface ReadJourney extends Journey {
  /** On the same connection. */
  read(): void;
}

/** What the service had booked when a snapshot left it. */
interface Booked {
  fills: number;
  fundings: number;
  /** Its number among all frames. */
  sent: number;
}

/** What reached one process. */
interface Received {
  /** What its first snapshot held of each wallet, by the service's books. */
  adopted: Map<string, Booked>;
  /** Places of the funding of which frames came in their turn. */
  fundings: Set<number>;
  /** By wallet, the number of the last frame of its account that was lost or out of order, until a later snapshot comes. */
  spoiltAt: Map<string, number>;
  /** One was since the start. */
  wasSpoilt: boolean;
  /** Fees of fills as they were stated beside the first statement. */
  restated: Map<string, number>;
  openSince: number;
  /** Frames that left the service and have not been read yet; those that were lost never are. */
  underWay: number;
}

/** A gap shows with the next snapshot, which is requested each minute, and lists are read again 35 s later. */
const CALM_MS = 180_000;
/** A bar has closed since, and with it the day's result was worked out. */
const SAMPLED_MS = 90_000;
/** What a bot takes for rounding, and not for a transfer. */
const CENTS = 0.06;
/** Of float sums in another order, relative to what was turned over. */
const ROUNDING = 1e-9;

export function createBooksCheck(sim: Simulation, service: () => SimService | null): BooksCheck {
  const processes = new Map<number, Received>();
  /** By wallet, what the bot's result of the day was beyond what the wallet earned since the start; at the first look. */
  const resultsAhead = new Map<string, number>();
  let checked = 0;
  let sent = 0;

  const receivedBy = (process: number): Received => {
    const known = processes.get(process);
    if (known !== undefined) return known;
    const fresh = {
      adopted: new Map<string, Booked>(),
      fundings: new Set<number>(),
      spoiltAt: new Map<string, number>(),
      wasSpoilt: isLate(sim.scenario),
      restated: new Map<string, number>(),
      openSince: Number.POSITIVE_INFINITY,
      underWay: 0,
    };
    processes.set(process, fresh);
    return fresh;
  };

  /** No fault strikes now, and none has for long enough that the bot can have caught up. */
  const isCalm = (): boolean =>
    !sim.scenario.faults.some((fault) => {
      const since = sim.elapsed() - fault.from;
      return since >= 0 && since <= lastsMs(fault) + CALM_MS;
    });

  function arrived(process: number, frame: StreamFrame, booked: Booked): void {
    const one = receivedBy(process);
    if (frame.channel !== 'account.state') return;
    const { wallet } = frame;
    if (frame.event === 'snapshot' && booked.sent > (one.spoiltAt.get(wallet) ?? 0))
      one.spoiltAt.delete(wallet);
    if (frame.event === 'snapshot' && !one.adopted.has(wallet)) one.adopted.set(wallet, booked);
    // The books have it by the time its frame leaves.
    if (frame.event === 'funding' && !one.spoiltAt.has(wallet))
      one.fundings.add(booked.fundings - 1);
    if (frame.event !== 'fill') return;
    const { fill_id: id, fee } = frame.data as FillRecord;
    const first = service()!.truth.fillOf(id)?.fee;
    if (first !== undefined && first !== fee) one.restated.set(id, fee);
  }

  function hold(process: number, bot: Bot): void {
    const one = receivedBy(process);
    checked++;
    const known = service()!;
    for (const wallet of known.wallets) {
      holdBook(wallet, known, bot);
      holdDay(wallet, { known, one, bot });
    }
    for (const symbol of known.symbols) holdLedger(symbol, { known, one, bot });
  }

  function differs(what: string, known: number, truly: number, turned: number): void {
    const isSame = Math.abs(known - truly) <= ROUNDING * Math.max(1, turned);
    if (!isSame) sim.violate(`books_differ`, `${what} ${known}, truly ${truly}`);
  }

  function holdBook(wallet: string, known: SimService, bot: Bot): void {
    const { truth } = known;
    const book = bot.book(wallet);
    const account = book.account();
    if (account === undefined) return sim.violate('books_differ', `no account of ${wallet}`);
    const isHere = ({ symbol }: { symbol: string }): boolean => known.walletOf(symbol) === wallet;
    const fills = truth.fills.filter(isHere);
    const holdsSpot = fills.some(({ symbol }) => isSpot(symbol));
    const [fees] = feesOf(fills, new Map());
    const realized = sum(fills, (fill) => fill.closed_pnl ?? 0);
    const funding = sum(truth.fundings.filter(isHere), ({ amount }) => amount);
    const turned = sum(fills, ({ price, size }) => price * size);
    differs(`realized P&L of ${wallet}`, account.realized_pnl, realized, turned);
    differs(`funding of ${wallet}`, account.funding_paid, funding, turned);
    differs(`fees of ${wallet}`, account.fees_paid, fees, turned);
    holdPositions(wallet, known, bot);
    const rest = [...truth.openOrders.values()].filter(isHere).map((one) => one.order_id);
    const resting = book.openOrders().map((one) => one.order_id);
    const unlike = rest
      .filter((id) => !resting.includes(id))
      .concat(resting.filter((id) => !rest.includes(id)));
    if (unlike.length > 0) sim.violate('books_differ', `orders of ${wallet}: ${unlike.join(', ')}`);
    // What spot is worth is in the equity, too.
    if (holdsSpot) return;
    const cash = account.equity - account.unrealized_pnl;
    const start = sim.scenario.bot.cash + movedInto(wallet, known);
    differs(`cash of ${wallet}`, cash, start + realized - fees - funding, start + turned);
  }

  /** At every moment: a fill that was counted twice is a fee that nobody took. A later record would hide it. */
  function holdFees(wallet: string, { restated }: Received, bot: Bot): void {
    const known = service()!;
    const fills = known.truth.fills.filter(({ symbol }) => known.walletOf(symbol) === wallet);
    const account = bot.book(wallet).account();
    // Of a rebate the same would be a fill that is missing.
    if (account === undefined || fills.some(({ fee }) => fee < 0)) return;
    const [, most] = feesOf(fills, restated);
    const turned = sum(fills, ({ price, size }) => price * size);
    if (account.fees_paid > most + ROUNDING * Math.max(1, turned))
      sim.violate('fees_of_nothing', `${wallet}: ${account.fees_paid}, truly ${most}`);
  }

  /**
   * Transfers are no result of the day, over all processes. What the figures of a silence leave open may count as lost,
   * but nothing as earned. The bot values at bar closes, so that it is judged exactly only while nothing is held.
   */
  function holdDay(
    wallet: string,
    { known, one, bot }: { known: SimService; one: Received; bot: Bot },
  ): void {
    const result = bot.book(wallet).dayResult();
    const { truth } = known;
    const traded = truth.fills.filter(({ symbol }) => known.walletOf(symbol) === wallet);
    const isHeld = known.symbols.some(
      (symbol) => known.walletOf(symbol) === wallet && (truth.positions.get(symbol) ?? 0) !== 0,
    );
    const isRecent = sim.queue.now() - (traded.at(-1)?.time ?? 0) < SAMPLED_MS;
    if (result === undefined || isHeld || isRecent) return;
    const ahead = result - (known.equityOf(wallet) - movedInto(wallet, known));
    const before = resultsAhead.get(wallet) ?? ahead;
    resultsAhead.set(wallet, Math.min(before, ahead));
    const turned = sum(traded, ({ notional }) => notional);
    const rounded = truth.transfers.length * CENTS + ROUNDING * turned;
    if (ahead > before + rounded)
      sim.violate('day_result', `${wallet}: ${ahead - before} too much`);
    if (ahead < before - rounded && !one.wasSpoilt)
      sim.violate('day_result', `${wallet}: ${before - ahead} too little`);
  }

  function holdPositions(wallet: string, known: SimService, bot: Bot): void {
    const { truth } = known;
    const book = bot.book(wallet);
    for (const symbol of known.symbols) {
      if (known.walletOf(symbol) !== wallet) continue;
      differs(`position ${symbol}`, book.position(symbol), truth.positions.get(symbol) ?? 0, 1);
      if (isSpot(symbol)) continue;
      const record = book.positionRecord(symbol);
      const truly = truth.entryPrices.get(symbol) ?? 0;
      differs(`entry price ${symbol}`, record?.entry_price ?? 0, truly, truly);
    }
  }

  function holdLedger(
    symbol: string,
    { known, one, bot }: { known: SimService; one: Received; bot: Bot },
  ): void {
    const { truth } = known;
    const wallet = known.walletOf(symbol);
    const since = one.adopted.get(wallet);
    if (since === undefined) return sim.violate('books_differ', 'no snapshot');
    const ledger = bot.ledgerOf(`sim-${symbol}`);
    const of = <T extends { symbol: string }>(all: readonly T[], from: number): T[] =>
      all.slice(from).filter((each) => each.symbol === symbol);
    const fills = of(truth.fills, since.fills);
    const turned = sum(of(truth.fills, 0), ({ price, size }) => price * size);
    const summary = ledger.summary();
    const held = truth.positions.get(symbol) ?? 0;
    if (isSpot(symbol) && !showsOwners(sim.scenario)) return;
    const name = `ledger of ${symbol}:`;
    differs(`${name} position`, ledger.position(symbol), held, 1);
    differs(`${name} fills`, summary.fills, fills.length, 1);
    const [low, high] = feesOf(fills, one.restated);
    differs(`${name} fees`, summary.fees, Math.min(high, Math.max(low, summary.fees)), turned);
    const charged = of(truth.fundings, since.fundings);
    const inTurn = charged.filter((each) => one.fundings.has(truth.fundings.indexOf(each)));
    const missed = charged.filter((each) => !inTurn.includes(each));
    const others = known.symbols.filter((each) => known.walletOf(each) === wallet);
    const mayMiss = others.length > 1 ? missed : [];
    const funding = nearest(summary.funding, charged, mayMiss);
    differs(`${name} funding`, summary.funding, funding, turned);
    // A venue books no profit of spot.
    if (isSpot(symbol)) return;
    const realized = sum(fills, (fill) => fill.closed_pnl ?? 0);
    const isOrdered = !one.wasSpoilt || !hasOpposites(fills);
    if (isOrdered) differs(`${name} realized P&L`, summary.realizedPnl, realized, turned);
    const mark = bot.mark(symbol)?.price;
    if (held !== 0 && mark === undefined) return;
    const open = held === 0 ? 0 : held * (mark! - truth.entryPrices.get(symbol)!);
    const sumOf = summary.realizedPnl + summary.unrealizedPnl;
    differs(`${name} profit`, sumOf, realized + open, turned + Math.abs(held) * (mark ?? 0));
  }

  return {
    underWay(process, frame) {
      const one = receivedBy(process);
      const { fills, fundings } = service()!.truth;
      const booked = { fills: fills.length, fundings: fundings.length, sent: ++sent };
      one.underWay++;
      return {
        arrived: () => arrived(process, frame, booked),
        read: () => void one.underWay--,
        lost: () => void one.underWay--,
        spoilt() {
          if (frame.channel !== 'account.state') return;
          one.spoiltAt.set(frame.wallet, booked.sent);
          one.wasSpoilt = true;
        },
      };
    },
    opened(process) {
      const one = receivedBy(process);
      one.openSince = sim.queue.now();
      one.underWay = 0;
    },
    lost(process) {
      const one = receivedBy(process);
      one.openSince = Number.POSITIVE_INFINITY;
      one.wasSpoilt = true;
    },
    look(process, bot) {
      const { openSince, underWay } = receivedBy(process);
      for (const wallet of service()!.wallets) holdFees(wallet, receivedBy(process), bot);
      const isSettled = sim.queue.now() - openSince >= CALM_MS && underWay === 0;
      if (isSettled && isCalm()) hold(process, bot);
    },
    hold(process, bot) {
      if (receivedBy(process).underWay === 0) hold(process, bot);
    },
    get checked() {
      return checked;
    },
  };
}

/**
 * Spot that an earlier process bought is in the ledger by the answers and fills that are known at the start. While the
 * answer to a purchase is missing, or its fill, nothing shows whose it is.
 */
const showsOwners = (scenario: Scenario): boolean =>
  !isLate(scenario) && !scenario.faults.some(({ kind }) => HIDING.has(kind));
const HIDING: ReadonlySet<string> = new Set<FaultKind>([
  'lose_answer',
  'slow_answer',
  'error_after',
  'truncate_body',
  'strange_page',
  'socket_stall',
  'frame_missing',
  'frame_reorder',
]);

/** Until a fault's last effect on what is under way: a delay may begin at its end. */
const lastsMs = ({ from, until, size }: Fault): number => until - from + Math.max(0, size);

const movedInto = (wallet: string, { truth }: SimService): number =>
  sum(
    truth.transfers.filter((one) => one.wallet === wallet),
    ({ amount }) => amount,
  );

const sum = <T>(all: readonly T[], amount: (one: T) => number): number =>
  all.reduce((total, one) => total + amount(one), 0);

/** Of sums that leave some of what may be missed out, the nearest to one. */
function nearest(
  amount: number,
  all: readonly FundingEvent[],
  mayMiss: readonly FundingEvent[],
): number {
  const sums = mayMiss.reduce(
    (known, each) => known.flatMap((total) => [total, total - each.amount]),
    [sum(all, (each) => each.amount)],
  );
  return sums.reduce((best, each) =>
    Math.abs(each - amount) < Math.abs(best - amount) ? each : best,
  );
}

/** Whether some were bought and some sold in one instant. */
function hasOpposites(fills: readonly FillRecord[]): boolean {
  const sides = new Map<number, string>();
  return fills.some(({ time, side }) => {
    const known = sides.get(time) ?? side;
    sides.set(time, known);
    return known !== side;
  });
}

/** The least and the most that fills may have cost, by what was stated. */
function feesOf(
  fills: readonly FillRecord[],
  restated: ReadonlyMap<string, number>,
): [least: number, most: number] {
  const other = ({ fill_id: id, fee }: FillRecord): number => restated.get(id) ?? fee;
  return [
    sum(fills, (fill) => Math.min(fill.fee, other(fill))),
    sum(fills, (fill) => Math.max(fill.fee, other(fill))),
  ];
}
