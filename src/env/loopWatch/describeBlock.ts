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

/** What the watcher says, on the standard error and as a line of the log. */
export interface LoopNotice {
  level: 'warn' | 'error';
  /** What happened, in one line without the label and the time. */
  message: string;
  /** What follows from it; only for a reader of the standard error. */
  more: readonly string[];
  fields: { code?: 'TRIMTAB_BOT_BLOCKED'; strategy?: string; place?: string };
}

/**
 * A loop that does not turn.
 *
 * @param frames undefined if the thread did not answer
 */
export function describeBlock(
  { plugins, tickMs, reportAfter, endAfter, exitCode }: LoopWatch,
  frames: readonly BlockedFrame[] | undefined,
): LoopNotice {
  const seconds = (ticks: number): number => (ticks * tickMs) / 1_000;
  const owners = plugins.filter(({ marks }) => frames?.some((frame) => isOf(frame, marks)));
  const marks = owners.flatMap((owner) => owner.marks);
  const frame = frames?.find((one) => isOf(one, marks)) ?? frames?.[0];
  const names = owners.map(({ instance }) => instance).join(' or ');
  const who = names === '' ? 'the main thread' : `strategy ${names}`;
  const place = frame === undefined ? undefined : placeOf(frame);
  const isOwn = names === '' && frames?.some(({ url }) => url.startsWith(OWN)) === true;
  const more = [
    ...(isOwn
      ? [
          `No strategy is in this call: it is work of Trimtab itself (${callsOf(frames)}), as for hundreds of intents on one event, or with a slow disk.`,
        ]
      : []),
    'Nothing else runs until it returns: no event is read, no intent is sent, no command is obeyed.',
    frames === undefined
      ? 'Only SIGKILL ends it before.'
      : 'Ctrl-C or SIGTERM now ends the process at once, without its stop policy.',
    ...(endAfter === null
      ? []
      : [
          `After ${seconds(endAfter)} s it ends itself with exit code ${frames === undefined ? KILLED : exitCode}, for its supervisor.`,
        ]),
    ...(plugins.length === 0 || isOwn
      ? []
      : [
          'With isolation: worker, a strategy that does not return is ended, and the others go on.',
        ]),
  ];
  return {
    level: 'error',
    message: `${who} has not returned for ${seconds(reportAfter)} s:${place === undefined ? ' (a call that can’t be interrupted)' : ` at ${place}`}`,
    more: [...more, `(TRIMTAB_BOT_BLOCKED: ${failureAnchor('TRIMTAB_BOT_BLOCKED')})`],
    fields: {
      code: 'TRIMTAB_BOT_BLOCKED',
      ...(names === '' ? {} : { strategy: names }),
      ...(place === undefined ? {} : { place }),
    },
  };
}

/** Its end, told before it, since nothing can be written after. */
export function describeEnd(
  { tickMs, endAfter, exitCode }: LoopWatch,
  canBeInterrupted: boolean,
): LoopNotice {
  const seconds = ((endAfter ?? 0) * tickMs) / 1_000;
  const code = canBeInterrupted ? exitCode : KILLED;
  return {
    level: 'error',
    message: `ended after ${seconds} s in one call, with exit code ${code}; the journal has what was sent`,
    more: [],
    fields: { code: 'TRIMTAB_BOT_BLOCKED' },
  };
}

export const RETURNED: LoopNotice = {
  level: 'warn',
  message: 'it has returned, and the bot goes on',
  more: [],
  fields: {},
};

/** For the standard error. */
export const toText = ({ label }: LoopWatch, { message, more }: LoopNotice, time: number): string =>
  [`${label}: ${new Date(time).toISOString()}: ${message}`, ...more].join('\n  ') + '\n';

const LEVELS = { warn: 40, error: 50 } as const;

/** For the log's file, in the form of its other lines: the thread that writes those is the one that is blocked. */
export const toLogLine = ({ level, message, fields }: LoopNotice, time: number): string =>
  `${JSON.stringify({ level: LEVELS[level], time, ...fields, msg: sentence(message) })}\n`;

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** This package's own code: everything beside this file's station. */
const OWN = new URL('../../', import.meta.url).href;
/** Enough calls to see which work it is. */
const SHOWN_CALLS = 3;

const callsOf = (frames: readonly BlockedFrame[] = []): string =>
  frames
    .flatMap(({ call }) => (call === '' ? [] : [call]))
    .slice(0, SHOWN_CALLS)
    .join(' < ');

const isOf = ({ url }: BlockedFrame, marks: readonly string[]): boolean =>
  marks.some((mark) => url.includes(mark));

/** A module that was imported anew has a query behind its name. */
function placeOf({ url, line, column }: BlockedFrame): string {
  const plain = url.replace(/\?.*$/, '');
  const file = plain.startsWith('file:') ? fileURLToPath(plain) : plain;
  return `${file}:${line}:${column}`;
}
