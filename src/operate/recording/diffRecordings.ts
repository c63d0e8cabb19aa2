import { defaultDialect } from '../../contract/index.ts';
import type { RecordedEmission, RecordedLine, TakeLine } from '../../strategy/recording/index.ts';
import { divideRows } from './divideRows.ts';
import { findDifference, type Difference } from './findDifference.ts';
import { playRecording, type Player } from './playRecording.ts';
import type { Recording, RecordingHeader } from './Recording.ts';
import { textOf } from './replayRecording.ts';

/** The first intent that differs between two runs of one instance; undefined if one run had no more. */
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

/**
 * What differs in how an instance was run: its plugin, parameters, symbols, wallet and share of the capital, and the
 * bot's seed. Such a difference explains all that follows, inputs too: another decision has another outcome.
 */
export function diffSettings(
  first: RecordingHeader,
  second: RecordingHeader,
  name: string,
): Difference[] {
  const [one, other] = [first, second].map((header) => ({
    ...header.instances.find((instance) => instance.name === name),
    seed: header.seed,
    // An older recording does not name it, and had the default.
    pacemaker_min_seconds:
      header.pacemaker_min_seconds ?? defaultDialect.limits.pacemakerMinSeconds,
  }));
  return findDifference(one, other);
}

/** The first input that differs before an intent does: the reason, unless the plugin itself changed. */
export interface InputDifference {
  /** Market time of the first run's input, or of the second's if the first had none. */
  time: number;
  /** Its source; `one → other` if the runs received different ones. */
  source: string;
  fields: readonly Difference[];
}

type Input = Extract<RecordedLine, ['event' | 'timer' | 'failed', ...unknown[]]>;

/**
 * The first input of each instance that differs between two recordings, before its intents diverge. They do where
 * the first of the two runs decides: what the other received after it explains nothing.
 *
 * @param intents the requested instances, each with the index of the first intent that differs
 * @returns undefined for one that had the same input until then
 */
export function diffInputs(
  first: Recording,
  second: Recording,
  intents: ReadonlyMap<string, number>,
): Map<string, InputDifference | undefined> {
  const names = [...intents.keys()];
  const others = divideRows(second, names);
  try {
    return playRecording(first, names, function* (name, take) {
      const count = intents.get(name)!;
      const [one, other] = [take, others.takerOf(name)].map((from) => inputsBefore(from, count));
      const difference = yield* compareInputs(one!, other!);
      others.leave(name);
      return difference;
    });
  } finally {
    others.close();
  }
}

/** The next input; `decided` where the intent that differs comes before it, and undefined at the end of the recording. */
type TakeInput = () => Input | 'decided' | undefined;

function* compareInputs(first: TakeInput, second: TakeInput): Player<InputDifference | undefined> {
  for (;;) {
    const [a, b] = [first(), second()];
    if (a === 'decided' || b === 'decided') return undefined;
    const known = a ?? b;
    if (known === undefined) return undefined;
    if (JSON.stringify(a) === JSON.stringify(b)) {
      yield;
      continue;
    }
    const names = [...new Set([sourceOf(a), sourceOf(b)])];
    return {
      time: known[2],
      source: names.join(' → '),
      fields: findDifference(named(a), named(b)),
    };
  }
}

/** The input of an instance before its n-th intent; all of it if there are fewer intents. */
function inputsBefore(take: TakeLine, count: number): TakeInput {
  let seen = 0;
  return () => {
    while (seen <= count) {
      const line = take();
      if (line === undefined) return undefined;
      if (line[0] === 'emitted') seen++;
      else if (isInput(line)) return line;
    }
    return 'decided';
  };
}

/** An input with names for its parts, so that a difference in it reads as one. */
function named(input: Input | undefined): object {
  if (input === undefined) return {};
  const [kind, source, time] = input;
  if (input[0] === 'timer') return { kind, source, time, isLate: input[3] };
  return { kind, source, time, event: input[3] };
}

/** One run may have received an input that the other did not: then they differ in their order. */
function sourceOf(input: Input | undefined): string {
  if (input === undefined) return 'nothing';
  return input[0] === 'timer' ? `timer ${input[1]}` : input[1];
}

function isInput(line: RecordedLine): line is Input {
  return line[0] === 'event' || line[0] === 'timer' || line[0] === 'failed';
}
