import type { Dialect } from '../../contract/index.ts';

/** What was handed to one stream and is not on its way yet. */
export class Backlog {
  readonly #limits: Dialect['stream'];
  readonly #waitingBytes: () => number;
  #frames = 0;
  #left = 0;
  /** Called with each message after which more waits than may. */
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

  /** To be called after a message was added. */
  look(): void {
    if (this.isOver) this.onOver();
  }

  /** Messages that are on their way so far: where it stands still, the far end takes nothing. */
  get left(): number {
    return this.#left;
  }

  /** More than a subscriber may have waiting; one that is so for long can't keep up. */
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
