import type { ClauseId } from '../../src/conformance/index.ts';

/** A rule of the paper service, broken on purpose: one text of its source becomes another. */
export interface Mutation {
  /** What is broken, as it would be reported. */
  name: string;
  /** Below `src/paper`. */
  file: string;
  from: string;
  to: string;
  /** The clauses that must fail. */
  clauses: readonly ClauseId[];
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a trail loosens instead of tightening',
    file: 'legs/trailLeg.ts',
    from: 'direction * (to - from) < 0',
    to: 'direction * (to - from) > 0',
    clauses: ['LEG-4'],
  },
  {
    name: 'signatures are not compared',
    file: 'core/authenticate.ts',
    from: 'return timingSafeEqual(expectedBytes, givenBytes);',
    to: 'return timingSafeEqual(expectedBytes, expectedBytes);',
    clauses: ['AUTH-1', 'AUTH-2'],
  },
  {
    name: 'a wallet has 21 maintained rows',
    file: 'legs/maintainedRows.ts',
    from: '<= LIMITS.maintainedRows)',
    to: '<= LIMITS.maintainedRows + 1)',
    clauses: ['TRK-6', 'LEG-11'],
  },
  {
    name: 'min_move_bps is ignored',
    file: 'tracking/moveEntry.ts',
    from: 'compareMove(watch.price, level, watch.minMoveBps) >= 0',
    to: 'compareMove(watch.price, level, 0) >= 0',
    clauses: ['TRK-3'],
  },
  {
    name: 'a replay executes a second time',
    file: 'core/createGate.ts',
    from: 'if (first) return replay(',
    to: 'if (first && first.status >= 300) return replay(',
    clauses: ['AUTH-8'],
  },
  {
    name: 'seq starts at 0',
    file: 'core/StreamSubscription.ts',
    from: 'seq: ++this.#seq',
    to: 'seq: this.#seq++',
    clauses: ['STR-7', 'STR-1'],
  },
  {
    name: 'child orders lack the reduce-only flag',
    file: 'algos/AlgoContext.ts',
    from: 'reduceOnly: record.reduce_only',
    to: 'reduceOnly: false',
    clauses: ['RULE-4', 'EXE-1'],
  },
  {
    name: 'scopes are not checked',
    file: 'core/performCall.ts',
    from: 'if (key === null || key.scopes.includes(scope)) return;',
    to: 'if (key === null || key.scopes.length > 0) return;',
    clauses: ['AUTH-4', 'STR-6'],
  },
  {
    name: 'the side of a leg is not checked',
    file: 'legs/resolveLeg.ts',
    from: 'if (directionOf(context) * (trigger - context.anchorPrice) > 0) return;',
    to: 'if (directionOf(context) * (trigger - context.anchorPrice) !== 0) return;',
    clauses: ['LEG-8', 'EXE-3'],
  },
  {
    name: 'the bar in progress leaks',
    file: 'core/readCandles.ts',
    from: 'query.include_forming === true ?',
    to: 'query.include_forming !== false ?',
    clauses: ['MKT-1'],
  },
  {
    name: 'drift is measured from the last price, not the first',
    file: 'tracking/moveEntry.ts',
    from: 'compareMove(watch.firstPrice, level',
    to: 'compareMove(watch.price, level',
    clauses: ['TRK-4'],
  },
  {
    name: 'a level that crosses does not hold',
    file: 'tracking/moveEntry.ts',
    from: 'if (crosses(engine, symbol, side, level)) return true;',
    to: 'if (crosses === undefined) return true;',
    clauses: ['TRK-5'],
  },
  {
    name: 'an oco group stops nobody',
    file: 'monitors/fireMonitor.ts',
    from: "if (group?.mode !== 'oco') return;",
    to: "if (group?.mode !== 'none') return;",
    clauses: ['POS-4', 'MON-1'],
  },
  {
    name: 'unsigned queries pass',
    file: 'core/authenticate.ts',
    from: 'const path = withQuery ? raw.target',
    to: 'const path = !withQuery ? raw.target',
    clauses: ['AUTH-8'],
  },
  {
    name: 'executions of stale data warn late',
    file: 'algos/staleData.ts',
    from: 'missingSince + LIMITS.staleWarnMs',
    to: 'missingSince + 2 * LIMITS.staleWarnMs',
    clauses: ['EXE-9'],
  },
  {
    name: 'a sweep goes past its limit',
    file: 'algos/ghostsweep.ts',
    from: 'context.sign * bps, BPS',
    to: 'context.sign * (bps + 50), BPS',
    clauses: ['EXE-4'],
  },
];
