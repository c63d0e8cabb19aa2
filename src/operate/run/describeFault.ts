import { readFileSync } from 'node:fs';
import type { StrategyFault } from '../../strategy/index.ts';
import { placeIn } from './placeIn.ts';

/** A strategy's fault as one message: its place in the plugin, what it did, whose instance it is. */
export function describeFault(fault: StrategyFault, file: string): string {
  const did = fault.kind === 'setup_failed' ? 'threw in setup' : fault.kind.replaceAll('_', ' ');
  const suspect = fault.kind === 'outside_turn' ? suspectIn(file) : undefined;
  const place = placeIn(file, fault.stack) ?? suspect?.place;
  const where = place === undefined ? file : `${file}:${place}`;
  const looksLike = suspect === undefined ? '' : `\n  ${suspect.text}`;
  const code = fault.code === undefined ? '' : ` [${fault.code}]`;
  return `${where}: strategy ${fault.instance} ${did}: ${fault.reason}${code}${looksLike}`;
}

/** What decides later: promises, timers, and RxJS's time operators, which the scheduler of a plugin mends. */
const LATER =
  /\basync\b|\bawait\b|\bnew Promise\b|\bPromise\.|\.then\(|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(|\b(?:delay|delayWhen|timer|interval|debounceTime|throttleTime|auditTime|sampleTime|bufferTime|timeout|observeOn|subscribeOn)\((?!.*scheduler)/;

/**
 * A promise forgets who made it: no stack leads back into the plugin. Its text does, to the first line that
 * decides later.
 */
function suspectIn(file: string): { place: string; text: string } | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    // A package is named, not its file.
    return undefined;
  }
  const at = lines.findIndex(
    (line) => LATER.test(line) && !/^\s*(?:\/\/|\*|\/\*|import\b)/.test(line),
  );
  if (at === -1) return undefined;
  const line = lines[at]!;
  return { place: `${at + 1}:${line.search(LATER) + 1}`, text: line.trim() };
}
