import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pluginTemplate } from '../../../src/cli/project/initTemplates.ts';
import {
  COMPILER_OPTIONS,
  compilersOf,
  installPackage,
  OLDER_TYPESCRIPT,
  packBuilt,
  PEERS,
} from '../../../test/installPackage.ts';
import { read, root, sourceFiles } from '../../../test/sourceFiles.ts';
import { compare, type ComparisonResult, type Rates } from '../harness.ts';

/**
 * The cost of a plugin's rxjs and zod: the operators and the schema of the plugin that `init` writes,
 * without Trimtab.
 */
const BARE = `import { map, merge, share, type Observable } from 'rxjs';
import { z } from 'zod';

const bars = z.object({
  fast: z.int().min(2).default(10).describe('Bars of the fast average.'),
  slow: z.int().min(3).default(30).describe('Bars of the slow average.'),
});
export const params = bars.refine((p) => p.fast < p.slow, { path: ['fast'], error: 'below slow' });
export const setup = (closes$: Observable<number>, { fast, slow }: z.infer<typeof bars>) => {
  const shared$ = closes$.pipe(share());
  return merge(shared$.pipe(map((close) => close * fast)), shared$.pipe(map((close) => close * slow)));
};
`;

const SOURCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'rxjs and zod': { 'bare.ts': BARE },
  'and an import of trimtab': { 'bare.ts': BARE, 'entry.ts': "export * from 'trimtab';\n" },
  'the plugin of init': { 'plugin.ts': pluginTemplate },
  'strategies/': Object.fromEntries(
    sourceFiles('strategies').map((file) => [file.split('/').pop()!, read(file)]),
  ),
};

/** Prints the processor time of a program and of its awaited children, after the program's own output. */
const TIMED = ['-c', '"$@" && times', 'sh'];

/** Why a compilation can't be measured here, with the remedy; undefined if it can. */
export function compileUnavailable(): string | undefined {
  if (process.platform === 'win32') return 'it takes the processor time of a child from sh';
  return existsSync(join(root, 'dist/src/index.d.ts')) ? undefined : 'run npm run build';
}

/**
 * Compilations of a user's project per second of processor time, with TypeScript 5.9 and 7: the package
 * as built in `dist`, packed and installed, with the newest rxjs and zod of its ranges.
 */
export async function benchCompile(): Promise<ComparisonResult[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'trimtab-compile-')));
  const project = join(folder, 'project');
  try {
    const tarball = await packBuilt(folder);
    await installPackage(project, [tarball, ...PEERS.newest, OLDER_TYPESCRIPT]);
    const projects = Object.entries(SOURCES).map(([name, files], index) => ({
      name,
      folder: writeSources(join(project, String(index)), files),
    }));
    const results: ComparisonResult[] = [];
    for (const [version, compiler] of Object.entries(compilersOf(project))) {
      const name = `strategy/compile: TypeScript ${version}`;
      const run = (folder: string) => (): Promise<Rates> => compileOnce(compiler, folder);
      const [first, ...others] = projects.map((each) => ({
        name: each.name,
        run: run(each.folder),
      }));
      results.push(...(await compare({ name, contenders: [first!, ...others] })));
    }
    return results;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function writeSources(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // As `tsc --init` has it: a user's compiler reads the declarations of packages but does not check them.
  const compilerOptions = { ...COMPILER_OPTIONS, skipLibCheck: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return folder;
}

async function compileOnce(compiler: string, project: string): Promise<Rates> {
  const tsc = [process.execPath, compiler, '--project', project];
  const { stdout } = await promisify(execFile)('sh', [...TIMED, ...tsc]);
  const ofChildren = stdout.trim().split('\n').at(-1)!;
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
    .reduce((sum, each) => sum + each, 0);
  return { 'compilations/CPU-s': 1 / seconds };
}
