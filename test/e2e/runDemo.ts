import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runCli, type CliResult } from './runCli.ts';

/** Where runs of the demo leave their reports and journals. */
export let folder: string;

/** Gives a file of tests such a folder for as long as it runs. */
export function useDemoFolder(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trimtab-demo-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
}

/** Runs the demo as `npm start` does, with files of this name. */
export const demo = (name: string, ...more: string[]): Promise<CliResult> => {
  const files = ['--report', join(folder, `${name}.html`), '--journal', join(folder, name)];
  return runCli(['run', 'configs/demo.yaml', ...files, ...more]);
};

/** A row of the closing table as its numbers. */
export const rowOf = ({ out }: CliResult, name: string): string[] =>
  out
    .split('\n')
    .find((line) => line.startsWith(`${name} `))!
    .split(/ {2,}/);
