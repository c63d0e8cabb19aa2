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
export function countVolume(desk: AlgoContext<VolumeState>): void {
  const { state, now, barMs } = desk;
  const share = Math.min(1, (now - state.countsFrom) / barMs);
  state.seen += desk.barVolume * share;
}

/**
 * Takes what its share of the volume allows so far, inside the bound. Dust waits until it reaches the
 * minimum order value.
 */
export function takeShare(
  desk: AlgoContext<VolumeState>,
  { participation, bound }: { participation: number; bound: number | null },
): void {
  const allowed = desk.floor(participation * desk.state.seen - desk.filled);
  if (allowed <= 0 || (allowed < desk.remaining && desk.isTooSmall(allowed))) return;
  // The venue's cap on a bar rises to the algorithm's share (conventions §4).
  const volumeShare = Math.max(desk.engine.settings.volumeShare, participation);
  desk.take(allowed, bound, { volumeShare });
}
