import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Proof } from './clauseProofs.ts';
import { createScratchCopy } from './mutate/createScratchCopy.ts';
import { applyEdit } from './mutate/Patch.ts';

/** A copy of sources and tests in which clauses are broken one at a time. */
export interface ProofYard {
  /** Whether all tests of these proofs pass in the copy as it is. */
  passes(proofs: readonly Proof[]): Promise<boolean>;
  /** Whether tests that cite the clause fail once it is broken. */
  failsBroken(proof: Proof): Promise<boolean>;
  close(): Promise<void>;
}

const LIMIT_MS = 240_000;

export async function createProofYard(): Promise<ProofYard> {
  const { folder: yard, close } = await createScratchCopy('proofs');
  return {
    async passes(proofs) {
      const { passed, code } = await runTests(yard, [...new Set(proofs.map(({ test }) => test))]);
      return code === 0 && passed >= proofs.length;
    },
    async failsBroken(proof) {
      const path = join(yard, 'src', proof.file);
      const source = await readFile(path, 'utf8');
      await writeFile(path, applyEdit(source, proof.file, proof));
      try {
        // A source that cannot be loaded fails no test, and proves nothing of the clause.
        return (await runTests(yard, [proof.test], ['-t', `${proof.id}\\b`])).failed > 0;
      } finally {
        await writeFile(path, source);
      }
    },
    close,
  };
}

interface Counts {
  passed: number;
  failed: number;
  code: number | null;
}

async function runTests(
  yard: string,
  tests: readonly string[],
  flags: readonly string[] = [],
): Promise<Counts> {
  const report = join(yard, 'report.json');
  await rm(report, { force: true });
  const vitest = join(yard, 'node_modules/vitest/vitest.mjs');
  const output = ['--reporter=json', `--outputFile=${report}`];
  const files = tests.map((test) => join('test', test));
  const args = [vitest, 'run', '--project=unit', ...output, ...flags, ...files];
  const child = spawn(process.execPath, args, {
    cwd: yard,
    stdio: 'ignore',
    env: { ...process.env, TRIMTAB_TESTS: '', NO_COLOR: '1' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const text = await readFile(report, 'utf8').catch(() => '{}');
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = JSON.parse(text) as {
    numPassedTests?: number;
    numFailedTests?: number;
  };
  return { passed, failed, code };
}
