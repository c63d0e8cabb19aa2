import type { Dialect } from '../../contract/index.ts';

/** Messages that were queued for one stream and not yet sent. */
export class Backlog {
  readonly #limits: Dialect['stream'];
  readonly #waitingBytes: () => number;
  #frames = 0;
  #left = 0;
  /** Called with each message that exceeds the limit of waiting messages. */
  onOver: () => void = () => {};

  constructor(limits: Dialect['stream'], waitingBytes: () => number) {
    this.#limits = limits;
    this.#waitingBytes = waitingBytes;
  }

  /** Counts a message until the returned function is called. */
  readonly add = (): (() => void) => {
    this.#frames++;
    return () => {
      this.#frames--;
      this.#left++;
    };
  };

  /** Call it after a message was added. */
  look(): void {
    if (this.isOver) this.onOver();
  }

  /** Number of messages sent so far: while it does not grow, the peer reads nothing. */
  get left(): number {
    return this.#left;
  }

  /** More than a subscriber may have waiting; a subscriber that stays above this can't keep up. */
  get isOver(): boolean {
    const { slowConsumerFrames, slowConsumerBytes } = this.#limits;
    return this.#frames > slowConsumerFrames || this.#waitingBytes() > slowConsumerBytes;
  }

  /** A quarter of the limit: the sockets should drain before more is produced. */
  get isHigh(): boolean {
    const { slowConsumerFrames, slowConsumerBytes } = this.#limits;
    return this.#frames > slowConsumerFrames / 4 || this.#waitingBytes() > slowConsumerBytes / 4;
  }
}
