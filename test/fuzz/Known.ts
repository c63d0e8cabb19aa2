import type { InstrumentRecord } from '../../src/contract/index.ts';
import type { Draw } from './Draw.ts';

const RETAINED = 24;

/** Response fields whose values identify something that later requests may use. */
const ID_FIELDS: ReadonlySet<string> = new Set([
  'order_id',
  'client_order_id',
  'execution_id',
  'monitor_id',
  'group_id',
  'webhook_id',
  'basket_id',
  'template_id',
  'token',
  'next_cursor',
]);

/** States of a record that nothing changes any more: its id would crowd out those of open ones. */
const ENDED: ReadonlySet<unknown> = new Set([
  'filled',
  'cancelled',
  'rejected',
  'expired',
  'completed',
  'failed',
  'stopped',
]);

/** The fuzzer's view of the service: instruments, prices, and the newest ids of each kind. */
export interface Known {
  readonly symbols: readonly string[];
  readonly wallets: readonly string[];
  instrument(symbol: string): InstrumentRecord;
  /** Last seen mark; moves with the replay. */
  mark(symbol: string): number;
  setMark(symbol: string, mark: number): void;
  /** Replay time, epoch milliseconds. */
  now: number;
  /** Records the ids of a response. */
  learn(answer: unknown): void;
  /** A known id of a kind, or one that does not exist. */
  id(kind: string, draw: Draw): string;
}

export function createKnown(
  instruments: readonly InstrumentRecord[],
  wallets: readonly string[],
): Known {
  const ids = new Map<string, string[]>();
  const marks = new Map<string, number>();
  const byName = new Map(instruments.map((each) => [each.symbol, each]));

  const keep = (kind: string, id: string): void => {
    const list = ids.get(kind) ?? [];
    ids.set(kind, list);
    if (list.includes(id)) return;
    list.push(id);
    if (list.length > RETAINED) list.shift();
  };
  const learn = (value: unknown, depth = 0): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, 5)) learn(each, depth + 1);
      return;
    }
    if ('status' in value && ENDED.has(value.status)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && ID_FIELDS.has(name)) keep(name, inner);
      else learn(inner, depth + 1);
    }
  };

  return {
    symbols: instruments.map(({ symbol }) => symbol),
    wallets,
    now: 0,
    instrument: (symbol) => byName.get(symbol) ?? instruments[0]!,
    mark: (symbol) => marks.get(symbol) ?? 100,
    setMark: (symbol, mark) => void marks.set(symbol, mark),
    learn: (answer) => learn(answer),
    id(kind, draw) {
      const list = ids.get(kind) ?? [];
      if (list.length === 0 || draw.chance(0.05)) return draw.pick(['nothing_1', 'ord_999999']);
      // The newest are the ones that are still open.
      return draw.chance(0.6) ? list.at(-1)! : draw.pick(list);
    },
  };
}
