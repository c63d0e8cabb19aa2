import { publishEntry } from '../legs/publishLeg.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import type { Order } from '../venue/Order.ts';
import type { EntryWatch } from './EntryWatch.ts';

/** Ends a watch and frees its row: `retired` on cancel or fill (TRK-7), `stopped` on drift (TRK-4). */
export function endWatch(
  engine: EngineState,
  account: Account,
  watch: EntryWatch,
  { status, level = null }: { status: 'retired' | 'stopped'; level?: number | null },
): void {
  if (watch.hook !== null) engine.barHooks.remove(watch.hook);
  watch.hook = null;
  watch.status = status;
  account.entryWatches.delete(watch.watchId);
  publishEntry(
    engine,
    watch,
    status === 'retired' ? 'entry_retired' : 'entry_tracking_stopped',
    level,
  );
}

export function retireWatch(engine: EngineState, account: Account, trackId: string | null): void {
  const watch = trackId === null ? undefined : account.entryWatches.get(trackId);
  if (watch !== undefined) endWatch(engine, account, watch, { status: 'retired' });
}

export function retireOrderWatch(engine: EngineState, account: Account, order: Order): void {
  retireWatch(engine, account, order.entryTrack?.watch_id ?? null);
}
