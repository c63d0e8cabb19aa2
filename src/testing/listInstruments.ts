import { instrumentRecord, type InstrumentRecord } from '../contract/index.ts';
import { testRefusal } from './testRefusal.ts';

/** The fields of an instrument that a test may set; the others follow from the symbol. */
export type TestInstrument = Partial<
  Pick<
    InstrumentRecord,
    | 'kind'
    | 'size_decimals'
    | 'price_decimals'
    | 'price_significant_figures'
    | 'min_order_value'
    | 'algo_min_value'
    | 'max_leverage'
  >
>;

/** Fine enough for a coin of a cent and for one of a hundred thousand; minima as the paper service has them. */
const USUAL = {
  size_decimals: 5,
  price_decimals: 6,
  price_significant_figures: 5,
  min_order_value: 10,
  algo_min_value: 100,
  max_leverage: 50,
};

/** The records of a test's instruments by symbol: those that the strategy trades, and others that it may read. */
export function listInstruments(
  symbols: readonly string[],
  given: Readonly<Record<string, TestInstrument>>,
): ReadonlyMap<string, InstrumentRecord> {
  const all = [...new Set([...symbols, ...Object.keys(given)])];
  return new Map(all.map((symbol) => [symbol, instrumentOf(symbol, given[symbol] ?? {})]));
}

function instrumentOf(symbol: string, given: TestInstrument): InstrumentRecord {
  const record = { symbol, ...namesOf(symbol), ...USUAL, ...given };
  const checked = instrumentRecord.safeParse(record);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw testRefusal(
    `instruments.${symbol}.${path}: ${issue?.message ?? 'it does not fit.'}`,
    'Write a number as the service lists it, such as size_decimals: 3.',
  );
}

/** A slash means spot, a colon a third-party-deployed perp, else a perp against USD (conventions §6). */
function namesOf(symbol: string): Pick<InstrumentRecord, 'kind' | 'base' | 'quote'> {
  const [base = symbol, quote] = symbol.split('/');
  if (quote !== undefined) return { kind: 'spot', base, quote };
  const listed = symbol.slice(symbol.indexOf(':') + 1);
  return { kind: listed === symbol ? 'perp' : 'third_party_perp', base: listed, quote: 'USD' };
}
