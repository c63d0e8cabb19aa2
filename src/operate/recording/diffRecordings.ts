import type { RecordedEmission, RecordedLine } from '../../strategy/recording/index.ts';
import { findDifference, type Difference } from './findDifference.ts';
import { textOf } from './replayRecording.ts';

/** The first intent that differs between two runs of one instance; undefined where one had no more. */
export interface IntentDifference {
  /** From 0. */
  index: number;
  first: RecordedEmission | undefined;
  second: RecordedEmission | undefined;
  fields: readonly Difference[];
}

export function diffEmissions(
  first: readonly RecordedEmission[],
  second: readonly RecordedEmission[],
): IntentDifference | undefined {
  const count = Math.max(first.length, second.length);
  for (let index = 0; index < count; index++) {
    const [one, other] = [first[index], second[index]];
    if (one !== undefined && other !== undefined && textOf(one) === textOf(other)) continue;
    return { index, first: one, second: other, fields: findDifference(one, other) };
  }
  return undefined;
}

/** The first input that differs before an intent does: the reason, unless the plugin itself changed. */
export interface InputDifference {
  /** Market time of the first run's input, or of the second's where the first had none. */
  time: number;
  /** Its source; `one → other` where the runs were told of different ones. */
  source: string;
  fields: readonly Difference[];
}

type Input = Extract<RecordedLine, ['event' | 'timer' | 'failed', ...unknown[]]>;

export function diffInputs(
  first: Iterable<RecordedLine>,
  second: Iterable<RecordedLine>,
): InputDifference | undefined {
  for (const [a, b] of inPairs(inputsOf(first), inputsOf(second))) {
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    const known = (a ?? b)!;
    const names = [...new Set([sourceOf(a), sourceOf(b)])];
    return {
      time: known[2],
      source: names.join(' → '),
      fields: findDifference(named(a), named(b)),
    };
  }
  return undefined;
}

/** The lines before the n-th intent; all of them where there are not so many. */
export function* linesBefore(
  lines: Iterable<RecordedLine>,
  index: number,
): Generator<RecordedLine, void, undefined> {
  let seen = 0;
  for (const line of lines) {
    if (line[0] === 'emitted' && seen++ === index) return;
    yield line;
  }
}

function* inputsOf(lines: Iterable<RecordedLine>): Generator<Input, void, undefined> {
  for (const line of lines) if (isInput(line)) yield line;
}

/** The first of both, the second of both and so on, until neither has one; then both are let go. */
function* inPairs<T>(
  first: Generator<T, void, undefined>,
  second: Generator<T, void, undefined>,
): Generator<[T | undefined, T | undefined], void, undefined> {
  try {
    for (;;) {
      const pair = [first.next(), second.next()] as const;
      if (pair.every(({ done }) => done === true)) return;
      yield [pair[0].value ?? undefined, pair[1].value ?? undefined];
    }
  } finally {
    first.return();
    second.return();
  }
}

/** An input with names for its parts, so that a difference in it reads as one. */
function named(input: Input | undefined): object {
  if (input === undefined) return {};
  const [kind, source, time] = input;
  return { kind, source, time, event: input[0] === 'timer' ? undefined : input[3] };
}

/** One run may have been told something that the other was not: then they differ in their order. */
function sourceOf(input: Input | undefined): string {
  if (input === undefined) return 'nothing';
  return input[0] === 'timer' ? `timer ${input[1]}` : input[1];
}

function isInput(line: RecordedLine): line is Input {
  return line[0] === 'event' || line[0] === 'timer' || line[0] === 'failed';
}
