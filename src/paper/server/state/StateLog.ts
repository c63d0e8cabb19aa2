import { closeSync, fsync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Change } from '../../state/Change.ts';

export const LOG_FORMAT = 'trimtab-paper-log';

/** Only its owner may read it: it may contain a new key's secret. */
export const OWNER_ONLY = 0o600;

/**
 * The changes since a snapshot, one line of JSON each, appended before they happen. Data that was passed
 * to the system survives the process; `sync` makes it survive a power cut as well.
 */
export class StateLog {
  readonly path: string;
  #bytes = 0;
  readonly #file: number;
  #synced = 0;
  /** The log ends in half a line that could not be removed. */
  #isTorn = false;

  /** Starts an empty log. */
  constructor(path: string, generation: number) {
    this.path = path;
    this.#file = openSync(path, 'w', OWNER_ONLY);
    this.#append({ format: LOG_FORMAT, version: 1, generation });
    fsyncSync(this.#file);
    this.#synced = this.#bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws the system's error; the log is then unchanged, so the change must not happen */
  append(change: Change): void {
    this.#append(change);
  }

  #append(line: object): void {
    if (this.#isTorn)
      throw new Error(`The log ${this.path} is torn; nothing is appended after half a line.`);
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
    let written = 0;
    try {
      while (written < bytes.length) {
        written += writeSync(this.#file, bytes, written, null, this.#bytes + written);
      }
    } catch (error) {
      this.#takeBack();
      throw error;
    }
    this.#bytes += bytes.length;
  }

  /** Removes half a line, so that the next one does not follow it. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.#bytes);
    } catch {
      this.#isTorn = true;
    }
  }

  /** Runs in the background; `onError` receives disk errors. */
  sync(onError: (error: Error) => void): void {
    if (this.#synced === this.#bytes) return;
    const upTo = this.#bytes;
    fsync(this.#file, (error) => {
      if (error !== null) onError(error);
      else this.#synced = Math.max(this.#synced, upTo);
    });
  }

  close(): void {
    closeSync(this.#file);
  }
}
