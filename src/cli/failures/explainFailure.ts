import { failureAnchor, isFailureCode, type FailureCode } from '../../contract/index.ts';
import { withoutSecrets } from '../../env/index.ts';
import { JournalFault, journalFailureCode } from '../../journal/index.ts';
import { visibleText } from '../../operate/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** The message for anything that ended a command, and its exit code. */
export interface Explained {
  text: string;
  exitCode: number;
}

/** One clear message with its code; the stack trace and the causes only on request. */
export function explainFailure(thrown: unknown, debug: boolean): Explained {
  const exitCode = thrown instanceof CommandFailure ? thrown.exitCode : 1;
  const code = codeOf(thrown);
  const where = `(${code}: ${failureAnchor(code)})`;
  if (debug) return { text: `${visibleText(traceOf(thrown))}\n${where}\n`, exitCode };
  const hint = thrown instanceof CommandFailure ? '' : '\n(--debug shows where this comes from.)';
  return { text: `trimtab: ${visibleText(messageOf(thrown))}${hint}\n${where}\n`, exitCode };
}

/** The same for a program: one line of JSON with `code` and `message`. */
export function failureAsJson(thrown: unknown, debug: boolean): Explained {
  const exitCode = thrown instanceof CommandFailure ? thrown.exitCode : 1;
  const about = { code: codeOf(thrown), message: messageOf(thrown) };
  const failure = debug ? { ...about, trace: traceOf(thrown) } : about;
  return { text: `${JSON.stringify(failure)}\n`, exitCode };
}

/** The row of FAILURES to which an exception belongs. */
export function codeOf(thrown: unknown): FailureCode {
  if (thrown instanceof JournalFault) return journalFailureCode(thrown.code);
  const { code } = (thrown ?? {}) as { code?: unknown };
  return isFailureCode(code) ? code : 'TRIMTAB_UNEXPECTED';
}

function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.trim() === '' ? 'failed without a message' : withoutSecrets(message);
}

function traceOf(thrown: unknown): string {
  return withoutSecrets(traceWithCauses(thrown));
}

function traceWithCauses(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? own : `${own}\nCaused by: ${traceWithCauses(thrown.cause)}`;
}
