import type { ApiKey } from '../../config/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import type { KeyRead, KeyRotation } from './createKeyRotation.ts';

export interface KeyFilesOptions {
  env: Pick<Env, 'timers' | 'clock'>;
  rotation: KeyRotation;
  read(): Promise<KeyRead>;
  /** What keeps the files from being a key; the one in use stays. Once for each reason. */
  onUnread(reason: string): void;
  /** The files have the key that is in use. With each look. */
  onInUse(): void;
}

const LOOK_MS = 2_000;
/** A service that is away is asked again. */
const RETRY_MS = 30_000;
const WHY = 'its file has changed';

/**
 * Looks at the files of the key, and replaces the key when they have changed. What it reads must be the same twice:
 * a file may be half written, and the id's file may be older than the secret's. A key that a command took from other
 * files stays as long as these have not changed.
 *
 * @returns stops it
 */
export function watchKeyFiles(options: KeyFilesOptions): Cancel {
  const { env, rotation, onUnread } = options;
  let cancel: Cancel = () => {};
  let isOver = false;
  let seen: string | undefined;
  let reported: string | undefined;
  let settled: string | undefined;
  /** What the files had when it was in use: while they have it, they have not changed. */
  let known: string | undefined;
  let retryAt = 0;

  async function look(): Promise<void> {
    const found = await options.read();
    const text = textOf(found);
    if (!('unread' in found) && rotation.isInUse(found)) known = text;
    const isStable = text === seen;
    seen = text;
    if (!isStable) return;
    if ('unread' in found) {
      if (reported !== found.unread) onUnread(found.unread);
      reported = found.unread;
      return;
    }
    reported = undefined;
    if (rotation.isInUse(found)) {
      settled = undefined;
      return options.onInUse();
    }
    // A command has replaced it by the key of other files.
    if (text === known) return;
    if (text === settled && env.clock.monotonicNow() < retryAt) return;
    const result = await rotation.rotate(() => Promise.resolve(found), WHY);
    settled = text;
    if ('done' in result) known = text;
    const isFinal = 'done' in result || !result.mayPass;
    retryAt = isFinal ? Number.POSITIVE_INFINITY : env.clock.monotonicNow() + RETRY_MS;
  }

  const tick = async (): Promise<void> => {
    await look().catch((error: unknown) => onUnread(String(error)));
    if (!isOver) cancel = env.timers.after(LOOK_MS, () => void tick());
  };
  cancel = env.timers.after(LOOK_MS, () => void tick());
  return () => {
    isOver = true;
    cancel();
  };
}

/** For comparison only; it never leaves this file. */
const textOf = (found: KeyRead): string => ('unread' in found ? found.unread : pairOf(found));
const pairOf = ({ keyId, secret }: ApiKey): string => `${keyId} ${secret.reveal()}`;
