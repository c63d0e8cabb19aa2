import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../../src/env/index.ts';
import { OWN_PACKAGES } from './collectContent.ts';

type Manifest = Record<string, Record<string, unknown> | undefined>;

/**
 * Gives an unpacked folder its packages: those of its lock file by `npm ci`, without the scripts that they
 * bring, and this worker's own Trimtab, RxJS and zod, so that a plugin shares them with it.
 *
 * @param packages the folder with the lock file, or null if plugins import nothing else
 * @throws with npm's last words
 */
export async function installPackages(folder: string, packages: string | null): Promise<void> {
  const home = packages === null ? folder : join(folder, packages);
  if (packages !== null) {
    await forgetOwn(home);
    await npmCi(home);
  }
  // A plugin may be beside the folder with the lock file.
  for (const each of new Set([folder, home])) await linkOwn(join(each, 'node_modules'));
}

async function linkOwn(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true });
  const own = ownFolders();
  for (const name of OWN_PACKAGES) {
    await rm(join(modules, name), { recursive: true, force: true });
    await symlink(own[name]!, join(modules, name), 'junction');
  }
}

function ownFolders(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const trimtab = dirname(require.resolve('trimtab/package.json'));
  const of = (name: string): string => {
    for (let folder = dirname(require.resolve(name)); ; folder = dirname(folder)) {
      if (folder.endsWith(join('node_modules', name))) return folder;
      if (folder === dirname(folder)) throw new Error(`the package ${name} is nowhere`);
    }
  };
  return { trimtab, rxjs: of('rxjs'), zod: of('zod') };
}

/** A project often has Trimtab from a folder or file of its own machine, which npm would not find here. */
async function forgetOwn(home: string): Promise<void> {
  const [manifest, lock] = await Promise.all(
    ['package.json', 'package-lock.json'].map(async (name) => {
      return JSON.parse(await readFile(join(home, name), 'utf8')) as Manifest;
    }),
  );
  const listed = lock!['packages'] as Record<string, Manifest> | undefined;
  for (const holder of [manifest!, listed?.[''] ?? {}]) {
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
      delete holder[kind]?.['trimtab'];
    delete holder['scripts'];
  }
  for (const name of Object.keys(listed ?? {})) {
    if (name === 'node_modules/trimtab' || name.startsWith('node_modules/trimtab/'))
      delete listed![name];
  }
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(home, 'package-lock.json'), JSON.stringify(lock));
}

async function npmCi(home: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--omit=peer', '--no-audit', '--no-fund'];
  const isWindows = process.platform === 'win32';
  const npm = spawn(isWindows ? 'npm.cmd' : 'npm', args, { cwd: home, shell: isWindows });
  let words = '';
  npm.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (words = (words + text).slice(-2_000)));
  npm.stdout.resume();
  const [code] = (await once(npm, 'close').catch((error: unknown) => [reasonOf(error)])) as [
    unknown,
  ];
  if (code === 0 && existsSync(home)) return;
  const last = words.trim().split('\n').slice(-3).join(' ').replaceAll('npm error ', '');
  throw new Error(
    `npm ci can't install the packages of the sweep's lock file (${String(code)}): ${last}`,
  );
}
