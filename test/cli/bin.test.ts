import { execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const BIN = new URL('../../bin/trimtab.js', import.meta.url).pathname;

/** Makes the process report another version of Node. */
const AS_NODE_20 =
  'data:text/javascript,' +
  encodeURIComponent("Object.defineProperty(process.versions, 'node', { value: '20.1.0' })");

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'trimtab-bin-'));
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await copyFile(BIN, join(home, 'bin/trimtab.js'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function build(code: string): Promise<void> {
  await mkdir(join(home, 'dist/src/cli'), { recursive: true });
  await writeFile(join(home, 'dist/src/cli/main.js'), code);
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function start(
  args: readonly string[],
  nodeOptions: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    const argv = [...nodeOptions, join(home, 'bin/trimtab.js'), ...args];
    execFile(process.execPath, argv, { cwd: home, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** A project's own Node, for which the one that starts is too old. */
async function bringNode(): Promise<void> {
  await mkdir(join(home, 'node_modules/.bin'), { recursive: true });
  const own = join(home, 'node_modules/.bin/node');
  await writeFile(own, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(own, 0o755);
}

test('hands its arguments to the built command line and ends with its code', async () => {
  await build("export async function main(argv) { console.log(argv.join('|')); return 3; }");
  expect(await start(['run', 'a b'])).toEqual({ code: 3, stdout: 'run|a b\n', stderr: '' });
});

test('reports in one line what to do when it is not built', async () => {
  const { code, stderr } = await start([]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^trimtab is not built .* npm run build\n$/);
});

test('reports in one line which Node it needs and how to get it', async () => {
  await build('export async function main() { return 0; }');
  const { code, stderr } = await start([], ['--import', AS_NODE_20]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^trimtab needs Node 24\.15 or newer, and this is 20\.1\.0\. .*node@24\n$/,
  );
});

test('runs on the project’s own Node where the one that started it is too old', async () => {
  await build("export async function main(argv) { console.log('ran', argv[0]); return 5; }");
  await bringNode();
  const ended = await start(['run'], ['--import', AS_NODE_20]);
  expect(ended).toEqual({ code: 5, stdout: 'ran run\n', stderr: '' });
});

/** Starts a group of its own, as a shell does with a job, and sends signals once the command is up. */
async function signalled(
  send: (pid: number) => void,
): Promise<{ code: number | null; out: string }> {
  const argv = ['--import', AS_NODE_20, join(home, 'bin/trimtab.js'), 'run'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, argv, { cwd: home, detached: true, stdio: [...stdio] });
  let out = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
    if (text.toString().includes('up')) send(child.pid!);
  });
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { code, out };
}

describe('on the project’s own Node', () => {
  const stops = new URL('../../src/cli/process/stopOnSignals.ts', import.meta.url).href;
  beforeEach(async () => {
    await bringNode();
    await build(`
      import { stopOnSignals, stopListening } from '${stops}';
      export async function main() {
        const stop = stopOnSignals();
        console.log('up', process.pid);
        const alive = setInterval(() => {}, 1000);
        await stop.stopped;
        // As a strategy's last turn, or a slow disk.
        const end = performance.now() + 400;
        while (performance.now() < end);
        await new Promise((resolve) => setTimeout(resolve, 600));
        console.log('flat');
        clearInterval(alive);
        stopListening();
        return 7;
      }`);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it cleanly, sent to all of its group or to the process that was started',
    async (signal) => {
      for (const group of [-1, 1]) {
        const { code, out } = await signalled((pid) => process.kill(group * pid, signal));
        expect({ code, out }).toEqual({ code: 7, out: expect.stringMatching(/^up \d+\nflat\n$/) });
      }
    },
  );

  test('a second Ctrl-C ends it at once', async () => {
    const { code, out } = await signalled((pid) => {
      process.kill(-pid, 'SIGINT');
      setTimeout(() => process.kill(-pid, 'SIGINT'), 800);
    });
    expect({ code, out }).toEqual({ code: 130, out: expect.stringMatching(/^up \d+\n$/) });
  });

  test('one that was killed is no success', async () => {
    await build("export async function main() { process.kill(process.pid, 'SIGKILL'); }");
    const { code } = await signalled(() => {});
    expect(code).toBe(128 + 9);
  });
});

test("keeps compiled code below the user's home, and starts without it where that can't be written", async () => {
  await build("export async function main() { console.log('began'); return 0; }");
  const env = { ...process.env, HOME: home, NODE_COMPILE_CACHE: undefined };
  const began = { code: 0, stdout: 'began\n', stderr: '' };
  expect(await start([], [], env)).toEqual(began);
  const files = await readdir(join(home, '.cache/trimtab/compiled'), { recursive: true });
  expect(files.length).toBeGreaterThan(1);
  for (const other of [join(home, 'package.json'), '/proc'])
    expect(await start([], [], { ...env, HOME: other })).toEqual(began);
});
