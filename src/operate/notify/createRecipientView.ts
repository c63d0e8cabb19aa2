import type { Alert, AlertChange, Notice } from './Alert.ts';

/** What the people behind one channel know: which alerts they were sent, when, and which they believe to last. */
export interface RecipientView {
  /** How a change is sent; undefined if it is not. */
  take(change: AlertChange): Notice['kind'] | undefined;
  /** How a condition that holds is sent now; undefined if it is not. */
  remind(alert: Alert): Notice['kind'] | undefined;
  /** An alert did not arrive. */
  lose(key: string): void;
  /** Drops what is over and may be sent again anyway, so that the memory does not grow. */
  forget(active: ReadonlyMap<string, Alert>): void;
}

interface Sent {
  at: number;
  /** They were informed that it began, and not that it is over. */
  isOpen: boolean;
  /** Since when it holds without their being informed: again, or what they were sent was lost. */
  unsentSince?: number;
}

/** Who was informed that a page is over no longer looks: one that holds again for this long is sent before its repeat. */
const PAGE_AGAIN_MS = 300_000;

/**
 * @param repeatMs the time within which a key is not sent again
 * @param now monotonic milliseconds
 */
export function createRecipientView(repeatMs: number, now: () => number): RecipientView {
  const sent = new Map<string, Sent>();
  const isRecent = (key: string): boolean => {
    const known = sent.get(key);
    return known !== undefined && now() - known.at < repeatMs;
  };
  const begin = (key: string, isOpen: boolean): void => void sent.set(key, { at: now(), isOpen });
  return {
    take({ kind, alert: { key } }) {
      if (kind === 'begun' || kind === 'once') {
        if (isRecent(key)) {
          if (kind === 'begun') sent.get(key)!.unsentSince = now();
          return undefined;
        }
        begin(key, kind === 'begun');
        return kind;
      }
      const known = sent.get(key);
      if (known !== undefined) delete known.unsentSince;
      if (known?.isOpen !== true) return undefined;
      known.isOpen = false;
      return kind === 'over' ? kind : undefined;
    },
    remind({ key, severity }) {
      const { isOpen: wasOpen = false, unsentSince = Infinity } = sent.get(key) ?? {};
      const isBack = severity === 'page' && !wasOpen && now() - unsentSince >= PAGE_AGAIN_MS;
      if (isRecent(key) && !isBack) return undefined;
      if (wasOpen && severity !== 'page') return undefined;
      begin(key, true);
      return wasOpen ? 'still' : 'begun';
    },
    lose(key) {
      const known = sent.get(key);
      if (known === undefined) return;
      known.isOpen = false;
      known.unsentSince ??= now();
    },
    forget(active) {
      for (const key of sent.keys()) if (!active.has(key) && !isRecent(key)) sent.delete(key);
    },
  };
}
