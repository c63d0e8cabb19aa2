import type { FailureCode } from '../../src/contract/index.ts';
import type { BacktestResult } from './BacktestResult.ts';

/** A run whose figures are not those of a whole one: a strategy ended, or intents were malformed. */
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
