import type { AlgoContext } from './AlgoContext.ts';

/** What an algorithm that follows volume remembers. Volumes in base units. */
export interface VolumeState {
  /** Volume that was traded for it since it began. */
  seen: number;
  /** From when on volume counts: the launch, or the last resumption. */
  countsFrom: number;
}

/**
 * Counts the bar that just closed: of one that was under way when counting began, the share of its
 * time that was left.
 */
export function countVolume(desk: AlgoContext<VolumeState>): void {
  const { state, now, barMs } = desk;
  const share = Math.min(1, (now - state.countsFrom) / barMs);
  state.seen += desk.barVolume * share;
}

/**
 * Takes what its share of the volume allows by now, inside the bound. A crumb waits until it is
 * worth an order.
 */
export function takeShare(
  desk: AlgoContext<VolumeState>,
  { participation, bound }: { participation: number; bound: number | null },
): void {
  const allowed = desk.floor(participation * desk.state.seen - desk.filled);
  if (allowed <= 0 || (allowed < desk.remaining && desk.isTooSmall(allowed))) return;
  // The venue's cap on a bar rises to the algorithm's own share (conventions §4).
  const volumeShare = Math.max(desk.engine.settings.volumeShare, participation);
  desk.take(allowed, bound, { volumeShare });
}
