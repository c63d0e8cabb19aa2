import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';

/** What the warm process is asked. */
export interface TestOrder {
  files: readonly string[];
}

/** What noticed a bug. */
export interface Finding {
  file: string;
  test: string;
  message: string;
}

/** What it answers: all files that it knows, once it is ready; the first red test; the count of green files. */
export type TestAnswer =
  { files: string[] } | { red: Finding } | { green: number } | { error: string };

/** What it sends: its answers, and each file whose tests have ended. */
export type TestNews = TestAnswer | { ended: string };

/** Test files of a folder, run in the order given until one is red. */
export interface TestRunner {
  /** All test files of the folder, from its root. */
  files(): Promise<readonly string[]>;
  /**
   * `late`: one file took longer than the limit, as with a loop that has no end.
   *
   * @param limitMs of a file: together they take as long as a busy machine needs
   */
  run(
    files: readonly string[],
    limitMs: number,
  ): Promise<{ red: Finding } | 'green' | { late: string }>;
  close(): void;
}

const START_LIMIT_MS = 300_000;

/** @param env environment variables of the tests, and of the process (`testProcess.ts`) */
export function createTestRunner(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): TestRunner {
  let warm: { child: ChildProcess; files: readonly string[] } | undefined;

  let isClosed = false;

  async function start() {
    const child = fork(join(root, 'test/mutate/testProcess.ts'), [], {
      cwd: folder,
      // A group of its own, so that no worker outlives it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, TRIMTAB_TESTS: '', NO_COLOR: '1', ...env },
    });
    const answer = await answerOf(child, { limitMs: START_LIMIT_MS });
    if (answer === 'late' || !('files' in answer))
      throw new Error(`The test runner did not start in ${folder}.`);
    return { child, files: answer.files };
  }

  function end(): void {
    const pid = warm?.child.pid;
    warm = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  return {
    files: async () => (warm ??= await start()).files,
    async run(files, limitMs) {
      if (files.length === 0) return 'green';
      if (isClosed) throw new Error('The test runner is closed.');
      const { child } = (warm ??= await start());
      child.send({ files });
      const ended = new Set<string>();
      const answer = await answerOf(child, {
        limitMs,
        onEnd: (file) => void ended.add(file),
      });
      if (answer === 'late') {
        end();
        return { late: files.find((file) => !ended.has(file)) ?? files[0]! };
      }
      if ('red' in answer) return answer;
      if ('green' in answer) return 'green';
      end();
      throw new Error('error' in answer ? answer.error : 'The test runner answered twice.');
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

/** @param limitMs without an answer or an ended file */
async function answerOf(
  child: ChildProcess,
  { limitMs, onEnd = () => {} }: { limitMs: number; onEnd?: (file: string) => void },
): Promise<TestAnswer | 'late'> {
  return await new Promise((resolve) => {
    const finish = (answer: TestAnswer | 'late'): void => {
      clearTimeout(limit);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(answer);
    };
    const limit = setTimeout(() => finish('late'), limitMs);
    const onMessage = (message: unknown): void => {
      const news = message as TestNews;
      if (!('ended' in news)) {
        finish(news);
        return;
      }
      limit.refresh();
      onEnd(news.ended);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      finish({ error: `The test runner ended (${String(code ?? signal)}).` });
    child.on('message', onMessage).on('exit', onExit);
  });
}
