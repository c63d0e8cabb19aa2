import { expect, test } from 'vitest';
import { placeOrder } from '../../src/intents/index.ts';
import { hashEmissions } from '../../src/operate/recording/index.ts';

const emission = (key: string, marketTime: number, size: number) => ({
  decisionKey: `main/one/${key}#0`,
  marketTime,
  intent: placeOrder.market({ symbol: 'BTC', side: 'buy', size }),
});

test('another key, market time, intent, order or number of intents is another hash; the same is the same', () => {
  const whole = [emission('a', 1, 1), emission('b', 2, 1)];
  const others = {
    key: [emission('c', 1, 1), emission('b', 2, 1)],
    time: [emission('a', 1, 1), emission('b', 3, 1)],
    intent: [emission('a', 1, 2), emission('b', 2, 1)],
    order: whole.toReversed(),
    number: whole.slice(1),
    none: [],
  };
  const hash = hashEmissions(whole);
  expect(hashEmissions(structuredClone(whole))).toBe(hash);
  for (const [name, other] of Object.entries(others))
    expect(hashEmissions(other), name).not.toBe(hash);
});
