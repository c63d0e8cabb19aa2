import { PASSED, type Guard } from './Guard.ts';

/** No entry while the runtime has a reason against it: starting up, a lost stream, a kill level. */
export const entryGate: Guard = (intent, snapshot) => {
  if (intent.entries.length === 0 && intent.opaque !== true) return PASSED;
  if (snapshot.gate.length === 0) return PASSED;
  return { passed: false, guard: 'entry_gate', reason: snapshot.gate.join(', ') };
};
