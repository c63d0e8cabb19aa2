import { PASSED, type Guard, type GuardVerdict } from './Guard.ts';

/**
 * A strategy acts on its own symbols only: positions net, so two owners would share one P&L. While an operator keeps a
 * position there, it acts on that symbol as little as on another's.
 */
export const ownsSymbols: Guard = (intent, snapshot) => {
  const foreign = intent.symbols.find((symbol) => !snapshot.ownedSymbols.includes(symbol));
  if (foreign !== undefined) {
    const remedy =
      intent.kind === 'bulk_cancel' ? '; name the symbol whose orders are to be cancelled' : '';
    const own = snapshot.ownedSymbols.join(', ');
    return denied(`${foreign} is not among its symbols (${own})${remedy}`);
  }
  const ignored = intent.symbols.find((symbol) => snapshot.ignores?.(symbol) === true);
  if (ignored === undefined) return PASSED;
  return denied(`the position in ${ignored} is an operator’s until it is closed (run --ignore)`);
};

const denied = (reason: string): GuardVerdict => ({ passed: false, guard: 'owns_symbols', reason });
