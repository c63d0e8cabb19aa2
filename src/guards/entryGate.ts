import { PASSED, type Guard, type GuardedIntent, type GuardSnapshot } from './Guard.ts';

/** No entry while the runtime has a reason against it: starting up, a lost stream, a kill level, a doubtful symbol. */
export const entryGate: Guard = (intent, snapshot) => {
  if (intent.entries.length === 0 && intent.opaque !== true) return PASSED;
  const { gate, closedSymbols } = snapshot;
  if (gate.length === 0 && (closedSymbols === undefined || closedSymbols.size === 0)) return PASSED;
  const reasons = [...gate, ...closedReason(intent, snapshot)];
  if (reasons.length === 0) return PASSED;
  return { passed: false, guard: 'entry_gate', reason: reasons.join(', ') };
};

function closedReason(intent: GuardedIntent, { closedSymbols }: GuardSnapshot): string[] {
  if (closedSymbols === undefined || closedSymbols.size === 0) return [];
  const entered = intent.entries.map(({ symbol }) => symbol);
  const opened = intent.opaque === true ? [...entered, ...intent.symbols] : entered;
  // What may open on any symbol may do so on a closed one.
  if (opened.length === 0) return [...closedSymbols.values()];
  return [...new Set(opened)].flatMap((symbol) => closedSymbols.get(symbol) ?? []);
}
