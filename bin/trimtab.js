#!/usr/bin/env node
// Kept to syntax that old Node versions can read: its first task is to tell them that they are old.
import { existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = [24, 15];
// A terminal sends them to the child as well, which takes two at once for one (src/cli/process/stopOnSignals.ts).
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const REEXEC = 'TRIMTAB_NODE_FOUND';
const home = dirname(dirname(fileURLToPath(import.meta.url)));

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** Node as a project dependency (`npm i -D node@24`): beside this package, or where we were started. */
function localNode() {
  const roots = [...parents(home), ...parents(process.cwd())];
  const names = process.platform === 'win32' ? ['node.cmd', 'node.exe'] : ['node'];
  const paths = roots.flatMap((root) => names.map((name) => join(root, 'node_modules/.bin', name)));
  return paths.find((path) => existsSync(path));
}

function parents(path) {
  const up = dirname(path);
  return up === path ? [path] : [path, ...parents(up)];
}

async function rerun(node) {
  const { spawn } = await import('node:child_process');
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, [REEXEC]: '1' } });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', refuse);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function refuse() {
  const needed = NEEDED.join('.');
  process.stderr.write(
    `trimtab needs Node ${needed} or newer, and this is ${process.versions.node}. ` +
      'Install it (https://nodejs.org), or bring it into the project: npm install --save-dev node@24\n',
  );
  process.exitCode = 1;
}

/**
 * A quarter of a command's start is compiling. A folder of the user's own, since who may write there decides what is
 * run; where it can't be made, nothing is cached. Node would try for ever to make it in a home like /proc.
 */
function cacheCompiled() {
  try {
    let folder = homedir();
    for (const name of ['.cache', 'trimtab', 'compiled']) {
      folder = join(folder, name);
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    }
    module.enableCompileCache(folder);
  } catch {
    // Each start compiles anew.
  }
}

async function start() {
  const main = join(home, 'dist/src/cli/main.js');
  if (!existsSync(main)) {
    process.stderr.write(`trimtab is not built (${main} is missing). Run: npm run build\n`);
    process.exitCode = 1;
    return;
  }
  cacheCompiled();
  const { main: run } = await import('../dist/src/cli/main.js');
  process.exitCode = await run(process.argv.slice(2));
}

const found = isNewEnough(process.versions.node) || process.env[REEXEC] ? undefined : localNode();
// Not awaited: Node would report a plugin that never settles as an await of this file.
if (isNewEnough(process.versions.node)) void start();
else if (found) void rerun(found);
else refuse();
