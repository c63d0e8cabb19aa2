/** What came of waiting for a thread: its next message with the time that was left, or nothing. */
export type Received = { message: unknown; leftMs: number } | undefined;

/**
 * A thread of this process with a memory of its own. All that crosses is copied; it is never waited
 * for unless {@link Thread.receive} is called.
 */
export interface Thread {
  /** Queued until the thread takes it. @throws Error for what can't be copied, such as a function */
  post(message: unknown): void;
  /** Ends the call that the thread waits in. */
  answer(message: unknown): void;
  /** Blocks this thread until the other one has said something, or the time is over. */
  receive(timeoutMs: number): Received;
  /** Ends it wherever it is, in a loop too; nothing is heard of it any more. */
  terminate(): void;
}

export interface ThreadListener {
  onMessage(message: unknown): void;
  /** It ended by itself; not told after {@link Thread.terminate}. */
  onEnd(reason: string): void;
}

export interface ThreadOptions {
  /** For people who look at the process. */
  name: string;
  /** Copied to the thread; {@link openThreadSide} gives it there. */
  data: unknown;
  /** Megabytes of heap at which the engine ends it, if it can: too much at one go ends the process. */
  memoryMb: number;
  listener: ThreadListener;
}

/** Starts a program in a thread. */
export type OpenThread = (program: URL, options: ThreadOptions) => Thread;

/** The other end of a {@link Thread}, as the program in it sees it. */
export interface ThreadSide {
  readonly data: unknown;
  post(message: unknown): void;
  /** As `post`, and blocks until it is answered. */
  call(message: unknown): unknown;
  onMessage(take: (message: unknown) => void): void;
  /** Megabytes that the thread's objects take now, those that nobody needs any more included. */
  memoryMb(): number;
  /** Told where the program ends itself, or throws outside of everything. */
  onEnd(told: (reason: string, stack?: string) => void): void;
}

/** What both ends share: ports for messages and answers, and how many of each were sent so far. */
export interface ThreadLine<Port> {
  data: unknown;
  messages: Port;
  answers: Port;
  sent: Int32Array<SharedArrayBuffer>;
}

/** Places in {@link ThreadLine.sent}. */
export const MESSAGES = 0;
export const ANSWERS = 1;

/** Counts something as sent, and wakes who waits for it. */
export function countSent(sent: Int32Array, place: number): void {
  Atomics.add(sent, place, 1);
  Atomics.notify(sent, place);
}
