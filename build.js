/**
 * `npm run build`: compiles into `dist`, then removes what an earlier build left there and this one did not
 * write. No file that a program of `dist` needs is missing meanwhile, nor after a build with errors. Where `dist`
 * is, byte for byte, what a build made of these very sources, there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = import.meta.dirname;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const EMITTED = 'TSFILE: ';
/** Pages run in a browser, which has other types. */
const CONFIGS = [
  'tsconfig.build.json',
  'src/operate/report/page/tsconfig.json',
  'src/operate/serve/page/tsconfig.json',
  'tsconfig.types.json',
];
/** What the last build read and wrote. */
const RECORD = join(root, 'node_modules/.cache/trimtab/build.json');

/** The files that the compiler wrote; its other output goes to the terminal. */
function compile(config) {
  const pretty = String(process.stdout.isTTY ?? false);
  const args = [
    compiler,
    '--project',
    join(root, config),
    '--listEmittedFiles',
    '--pretty',
    pretty,
  ];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const words = lines.filter((line) => !line.startsWith(EMITTED));
  if (words.length > 0) process.stdout.write(`${words.join('\n')}\n`);
  if (status !== 0) process.exit(status ?? 1);
  return lines.flatMap((line) =>
    line.startsWith(EMITTED) ? [resolve(line.slice(EMITTED.length).trim())] : [],
  );
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names and contents of files. */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whatever a build depends on: sources, settings, and the libraries by their versions. */
const INPUTS = [
  'build.js',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.types.json',
  // npm writes it anew whenever it changes what is installed.
  'node_modules/.package-lock.json',
];
const sourceHash = () =>
  hashOf([
    ...INPUTS.map((file) => join(root, file)).filter((file) => existsSync(file)),
    ...filesBelow('src'),
    ...filesBelow('backtest'),
  ]);

function readRecord() {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'));
  } catch {
    return {};
  }
}

const source = sourceHash();
const last = readRecord();
if (last.source === source && last.dist === hashOf(filesBelow('dist'))) process.exit(0);

const written = new Set(CONFIGS.flatMap(compile));
for (const file of filesBelow('dist')) if (!written.has(file)) rmSync(file);
mkdirSync(dirname(RECORD), { recursive: true });
// Whoever saved a source meanwhile gets another hash, and a build, the next time.
writeFileSync(RECORD, JSON.stringify({ source, dist: hashOf(filesBelow('dist')) }));
