import { LONGEST_FLUSH_MS } from '../../env/index.ts';
import type { Cancel, OpenThread, Thread, Timers } from '../../env/index.ts';

/** What the turns themselves need of a thread's messages; the others go to their listener. */
interface TurnMessage {
  kind: string;
}

export interface ThreadTurnsOptions<From extends TurnMessage> {
  openThread: OpenThread;
  /** It posts `ready` once it is loaded, and `done` at the end of each turn. */
  program: URL;
  /** Of the thread in process listings. */
  name: string;
  /** What the program gets to begin with. Nothing secret may be in it. */
  data: unknown;
  /** Megabytes that it may use at the end of a turn, which the program checks itself. */
  memoryMb: number;
  timers: Timers;
  /** Whether {@link ThreadTurns.post} returns only when the turn has ended. */
  waits: boolean;
  /** Wall milliseconds. */
  turnDeadlineMs: number;
  hear(message: Said<From>): void;
  /** The thread can't go on: it was too slow, sent too many messages, or ended. */
  onEnd(kind: 'overran' | 'flooded' | 'thread_ended', reason: string): void;
}

/** Messages of a thread beyond those that its turns need. */
export type Said<From> = Exclude<From, { kind: 'sync' | 'ready' }>;

/** The turns of a thread, one after the other, each with a deadline. */
export interface ThreadTurns<To, Answer> {
  post(message: To): void;
  /** Ends the call for which the thread waits. */
  answer(answer: Answer): void;
  /** Number of turns that are not over. */
  readonly waiting: number;
  /** Ends the thread; none of its messages is processed any more. */
  close(): void;
}

/** Loading a plugin takes longer than any turn: its imports, and a compiler for some of them. */
const LOADING_MS = 30_000;
/** Turns that may wait in front of a thread; a snapshot of candles alone is 5,000. */
const MOST_WAITING = 100_000;
/**
 * Messages that a turn may send: log lines, timers, calls. An endless loop that sends ends here, on a
 * replay too.
 */
const MOST_SAID = 100_000;

export function createThreadTurns<To extends TurnMessage, From extends TurnMessage, Answer = never>(
  options: ThreadTurnsOptions<From>,
): ThreadTurns<To, Answer> {
  const { memoryMb, timers, waits, turnDeadlineMs } = options;
  let waiting = 0;
  let isReady = false;
  let isBlocking = false;
  /** The thread may wait for files and networks: the turn at the end of a tape. */
  let isSettling = false;
  /** Messages of the present turn. */
  let said = 0;
  /** A call of the present turn was answered since its deadline was set. */
  let wasAnswered = false;
  let cancelDeadline: Cancel = () => {};
  let thread: Thread | undefined = options.openThread(options.program, {
    name: options.name,
    data: options.data,
    // The thread checks its memory between turns; the engine's limit is for one that grows within a turn.
    memoryMb: 2 * memoryMb,
    listener: {
      onMessage: (message) => void take(message as From),
      onEnd: (reason) => options.onEnd('thread_ended', reason),
    },
  });

  function answer(given: Answer | null): void {
    wasAnswered = true;
    thread?.answer(given);
  }

  const deadlineMs = (): number => {
    if (!isReady) return LOADING_MS;
    return isSettling ? turnDeadlineMs + LONGEST_FLUSH_MS : turnDeadlineMs;
  };

  /** @returns whether a turn ended, after which the next one has its own deadline */
  function take(message: From): boolean {
    if (message.kind === 'sync') answer(null);
    else if (message.kind === 'ready') isReady = true;
    else {
      if (message.kind === 'done') waiting -= 1;
      options.hear(message as Said<From>);
    }
    const isOver = message.kind === 'ready' || message.kind === 'done';
    if (isOver && !waits) watch();
    said = isOver ? 0 : said + 1;
    if (said > MOST_SAID) options.onEnd('flooded', `It sent ${said} messages during one event.`);
    return isOver;
  }

  /** Blocks until the thread has nothing left to do, or its deadline has passed. */
  function block(): void {
    if (isBlocking) return;
    isBlocking = true;
    let leftMs = deadlineMs();
    while (waiting > 0 && thread !== undefined) {
      const received = thread.receive(leftMs);
      if (received === undefined) overrun();
      else leftMs = take(received.message as From) ? deadlineMs() : received.leftMs;
    }
    isBlocking = false;
  }

  /** Sets the deadline of the present turn, if there is one. */
  function watch(isLast = false): void {
    wasAnswered = false;
    cancelDeadline();
    if (waiting > 0) cancelDeadline = timers.after(deadlineMs(), () => checkDeadline(isLast));
  }

  /** The bot may have been late itself: what the thread has sent by now is processed first. */
  function checkDeadline(isLast: boolean): void {
    let isNext = false;
    for (let next = read(); next !== undefined; next = read()) {
      isNext = take(next) || isNext;
      // Nothing follows a call: the thread waited in it until now.
      if (next.kind === 'call' || next.kind === 'sync') break;
    }
    if (isNext || waiting === 0) return;
    // How long it waited for the bot's answer is unknown: it gets its full time again.
    if (wasAnswered && !isLast) watch(true);
    else overrun();
  }

  const read = (): From | undefined => thread?.receive(0)?.message as From | undefined;

  function overrun(): void {
    const [what, ms] = isReady ? ['one event', turnDeadlineMs] : ['loading', LOADING_MS];
    const reason = `It did not finish ${what} within ${ms / 1_000} s; is there a loop in it?`;
    options.onEnd('overran', reason);
  }

  return {
    post(message) {
      isSettling ||= message.kind === 'settle';
      thread?.post(message);
      waiting += 1;
      if (waiting > MOST_WAITING) options.onEnd('overran', `It is ${waiting} events behind.`);
      else if (waits) block();
      else if (waiting === 1) watch();
    },
    answer,
    get waiting() {
      return waiting;
    },
    close() {
      waiting = 0;
      cancelDeadline();
      thread?.terminate();
      thread = undefined;
    },
  };
}
