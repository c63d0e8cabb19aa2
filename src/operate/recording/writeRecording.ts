import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Cancel, Timers } from '../../env/index.ts';
import type { RecordedLine } from '../../strategy/recording/index.ts';
import type { RecordingHeader } from './Recording.ts';
import { OF_THE_BOT, type RecordedView } from './RecordedView.ts';

export interface RecordingWriter {
  write(instance: string, line: RecordedLine): void;
  /** What an operator sees, for `trimtab view`. */
  writeView(row: RecordedView): void;
  /** Ends the file; nothing can be written afterwards. */
  close(): void;
}

const FLUSH_CHARACTERS = 65_536;
/** Lines between two checksums: the most that a truncated file loses. */
const LINES_A_SUM = 1_000;
/** The most that the recording of a killed bot lacks. */
const SUM_MS = 5_000;
/** Anyone with a webhook's token can trade, and no decision needs it. */
const SECRET_NAME = /secret|token|signature|password/i;

/**
 * A recording as lines of JSON: the header, `[instance, kind, …]` for each line (−1: of the bot itself), and at intervals
 * `{"sum"}`, the SHA-256 of all bytes before it. Only its owner may read it.
 *
 * @param onFailed is called once if a write fails: the recording ends, the bot continues
 * @param timers of a bot that runs in real time: what was recorded is written, with a checksum, every five seconds
 * @throws the operating system's error if the file can't be opened
 */
export function writeRecording(
  path: string,
  header: RecordingHeader,
  onFailed: (error: unknown) => void,
  timers?: Timers,
): RecordingWriter {
  const file = openSync(path, 'w', 0o600);
  const numbers = new Map(header.instances.map(({ name }, index) => [name, index]));
  const digest = createHash('sha256');
  let waiting = '';
  let unsummed = 0;
  let isOpen = true;
  let cancel: Cancel | undefined;

  function put(text: string): void {
    waiting += `${text}\n`;
    if (waiting.length >= FLUSH_CHARACTERS) flush();
  }
  function flush(): void {
    const bytes = Buffer.from(waiting);
    waiting = '';
    digest.update(bytes);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  }
  function sum(end: object): void {
    flush();
    put(JSON.stringify({ sum: digest.copy().digest('hex'), ...end }));
    flush();
    unsummed = 0;
  }

  /** A full disk must not affect the strategy that receives an event. */
  function attempt(task: () => void): void {
    if (!isOpen) return;
    try {
      task();
    } catch (error) {
      if (isOpen) end();
      onFailed(error);
    }
  }
  function end(): void {
    isOpen = false;
    cancel?.();
    closeSync(file);
  }
  function sumSoon(): void {
    cancel = timers?.after(SUM_MS, () => {
      cancel = undefined;
      if (unsummed > 0) attempt(() => sum({}));
    });
  }

  const line = (row: readonly unknown[]): void =>
    attempt(() => {
      put(JSON.stringify(row, withoutSecrets));
      if (++unsummed >= LINES_A_SUM) sum({});
      else if (cancel === undefined) sumSoon();
    });

  put(JSON.stringify(header));
  return {
    write: (instance, recorded) => line([numbers.get(instance) ?? OF_THE_BOT, ...recorded]),
    writeView: (row) => line([OF_THE_BOT, ...row]),
    close: () =>
      attempt(() => {
        sum({ end: true });
        end();
      }),
  };
}

function withoutSecrets(name: string, value: unknown): unknown {
  return typeof value === 'string' && SECRET_NAME.test(name) ? '[secret]' : value;
}
