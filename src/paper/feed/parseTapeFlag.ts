export type TapeFlag =
  { ok: true; value: { symbol: string; path: string } } | { ok: false; message: string };

/** Reads `--trades BTC=trades.csv.gz`. A path may hold `=`; a symbol holds none. */
export function parseTapeFlag(text: string): TapeFlag {
  const match = /^([^=]+)=(.+)$/.exec(text);
  if (match === null) {
    const message = `${JSON.stringify(text)} is not SYMBOL=PATH, such as BTC=btc-trades.csv.gz.`;
    return { ok: false, message };
  }
  const [, symbol = '', path = ''] = match;
  return { ok: true, value: { symbol, path } };
}
