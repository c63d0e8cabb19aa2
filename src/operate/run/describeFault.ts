import { readFileSync } from 'node:fs';
import type { StrategyFault } from '../../strategy/index.ts';
import { placeOfFault } from './placeIn.ts';

/** A strategy's fault as one message: its place in the plugin, its kind, and the instance. */
export function describeFault(fault: StrategyFault, file: string): string {
  const did = fault.kind === 'setup_failed' ? 'threw in setup' : fault.kind.replaceAll('_', ' ');
  const suspect = suspectOf(fault, file);
  const own = suspect === undefined ? file : `${file}:${suspect.place}`;
  const where = placeOfFault(file, fault.stack) ?? own;
  const looksLike = suspect === undefined ? '' : `\n  ${suspect.text}`;
  const code = fault.code === undefined ? '' : ` [${fault.code}]`;
  return `${where}: strategy ${fault.instance} ${did}: ${fault.reason}${code}${looksLike}`;
}

/**
 * Code that decides later: promises, timers, and RxJS's time operators, for which a plugin's scheduler is
 * the remedy.
 */
const LATER =
  /\basync\b|\bawait\b|\bnew Promise\b|\bPromise\.|\.then\(|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(|\b(?:delay|delayWhen|timer|interval|debounceTime|throttleTime|auditTime|sampleTime|bufferTime|timeout|observeOn|subscribeOn)\((?!.*scheduler)/;

/** Code that gives an error which may be none: of another value than `new …`, which any `throw` of an Error is. */
const NO_ERROR = /\bthrow (?!new\b)|\breject\((?!new\b)|\bthrowError\((?!\(\) => new\b)/;

/**
 * A promise has no stack that leads back into the plugin, and what is thrown without being an Error has none at all.
 * The plugin's source does, to the first line that decides later, or to the only one that can have thrown it.
 */
function suspectOf({ kind, stack }: StrategyFault, file: string): Suspect | undefined {
  if (kind === 'outside_turn') return linesIn(file, LATER)[0];
  if (stack !== undefined || (kind !== 'threw' && kind !== 'setup_failed')) return undefined;
  const [only, ...others] = linesIn(file, NO_ERROR);
  return others.length === 0 ? only : undefined;
}

interface Suspect {
  place: string;
  text: string;
}

function linesIn(file: string, pattern: RegExp): Suspect[] {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    // A package is shown by its name, not by its file.
    return [];
  }
  return lines.flatMap((line, at) => {
    if (!pattern.test(line) || /^\s*(?:\/\/|\*|\/\*|import\b)/.test(line)) return [];
    return [{ place: `${at + 1}:${line.search(pattern) + 1}`, text: line.trim() }];
  });
}
