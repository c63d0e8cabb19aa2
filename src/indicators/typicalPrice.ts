/** The price that represents a whole bar in VWAP and CCI. */
export function typicalPrice(high: number, low: number, close: number): number {
  return (high + low + close) / 3;
}
