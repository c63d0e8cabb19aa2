import type { AlgoContext } from './AlgoContext.ts';

/** State of an algorithm that follows volume. Volumes in base units. */
export interface VolumeState {
  /** Market volume since it began. */
  seen: number;
  /** Time from which volume counts: the launch, or the last resumption. */
  countsFrom: number;
}

/**
 * Counts the bar that just closed. A bar that was in progress when counting began counts by the share of
 * its time that remained.
 */
export function countVolume(context: AlgoContext<VolumeState>): void {
  const { state, now, barMs } = context;
  const share = Math.min(1, (now - state.countsFrom) / barMs);
  state.seen += context.barVolume * share;
}

/**
 * Takes what its share of the volume allows so far, inside the bound. Dust waits until it reaches the
 * minimum order value.
 */
export function takeShare(
  context: AlgoContext<VolumeState>,
  { participation, bound }: { participation: number; bound: number | null },
): void {
  const allowed = context.floor(participation * context.state.seen - context.filled);
  if (allowed <= 0 || (allowed < context.remaining && context.isTooSmall(allowed))) return;
  // The venue's cap on a bar rises to the algorithm's share (conventions §4).
  const volumeShare = Math.max(context.engine.settings.volumeShare, participation);
  context.take(allowed, bound, { volumeShare });
}
