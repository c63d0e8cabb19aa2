import type { Dialect } from '../../contract/index.ts';
import type { SavedAnswer } from '../state/Change.ts';
import { canonicalJson } from './canonicalJson.ts';
import { ServiceError } from './ServiceError.ts';

/** What makes two requests the same one (AUTH-8, conventions *Idempotency*). */
export interface RequestIdentity {
  /** REST: method, path with query and body text, as sent. null: a command or an in-process call. */
  exact: string | null;
  /** The same across REST and WebSocket: endpoint, path parameters, wallet, query and body. */
  meaning: readonly unknown[];
}

export interface StoredAnswer {
  status: number;
  /** The first answer's JSON, its `request_id` included. */
  bodyText: string;
}

/** First responses by API key and idempotency key, stored for a day of wall time. */
export interface IdempotencyStore {
  /**
   * @throws ServiceError `idempotency_conflict` if the key belongs to a different request and the dialect
   *   refuses that
   */
  find(
    keyId: string,
    idempotencyKey: string,
    identity: RequestIdentity,
    wallTime: number,
  ): StoredAnswer | undefined;
  keep(
    keyId: string,
    idempotencyKey: string,
    identity: RequestIdentity,
    answer: StoredAnswer,
    wallTime: number,
  ): void;
  /** Answers that have not expired, oldest first. */
  save(wallTime: number): SavedAnswer[];
  restore(answer: SavedAnswer): void;
}

interface Entry {
  identity: RequestIdentity;
  answer: StoredAnswer;
  storedAt: number;
}

/** Only responses with a final outcome are stored; the others may be retried. */
export function isPersisted(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 409 || status === 422;
}

/** Responses of the current retention period and of the one before it, by idempotency key. */
interface Persisted {
  young: Map<string, Entry>;
  old: Map<string, Entry>;
  turnedAt: number;
}

/** @param onConflict the response to a key that arrives with a different request */
export function createIdempotencyStore(
  keepMs: number,
  onConflict: Dialect['signing']['idempotencyConflict'],
): IdempotencyStore {
  const byKey = new Map<string, Persisted>();
  const isOver = ({ storedAt }: Entry, wallTime: number): boolean => wallTime - storedAt >= keepMs;

  /** Expired entries are dropped in bulk: a scan at each request would cost more than all else. */
  const turn = (generations: Persisted, wallTime: number): void => {
    if (wallTime - generations.turnedAt < keepMs) return;
    generations.old = generations.young;
    generations.young = new Map();
    generations.turnedAt = wallTime;
  };

  const put = (keyId: string, idempotencyKey: string, entry: Entry): void => {
    let generations = byKey.get(keyId);
    if (generations === undefined) {
      generations = { young: new Map(), old: new Map(), turnedAt: entry.storedAt };
      byKey.set(keyId, generations);
    }
    turn(generations, entry.storedAt);
    generations.old.delete(idempotencyKey);
    generations.young.set(idempotencyKey, entry);
  };

  return {
    find(keyId, idempotencyKey, identity, wallTime) {
      const generations = byKey.get(keyId);
      const entry = generations?.young.get(idempotencyKey) ?? generations?.old.get(idempotencyKey);
      if (entry === undefined || isOver(entry, wallTime)) return undefined;
      if (onConflict === 'refuse' && !isSame(entry.identity, identity)) {
        throw new ServiceError('idempotency_conflict');
      }
      return entry.answer;
    },
    keep(keyId, idempotencyKey, identity, answer, wallTime) {
      put(keyId, idempotencyKey, { identity, answer, storedAt: wallTime });
    },
    save(wallTime) {
      return [...byKey].flatMap(([keyId, { old, young }]) => {
        const entries = [...old, ...young].filter(([, entry]) => !isOver(entry, wallTime));
        return entries.map(([idempotencyKey, { identity, answer, storedAt }]) => {
          const { exact, meaning } = identity;
          const { status, bodyText } = answer;
          const of = { keyId, idempotencyKey, exact, meaning: [...meaning] };
          return { ...of, status, bodyText, storedAt };
        });
      });
    },
    restore({ keyId, idempotencyKey, exact, meaning, status, bodyText, storedAt }) {
      const [identity, answer] = [
        { exact, meaning },
        { status, bodyText },
      ];
      put(keyId, idempotencyKey, { identity, answer, storedAt });
    },
  };
}

function isSame(first: RequestIdentity, second: RequestIdentity): boolean {
  const wallets = [first, second].map(({ meaning }) => meaning[0]);
  if (wallets[0] !== wallets[1]) return false;
  if (first.exact !== null && second.exact !== null) return first.exact === second.exact;
  return canonicalJson(first.meaning) === canonicalJson(second.meaning);
}
