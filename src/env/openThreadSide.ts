import { syncBuiltinESMExports } from 'node:module';
import { getHeapStatistics } from 'node:v8';
import { receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { reasonOf } from './reasonOf.ts';
import { ANSWERS, countSent, MESSAGES, type ThreadLine, type ThreadSide } from './Thread.ts';

/** Messages after which a thread waits until they were received: a flood must not fill the other side's memory. */
const MOST_UNACKNOWLEDGED = 1_000;
/** Answered without content: it only waits its turn. */
const SYNC = { kind: 'sync' } as const;

/** The connection to the opener of this thread. */
export function openThreadSide(): ThreadSide {
  const { data, messages, answers, sent } = workerData as ThreadLine<MessagePort>;
  let unacknowledged = 0;

  const send = (message: unknown): void => {
    messages.postMessage(message, []);
    countSent(sent, MESSAGES);
  };

  const call = (message: unknown): unknown => {
    send(message);
    unacknowledged = 0;
    for (;;) {
      const before = Atomics.load(sent, ANSWERS);
      const received = receiveMessageOnPort(answers) as { message: unknown } | undefined;
      if (received !== undefined) return received.message;
      Atomics.wait(sent, ANSWERS, before);
    }
  };

  return {
    data,
    post(message) {
      send(message);
      unacknowledged += 1;
      if (unacknowledged >= MOST_UNACKNOWLEDGED) call(SYNC);
    },
    call,
    onMessage: (take) => void messages.on('message', take),
    memoryMb() {
      const { used_heap_size, external_memory } = getHeapStatistics();
      return (used_heap_size + external_memory) / 1_048_576;
    },
    onEnd(onReason) {
      process.exit = (code = process.exitCode ?? 0) => {
        onReason(`It called process.exit(${code}).`);
        return park();
      };
      syncBuiltinESMExports();
      process.on('uncaughtException', (error: unknown) =>
        onReason(reasonOf(error), error instanceof Error ? error.stack : undefined),
      );
    },
  };
}

/**
 * Waits until this thread is terminated from outside. A thread that exits by itself while it is being
 * terminated can take the whole process with it.
 */
function park(): never {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (;;) Atomics.wait(never, 0, 0);
}
