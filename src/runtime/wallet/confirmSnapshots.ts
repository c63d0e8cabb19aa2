import type { Subscription } from 'rxjs';
import type { AccountModel, Streams } from '../../streams/index.ts';

/** Whether two views of a wallet hold the same positions and open orders. */
export function agrees(a: AccountModel, b: AccountModel): boolean {
  return (
    sameKeys(
      a.positions,
      b.positions,
      (one, other) => one.size === other.size && one.side === other.side,
    ) && sameKeys(a.openOrders, b.openOrders, (one, other) => one.filled_size === other.filled_size)
  );
}

function sameKeys<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  same: (one: T, other: T) => boolean,
): boolean {
  if (a.size !== b.size) return false;
  for (const [key, one] of a) {
    const other = b.get(key);
    if (other === undefined || !same(one, other)) return false;
  }
  return true;
}

/**
 * Requests fresh snapshots until, for every wallet, one agrees with what the frames had shown by then: two
 * independently made views that match.
 */
export function confirmSnapshots(
  streams: Streams,
  wallets: readonly string[],
  onConfirmed: () => void,
): Subscription {
  const open = new Set(wallets);
  const last = new Map<string, AccountModel>();
  const all = wallets.map((wallet) => streams.wallet(wallet).account$.subscribe(see));
  const [first] = all;
  for (const other of all.slice(1)) first!.add(other);
  streams.resync();
  return first!;

  function see(model: AccountModel): void {
    const before = last.get(model.wallet);
    last.set(model.wallet, model);
    const isSnapshot = before !== undefined && before.account !== model.account;
    if (!isSnapshot || !open.has(model.wallet)) return;
    if (!agrees(before, model)) return streams.resync();
    open.delete(model.wallet);
    if (open.size === 0) {
      first?.unsubscribe();
      onConfirmed();
    }
  }
}
