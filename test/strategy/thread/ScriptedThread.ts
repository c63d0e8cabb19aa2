import type { OpenThread } from '../../../src/env/index.ts';
import type {
  CallAnswer,
  FromThread,
  ToThread,
} from '../../../src/strategy/thread/ThreadMessage.ts';

type Listener = Parameters<OpenThread>[1]['listener'];

/** A thread that does what a test says: what it was sent, answered and asked for is read here. */
export class ScriptedThread {
  readonly posted: ToThread[] = [];
  readonly answers: Array<CallAnswer | null> = [];
  /** How long the bot would have waited for each message. */
  readonly waits: number[] = [];
  /** What the bot takes of it by waiting, each message after so many milliseconds. */
  readonly unread: Array<readonly [message: FromThread, afterMs: number]> = [];
  #read = 0;
  data: unknown;
  memoryMb = NaN;
  isTerminated = false;
  #listener: Listener | undefined;

  readonly open: OpenThread = (_program, { data, memoryMb, listener }) => {
    [this.data, this.memoryMb, this.#listener] = [data, memoryMb, listener];
    return {
      post: (message) => void this.posted.push(message as ToThread),
      answer: (answer) => void this.answers.push(answer as CallAnswer | null),
      receive: (timeoutMs) => {
        this.waits.push(timeoutMs);
        const [message, afterMs] = this.unread[this.#read++] ?? [undefined, Infinity];
        if (message === undefined || afterMs > timeoutMs) return undefined;
        return { message, leftMs: timeoutMs - afterMs };
      },
      terminate: () => (this.isTerminated = true),
    };
  };

  /** What is sent and not taken. */
  get left(): number {
    return Math.max(0, this.unread.length - this.#read);
  }

  say(...messages: readonly FromThread[]): void {
    for (const message of messages) if (!this.isTerminated) this.#listener!.onMessage(message);
  }

  /** Its turn is over. */
  done(emitted = 0, suppressed = 0): void {
    this.say({ kind: 'done', emitted, suppressed });
  }

  exit(reason: string): void {
    this.#listener!.onEnd(reason);
  }
}
