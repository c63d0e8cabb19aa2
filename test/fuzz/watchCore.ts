import type { PaperCore } from '../../src/paper/index.ts';
import { differenceOf, stateDigest } from './stateDigest.ts';

/** A fault of the service, seen from inside. */
export interface Violation {
  kind: 'state' | 'internal' | 'read';
  /** Sequence number of the request. */
  index: string;
  /** The request's line, or the message's beginning. */
  request: string;
  detail: string;
}

export interface Watch {
  readonly violations: Violation[];
  /** Time advanced or records were cleaned up: take a new baseline for later comparisons. */
  forget(): void;
}

const NEVER_CHANGES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Compares the service's state around every request: a refused request or a read must not change it.
 * Stacks that the service logs are stored with the request.
 */
export function watchCore(core: PaperCore, wallets: readonly string[]): Watch {
  const violations: Violation[] = [];
  let state: string | null = null;

  const digest = (seen: { index: string; request: string }): string | null => {
    try {
      return wallets.map((wallet) => stateDigest(core.engine, wallet)).join('\n');
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      violations.push({ ...seen, kind: 'read', detail: stack });
      return null;
    }
  };
  const around = (
    seen: { index: string; request: string },
    act: () => { refused: boolean; reads: boolean },
  ): void => {
    const before = state ?? digest(seen);
    const { refused, reads } = act();
    const after = digest(seen);
    if ((refused || reads) && before !== null && after !== null && after !== before) {
      const detail = `${refused ? 'refused' : 'a read'}, but ${differenceOf(before, after)}`;
      violations.push({ ...seen, kind: 'state', detail });
    }
    state = after;
  };

  const { handleHttp, openSession } = core;
  core.handleHttp = (raw) => {
    const index = raw.headers['x-fuzz'] ?? '';
    const request = `${raw.method} ${raw.target.slice(0, 300)} ${raw.bodyText.slice(0, 1_500)}`;
    let answer!: ReturnType<typeof handleHttp>;
    around({ index, request }, () => {
      answer = handleHttp(raw);
      const isEvaluation = raw.target.startsWith('/v1/indicators/evaluate');
      const reads = NEVER_CHANGES.has(raw.method) || isEvaluation;
      return { refused: answer.status >= 400, reads };
    });
    return answer;
  };
  core.openSession = (grant, port, wallTime) => {
    let refused = false;
    const control: typeof port.control = (message) => {
      refused = message['type'] === 'error' || message['ok'] === false;
      port.control(message);
    };
    const session = openSession(grant, { ...port, control }, wallTime);
    if (session === undefined) return undefined;
    const receive = session.receive.bind(session);
    session.receive = (text, time) => {
      const index = /"id":"(f\d+)"/.exec(text)?.[1] ?? '';
      around({ index, request: `WS ${text.slice(0, 1_500)}` }, () => {
        refused = false;
        receive(text, time);
        return { refused, reads: false };
      });
    };
    return session;
  };
  return {
    violations,
    forget: () => {
      state = null;
    },
  };
}
