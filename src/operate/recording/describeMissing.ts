import type { ReplayedHost } from '../../strategy/recording/index.ts';

/**
 * Data that a strategy requested and its recording lacks, in words: missing data can't be distinguished
 * from events that did not happen, so its intents prove nothing then.
 *
 * @param short candles with too little history in the recording, and the number of bars that it has
 */
export function describeMissing(
  { asked, missing }: Pick<ReplayedHost, 'asked' | 'missing'>,
  short: ReadonlyMap<string, number>,
): string[] {
  const unsubscribed = new Set(
    [...missing].map((source) => `${nameOf(source)}: it receives nothing`),
  );
  const candles = new Set([...asked].map(candlesOf));
  const cut = [...short].filter(([name]) => candles.has(name));
  return [
    ...unsubscribed,
    ...cut.map(
      ([name, history]) =>
        `more than ${history} bars of ${name} before its start: its warm-up is longer here`,
    ),
  ];
}

/** `candles BTC 15m 40 forming#0` → `candles of BTC 15m while they form`. */
function nameOf(source: string): string {
  const [name = '', count] = source.split('#');
  const [what = '', symbol, interval] = name.split(' ');
  const of = [symbol, interval].filter((part) => part !== undefined).join(' ');
  const form = name.endsWith(' forming') ? ' while they form' : '';
  const again = count === '0' ? '' : ', asked for again';
  return `${what}${of === '' ? '' : ` of ${of}`}${form}${again}`;
}

const candlesOf = (source: string): string => source.split(' ').slice(1, 3).join(' ');
