import type { Dialect } from '../../contract/index.ts';

/** What was handed to one stream and is not on its way yet. */
export class Backlog {
  readonly #limits: Dialect['stream'];
  readonly #waitingBytes: () => number;
  #frames = 0;

  constructor(limits: Dialect['stream'], waitingBytes: () => number) {
    this.#limits = limits;
    this.#waitingBytes = waitingBytes;
  }

  /** Counts a message until the returned function is called. */
  readonly add = (): (() => void) => {
    this.#frames++;
    return () => {
      this.#frames--;
    };
  };

  /** More than a subscriber may have waiting: it can't keep up. */
  get isOver(): boolean {
    const { slowConsumerFrames, slowConsumerBytes } = this.#limits;
    return this.#frames > slowConsumerFrames || this.#waitingBytes() > slowConsumerBytes;
  }

  /** A quarter of it: time to let the sockets drain before more is made. */
  get isHigh(): boolean {
    const { slowConsumerFrames, slowConsumerBytes } = this.#limits;
    return this.#frames > slowConsumerFrames / 4 || this.#waitingBytes() > slowConsumerBytes / 4;
  }
}
