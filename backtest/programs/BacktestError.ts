import type { FailureCode } from '../../src/contract/index.ts';
import type { BacktestResult } from './BacktestResult.ts';

/**
 * A run whose figures are not those of a whole one: a strategy ended, or intents were malformed.
 *
 * ```ts
 * const feed = { symbol: 'BTC', interval: '1h', generate: { bars: 200 } } as const;
 * try {
 *   await runBacktest({ strategy: plugin, feeds: [feed] });
 * } catch (error) {
 *   if (error instanceof BacktestError) console.error(error.result.figures);
 *   else throw error;
 * }
 * ```
 */
export class BacktestError extends Error {
  /** `TRIMTAB_STRATEGY_ENDED` or `TRIMTAB_RUN_MALFORMED_INTENTS`. */
  readonly code: FailureCode;
  /** What it did. */
  readonly result: BacktestResult;

  constructor(code: FailureCode, message: string, result: BacktestResult) {
    super(message);
    this.name = 'BacktestError';
    this.code = code;
    this.result = result;
  }
}
