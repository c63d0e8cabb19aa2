import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../sourceFiles.ts';

/** A copy of the project in which sources may be broken. */
export interface ScratchCopy {
  folder: string;
  close(): Promise<void>;
}

const COPIED = [
  'src',
  'backtest',
  'strategies',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
/** What tests read besides, and nothing breaks. */
const LINKED = ['node_modules', 'api', 'bin', 'configs', 'deploy', 'docs'];

export async function createScratchCopy(purpose: string): Promise<ScratchCopy> {
  const folder = await mkdtemp(join(tmpdir(), `trimtab-${purpose}-`));
  for (const name of COPIED) await cp(join(root, name), join(folder, name), { recursive: true });
  for (const name of LINKED) await symlink(join(root, name), join(folder, name));
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}
