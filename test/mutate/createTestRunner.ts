import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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

/** Test files of a folder, run in the order given until one is red. */
export interface TestRunner {
  /** All test files of the folder, from its root. */
  files(): Promise<readonly string[]>;
  /** `late`: the limit ended it, as with a loop that has no end. */
  run(files: readonly string[], limitMs: number): Promise<{ red: Finding } | 'green' | 'late'>;
  close(): void;
}

/** @param env environment variables of the tests, and of the process (`testProcess.ts`) */
export function createTestRunner(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): TestRunner {
  let warm: { child: ChildProcess; files: readonly string[] } | undefined;

  async function start() {
    const child = fork(join(root, 'test/mutate/testProcess.ts'), [], {
      cwd: folder,
      // A group of its own, so that no worker outlives it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, TRIMTAB_TESTS: '', NO_COLOR: '1', ...env },
    });
    const answer = await answerOf(child);
    if (!('files' in answer)) throw new Error(`The test runner did not start in ${folder}.`);
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
      const { child } = (warm ??= await start());
      child.send({ files });
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        limit = setTimeout(() => resolve('late'), limitMs);
      });
      const answer = await Promise.race([answerOf(child), late]);
      clearTimeout(limit);
      if (answer === 'late') {
        end();
        return 'late';
      }
      if ('red' in answer) return answer;
      if ('green' in answer) return 'green';
      end();
      throw new Error('error' in answer ? answer.error : 'The test runner answered twice.');
    },
    close: end,
  };
}

async function answerOf(child: ChildProcess): Promise<TestAnswer> {
  const ended = new AbortController();
  const answered = once(child, 'message', ended).then(([answer]) => answer as TestAnswer);
  const exited = once(child, 'exit', ended).then(([code, signal]): TestAnswer => {
    return { error: `The test runner ended (${String(code ?? signal)}).` };
  });
  try {
    return await Promise.race([answered, exited]);
  } finally {
    ended.abort();
    void answered.catch(() => {});
    void exited.catch(() => {});
  }
}
