import type { StreamFrame } from '../../src/contract/index.ts';

export type View = ReturnType<typeof createView>;

/** `_meta` is of the service, whatever the wallet. */
const nameOf = (channel: string, wallet: string): string =>
  channel === '_meta' ? channel : `${channel} ${wallet}`;

/** What the bot could have seen: frames in flight or corrupted, and layers reported as degraded. */
export function createView(now: () => number, readAfterMs: number) {
  let underWay = 0;
  const spoiled = new Set<string>();
  /** Layers, and when the bot has read that they are degraded. */
  const degraded = new Map<string, number>();
  let open = false;
  return {
    get degraded() {
      return [...degraded.keys()];
    },
    /** The bot received the frame that forbids entries; a lost frame does not count. */
    get isGated() {
      const isRead = [...degraded.values()].some((time) => time <= now());
      return !open || (isRead && !spoiled.has('_meta'));
    },
    get isComplete() {
      const blind = [...spoiled].filter((channel) => channel !== '_meta');
      return open && underWay === 0 && blind.length === 0;
    },
    reset(next: boolean): void {
      open = next;
      underWay = 0;
      spoiled.clear();
      degraded.clear();
    },
    emitted({ channel, wallet }: StreamFrame): () => void {
      underWay++;
      return () => {
        underWay--;
        spoiled.add(nameOf(channel, wallet));
      };
    },
    delivered({ channel, wallet, event, data }: StreamFrame): void {
      underWay = Math.max(0, underWay - 1);
      if (event === 'snapshot') spoiled.delete(nameOf(channel, wallet));
      const { layer } = (data ?? {}) as { layer?: string };
      const isNew = layer !== undefined && !degraded.has(layer);
      if (event === 'degraded' && isNew) degraded.set(layer, now() + readAfterMs);
      if (event === 'recovered' && layer !== undefined) degraded.delete(layer);
    },
  };
}
