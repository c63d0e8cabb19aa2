import { PASSED, type Guard } from './Guard.ts';

/** A symbol that the service does not list is refused before it costs weight. */
export const knowsInstrument: Guard = (intent, snapshot) => {
  const unknown = intent.symbols.find((symbol) => snapshot.instrument(symbol) === undefined);
  if (unknown === undefined) return PASSED;
  return { passed: false, guard: 'knows_instrument', reason: `no instrument ${unknown}` };
};
