import { extname } from 'node:path';
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
} from 'node:worker_threads';
import { reasonOf } from './reasonOf.ts';
import {
  ANSWERS,
  countSent,
  MESSAGES,
  type Received,
  type Thread,
  type ThreadLine,
  type ThreadOptions,
} from './Thread.ts';

/** From source, `trimtab` resolves to its source too, however this process was started. */
const argumentsFor = (program: URL): string[] =>
  extname(program.pathname) === '.ts' ? ['--conditions=trimtab-source'] : [];

/** A real thread, by `node:worker_threads`. It gets nothing of this process's environment variables. */
export function openThread(program: URL, options: ThreadOptions): Thread {
  const { name, data, memoryMb, listener } = options;
  const messages = new MessageChannel();
  const answers = new MessageChannel();
  const sent = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const line: ThreadLine<MessagePort> = {
    data,
    messages: messages.port2,
    answers: answers.port2,
    sent,
  };
  const worker = new Worker(program, {
    name,
    workerData: line,
    transferList: [messages.port2, answers.port2],
    execArgv: argumentsFor(program),
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let ended = false;
  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    listener.onEnd(reason);
  };
  const port = messages.port1;
  port.on('message', (message: unknown) => {
    if (!ended) listener.onMessage(message);
  });
  worker.on('error', (error: unknown) => end(describeEnd(error, memoryMb)));
  worker.on('exit', (code) => end(`It ended with code ${code}.`));
  // A thread alone must not keep the process alive.
  worker.unref();
  port.unref();

  return {
    post: (message) => port.postMessage(message, []),
    answer(message) {
      answers.port1.postMessage(message, []);
      countSent(sent, ANSWERS);
    },
    receive: (timeoutMs) => receive(port, sent, timeoutMs),
    terminate() {
      ended = true;
      port.close();
      answers.port1.close();
      void worker.terminate();
    },
  };
}

function receive(port: MessagePort, sent: Int32Array, timeoutMs: number): Received {
  const end = performance.now() + timeoutMs;
  for (;;) {
    // Read before the port, so that a message in between ends the wait at once.
    const before = Atomics.load(sent, MESSAGES);
    const received = receiveMessageOnPort(port) as { message: unknown } | undefined;
    const leftMs = end - performance.now();
    if (received !== undefined) return { message: received.message, leftMs: Math.max(0, leftMs) };
    if (leftMs <= 0) return undefined;
    Atomics.wait(sent as Int32Array<SharedArrayBuffer>, MESSAGES, before, leftMs);
  }
}

function describeEnd(error: unknown, memoryMb: number): string {
  const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isFull ? `It needed more memory than its ${memoryMb} MB.` : reasonOf(error);
}
