import { expect, test } from 'vitest';
import { createIndicatorBoard } from '../../../src/paper/core/createIndicatorBoard.ts';

const barsOf = (count: number) => {
  const column = Float64Array.from({ length: count }, (_none, at) => 100 + ((at * 7) % 11));
  const time = Float64Array.from({ length: count }, (_none, at) => at * 60_000);
  return {
    time,
    open: column,
    high: column,
    low: column,
    close: column,
    volume: column,
    length: count,
  };
};

test('an indicator has seen the bars that are there, and no others, be there more or fewer than before', () => {
  const read = { symbol: 'BTC', interval: '1m', indicator: 'sma', params: { period: 3 } };
  const board = createIndicatorBoard();
  for (const count of [5, 8, 8, 4, 9]) {
    const values = board.at(read as never, barsOf(count) as never).values;
    const fresh = createIndicatorBoard().at(read as never, barsOf(count) as never).values;
    expect([...values]).toEqual([...fresh]);
  }
});
