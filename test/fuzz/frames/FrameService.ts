import type {
  CandleRecord,
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
  StreamFrame,
  WatchRow,
} from '../../../src/contract/index.ts';
import { subscriptionKey, type Subscription } from '../../../src/env/index.ts';
import { account, bar, fill, MINUTE, order, position } from '../../streams/records.ts';
import type { Draw } from '../Draw.ts';
import { execution, monitor, watch } from './frameRecords.ts';

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP'];
const ASSETS = ['USDC', 'USDT'];
const RETAINED_BARS = 500;
const MOST = 8;

/**
 * The reference: the true state of a wallet and a market, changed at random, and its frames. It shares no
 * code with the implementation under test.
 */
export class FrameService {
  time = 1_000 * MINUTE;
  readonly positions = new Map<string, PositionRecord>();
  readonly balances = new Map<string, object>();
  readonly orders = new Map<string, OrderRecord>();
  readonly watches = new Map<string, WatchRow>();
  readonly executions = new Map<string, ExecutionRecord>();
  readonly monitors = new Map<string, MonitorRecord>();
  readonly bars: CandleRecord[] = [bar(998), bar(999)];
  readonly fills = new Map<string, FillRecord>();
  readonly #draw: Draw;
  readonly #subscriptions = new Map<string, { subscription: Subscription; seq: number }>();
  #count = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  /** Takes a client's message and returns its answer. */
  take(text: string): object[] {
    const message = JSON.parse(text) as { id: string; op: string } & Subscription;
    const { id, op, channel, params } = message;
    const subscription = { channel, params };
    const key = subscriptionKey(subscription);
    if (op === 'unsubscribe') this.#subscriptions.delete(key);
    else this.#subscriptions.set(key, { subscription, seq: 0 });
    // A frame of the sequence before, with the number that comes next, differs by its time alone.
    this.time += 1;
    const ack = { type: 'ack', id, wallet: 'main', channel, params };
    return op === 'unsubscribe' ? [ack] : [ack, ...this.#publish(channel, 'snapshot')];
  }

  disconnect(): void {
    this.#subscriptions.clear();
  }

  welcome(): object {
    const data = { connectivity: { market_data: 'ok' }, server_time: this.time };
    return { ...this.#head('_meta', {}), event: 'welcome', seq: 1, data };
  }

  /** A random event. */
  step(): object[] {
    // Two events of one millisecond are distinguished by their number; two sequences are not.
    this.time += this.#draw.pick([1, 1, 2, 5, 200]);
    const channel = this.#draw.pick([
      'account.state',
      'tpsl.watch',
      'executions',
      'monitors',
      'candles',
    ]);
    return this.change(channel);
  }

  /** An event on a channel. */
  change(channel: string): object[] {
    switch (channel) {
      case 'account.state':
        return this.#changeAccount();
      case 'tpsl.watch':
        return this.#changeWatch();
      case 'executions':
        return this.#changeExecution();
      case 'monitors':
        return this.#changeMonitor();
      default:
        return this.#changeBars();
    }
  }

  snapshotOf(channel: string): object {
    const listed = <T>(map: ReadonlyMap<string, T>): T[] => [...map.values()];
    switch (channel) {
      case 'account.state':
        return {
          positions: listed(this.positions),
          balances: listed(this.balances),
          open_orders: listed(this.orders),
          account: { ...account, time: this.time },
        };
      case 'tpsl.watch':
        return { rows: listed(this.watches) };
      case 'executions':
        return { executions: listed(this.executions) };
      case 'monitors':
        return { monitors: listed(this.monitors) };
      default:
        return { candles: this.bars.slice(-RETAINED_BARS) };
    }
  }

  #changeAccount(): object[] {
    const draw = this.#draw;
    const kind = draw.pick(['position', 'balance', 'order', 'order', 'fill']);
    if (kind === 'position') {
      const record = position(draw.chance(0.3) ? 0 : draw.int(1, 1e6), draw.pick(SYMBOLS));
      keep(this.positions, record.symbol, record, record.size !== 0);
      return this.#publish('account.state', kind, record);
    }
    if (kind === 'balance') {
      const record = { asset: draw.pick(ASSETS), total: draw.int(0, 1e9), available: 1, held: 0 };
      this.balances.set(record.asset, record);
      return this.#publish('account.state', kind, record);
    }
    if (kind === 'fill') {
      const record = fill(`fil_${++this.#count}`);
      this.fills.set(record.fill_id, record);
      return this.#publish('account.state', kind, record);
    }
    const id = this.#idOf(this.orders, 'ord');
    const status = draw.pick(['open', 'partially_filled', 'filled', 'cancelled', 'expired']);
    const record = { ...order(id, status), filled_size: draw.int(0, 1e6) };
    keep(this.orders, id, record, status === 'open' || status === 'partially_filled');
    return this.#publish('account.state', kind, record);
  }

  #changeWatch(): object[] {
    const id = this.#idOf(this.watches, 'leg');
    const event = this.#draw.pick(['leg_armed', 'trail_moved', 'trail_moved', 'leg_triggered']);
    const record = watch(
      id,
      event === 'leg_triggered' ? 'triggered' : 'armed',
      this.#draw.int(1, 1e6),
    );
    keep(this.watches, id, record, event !== 'leg_triggered');
    return this.#publish('tpsl.watch', event, record);
  }

  #changeExecution(): object[] {
    const id = this.#idOf(this.executions, 'exe');
    const event = this.#draw.pick(['started', 'progress', 'progress', 'ended']);
    const status = event === 'ended' ? 'completed' : 'active';
    const record = execution(id, status, this.#draw.int(0, 1_000));
    keep(this.executions, id, record, event !== 'ended');
    return this.#publish('executions', event, record);
  }

  #changeMonitor(): object[] {
    const id = this.#idOf(this.monitors, 'mon');
    const event = this.#draw.pick(['armed', 'fired', 'stopped']);
    const record = monitor(id, event === 'stopped' ? 'stopped' : 'armed', this.#draw.int(0, 1_000));
    keep(this.monitors, id, record, event !== 'stopped');
    return this.#publish('monitors', event, record);
  }

  #changeBars(): object[] {
    const index = this.bars.at(-1)!.time / MINUTE + 1;
    const closes = this.#draw.chance(0.5);
    const record = { ...bar(index, closes), close: 90 + this.#draw.int(0, 2_000) / 100 };
    if (!closes) return this.#publish('candles', 'bar_forming', record);
    this.time = Math.max(this.time, record.time + MINUTE);
    this.bars.push(record);
    if (this.bars.length > 4 * RETAINED_BARS) this.bars.splice(0, 2 * RETAINED_BARS);
    return this.#publish('candles', 'bar_closed', record);
  }

  /** A known one, or a new one while there are few. */
  #idOf(known: ReadonlyMap<string, unknown>, prefix: string): string {
    const isNew = known.size === 0 || (known.size < MOST && this.#draw.chance(0.5));
    return isNew ? `${prefix}_${++this.#count}` : this.#draw.pick([...known.keys()]);
  }

  #publish(channel: string, event: string, data: object = this.snapshotOf(channel)): object[] {
    const reported: object[] = [];
    for (const one of this.#subscriptions.values()) {
      if (one.subscription.channel !== channel) continue;
      if (event === 'snapshot' && one.seq > 0) continue;
      one.seq += 1;
      reported.push({
        ...this.#head(channel, { ...one.subscription.params }),
        event,
        seq: one.seq,
        data,
      });
    }
    return reported;
  }

  #head(
    channel: string,
    params: StreamFrame['params'],
  ): Omit<StreamFrame, 'event' | 'seq' | 'data'> {
    return { channel, params, wallet: 'main', ts: this.time };
  }
}

function keep<T>(map: Map<string, T>, id: string, record: T, lives: boolean): void {
  if (lives) map.set(id, record);
  else map.delete(id);
}
