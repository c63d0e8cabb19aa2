import { publishEntry } from '../legs/publishLeg.ts';
import type { World } from '../engine/World.ts';
import type { Account } from '../venue/Account.ts';
import type { Order } from '../venue/Order.ts';
import type { EntryWatch } from './EntryWatch.ts';

/** Ends a watch and frees its row: `retired` on cancel or fill (TRK-7), `stopped` on drift (TRK-4). */
export function endWatch(
  world: World,
  account: Account,
  watch: EntryWatch,
  { status, level = null }: { status: 'retired' | 'stopped'; level?: number | null },
): void {
  if (watch.hook !== null) world.barHooks.remove(watch.hook);
  watch.hook = null;
  watch.status = status;
  account.entryWatches.delete(watch.watchId);
  publishEntry(
    world,
    watch,
    status === 'retired' ? 'entry_retired' : 'entry_tracking_stopped',
    level,
  );
}

export function retireWatch(world: World, account: Account, trackId: string | null): void {
  const watch = trackId === null ? undefined : account.entryWatches.get(trackId);
  if (watch !== undefined) endWatch(world, account, watch, { status: 'retired' });
}

export function retireOrderWatch(world: World, account: Account, order: Order): void {
  retireWatch(world, account, order.entryTrack?.watch_id ?? null);
}
