import { InvalidArgumentError } from 'commander';
import type { BotConfig } from '../config/index.ts';
import type { OwnerDecision } from '../runtime/index.ts';
import { CommandFailure } from './CommandFailure.ts';

export interface OwnerFlags {
  adopt?: OwnerDecision[];
  ignore?: OwnerDecision[];
  flatten?: OwnerDecision[];
}

/** `SYMBOL=STRATEGY`; repeatable. */
export function collectAdoption(text: string, before: OwnerDecision[] = []): OwnerDecision[] {
  const [symbol = '', strategy = '', ...more] = text.split('=');
  if (symbol === '' || strategy === '' || more.length > 0) {
    throw new InvalidArgumentError('It takes SYMBOL=STRATEGY, such as BTC=trend.');
  }
  return [...before, { kind: 'adopt', symbol, strategy }];
}

/** A symbol; repeatable. */
export const collectSymbol =
  (kind: 'ignore' | 'flatten') =>
  (symbol: string, before: OwnerDecision[] = []): OwnerDecision[] => {
    if (symbol.trim() === '') throw new InvalidArgumentError('It takes a symbol, such as BTC.');
    return [...before, { kind, symbol }];
  };

/**
 * The decisions on all symbols.
 *
 * @throws CommandFailure for two decisions on one symbol, and if a run has nothing to decide on
 */
export function decisionsOf(flags: OwnerFlags, link: BotConfig['link']['kind']): OwnerDecision[] {
  const { adopt = [], ignore = [], flatten = [] } = flags;
  const decisions = [...adopt, ...ignore, ...flatten];
  const [first] = decisions;
  if (first !== undefined && link === 'paper') {
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `${flagOf(first)}: a run on the embedded paper service starts without positions.\n  Leave it out, or run the bot on a service (link.kind live or paper_service).`,
    );
  }
  // Two strategies may adopt a symbol, on a wallet each.
  for (const decision of decisions) {
    const other = decisions.find(({ symbol }) => symbol === decision.symbol)!;
    if (other.kind === decision.kind) continue;
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `${flagOf(other)} and ${flagOf(decision)} contradict each other.\n  Give one of the two.`,
    );
  }
  return decisions;
}

function flagOf(decision: OwnerDecision): string {
  const { kind, symbol } = decision;
  return `--${kind} ${symbol}${kind === 'adopt' ? `=${decision.strategy}` : ''}`;
}
