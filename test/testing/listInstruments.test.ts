import { expect, test } from 'vitest';
import { listInstruments } from '../../src/testing/listInstruments.ts';

const GIVEN = {
  kind: 'third_party_perp',
  size_decimals: 2,
  price_decimals: 3,
  price_significant_figures: 4,
  min_order_value: 5,
  algo_min_value: 60,
  max_leverage: 7,
} as const;

test('each field that a test gives is that of the instrument, and the others follow from its symbol', () => {
  for (const symbol of ['BTC', 'ETH/USDC', 'xyz:GOLD']) {
    const usual = listInstruments([symbol], {}).get(symbol)!;
    for (const [name, value] of Object.entries(GIVEN)) {
      const given = listInstruments([symbol], { [symbol]: { [name]: value } }).get(symbol);
      expect(given, name).toEqual({ ...usual, [name]: value });
    }
    expect(listInstruments([], { [symbol]: GIVEN }).get(symbol)).toEqual({ ...usual, ...GIVEN });
  }
});
