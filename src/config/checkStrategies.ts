import { nearest } from '../contract/nearest.ts';
import type { BotSettings } from './botSettings.ts';
import type { Finding } from './Finding.ts';
import { shareFindings } from './capitalShares.ts';
import { unfedSymbols } from './unfedSymbols.ts';
import { walletOf, walletsOf } from './wallets.ts';

/** Names are unique, each (wallet, symbol) has one owner, shares add up, symbols may be traded. */
export function checkStrategies(settings: BotSettings): Finding[] {
  return [
    ...repeatedNames(settings),
    ...sharedSymbols(settings),
    ...shareFindings(settings.strategies),
    ...forbiddenSymbols(settings),
    ...unknownLimits(settings),
    ...unrepeatableRecords(settings),
    ...(settings.link.kind === 'paper'
      ? [...symbolsWithoutFeed(settings), ...unfedSettings(settings), ...unknownWallets(settings)]
      : []),
  ];
}

function repeatedNames({ strategies }: BotSettings): Finding[] {
  return strategies.flatMap(({ name }, index) => {
    const first = strategies.findIndex((other) => other.name === name);
    if (first === index) return [];
    const reason = `strategies[${first}] has the name ${name} already`;
    return [
      {
        code: 'TRIMTAB_CONFIG_DUPLICATE',
        path: ['strategies', index, 'name'],
        reason,
        remedy: 'Give each strategy its own name.',
      },
    ];
  });
}

/** Positions net: with two owners of one symbol their P&L could not be separated. */
function sharedSymbols({ strategies }: BotSettings): Finding[] {
  const owners = new Map<string, string>();
  return strategies.flatMap((strategy, index) =>
    strategy.symbols.flatMap((symbol, at) => {
      const key = JSON.stringify([walletOf(strategy), symbol]);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, strategy.name);
      return owner === undefined ? [] : [sharedSymbol([index, at], symbol, owner, strategy)];
    }),
  );
}

function sharedSymbol(
  [index, at]: readonly [number, number],
  symbol: string,
  owner: string,
  strategy: { name: string; wallet?: string | undefined },
): Finding {
  const path = ['strategies', index, 'symbols', at];
  if (owner === strategy.name) {
    return {
      code: 'TRIMTAB_CONFIG_DUPLICATE',
      path,
      reason: `${symbol} stands here twice`,
      remedy: 'Remove one of the two.',
    };
  }
  return {
    code: 'TRIMTAB_CONFIG_SYMBOL_OWNED',
    path,
    reason: `${owner} owns ${symbol} on wallet ${walletOf(strategy)} already, and positions net`,
    remedy: 'Give one of the two another wallet or another symbol.',
  };
}

function symbolsWithoutFeed({ strategies, paper }: BotSettings): Finding[] {
  const fed = (paper?.feeds ?? []).map((feed) => feed.symbol);
  return strategies.flatMap(({ symbols }, index) =>
    symbols.flatMap((symbol, at) => {
      if (fed.includes(symbol) || paper === undefined) return [];
      const meant = nearest(symbol, fed);
      const remedy =
        meant === null
          ? `Add a feed for it; there are: ${fed.join(', ')}.`
          : `Did you mean ${meant}?`;
      const reason = `no feed in paper.feeds serves the symbol ${symbol}`;
      return [
        {
          code: 'TRIMTAB_CONFIG_NO_FEED',
          path: ['strategies', index, 'symbols', at],
          reason,
          remedy,
        },
      ];
    }),
  );
}

function unfedSettings({ paper }: BotSettings): Finding[] {
  if (paper === undefined) return [];
  return unfedSymbols(
    paper,
    paper.feeds.map(({ symbol }) => symbol),
  );
}

function unknownWallets({ strategies, paper }: BotSettings): Finding[] {
  const wallets = walletsOf(paper);
  return strategies.flatMap((strategy, index) => {
    const wallet = walletOf(strategy);
    if (wallets.includes(wallet)) return [];
    const meant = nearest(wallet, wallets);
    const list = `There are: ${wallets.join(', ')}. Others go into paper.connections.`;
    return [
      {
        code: 'TRIMTAB_CONFIG_UNKNOWN_WALLET',
        path: ['strategies', index, 'wallet'],
        reason: `the paper service has no wallet ${wallet}`,
        remedy: meant === null ? list : `Did you mean ${meant}?`,
      },
    ];
  });
}

/** An allow-list that leaves a strategy's own symbol out would deny all that it does. */
function forbiddenSymbols({ strategies, guards }: BotSettings): Finding[] {
  const allowed = guards.allowed_symbols;
  if (allowed === undefined) return [];
  return strategies.flatMap(({ symbols }, index) =>
    symbols.flatMap((symbol, at) => {
      if (allowed.includes(symbol)) return [];
      const reason = `guards.allowed_symbols does not have ${symbol}, so every intent would be denied`;
      const remedy = `Add ${symbol} there, or remove it here.`;
      return [
        {
          code: 'TRIMTAB_CONFIG_SYMBOL_NOT_ALLOWED',
          path: ['strategies', index, 'symbols', at],
          reason,
          remedy,
        },
      ];
    }),
  );
}

/** A size limit for an untraded symbol is a misspelt symbol. */
function unknownLimits({ strategies, guards }: BotSettings): Finding[] {
  const traded = [...new Set(strategies.flatMap(({ symbols }) => symbols))];
  return Object.keys(guards.max_order_size).flatMap((symbol) => {
    if (traded.includes(symbol)) return [];
    const meant = nearest(symbol, traded);
    const remedy = meant === null ? `Traded are: ${traded.join(', ')}.` : `Did you mean ${meant}?`;
    const reason = `no strategy trades ${symbol}`;
    return [
      {
        code: 'TRIMTAB_CONFIG_UNKNOWN_SYMBOL',
        path: ['guards', 'max_order_size', symbol],
        reason,
        remedy,
      },
    ];
  });
}

/**
 * A worker for which the bot does not wait decides while other events arrive, so their order would be
 * lost.
 */
function unrepeatableRecords(settings: BotSettings): Finding[] {
  const { strategies, isolation, record, link, paper } = settings;
  const isWaitedFor = link.kind === 'paper' && paper?.speed === 'max';
  if (record === undefined || isWaitedFor) return [];
  return strategies.flatMap((strategy, index) => {
    const own = strategy.isolation;
    if ((own === undefined ? isolation : own) === null) return [];
    return [
      {
        code: 'TRIMTAB_CONFIG_UNREPEATABLE_RECORD',
        path: own === undefined ? ['isolation'] : ['strategies', index, 'isolation'],
        reason: `${strategy.name} runs in a worker, whose recording could not be replayed`,
        remedy: 'Remove `record`, or set isolation to none; a paper run at speed max has both.',
      },
    ];
  });
}
