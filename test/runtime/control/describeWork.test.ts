import { expect, test } from 'vitest';
import {
  describeExecution,
  describeHolding,
  describeOrder,
  describePosition,
} from '../../../src/runtime/control/describeWork.ts';

test('sizes and prices have every digit that a venue has, and no binary tail', () => {
  const size = 1_234.56789012;
  const tailed = 0.1 + 0.2;
  const order = { order_id: 'o1', order_type: 'limit', side: 'buy', symbol: 'BTC' };
  expect(describeOrder({ ...order, size, price: 103_456.75 } as never)).toBe(
    'o1, limit buy 1234.56789012 BTC at 103456.75',
  );
  expect(describeOrder({ ...order, size: tailed, price: null } as never)).toBe(
    'o1, limit buy 0.3 BTC',
  );
  const execution = { execution_id: 'e1', algo: 'pacemaker', side: 'buy', symbol: 'BTC' };
  expect(describeExecution({ ...execution, total_size: size, status: 'running' } as never)).toBe(
    'e1, pacemaker buy 1234.56789012 BTC, running',
  );
  const position = { side: 'long', size, symbol: 'BTC', entry_price: 103_456.75 };
  expect(describePosition(position as never)).toBe('position long 1234.56789012 BTC at 103456.75');
  expect(describeHolding({ size, symbol: 'HYPE/USDC' })).toBe('holding 1234.56789012 of HYPE/USDC');
});
