import { baseOf, CASH, isSpot, type FillRecord } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** What an account record and the balances beside it say of a wallet's money, quote units. */
export interface Funds {
  cash: number;
  /** Totals of the other assets, base units. */
  assets: Readonly<Record<string, number>>;
  /** Realized P&L less fees and funding, of all time. */
  earned: number;
  /** Equity less open profit: all that is held, at what it cost. */
  cost: number;
}

/**
 * Deposits and withdrawals of a wallet. No record reports one: it is what a balance changed by beyond the fills, fees and
 * funding, an asset at the price at which it came. A fill that is missing looks the same. So frames are believed as long
 * as none is missing, and the account's own sums must say the same; otherwise what can't be told apart counts as lost.
 */
export interface Transfers {
  /**
   * @returns what was moved into the wallet between the last account record and this one, negative if out of it;
   *   0 unless the record is new
   */
  model(next: AccountModel): number;
  fill(fill: FillRecord): void;
  /** Positive when paid. */
  funding(amount: number): void;
  /** The same since the last account record, by the frames. While some are missing, a withdrawal counts as lost. */
  pending(): number;
  /** Frames are missing, and what left the wallet may be a withdrawal or a loss. */
  isUnclear(): boolean;
  /** As of the last account record; undefined before the first. */
  funds(): Funds | undefined;
}

/** Each figure may be rounded to a cent; what is less than their sum is a result. */
const ROUNDING = 0.05;
/** Of float sums. */
const TOLERANCE = 1e-9;

/** Of an asset, and what they were worth, quote units. */
interface Units {
  units: number;
  worth: number;
}
const NOTHING: Units = { units: 0, worth: 0 };

/** As many of them as the size has in the same direction. */
function partOf({ units, worth }: Units, size: number): Units {
  if (units * size <= 0) return NOTHING;
  return Math.abs(size) < Math.abs(units)
    ? { units: size, worth: (worth * size) / units }
    : { units, worth };
}

/**
 * @param priceOf quote units a base unit of an asset; undefined if it counts as nothing
 * @param before of the previous process: what was moved while none ran is no result either
 */
export function createTransfers(
  priceOf: (asset: string) => number | undefined,
  before?: Funds,
): Transfers {
  let model: AccountModel | undefined;
  let base = before;
  let hadAssets = Object.keys(before?.assets ?? {}).length > 0;
  /** What fills and funding changed since the base: what was earned, paid for spot, and bought of it. */
  let flow = { earned: 0, spent: 0, bought: new Map<string, number>() };
  /** By asset: units beyond the base and the fills, as far as they are valued, and what they were worth when they came. */
  let moved = new Map<string, Units>();
  /** What a fill has taken out of that since the balances that are known. */
  let explained = new Map<string, Units>();
  /** An asset had no price when its balance changed. */
  let isUnvalued = false;

  const beyondRounding = (amount: number): number =>
    Math.abs(amount) < Math.max(ROUNDING, TOLERANCE * Math.abs(base?.cash ?? 0)) ? 0 : amount;

  /** What of an asset is beyond the base and the fills, valued by now where it is new. */
  function valued(asset: string, total: number): Units {
    const rest = total - (base!.assets[asset] ?? 0) - (flow.bought.get(asset) ?? 0);
    const known = moved.get(asset) ?? NOTHING;
    if (Math.abs(rest - known.units) < TOLERANCE) return known;
    // Without a price it counts as nothing in the equity, too.
    const price = priceOf(asset);
    if (price === undefined) {
      isUnvalued = true;
      return known;
    }
    // The fill came before its balance, and has explained nothing.
    const again = partOf(explained.get(asset) ?? NOTHING, rest - known.units);
    const worth = known.worth + again.worth + (rest - known.units - again.units) * price;
    return { units: rest, worth };
  }

  /** A balance may be shown before the fill that explains it: then nothing was moved, whatever the price became since. */
  function explain(asset: string, bought: number): void {
    const known = moved.get(asset) ?? NOTHING;
    const part = partOf(known, bought);
    if (part.units === 0) return;
    moved.set(asset, { units: known.units - part.units, worth: known.worth - part.worth });
    const before = explained.get(asset) ?? NOTHING;
    const units = before.units + part.units;
    explained.set(asset, { units, worth: before.worth + part.worth });
  }

  /** @returns what all of them are worth */
  function valueAssets(
    { balances }: AccountModel,
    take?: (asset: string, units: Units) => void,
  ): number {
    // Most wallets have nothing but cash.
    const hasAssets = balances.size > (balances.has(CASH) ? 1 : 0) || hadAssets;
    if (!hasAssets && flow.bought.size + moved.size === 0) return 0;
    isUnvalued = false;
    const totals = new Map<string, number>();
    for (const assets of [Object.keys(base!.assets), flow.bought.keys(), moved.keys()])
      for (const asset of assets) totals.set(asset, 0);
    for (const { asset, total } of balances.values()) if (asset !== CASH) totals.set(asset, total);
    let worth = 0;
    for (const [asset, total] of totals) {
      const units = valued(asset, total);
      take?.(asset, units);
      worth += units.worth;
    }
    return worth;
  }

  const retain = (asset: string, units: Units): void => {
    if (units !== NOTHING) moved.set(asset, units);
  };

  /**
   * @param earned since the base, by whichever source
   * @param worth of the assets that were moved
   */
  const beyond = (cash: number, earned: number, worth: number): number =>
    beyondRounding(cash - base!.cash + flow.spent - earned + worth);

  function movedUntil({ cash, earned, cost }: Funds, isWhole: boolean): number {
    const since = earned - base!.earned;
    let worth = 0;
    for (const units of moved.values()) worth += units.worth;
    const bySums = beyond(cash, since, worth);
    const byFrames = agreed(bySums, beyond(cash, flow.earned, worth));
    // A fill or a payment may come after the record that has it, though no frame is missing: then the cost must agree, too.
    const isLate = beyondRounding(since - flow.earned) !== 0;
    if (isWhole && !isLate) return byFrames;
    // The account's own cost needs no fills. It tells whether something was moved, and the balances how much at most.
    const byCost = beyondRounding(cost - base!.cost - since);
    const most = Math.max(bySums, byCost);
    const bySurest = byCost > 0 ? most : Math.min(0, most);
    return isWhole ? agreed(byFrames, bySurest) : bySurest;
  }

  function pendingNow(): number {
    if (model === undefined || base === undefined) return 0;
    if (isUnvalued) valueAssets(model, retain);
    // A fill may be here before its balance, which alone says at which price something was moved.
    const worth = valueAssets(model);
    return beyond(model.balances.get(CASH)?.total ?? 0, flow.earned, worth);
  }

  const isMissingFrames = (): boolean => model !== undefined && !model.complete;

  return {
    model(next) {
      let amount = 0;
      if (base !== undefined && next.balances !== model?.balances) {
        valueAssets(next, retain);
        if (explained.size > 0) explained = new Map();
      }
      if (next.account !== model?.account) {
        const now = fundsOf(next);
        if (base !== undefined) amount = movedUntil(now, model?.complete === true);
        base = now;
        hadAssets = Object.keys(now.assets).length > 0;
        flow = { earned: 0, spent: 0, bought: new Map() };
        if (moved.size > 0) moved = new Map();
        if (explained.size > 0) explained = new Map();
      }
      model = next;
      return amount;
    },
    fill({ symbol, side, size, notional, fee, closed_pnl: closed }) {
      flow.earned += (closed ?? 0) - fee;
      if (!isSpot(symbol)) return;
      // What is sold leaves at its cost: the rest of its price was earned.
      const isBuy = side === 'buy';
      flow.spent += isBuy ? notional : (closed ?? 0) - notional;
      const asset = baseOf(symbol);
      const bought = isBuy ? size : -size;
      explain(asset, bought);
      flow.bought.set(asset, (flow.bought.get(asset) ?? 0) + bought);
    },
    funding(amount) {
      flow.earned -= amount;
    },
    pending: () => (isMissingFrames() ? Math.max(0, pendingNow()) : pendingNow()),
    isUnclear: () => isMissingFrames() && pendingNow() < 0,
    funds: () => base,
  };
}

/** Where two accounts differ, the one that leaves more of a loss; nothing where they differ in direction. */
const agreed = (one: number, other: number): number =>
  Math.sign(one) === Math.sign(other) ? Math.max(one, other) : 0;

function fundsOf({ account, balances }: AccountModel): Funds {
  const { equity, unrealized_pnl, realized_pnl, fees_paid, funding_paid } = account;
  const assets: Record<string, number> = {};
  for (const { asset, total } of balances.values()) if (asset !== CASH) assets[asset] = total;
  return {
    cash: balances.get(CASH)?.total ?? 0,
    assets,
    earned: realized_pnl - fees_paid - funding_paid,
    cost: equity - unrealized_pnl,
  };
}
