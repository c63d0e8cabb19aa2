import type { Exchange, ServiceRequest } from '../../src/contract/exchange.ts';
import type { StreamFrame } from '../../src/contract/frames.ts';
import type { Link, LinkListener, Subscription } from '../../src/env/Link.ts';
import { subscriptionKey } from '../../src/env/subscriptionKey.ts';
import { TaskQueue } from '../../src/env/TaskQueue.ts';

/** A service at the end of a link, for one test: it says what it is reported, with a sequence a subscription. */
export class ScriptedLink implements Link {
  readonly market = new TaskQueue(0);
  readonly asked: string[] = [];
  readonly requests: ServiceRequest[] = [];
  /** Every frame, in the order of delivery. */
  readonly delivered: StreamFrame[] = [];
  /** What a subscription is answered with at once; null for channels without a snapshot. */
  snapshots: (subscription: Subscription) => unknown = () => null;
  answer: (request: ServiceRequest) => Exchange = () => ({
    kind: 'not_sent',
    reason: 'unscripted',
  });
  readonly #seqs = new Map<string, number>();
  #listener: LinkListener | null = null;

  async open(listener: LinkListener): Promise<void> {
    this.#listener = listener;
    listener.onStatus({ state: 'open' });
  }

  subscribe(subscription: Subscription): void {
    this.asked.push(`+ ${describe(subscription)}`);
    this.#seqs.set(subscriptionKey(subscription), 0);
    const data = this.snapshots(subscription);
    if (data !== null) this.say(subscription, 'snapshot', data);
  }

  unsubscribe(subscription: Subscription): void {
    this.asked.push(`- ${describe(subscription)}`);
  }

  async request(request: ServiceRequest): Promise<Exchange> {
    this.requests.push(request);
    return this.answer(request);
  }

  async close(): Promise<void> {}

  /** The next frame of a subscription. */
  say(subscription: Subscription, event: string, data: unknown): void {
    this.deliver(this.next(subscription, event, data));
  }

  /** Makes the next frame without delivering it: for frames that are lost or come late. */
  next(subscription: Subscription, event: string, data: unknown): StreamFrame {
    const key = subscriptionKey(subscription);
    const seq = (this.#seqs.get(key) ?? 0) + 1;
    this.#seqs.set(key, seq);
    const { channel, params } = subscription;
    const wallet = typeof params['wallet'] === 'string' ? params['wallet'] : 'main';
    return { channel, params: { ...params }, event, wallet, seq, ts: this.market.now(), data };
  }

  deliver(frame: StreamFrame): void {
    this.delivered.push(frame);
    this.#listener?.onFrame(frame);
  }

  lose(): void {
    this.#listener?.onStatus({ state: 'lost', reason: 'test' });
  }

  /** A new connection: what is subscribed restarts, as a link's subscriptions do. */
  reopen(subscriptions: readonly Subscription[]): void {
    this.#listener?.onStatus({ state: 'open' });
    for (const subscription of subscriptions) {
      this.#seqs.set(subscriptionKey(subscription), 0);
      const data = this.snapshots(subscription);
      if (data !== null) this.say(subscription, 'snapshot', data);
    }
  }

  get listener(): LinkListener {
    return this.#listener!;
  }
}

function describe({ channel, params }: Subscription): string {
  return `${channel} ${JSON.stringify(params)}`;
}
