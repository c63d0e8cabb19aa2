import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { failureAnchor } from '../../contract/failures/FAILURES.ts';
import type { BlockedFrame } from './interruptMain.ts';
import type { LoopWatch } from './LoopWatch.ts';

/** A replay that waits for a strategy's thread: the thread's own deadline ends that. */
const WAITING = /\/env\/openThread\.[jt]s$/;

/** Whether the thread only waits for a strategy in a worker. */
export function waitsForWorker([innermost]: readonly BlockedFrame[]): boolean {
  return innermost !== undefined && WAITING.test(innermost.url);
}

/** A call that can't be interrupted ends by SIGKILL alone. */
const KILLED = 128 + constants.signals.SIGKILL;

/**
 * The line about a loop that does not turn.
 *
 * @param frames undefined if the thread did not answer
 */
export function describeBlock(
  { label, plugins, tickMs, reportAfter, endAfter, exitCode }: LoopWatch,
  frames: readonly BlockedFrame[] | undefined,
): string {
  const seconds = (ticks: number): number => (ticks * tickMs) / 1_000;
  const owners = plugins.filter(({ marks }) => frames?.some((frame) => isOf(frame, marks)));
  const marks = owners.flatMap((owner) => owner.marks);
  const frame = frames?.find((one) => isOf(one, marks)) ?? frames?.[0];
  const names = owners.map(({ instance }) => instance).join(' or ');
  const who = names === '' ? 'the main thread' : `strategy ${names}`;
  const where =
    frame === undefined ? ' (a call that can’t be interrupted)' : ` at ${placeOf(frame)}`;
  const lines = [
    `${label}: ${new Date().toISOString()}: ${who} has not returned for ${seconds(reportAfter)} s:${where}`,
    'Nothing else runs until it returns: no event is read, no intent is sent, no command is obeyed.',
    frames === undefined
      ? 'Only SIGKILL ends it before.'
      : 'Ctrl-C or SIGTERM now ends the process at once, without its stop policy.',
    ...(endAfter === null
      ? []
      : [
          `After ${seconds(endAfter)} s it ends itself with exit code ${frames === undefined ? KILLED : exitCode}, for its supervisor.`,
        ]),
    ...(plugins.length === 0
      ? []
      : [
          'With isolation: worker, a strategy that does not return is ended, and the others go on.',
        ]),
  ];
  return `${lines.join('\n  ')}\n  (TRIMTAB_BOT_BLOCKED: ${failureAnchor('TRIMTAB_BOT_BLOCKED')})\n`;
}

/** The lines about its end, written before it, since nothing can be written after. */
export function describeEnd(
  { label, tickMs, endAfter, exitCode }: LoopWatch,
  canBeInterrupted: boolean,
): string {
  const seconds = ((endAfter ?? 0) * tickMs) / 1_000;
  return `${label}: ${new Date().toISOString()}: ended after ${seconds} s in one call, with exit code ${canBeInterrupted ? exitCode : KILLED}; the journal has what was sent\n`;
}

export function describeReturn({ label }: LoopWatch): string {
  return `${label}: ${new Date().toISOString()}: it has returned, and the bot goes on\n`;
}

const isOf = ({ url }: BlockedFrame, marks: readonly string[]): boolean =>
  marks.some((mark) => url.includes(mark));

/** A module that was imported anew has a query behind its name. */
function placeOf({ url, line, column }: BlockedFrame): string {
  const plain = url.replace(/\?.*$/, '');
  const file = plain.startsWith('file:') ? fileURLToPath(plain) : plain;
  return `${file}:${line}:${column}`;
}
