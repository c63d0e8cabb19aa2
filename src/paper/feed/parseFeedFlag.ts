import { INTERVALS, type Interval } from '../../contract/index.ts';

export type FeedFlag =
  | { ok: true; value: { symbol: string; interval: Interval; path: string } }
  | { ok: false; message: string };

/** Reads `--feed BTC@1m=prices.csv`. A path may hold `=` and `@`; a symbol holds neither. */
export function parseFeedFlag(text: string): FeedFlag {
  const match = /^([^@=]+)@([^@=]+)=(.+)$/.exec(text);
  if (match === null) {
    return refuse(
      `${JSON.stringify(text)} is not SYMBOL@INTERVAL=PATH, such as BTC@1m=btc.csv.gz.`,
    );
  }
  const [, symbol = '', interval = '', path = ''] = match;
  const known = INTERVALS.find((name) => name === interval);
  if (known === undefined) {
    return refuse(`${JSON.stringify(interval)} is not an interval; use ${INTERVALS.join(' ')}.`);
  }
  return { ok: true, value: { symbol, interval: known, path } };
}

function refuse(message: string): FeedFlag {
  return { ok: false, message };
}
