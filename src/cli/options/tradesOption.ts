import { Option } from 'commander';
import type { TradeGrouping } from '../../operate/report/index.ts';

export type TradesFlag = 'round-trips' | 'lots';

/** How a report groups fills to trades. */
export const tradesOption = (): Option =>
  new Option(
    '--trades <grouping>',
    'trades from flat to flat, or per lot, first in, first out',
  ).choices(['round-trips', 'lots'] satisfies TradesFlag[]);

/** As the report's data has it; empty without the flag. */
export const groupingOf = (flag: TradesFlag | undefined): { trade_grouping?: TradeGrouping } =>
  flag === undefined ? {} : { trade_grouping: flag === 'lots' ? 'lots' : 'round_trips' };
