import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface Script {
  child: ChildProcess;
  /** Lines written so far. */
  lines: string[];
  /** Resolves once it has written this number of lines. */
  said(count: number): Promise<void>;
  /** Sends the signal and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Runs a TypeScript file beside the tests in a separate process. */
export function spawnScript(file: string, args: readonly string[]): Script {
  const path = join(import.meta.dirname, '..', file);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines: string[] = [];
  let reported = (): void => {};
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    reported();
  });
  return {
    child,
    lines,
    async said(count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      reported = () => {
        if (lines.length >= count) resolve();
      };
      reported();
      void ended.then(() => reject(new Error(`${file} ended after ${lines.length} lines.`)));
      await promise;
    },
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
