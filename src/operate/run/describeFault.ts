import { readFileSync } from 'node:fs';
import type { StrategyFault } from '../../strategy/index.ts';
import { placeOfFault } from './placeIn.ts';

/** A strategy's fault as one message: its place in the plugin, its kind, and the instance. */
export function describeFault(fault: StrategyFault, file: string): string {
  const did = fault.kind === 'setup_failed' ? 'threw in setup' : fault.kind.replaceAll('_', ' ');
  const suspect = fault.kind === 'outside_turn' ? suspectIn(file) : undefined;
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

/**
 * A promise has no stack that leads back into the plugin. The plugin's source does, to the first line
 * that decides later.
 */
function suspectIn(file: string): { place: string; text: string } | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    // A package is shown by its name, not by its file.
    return undefined;
  }
  const at = lines.findIndex(
    (line) => LATER.test(line) && !/^\s*(?:\/\/|\*|\/\*|import\b)/.test(line),
  );
  if (at === -1) return undefined;
  const line = lines[at]!;
  return { place: `${at + 1}:${line.search(LATER) + 1}`, text: line.trim() };
}
