/**
 * A test runner that stays warm: each message names test files, and is answered when they are green, or at the first
 * red. Started by `createTestRunner.ts` in a scratch copy.
 */
import { relative } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import type { TestAnswer, TestNews, TestOrder } from './createTestRunner.ts';

/** The files run in the order in which they were given: the likeliest to be red are first. */
class GivenOrder {
  // oxlint-disable-next-line eslint/class-methods-use-this -- the runner's interface
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
  // oxlint-disable-next-line eslint/class-methods-use-this -- the runner's interface
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const folder = process.cwd();
const config = process.env['TRIMTAB_MUTATE_CONFIG'];
const vitest = await createVitest('test', {
  watch: false,
  bail: Number(process.env['TRIMTAB_MUTATE_BAIL'] ?? 1),
  maxWorkers: Number(process.env['TRIMTAB_MUTATE_WORKERS'] ?? 1),
  reporters: [
    {
      onTestModuleEnd: ({ moduleId }) => say({ ended: relative(folder, moduleId) }),
    },
  ],
  sequence: { sequencer: GivenOrder },
  ...(config === undefined ? {} : { config }),
});
const known = new Map(
  (await vitest.globTestSpecifications()).map((each) => [relative(folder, each.moduleId), each]),
);

process.on('message', (order: TestOrder) => {
  void run(order).then(
    (answer) => say(answer),
    (error: unknown) => say({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
say({ files: [...known.keys()] });

function say(news: TestNews): void {
  process.send!(news);
}

async function run({ files }: TestOrder): Promise<TestAnswer> {
  const missing = files.find((file) => !known.has(file));
  if (missing !== undefined) throw new Error(`there is no test file ${missing}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.map((file) => known.get(file)!),
  );
  // Those of earlier runs are listed, too.
  const ran = testModules.filter(({ moduleId }) => files.includes(relative(folder, moduleId)));
  const red = ran.find((module) => module.state() === 'failed');
  if (red !== undefined) return { red: findingOf(red) };
  if (unhandledErrors.length > 0) {
    return {
      red: { file: files[0]!, test: '(after a test)', message: String(unhandledErrors[0]) },
    };
  }
  return { green: ran.length };
}

function findingOf(module: TestModule) {
  const file = relative(folder, module.moduleId);
  for (const test of module.children.allTests('failed')) {
    const [error] = test.result().errors ?? [];
    return { file, test: test.fullName, message: error?.message ?? '' };
  }
  const [error] = module.errors();
  return { file, test: '(while it loads)', message: error?.message ?? 'a suite failed' };
}
