import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { RecordedLine } from '../../strategy/recording/index.ts';
import type { RecordingHeader } from './Recording.ts';

export interface RecordingWriter {
  write(instance: string, line: RecordedLine): void;
  /** Ends the file; nothing can be written any more. */
  close(): void;
}

const FLUSH_CHARACTERS = 65_536;
/** Lines between two checksums: so much of a file that was cut off may be in doubt. */
const LINES_A_SUM = 1_000;
/** A webhook's token trades for whoever has it, and no decision needs it. */
const SECRET_NAME = /secret|token|signature|password/i;

/**
 * A recording as lines of JSON: the header, `[instance, kind, …]` for each line, and every so often
 * `{"sum"}`, the SHA-256 of all bytes before it. Only its owner may read it.
 *
 * @throws the operating system's error where the file can't be written
 */
export function writeRecording(path: string, header: RecordingHeader): RecordingWriter {
  const file = openSync(path, 'w', 0o600);
  const numbers = new Map(header.instances.map(({ name }, index) => [name, index]));
  const digest = createHash('sha256');
  let waiting = '';
  let unsummed = 0;
  let isOpen = true;

  function put(text: string): void {
    waiting += `${text}\n`;
    if (waiting.length >= FLUSH_CHARACTERS) flush();
  }
  function flush(): void {
    digest.update(waiting);
    writeSync(file, waiting);
    waiting = '';
  }
  function sum(end: object): void {
    flush();
    put(JSON.stringify({ sum: digest.copy().digest('hex'), ...end }));
    flush();
    unsummed = 0;
  }

  put(JSON.stringify(header));
  return {
    write(instance, line) {
      if (!isOpen) return;
      put(JSON.stringify([numbers.get(instance) ?? -1, ...line], withoutSecrets));
      if (++unsummed >= LINES_A_SUM) sum({});
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      sum({ end: true });
      closeSync(file);
    },
  };
}

function withoutSecrets(name: string, value: unknown): unknown {
  return typeof value === 'string' && SECRET_NAME.test(name) ? '[secret]' : value;
}
