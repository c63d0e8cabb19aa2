import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import { isMap } from '../../contract/isMap.ts';

/** One intent of a version, as two versions are compared by it. Prices in quote units, sizes in base units. */
export interface ComparedIntent {
  /** The event that it was decided on, and its place among the intents of that event. */
  cause: string;
  ordinal: number;
  /**
   * Market time of that event, epoch milliseconds: the close of its bar. When it was decided differs between a service,
   * whose frames take a while, and the shadow.
   */
  time: number;
  kind: string;
  symbol?: string;
  side?: string;
  size?: number;
  price?: number;
  /** Its last step: `accepted`, `denied`, … */
  outcome: string;
  /** The guard that denied it, or the service's code. */
  refusedBy?: string;
}

type JsonMap = Readonly<Record<string, unknown>>;

/** What is compared of an intent, wherever its request has it. */
export function contentOf(
  intent: object,
): Pick<ComparedIntent, 'symbol' | 'side' | 'size' | 'price'> {
  const own = intent as JsonMap;
  const request = isMap(own['request']) ? own['request'] : own;
  const find = (type: string, ...names: string[]): unknown =>
    names.flatMap((name) => [request[name], own[name]]).find((value) => typeof value === type);
  const found = {
    symbol: find('string', 'symbol'),
    side: find('string', 'side'),
    size: find('number', 'total_size', 'size'),
    price: find('number', 'price', 'trigger_price', 'trigger'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const BAR = /^bar:.+:([^:]+):(\d+)$/;

/** The close of the bar that a cause names, epoch milliseconds; undefined if it names none. */
export function barCloseOf(cause: string): number | undefined {
  const [, interval, time] = BAR.exec(cause) ?? [];
  const lengthMs: number | undefined = INTERVAL_MS[interval as Interval];
  return lengthMs === undefined ? undefined : Number(time) + lengthMs;
}

/**
 * `wallet/instance/cause#ordinal` without its wallet and instance; undefined for a key of another form. A promoted
 * version stands behind the wallet, as `wallet+version`, and its path may hold slashes, and the instance's name.
 */
export function causeOfKey(
  decisionKey: string,
  instance: string,
): { cause: string; ordinal: number } | undefined {
  const named = `/${instance}/`;
  const isPromoted = /^[^/]*\+/.test(decisionKey);
  const at = isPromoted ? decisionKey.lastIndexOf(named) : -1;
  const own = at < 0 ? decisionKey : `wallet${decisionKey.slice(at)}`;
  const found = /^[^/]*\/[^/]*\/(.*)#(\d+)$/s.exec(own);
  return found === null ? undefined : { cause: found[1]!, ordinal: Number(found[2]) };
}
