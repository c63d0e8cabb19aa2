/** The result of waiting for a thread: its next message with the remaining time, or nothing. */
export type Received = { message: unknown; leftMs: number } | undefined;

/**
 * A thread of this process with its own memory. All that crosses is copied; nothing waits for it unless
 * {@link Thread.receive} is called.
 */
export interface Thread {
  /** Queued until the thread takes it. @throws Error for what can't be copied, such as a function */
  post(message: unknown): void;
  /** Ends the call for which the thread waits. */
  answer(message: unknown): void;
  /** Blocks this thread until the other one has sent a message, or the time is over. */
  receive(timeoutMs: number): Received;
  /** Ends it wherever it is, even in a loop; no further message is received from it. */
  terminate(): void;
}

export interface ThreadListener {
  onMessage(message: unknown): void;
  /** It ended by itself; not called after {@link Thread.terminate}. */
  onEnd(reason: string): void;
}

export interface ThreadOptions {
  /** Name of the thread in process listings. */
  name: string;
  /** Copied to the thread; {@link openThreadSide} returns it there. */
  data: unknown;
  /** Megabytes of heap at which the engine ends it, if it can: too much in one allocation ends the process. */
  memoryMb: number;
  listener: ThreadListener;
}

/** Starts a program in a thread. */
export type OpenThread = (program: URL, options: ThreadOptions) => Thread;

/** The other end of a {@link Thread}, as used by the program in it. */
export interface ThreadSide {
  readonly data: unknown;
  post(message: unknown): void;
  /** As `post`, and blocks until it is answered. */
  call(message: unknown): unknown;
  onMessage(take: (message: unknown) => void): void;
  /** Megabytes that the thread's objects take now, including garbage. */
  memoryMb(): number;
  /** Called if the program ends itself, or throws an uncaught error. */
  onEnd(onReason: (reason: string, stack?: string) => void): void;
}

/** What both ends share: ports for messages and answers, and how many of each were sent so far. */
export interface ThreadLine<Port> {
  data: unknown;
  messages: Port;
  answers: Port;
  sent: Int32Array<SharedArrayBuffer>;
}

/** Indexes in {@link ThreadLine.sent}. */
export const MESSAGES = 0;
export const ANSWERS = 1;

/** Counts something as sent, and wakes the waiting side. */
export function countSent(sent: Int32Array, place: number): void {
  Atomics.add(sent, place, 1);
  Atomics.notify(sent, place);
}
