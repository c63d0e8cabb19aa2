import type { Emission } from '../../strategy/index.ts';

/**
 * What the bot requests on its own initiative: cancels that free rows, stops submitted again, the end of its
 * entries. The parts that submit are built before the pipe, which is connected once it exists.
 */
export interface Outbox {
  submit(emission: Emission): void;
  /** @param take receives each emission from now on, synchronously */
  connect(take: (emission: Emission) => void): void;
}

/** @throws Error if something is submitted before anything is connected, which is a fault of the assembly */
export function createOutbox(): Outbox {
  let take: ((emission: Emission) => void) | undefined;
  return {
    submit(emission) {
      if (take === undefined) throw new Error('The pipe is not connected yet.');
      take(emission);
    },
    connect(taker) {
      take = taker;
    },
  };
}
