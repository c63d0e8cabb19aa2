/**
 * `npm run build`: compiles, joins modules that are loaded together and writes `dist`, then removes what an earlier build
 * left there and this one did not write. No file that a program of `dist` needs is missing meanwhile, nor after a build
 * with errors. Where `dist` is, byte for byte, what a build made of these very sources, there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

const root = import.meta.dirname;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const dist = join(root, 'dist');
const EMITTED = 'TSFILE: ';
/** Pages run in a browser, which has other types; a page is sent as one script of its modules. */
const CONFIGS = [
  'src/operate/report/page/tsconfig.json',
  'src/operate/serve/page/tsconfig.json',
  'tsconfig.types.json',
];
/** What the last build read and wrote. */
const RECORD = join(root, 'node_modules/.cache/trimtab/build.json');

/** The files that the compiler wrote; its other output goes to the terminal. */
function compile(config, outDir) {
  const pretty = String(process.stdout.isTTY ?? false);
  const args = [
    compiler,
    '--project',
    join(root, config),
    '--outDir',
    outDir,
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

/** Their frames in a stack are told from others by the file, so that they are a chunk of their own at their own place. */
const ALONE = ['src/strategy/operators/step.js', 'src/env/watchHostTimers.js'];
/** Below `dist/src`, as what is in them: a stack's frame there is the program's own. */
const CHUNKS = join(dist, 'src/chunks');

/** Modules that others start by their names: what the package exports, the command line, and threads. */
function entries() {
  const { exports, sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = [
    ...Object.values(exports).map((conditions) => conditions.default ?? ''),
    ...sideEffects.filter((file) => !/\/(page|chunks)\//.test(file)),
  ];
  const modules = files.flatMap((file) =>
    file.startsWith('./dist/') ? [file.slice('./dist/'.length)] : [],
  );
  return [...new Set(modules)];
}

const asUrl = (path) => path.split(sep).join('/');
const chunkOf = (entry) =>
  entry
    .replace(/^src\//, '')
    .replace(/\.js$/, '')
    .replaceAll('/', '-');

/**
 * Joins what is loaded together: with a thousand files less to find and to read a command starts sooner. What a command
 * loads on demand remains apart, and so do packages. At an entry's place is a module that names its chunk.
 *
 * @param compiled folder of the modules, one for each source
 * @returns the files that it wrote
 */
async function bundle(compiled) {
  const named = new Map(entries().map((entry) => [chunkOf(entry), entry]));
  const bundled = await rolldown({
    cwd: compiled,
    input: Object.fromEntries([...named].map(([name, entry]) => [name, join(compiled, entry)])),
    platform: 'node',
    treeshake: false,
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    // A profile tells by these comments which module a line comes from.
    experimental: { attachDebugInfo: 'simple' },
    plugins: [
      {
        name: 'own-address',
        transform: (code, id) => withOwnAddress(code, asUrl(relative(compiled, id))),
      },
    ],
  });
  const { output } = await bundled.write({
    dir: CHUNKS,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // A bot that runs while `dist` is replaced loads the rest of its code later: letters would name other functions then.
    minifyInternalExports: false,
    codeSplitting: {
      groups: ALONE.map((file) => ({
        name: chunkOf(file),
        test: (id) => asUrl(relative(compiled, id)) === file,
      })),
    },
  });
  await bundled.close();
  const ports = output
    .filter(({ isEntry }) => isEntry)
    .map((chunk) => writePort(named.get(chunk.name), chunk));
  return [...output.map(({ fileName }) => join(CHUNKS, fileName)), ...ports];
}

/** A module's address is where it was before it became a part of a chunk: it finds other files from there. */
function withOwnAddress(code, file) {
  if (!code.includes('import.meta.url') || ALONE.includes(file)) return undefined;
  const place = asUrl(relative(CHUNKS, join(dist, file)));
  return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
}

/** The module at an entry's place, which passes on what its chunk exports. */
function writePort(entry, { fileName, exports }) {
  const file = join(dist, entry);
  const path = asUrl(relative(dirname(file), join(CHUNKS, fileName)));
  const from = `'${path.startsWith('.') ? path : `./${path}`}'`;
  const names = exports.length === 0 ? '' : `{ ${exports.join(', ')} } from `;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${names === '' ? 'import' : 'export'} ${names}${from};\n`);
  return file;
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
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
    ...filesBelow(join(root, 'src')),
    ...filesBelow(join(root, 'backtest')),
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
if (last.source === source && last.dist === hashOf(filesBelow(dist))) process.exit(0);

const compiled = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-build-')));
process.on('exit', () => rmSync(compiled, { recursive: true, force: true }));
compile('tsconfig.build.json', compiled);
const others = CONFIGS.flatMap((config) => compile(config, dist));
const written = new Set([...others, ...(await bundle(compiled))]);
for (const file of filesBelow(dist)) if (!written.has(file)) rmSync(file);
mkdirSync(dirname(RECORD), { recursive: true });
// Whoever saved a source meanwhile gets another hash, and a build, the next time.
writeFileSync(RECORD, JSON.stringify({ source, dist: hashOf(filesBelow(dist)) }));
