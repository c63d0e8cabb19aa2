import type { ApiKey, NamedKey } from '../../config/index.ts';
import type { Dialect, Scope } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import { counted, reasonOf, sha256, withoutFullStop } from '../../env/index.ts';
import type { Bot, KeyChanged, KeyRotation as Rotation } from '../../runtime/index.ts';
import { formatTime } from '../progress/index.ts';
import type { KeyChange } from '../../service/index.ts';
import { InsufficientScopeError, type Client, readEveryPage } from '../../wire/index.ts';
import { lackingScopes } from '../lackingScopes.ts';
import { refusesKey } from '../refusesKey.ts';

/** A key that was read, or why there is none. */
export type KeyRead = ApiKey | { unread: string };

/** What a rotation came to; `mayPass`: the same key may be accepted later, as when the service is away. */
export type RotationResult = { done: string } | { refused: string; mayPass: boolean };

export interface KeyRotationOptions {
  bot: Pick<Bot, 'keyRotated' | 'keyRotationRefused' | 'lastKeyChange' | 'keyConfirmed'>;
  /** Wall time, epoch milliseconds. */
  wallNow(): number;
  key: KeyChange;
  /** The key of the start. */
  first: ApiKey;
  dialect: Dialect;
  /** Wallets and scopes without which the bot can't work. */
  wallets: readonly string[];
  scopes: readonly Scope[];
  /** `budget.weight_per_minute`, which precedes what the service grants. */
  weightPerMinute: number | undefined;
  /** A secret that no output may contain, before anything is done with it. */
  hide(secret: string): void;
  /** Opens what another key needs before it is used; `use` is called when it is. */
  open(keyId: string, limit: number): Promise<{ use(): void; drop(): Promise<void> }>;
}

/** Replaces the key of a running bot, one replacement at a time. */
export interface KeyRotation {
  /** @param why who asks, and the reason, for the journal */
  rotate(read: () => Promise<KeyRead>, why: string, named?: NamedKey): Promise<RotationResult>;
  isInUse(key: ApiKey): boolean;
}

/** A rotation is one piece of work, though its steps may be some hours apart. */
const LATELY_MS = DAY_MS;

const sameKey = (a: ApiKey, b: ApiKey): boolean =>
  a.keyId === b.keyId && a.secret.reveal() === b.secret.reveal();

/** The key can't be used, however often it is tried. */
class UnfitKey extends Error {}

/** read → check with signed reads → hold → last answer → change → journal. */
export function createKeyRotation(options: KeyRotationOptions): KeyRotation {
  const { bot, key } = options;
  let inUse = options.first;
  /** Requests that the key before had signed, and that had no answer when it was replaced. */
  let unansweredBefore = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function replace(next: ApiKey, why: string): Promise<RotationResult> {
    const { keyId } = next;
    const isOtherKey = keyId !== inUse.keyId;
    let budget: Rotation['budget'];
    let opened: Awaited<ReturnType<KeyRotationOptions['open']>> | undefined;
    let durable: Promise<void> = Promise.resolve();
    let unanswered = 0;
    const check = async (client: Client): Promise<void> => {
      const granted = await checkKey(client, options);
      if (!isOtherKey) return;
      budget = { ...granted, limit: options.weightPerMinute ?? granted.limit };
      opened = await options.open(keyId, budget.limit);
    };
    const onChange = (waitedInVain: number): void => {
      unanswered = waitedInVain;
      opened?.use();
      const { keyId: previous } = inUse;
      inUse = next;
      unansweredBefore = waitedInVain;
      const fingerprint = fingerprintOf(next);
      const about = { keyId, previous, fingerprint, reason: why, unanswered };
      durable = bot.keyRotated(budget === undefined ? about : { ...about, budget });
      // Awaited below; until then it must not count as unhandled.
      durable.catch(() => {});
    };
    try {
      const pair = { keyId, secret: next.secret.reveal() };
      const changed = await key.change(pair, check, onChange);
      if (changed.kind === 'refused') {
        await opened?.drop();
        return { refused: changed.reason, mayPass: true };
      }
    } catch (error) {
      await opened?.drop();
      return refusalOf(error, keyId);
    }
    await durable;
    return { done: describeDone(keyId, unanswered) };
  }

  /**
   * The bot may have been quicker than the command, by the changed file or at a start: that is what the command was to
   * come to. A change of long ago is not what it asks for.
   */
  async function confirm(why: string, named: NamedKey | undefined): Promise<RotationResult> {
    const { keyId } = inUse;
    const change = bot.lastKeyChange(keyId);
    if (change === undefined || Math.abs(options.wallNow() - change.time) > LATELY_MS)
      return { refused: explainSame(named, change), mayPass: true };
    const { previous } = change;
    await bot.keyConfirmed({ keyId, previous, fingerprint: fingerprintOf(inUse), reason: why });
    return { done: describeDone(keyId, unansweredBefore, change) };
  }

  async function rotate(
    read: () => Promise<KeyRead>,
    why: string,
    named?: NamedKey,
  ): Promise<RotationResult> {
    const next = await read();
    if ('unread' in next) return { refused: next.unread, mayPass: true };
    options.hide(next.secret.reveal());
    if (sameKey(next, inUse)) return confirm(why, named);
    const result = await replace(next, why);
    if ('refused' in result) bot.keyRotationRefused(result.refused);
    return result;
  }

  return {
    isInUse: (other) => sameKey(other, inUse),
    rotate(read, why, named) {
      const result = last.then(() => rotate(read, why, named));
      last = result.catch(() => {});
      return result;
    },
  };
}

/** A process has the environment of its start. */
function explainSame(named: NamedKey | undefined, change: KeyChanged | undefined): string {
  const secret = named?.secret ?? {};
  const remedy =
    'env' in secret
      ? `link.secret is the environment variable ${String(secret.env)}, which can't change in a running process: ` +
        'write { file: PATH } there and rotate again, or restart the bot'
      : 'write the new one where link.key_id and link.secret are read first (a credential of systemd is a copy made at ' +
        'the start: name the file by its path)';
  const since =
    change === undefined
      ? ', and the journal names none that it replaced'
      : `, since ${formatTime(change.time)} UTC, when it came in place of ${change.previous}`;
  return `the key that it reads is the one in use already${since}; ${remedy}`;
}

/** @throws what keeps the key from being used */
async function checkKey(
  client: Client,
  { dialect, wallets, scopes }: KeyRotationOptions,
): Promise<{ limit: number; remaining: number }> {
  const known = await readEveryPage(dialect.limits.pageMax, (query) =>
    client.connections.list({ query }),
  );
  const missing = wallets.find((wallet) => known.every(({ id }) => id !== wallet));
  if (missing !== undefined) throw new UnfitKey(`it has no wallet ${missing}`);
  const lacking = (await lackingScopes(client)).filter((scope) => scopes.includes(scope));
  if (lacking.length > 0) throw new UnfitKey(`it lacks the scope ${lacking.join(' and ')}`);
  const { budget: limit, remaining } = await client.utility.rateLimits();
  return { limit, remaining };
}

function refusalOf(error: unknown, keyId: string): RotationResult {
  const isFinal =
    error instanceof UnfitKey || error instanceof InsufficientScopeError || refusesKey(error);
  const hint = refusesKey(error) ? '; do key_id and secret belong together?' : '';
  const why = withoutFullStop(reasonOf(error));
  return { refused: `${keyId} can't be used: ${why}${hint}`, mayPass: !isFinal };
}

/** @param change absent of one that has just been made */
function describeDone(keyId: string, unanswered: number, change?: KeyChanged): string {
  const since =
    change === undefined
      ? ''
      : `, since ${formatTime(change.time)} UTC, in place of ${change.previous === keyId ? 'its former secret' : change.previous}`;
  const signs = `signs with ${keyId}${since}`;
  if (unanswered === 0)
    return `${signs}; nothing of the old key is in flight, and it can be revoked`;
  return `${signs}; ${counted(unanswered, 'request')} of the old key had no answer yet: revoke it once trimtab status shows none`;
}

/** Distinguishes secrets; 32 bits of the hash of a random secret do not lead back to it. */
function fingerprintOf({ secret }: ApiKey): string {
  return sha256(secret.reveal()).slice(0, 8);
}
