import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmEnv, packBuilt } from '../installPackage.ts';
import { root } from '../sourceFiles.ts';

/** The first steps of the README, from the packed package, each in a process of its own. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-project-')));
const project = join(folder, 'my-bot');
const env = { ...npmEnv, NODE_OPTIONS: '', NO_COLOR: '1' };
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command of npm writes; of a failed one, too. */
function npm(...args: string[]): Promise<{ code: number; out: string }> {
  return run('npm', args, { cwd: project, env, maxBuffer: 2 ** 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      out: stdout + stderr,
    }),
  );
}

const hashIn = (out: string): string | undefined => /^hash: (\S+)$/m.exec(out)?.[1];

beforeAll(async () => {
  const tarball = basename(await packBuilt(folder));
  const cache = ['--cache', join(folder, 'cache')];
  await run('npx', ['--yes', ...cache, `./${tarball}`, 'init', 'my-bot'], { cwd: folder, env });
  const { code, out } = await npm('install', '--prefer-offline', '--no-audit', '--no-fund');
  expect([code, out]).toEqual([0, expect.stringContaining('added')]);
}, 300_000);

test('the project depends on the tarball that wrote it', () => {
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    dependencies: { trimtab: string };
  };
  expect(dependencies.trimtab).toMatch(/^file:\.\.\/trimtab-.*\.tgz$/);
});

test('bot.yaml names the schema of the installed package', () => {
  const [first] = readFileSync(join(project, 'bot.yaml'), 'utf8').split('\n');
  const schema = JSON.parse(readFileSync(join(project, first!.split('$schema=')[1]!), 'utf8'));
  expect(schema).toHaveProperty('properties.strategies');
});

test('npm start trades, as the README shows, and npm run backtest has the same hash', async () => {
  const started = await npm('start');
  expect(started).toMatchObject({
    code: 0,
    out: expect.stringContaining('reports/first-bot.html'),
  });
  const { out } = started;
  const table = out.slice(out.indexOf('strategy  '), out.indexOf('\n\n429s:')).trim();
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(table);
  const backtest = await npm('run', 'backtest', '--', '--no-report');
  expect([backtest.code, hashIn(backtest.out)]).toEqual([0, hashIn(started.out)]);
}, 120_000);

test('npm test passes, and names a change of what the plugin does, or of its types', async () => {
  expect(await npm('test')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Tests +3 passed/),
  });
  const file = join(project, 'strategies/firstPlugin.ts');
  const plugin = readFileSync(file, 'utf8');
  writeFileSync(file, plugin.replace('ctx.capital() / 2', 'ctx.capital()'));
  const otherwise = await npm('test');
  expect(otherwise.code).not.toBe(0);
  expect(otherwise.out).toContain('The intents differ at [0].request.size');
  writeFileSync(file, plugin.replace("side: 'buy'", "side: 'long'"));
  expect((await npm('test')).out).toContain('strategies/firstPlugin.ts(29,');
  writeFileSync(file, plugin);
}, 120_000);

test('npm run dev shows the same figures, and a save of the plugin', async () => {
  const dev = spawn('npm', ['run', 'dev'], { cwd: project, env, detached: true });
  let out = '';
  dev.stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
  const wrote = (pattern: RegExp) => expect.poll(() => out, { timeout: 30_000 }).toMatch(pattern);
  try {
    await wrote(/^P&L +\+556\.38$/m);
    const [, url] = /(http:\S+)/.exec(out)!;
    expect(await (await fetch(url!)).text()).toContain('<title>bot.yaml</title>');
    const file = join(project, 'strategies/firstPlugin.ts');
    const plugin = readFileSync(file, 'utf8');
    writeFileSync(file, plugin.replace('ctx.capital() / 2', 'ctx.capital() / 3'));
    await wrote(/^P&L +\+37\d\.\d\d +\+556\.38$/m);
    writeFileSync(file, plugin);
  } finally {
    // As a terminal does: to npm and what it started.
    process.kill(-dev.pid!, 'SIGINT');
    await once(dev, 'close');
  }
}, 120_000);

test('npm run check finds nothing', async () => {
  const { code, out } = await npm('run', 'check', '--', '--points', '2');
  expect([code, out]).toEqual([0, expect.stringContaining('look-ahead')]);
}, 120_000);

test('git leaves out what runs write, and takes what init wrote', async () => {
  await run('git', ['init', '--quiet'], { cwd: project });
  const { stdout } = await run('git', ['ls-files', '--others', '--exclude-standard'], {
    cwd: project,
  });
  expect(stdout.trim().split('\n')).toEqual([
    '.gitignore',
    '.vscode/launch.json',
    'README.md',
    'bot.yaml',
    'package-lock.json',
    'package.json',
    'strategies/firstPlugin.test.ts',
    'strategies/firstPlugin.ts',
    'tsconfig.json',
  ]);
}, 60_000);

test('the debug configurations start bot, backtest and test', async () => {
  const { configurations } = JSON.parse(
    readFileSync(join(project, '.vscode/launch.json'), 'utf8'),
  ) as { configurations: Array<{ name: string; program: string; args: string[] }> };
  const fill = (text: string): string =>
    text
      .replace('${workspaceFolder}', project)
      .replace('${relativeFile}', 'strategies/firstPlugin.test.ts');
  for (const { name, program, args } of configurations) {
    const started = run(process.execPath, [fill(program), ...args.map(fill)], {
      cwd: project,
      env,
    });
    expect((await started).stdout, name).toMatch(/^hash: |Tests +3 passed/m);
  }
}, 120_000);
