/** Lowest and highest value of a stretch of two columns. */
export interface Range {
  /** From `from` up to, not including, `until`; infinite for an empty stretch. */
  of(from: number, until: number): { low: number; high: number };
}

const BLOCK = 256;

/** Answers for any stretch by whole blocks, so that thousands of long trades don't read each bar thousands of times. */
export function createRange(lows: ArrayLike<number>, highs: ArrayLike<number>): Range {
  const blocks = Array.from({ length: Math.ceil(lows.length / BLOCK) }, (_none, block) =>
    scan(block * BLOCK, Math.min(lows.length, (block + 1) * BLOCK)),
  );

  function scan(from: number, until: number): { low: number; high: number } {
    let [low, high] = [Infinity, -Infinity];
    for (let at = from; at < until; at++) {
      if (lows[at]! < low) low = lows[at]!;
      if (highs[at]! > high) high = highs[at]!;
    }
    return { low, high };
  }

  return {
    of(from, until) {
      const [first, last] = [Math.ceil(from / BLOCK), Math.floor(until / BLOCK)];
      if (first >= last) return scan(from, until);
      const parts = [
        scan(from, first * BLOCK),
        ...blocks.slice(first, last),
        scan(last * BLOCK, until),
      ];
      return {
        low: Math.min(...parts.map(({ low }) => low)),
        high: Math.max(...parts.map(({ high }) => high)),
      };
    },
  };
}
