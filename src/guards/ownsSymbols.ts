import { PASSED, type Guard } from './Guard.ts';

/** A strategy acts on its own symbols only: positions net, so two owners would share one P&L. */
export const ownsSymbols: Guard = (intent, snapshot) => {
  const foreign = intent.symbols.find((symbol) => !snapshot.ownedSymbols.includes(symbol));
  if (foreign === undefined) return PASSED;
  const reason = `${foreign} is not among its symbols (${snapshot.ownedSymbols.join(', ')})`;
  return { passed: false, guard: 'owns_symbols', reason };
};
