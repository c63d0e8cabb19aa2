import { fork, type ChildProcess } from 'node:child_process';
import type { Order, Ready, Report } from './serve.ts';

/** The service in its own process. */
export interface Target extends Ready {
  /** How far the service's wall time is ahead of ours, milliseconds. */
  readonly leapMs: number;
  order(order: Order): Promise<Report>;
  /** Why it has ended; null while it runs. */
  readonly death: string | null;
  stop(): void;
}

const PATIENCE_MS = 60_000;

export async function startTarget(): Promise<Target> {
  const child = fork(new URL('./serve.ts', import.meta.url), {
    execArgv: ['--expose-gc', '--conditions=trimtab-source', '--max-old-space-size=1024'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let death: string | null = null;
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-4_000);
  });
  child.on('exit', (code, signal) => {
    death = `exit ${code ?? signal}: ${words}`;
  });
  const ready = await nextMessage<Ready>(child, () => words);
  let leapMs = 0;
  return {
    ...ready,
    get leapMs() {
      return leapMs;
    },
    get death() {
      return death;
    },
    async order(order) {
      if (order.order === 'leap') leapMs += order.ms;
      child.send(order);
      return nextMessage<Report>(child, () => words);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function nextMessage<T>(child: ChildProcess, words: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end('said nothing for a minute'), PATIENCE_MS);
    const onExit = (): void => end('has ended');
    const onMessage = (message: unknown): void => {
      clean();
      resolve(message as T);
    };
    const end = (why: string): void => {
      clean();
      reject(new Error(`The service ${why}. ${words()}`));
    };
    const clean = (): void => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', onMessage);
    };
    child.once('exit', onExit);
    child.once('message', onMessage);
  });
}
