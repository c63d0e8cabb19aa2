/** The rows of an archive without a header. */
export interface BareTrades {
  /** The archive, for messages. */
  title: string;
  columns: readonly string[];
}

const AGGREGATE = [
  'agg_trade_id',
  'price',
  'quantity',
  'first_trade_id',
  'last_trade_id',
  'transact_time',
  'is_buyer_maker',
  'is_best_match',
];
const SINGLE = ['id', 'price', 'qty', 'quote_qty', 'time', 'is_buyer_maker', 'is_best_match'];

/** By the kinds of a row's fields: `n` is a number, `f` true or false. */
const ARCHIVES: Readonly<Record<string, BareTrades>> = {
  nnnnnnff: { title: 'Binance aggregate trades', columns: AGGREGATE },
  nnnnnnf: { title: 'Binance aggregate trades', columns: AGGREGATE.slice(0, 7) },
  nnnnnff: { title: 'Binance trades', columns: SINGLE },
  nnnnnf: { title: 'Binance trades', columns: SINGLE.slice(0, 6) },
  nnn: { title: 'Kraken trades', columns: ['time', 'price', 'volume'] },
};

/**
 * The archive that writes rows like this one; null for a header, and for rows that no known archive writes.
 *
 * @param line the first line of a file
 */
export function bareTrades(line: string): BareTrades | null {
  const fields = line.split(',').map((field) => field.trim());
  const kinds = fields.map(kindOf).join('');
  const isKraken = kinds === 'nnn';
  // Three numbers could be anything; Kraken's begin with a time in seconds.
  if (isKraken && !isEpochSeconds(fields[0]!)) return null;
  return ARCHIVES[kinds] ?? null;
}

/** Of 2001 to 2033. */
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
