import { InvalidArgumentError } from 'commander';
import type { BotConfig } from '../../config/index.ts';
import type { OwnerDecision } from '../../runtime/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

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

/** `SYMBOL` or `WALLET:SYMBOL`, as one text until the wallets are known: a symbol may have a colon itself; repeatable. */
export const collectSymbol =
  (kind: 'ignore' | 'flatten') =>
  (symbol: string, before: OwnerDecision[] = []): OwnerDecision[] => {
    if (symbol.trim() === '')
      throw new InvalidArgumentError('It takes a symbol, such as BTC, or main:BTC on one wallet.');
    return [...before, { kind, symbol }];
  };

/**
 * The decisions on all positions.
 *
 * @throws CommandFailure for two decisions on one position, and if a run has nothing to decide on
 */
export function decisionsOf(
  flags: OwnerFlags,
  { link, strategies }: Pick<BotConfig, 'link' | 'strategies'>,
): OwnerDecision[] {
  const { adopt = [], ignore = [], flatten = [] } = flags;
  const wallets = new Set(strategies.map(({ wallet }) => wallet));
  const decisions = [...adopt, ...ignore, ...flatten].map((one) => placed(one, wallets));
  const [first] = decisions;
  if (first !== undefined && link.kind === 'paper') {
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `${flagOf(first)}: a run on the embedded paper service starts without positions.\n  Leave it out, or run the bot on a service (link.kind live or paper_service).`,
    );
  }
  // Two strategies may adopt a symbol, on a wallet each.
  const walletOf = (one: OwnerDecision): string | undefined =>
    one.kind === 'adopt'
      ? strategies.find(({ name }) => name === one.strategy)?.wallet
      : one.wallet;
  const mayMeet = (one: OwnerDecision, other: OwnerDecision): boolean =>
    (walletOf(one) ?? walletOf(other)) === (walletOf(other) ?? walletOf(one));
  for (const decision of decisions) {
    const other = decisions.find(
      (one) =>
        one.kind !== decision.kind && one.symbol === decision.symbol && mayMeet(one, decision),
    );
    if (other === undefined) continue;
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `${flagOf(decision)} and ${flagOf(other)} contradict each other.\n  Give one of the two.`,
    );
  }
  return decisions;
}

function placed(decision: OwnerDecision, wallets: ReadonlySet<string>): OwnerDecision {
  if (decision.kind === 'adopt') return decision;
  const { kind, symbol } = decision;
  const wallet = [...wallets].find((one) => symbol.startsWith(`${one}:`));
  if (wallet === undefined) return decision;
  return { kind, symbol: symbol.slice(wallet.length + 1), wallet };
}

function flagOf(decision: OwnerDecision): string {
  const { kind, symbol } = decision;
  if (kind === 'adopt') return `--adopt ${symbol}=${decision.strategy}`;
  return `--${kind} ${decision.wallet === undefined ? '' : `${decision.wallet}:`}${symbol}`;
}
