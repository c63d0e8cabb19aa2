import type { Emission } from '../../strategy/index.ts';

/**
 * What the bot asks for of its own accord: cancels that make room, stops offered again, the end of its
 * entries. Those who ask are built before the pipe, which takes what is asked once it is there.
 */
export interface Outbox {
  submit(emission: Emission): void;
  /** @param take is given each emission from now on, at once */
  connect(take: (emission: Emission) => void): void;
}

/** @throws Error where something is submitted before anything is connected: that is a fault of the assembly */
export function createOutbox(): Outbox {
  let take: ((emission: Emission) => void) | undefined;
  return {
    submit(emission) {
      if (take === undefined) throw new Error('The pipe is not there yet.');
      take(emission);
    },
    connect(taker) {
      take = taker;
    },
  };
}
