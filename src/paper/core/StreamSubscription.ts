import type { ChannelName, StreamFrame } from '../../contract/index.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { EngineEvent } from './Engine.ts';
import { STREAMED_DEPTH } from '../market/marketRecords.ts';
import type { SharedData, StreamPort } from './StreamPort.ts';

type Params = Readonly<Record<string, unknown>>;

/** Params that shape a subscription without being matched against an event's keys. */
const NOT_MATCHED: ReadonlySet<string> = new Set(['wallet', 'limit', 'include_forming']);

/** One subscription of one session: which events it receives, and how it numbers its frames. */
export class StreamSubscription {
  readonly channel: ChannelName;
  readonly params: Params;
  readonly wallet: string;
  readonly #port: StreamPort;
  readonly #headText: string;
  readonly #matched: ReadonlyArray<[string, unknown]>;
  #name: string | undefined;
  #seq = 0;
  /** The keys that were matched last: a stream of bars has the same keys each time. */
  #lastKeys: EngineEvent['keys'] | null = null;
  #lastMatches = false;

  constructor(channel: ChannelName, params: Params, wallet: string, port: StreamPort) {
    this.channel = channel;
    this.params = params;
    this.wallet = wallet;
    this.#port = port;
    this.#headText = `{"channel":"${channel}","params":${JSON.stringify(params)},"event":`;
    // A book of another depth is another book.
    const whole = channel === 'orderbook' ? { depth: STREAMED_DEPTH, ...params } : params;
    this.#matched = Object.entries(whole).filter(([name]) => !NOT_MATCHED.has(name));
  }

  /** Its identity within its session: the same channel and params are the same subscription. */
  static nameOf(channel: string, params: Params): string {
    return `${channel} ${canonicalJson(params)}`;
  }

  get name(): string {
    return (this.#name ??= StreamSubscription.nameOf(this.channel, this.params));
  }

  /** The line that it shares with all frames of its session: none of them overtakes another. */
  get line(): object {
    return this.#port;
  }

  takes(event: EngineEvent): boolean {
    if (event.wallet !== null && event.wallet !== this.wallet) return false;
    if (event.event === 'bar_forming' && this.params['include_forming'] !== true) return false;
    if (event.keys !== this.#lastKeys) {
      this.#lastMatches = this.#matches(event.keys);
      this.#lastKeys = event.keys;
    }
    return this.#lastMatches;
  }

  #matches(keys: EngineEvent['keys']): boolean {
    for (const [name, value] of this.#matched) if (keys[name] !== value) return false;
    return true;
  }

  /** Frames that are not sent: the subscriber has what they would have held. */
  skip(count: number): void {
    this.#seq += count;
  }

  /** @param ts the replay's time, epoch milliseconds */
  send(event: string, data: SharedData, ts: number): void {
    const { channel, params, wallet } = this;
    const frame: StreamFrame = {
      channel,
      params: params as Record<string, unknown>,
      event,
      wallet,
      seq: ++this.#seq,
      ts,
      data: data.value,
    };
    this.#port.frame(frame, data, this.#headText);
  }
}
