import { firstLineOf } from './beginningOf.ts';

const BINANCE_AGGREGATE = [
  'agg_trade_id',
  'price',
  'quantity',
  'first_trade_id',
  'last_trade_id',
  'transact_time',
  'is_buyer_maker',
  'is_best_match',
];
const BINANCE_TRADE = [
  'id',
  'price',
  'qty',
  'quote_qty',
  'time',
  'is_buyer_maker',
  'is_best_match',
];
const KRAKEN_TRADE = ['time', 'price', 'volume'];

/** By the types of a row's fields: `n` is a number, `f` true or false. */
const ARCHIVES: Readonly<Record<string, readonly string[]>> = {
  nnnnnnff: BINANCE_AGGREGATE,
  nnnnnnf: BINANCE_AGGREGATE.slice(0, 7),
  nnnnnff: BINANCE_TRADE,
  nnnnnf: BINANCE_TRADE.slice(0, 6),
  nnn: KRAKEN_TRADE,
};

/**
 * The columns of a trades file without a header, detected by the fields of its first row.
 *
 * @param beginning the beginning of the file
 * @returns null for a file with a header, and for rows of no known archive
 */
export function headerlessTrades(beginning: string): readonly string[] | null {
  const fields = firstLineOf(beginning)
    .split(',')
    .map((field) => field.trim());
  const kinds = fields.map(kindOf).join('');
  const isKraken = kinds === 'nnn';
  // Any file may have three numbers in a row; those of Kraken begin with a time in seconds.
  if (isKraken && !isEpochSeconds(fields[0]!)) return null;
  return ARCHIVES[kinds] ?? null;
}

/** Whether a field is a time in epoch seconds, of the years 2001 to 2033. */
export function isEpochSeconds(field: string): boolean {
  return /^1\d{9}(\.\d+)?$/.test(field);
}

export function isNumber(field: string): boolean {
  return /^-?\d+(\.\d*)?(e[-+]?\d+)?$/i.test(field);
}

function kindOf(field: string): string {
  if (/^(true|false)$/i.test(field)) return 'f';
  return isNumber(field) ? 'n' : '?';
}
