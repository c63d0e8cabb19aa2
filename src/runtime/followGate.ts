import { combineLatest, distinctUntilChanged, map, type Subscription } from 'rxjs';
import type { Streams } from '../streams/index.ts';
import type { EntryGate } from './createEntryGate.ts';

const LOST = 'the stream is lost';

/**
 * Keeps the entry gate shut while the bot can't see: a lost stream, an account that may lack frames,
 * a layer that the service says is degraded (STR-4).
 */
export function followGate(
  streams: Streams,
  wallets: readonly string[],
  gate: EntryGate,
): Subscription {
  const layers = new Set<string>();
  const subscription = streams.status$.subscribe(({ state }) => {
    if (state === 'open') gate.open(LOST);
    else gate.close(LOST);
  });
  subscription.add(
    streams.connectivity$.subscribe((connectivity) => {
      for (const layer of layers) gate.open(layer);
      layers.clear();
      for (const [name, status] of Object.entries(connectivity)) {
        if (status === 'ok') continue;
        const reason = `${name} is ${status}`;
        layers.add(reason);
        gate.close(reason);
      }
    }),
  );
  const completeness = wallets.map((wallet) =>
    streams.wallet(wallet).account$.pipe(
      map(({ complete }) => complete),
      distinctUntilChanged(),
    ),
  );
  const missing = 'account frames are missing';
  subscription.add(
    combineLatest(completeness).subscribe((complete) => {
      if (complete.every(Boolean)) gate.open(missing);
      else gate.close(missing);
    }),
  );
  return subscription;
}
