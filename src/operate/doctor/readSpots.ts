import { CASH } from '../../contract/index.ts';
import { isSellable } from '../../contract/isSellable.ts';
import { readEveryPage, type Client } from '../../wire/index.ts';
import { readBought } from '../../runtime/index.ts';
import type { JournalReader } from '../../journal/index.ts';

interface Spot {
  symbol: string;
  side: 'long';
  size: number;
}

/** A wallet's spot holdings, by whose they are. */
export interface Spots {
  /** Those that a strategy owns, an operator has the bot ignore, or none owns any more. */
  held: readonly Spot[];
  /** Of these, those without an owner. */
  orphans: readonly Spot[];
  /** Assets that the bot did not buy, and rests that are too small for an order. */
  others: readonly Spot[];
}

type ReadJournal = <T>(use: (reader: JournalReader) => Promise<T>) => Promise<T>;

interface SpotsOptions {
  client: Client;
  read: ReadJournal;
  /** Rows of a page. */
  limit: number;
  /** Whether a strategy owns it, or an operator decided about it. */
  isKept(spot: Spot): boolean;
}

/** Without a journal nothing was bought; that it can't be read is a finding of its own. */
export async function readSpots(
  wallet: string,
  { client, limit, read, isKept }: SpotsOptions,
): Promise<Spots> {
  const balances = await readEveryPage(limit, (query) =>
    client.account.balances({ query, wallet }),
  );
  const assets = balances.filter(({ asset, total }) => asset !== CASH && total > 0);
  if (assets.length === 0) return { held: [], orphans: [], others: [] };
  const instruments = await readEveryPage(limit, (query) => client.market.instruments({ query }));
  const bought = await read((reader) => reader.facts()).then(
    (facts) => readBought(facts[`spot:${wallet}`])?.bought ?? {},
    () => ({}) as Record<string, number>,
  );
  const held: Spot[] = [];
  const orphans: Spot[] = [];
  const others: Spot[] = [];
  for (const { asset, total: size } of assets) {
    const spot: Spot = { symbol: `${asset}/${CASH}`, side: 'long', size };
    const grid = instruments.find(({ symbol }) => symbol === spot.symbol);
    if (!isSellable(size, grid)) continue;
    const own = Math.min(size, bought[spot.symbol] ?? 0);
    const isOwn = isSellable(own, grid);
    if (isKept(spot)) held.push(spot);
    else if (isOwn && !(await isDust({ symbol: spot.symbol, own, grid, client }))) {
      held.push(spot);
      orphans.push(spot);
    } else others.push(spot);
  }
  return { held, orphans, others };
}

/** As the bot decides it: worth less than the least order. */
async function isDust({
  symbol,
  own,
  grid,
  client,
}: {
  symbol: string;
  own: number;
  grid: { min_order_value: number } | undefined;
  client: Client;
}): Promise<boolean> {
  if (grid === undefined) return false;
  const { mark } = await client.market.price({ symbol });
  return own * mark < grid.min_order_value;
}

/** Symbols of a wallet that an operator has the bot ignore, by the newest of each latch. */
export async function ignoredOn(wallet: string, read: ReadJournal): Promise<ReadonlySet<string>> {
  const changes = await read((reader) => reader.latchChanges()).catch(() => []);
  const prefix = `position ${wallet} `;
  const ignored = new Set<string>();
  for (const { name, value } of changes) {
    if (!name.startsWith(prefix)) continue;
    const symbol = name.slice(prefix.length);
    if (value === 'ignored') ignored.add(symbol);
    else ignored.delete(symbol);
  }
  return ignored;
}
