import { botSettings } from '../../src/config/index.ts';
import { resolveBot } from '../../src/config/resolveBot.ts';
import { createDialect } from '../../src/contract/index.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { Feed, PaperSettingsInput } from '../../src/paper/index.ts';
import { checkParams, type Strategy } from '../../src/strategy/index.ts';

export interface MemoryTapeOptions {
  strategy: Strategy;
  params?: Readonly<Record<string, unknown>> | undefined;
  /** One feed a symbol. */
  feeds: readonly Feed[];
  symbols: readonly string[];
  /** Cash at the start, quote units. */
  capital: number;
  /** Bars of each feed that are history when trading begins. */
  history: number;
  seed: number;
}

/** A bot of one strategy and its market data, without a file: on paper, its journal in memory. */
export function createMemoryTape(options: MemoryTapeOptions): LoadedTape {
  const { strategy, feeds, symbols, capital, history, seed } = options;
  const { name } = strategy;
  const paper: PaperSettingsInput = {
    feeds: feeds.map(({ symbol, interval }) => ({ symbol, interval, generate: {} })),
    balance: capital,
    warmup: history,
    budget_clock: 'replay',
  };
  const settings = botSettings.parse({
    name: 'in-memory',
    link: { kind: 'paper' },
    paper,
    strategies: [{ name, use: name, symbols }],
    seed,
  });
  const directory = import.meta.dirname;
  const config = resolveBot(settings, {
    file: 'in memory',
    directory,
    written: {},
    link: { kind: 'paper', paper: settings.paper! },
    journal: {
      path: 'memory',
      durability: settings.journal.durability,
      keep_days: settings.journal.keep_days,
    },
    budget: { ...settings.budget, shared: null },
  });
  const checked = checkParams(strategy, options.params ?? {});
  if (!checked.ok) throw new Error(`${checked.fault.reason}\n  ${checked.fault.remedy}`);
  const [own] = config.strategies;
  const { wallet, capitalShare } = own!;
  return {
    loaded: {
      config,
      faultAt: (finding) => {
        throw new Error(`No file has ${JSON.stringify(finding)}.`);
      },
      faultsOf: () => [],
    },
    dialect: createDialect(),
    paper: settings.paper!,
    data: { feeds: [...feeds], funding: {} },
    strategies: [{ strategy, params: checked.value, name, symbols, wallet, capitalShare }],
  };
}
