import {
  delayOf,
  type DelayKind,
  type Exchange,
  type ServiceRequest,
} from '../../contract/index.ts';
import { createDelay, type DelaySetting } from '../../env/index.ts';
import type { BarrierLink } from './createBarrierLink.ts';

export interface DelayedLinkOptions {
  /** Milliseconds of the replay from a decision until the service acts, by kind. */
  delays: Readonly<Record<DelayKind, DelaySetting>>;
  /** What random delays are drawn from. */
  seed: string | number;
  /** What would arrive after the tape's end arrives then, epoch milliseconds. */
  endTime: number;
}

/** A link whose requests wait for market time. */
export interface DelayedLink extends BarrierLink {
  /** Requests that are on their way to the service. */
  held(): number;
  /** When the next of them arrives, epoch milliseconds; Infinity where none is on its way. */
  dueTime(): number;
  /**
   * Hands the service what arrives until then, one after the other: what an answer leads to is done
   * before the next one is asked for. Answers how many that were.
   *
   * @param settled resolves when nothing is left to do but to wait
   */
  arrive(time: number, settled: () => Promise<void>): Promise<number>;
}

interface HeldRequest {
  time: number;
  request: ServiceRequest;
  answer(exchange: Exchange): void;
}

/**
 * The way of a request to the service, in market time: over sockets and in the same process alike, since
 * it lies before both. The drive of the replay steps to where a request arrives, and lets it.
 */
export function createDelayedLink<L extends BarrierLink>(
  inner: L,
  { delays, seed, endTime }: DelayedLinkOptions,
): L & DelayedLink {
  const delay = {
    order: createDelay(delays.order, `${seed} order`),
    cancel: createDelay(delays.cancel, `${seed} cancel`),
  };
  /** By time; what arrives together keeps the order in which it was sent. */
  const held: HeldRequest[] = [];
  let count = 0;

  const dueTime = (): number => held[0]?.time ?? Infinity;
  const hold = (time: number, request: ServiceRequest): Promise<Exchange> =>
    new Promise((answer) => {
      const at = held.findIndex((other) => other.time > time);
      held.splice(at < 0 ? held.length : at, 0, { time, request, answer });
    });

  return {
    ...inner,
    request(request) {
      const kind = delayOf(request.endpoint);
      if (kind === null || delays[kind] === 0) return inner.request(request);
      return hold(Math.min(inner.market.now() + delay[kind](++count), endTime), request);
    },
    held: () => held.length,
    dueTime,
    nextTaskTime: () => Math.min(inner.nextTaskTime(), dueTime()),
    async arrive(time, settled) {
      let arrived = 0;
      for (; dueTime() <= time; arrived++) {
        const { request, answer } = held.shift()!;
        answer(await inner.request(request));
        await settled();
      }
      return arrived;
    },
  };
}

/** The ways that lie between a bot and its paper service, as the configuration has them. */
export function hasRequestDelay({ order_ms, cancel_ms }: RequestLatency): boolean {
  return order_ms !== 0 || cancel_ms !== 0;
}

export interface RequestLatency {
  order_ms: DelaySetting;
  cancel_ms: DelaySetting;
}
