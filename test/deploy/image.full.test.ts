import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyBar } from '../e2e/plugins.ts';
import { openWorkshop, remoteBot } from '../e2e/startProcess.ts';
import { npmEnv } from '../installPackage.ts';
import { read, root } from '../sourceFiles.ts';
import { asRoot, canContain, OTHER_USER, rootly } from './asOtherUser.ts';
import { givePrivate } from './givePrivate.ts';
import { argsOf, readDockerfile, type Instruction } from './readDockerfile.ts';
import { endContained, startContained } from './startContained.ts';

const needs = canContain() ? '' : ' (needs root, unshare and setpriv)';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-image-')));
/** Each stage's file system: /app is `STAGE/app`. */
const stageOf = (name: string): string => join(folder, name);
const image = stageOf('image');
const [build, final] = readDockerfile();
const workshop = openWorkshop('image');

afterAll(() => {
  endContained();
  workshop.close();
  // What belongs to the other user is root's to remove.
  rootly('rm', '-rf', folder);
});

/** The base image's Node is the tests' own, for everyone to start. */
const bin = join(folder, 'bin');
const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, NODE_ENV: 'production', TMPDIR: '/tmp' };

/** Paths and the user of an image as they are here. */
const here = (text: string, stage: string): string =>
  text
    .replace(/(?<![\w/.-])\/(?=app\b|state\b)/g, `${stage}/`)
    .replaceAll('node:node', `${OTHER_USER}:${OTHER_USER}`);

/** What `.dockerignore` lets pass: it lists what is sent, after `*`. */
const sent = read('.dockerignore').match(/(?<=^!).+/gm)!;

function follow({ instructions }: { instructions: Instruction[] }, stage: string): void {
  let cwd = stage;
  for (const { name, args } of instructions) {
    if (name === 'WORKDIR') mkdirSync((cwd = here(args, stage)), { recursive: true });
    if (name === 'COPY') copy(args.split(' '), cwd);
    if (name === 'RUN') {
      // Of the last stage they change owners.
      const [file, ...rest] = stage === image ? asRoot('sh', '-c') : ['sh', '-c'];
      execFileSync(file!, [...rest, here(args, stage)], {
        cwd,
        stdio: 'pipe',
        env: {
          ...npmEnv,
          PATH: `${bin}:${process.env['PATH']}`,
          npm_config_prefer_offline: 'true',
        },
      });
    }
  }
}

function copy(args: string[], cwd: string): void {
  const isFromBuild = args[0] === '--from=build';
  const into = join(cwd, args.at(-1)!);
  const files = args.slice(isFromBuild ? 1 : 0, -1);
  for (const file of files.flatMap((name) => (name === '.' ? sent : [name]))) {
    const from = isFromBuild ? here(file, stageOf('build')) : join(root, file);
    const target = args.at(-1) === './' ? join(into, basename(file)) : into;
    cpSync(from, target, { recursive: true, verbatimSymlinks: true });
  }
}

describe.skipIf(needs !== '')(`the image, step by step${needs}`, () => {
  beforeAll(() => {
    chmodSync(folder, 0o755);
    mkdirSync(bin);
    copyFileSync(process.execPath, join(bin, 'node'));
    follow(build, stageOf('build'));
    follow(final, image);
  }, 300_000);

  test('holds what runs, its peers, and nothing of the development', () => {
    const modules = readdirSync(join(image, 'app/node_modules'));
    expect(modules).toEqual(expect.arrayContaining(['rxjs', 'zod', 'pg', 'undici', 'ws']));
    for (const name of ['vitest', 'typescript', 'prettier', 'oxlint', 'node', 'playwright-core'])
      expect(modules).not.toContain(name);
    for (const name of ['src', 'test', 'docs', 'deploy'])
      expect(existsSync(join(image, 'app', name))).toBe(false);
  });

  test('runs the demo as another user, nothing but its state writable', async () => {
    makeReadOnly();
    const { code, text } = await runToEnd(
      'run',
      '/app/configs/demo.yaml',
      '--no-report',
      '--journal',
      '/state/demo.sqlite',
      '--set',
      'paper.feeds[0].generate.bars=1500',
      '--set',
      'paper.feeds[1].generate.bars=1500',
    );
    expect(text).toMatch(/^hash: [0-9a-f]{64}$/m);
    expect(code).toBe(0);
    expect(existsSync(join(image, 'state/demo.sqlite'))).toBe(true);
  }, 60_000);

  test('a bot is healthy while it runs, paused by its operator too, and SIGTERM ends it in order', async () => {
    const service = await workshop.startPaper(1_200);
    const credentials = join(folder, 'credentials');
    givePrivate(credentials, { secret: service.secret });
    givePrivate(join(image, 'app/bots'), {
      // As in a project of one's own.
      'package.json': '{ "name": "mine", "type": "module" }',
      'own.ts': everyBar,
      'bot.yaml': remoteBot(service)
        .replace('{ env: TRIMTAB_TEST_SECRET }', '{ file: secret }')
        .replace('./bot.sqlite', join(image, 'state/bot.sqlite')),
    });
    makeReadOnly();
    const bot = start(['run', '/app/bots/bot.yaml', '--live', '--log-level', 'debug'], credentials);
    await expect.poll(() => bot.text(), { timeout: 30_000 }).toMatch(/(accepted[^]*){4}/);
    const health = (): Promise<number | null> => bot.exec('sh', '-c', healthCheck());
    expect(await health()).toBe(0);

    const killed = ['kill', 'L1', '/app/bots/bot.yaml', '--reason', 'to look'];
    expect(await bot.exec(...entryPoint(), ...inImage(killed))).toBe(0);
    expect(await bot.exec(...entryPoint(), ...inImage(['status', '/app/bots/bot.yaml']))).toBe(1);
    expect(await health()).toBe(0);

    bot.signal('SIGTERM');
    expect(await bot.ended, bot.text()).toBe(0);
    expect(bot.text()).not.toContain(service.secret);
    const { code } = await runToEnd('status', '/app/bots/bot.yaml');
    expect(code).toBe(2);
    const after = startContained(['sh', '-c', healthCheck()], {
      cwd: join(image, 'app'),
      env: variables(),
    });
    expect(await after.ended).toBe(1);
  }, 90_000);
});

const inImage = (args: readonly string[]): string[] => args.map((arg) => here(arg, image));
const entryPoint = (): string[] =>
  inImage(JSON.parse(argsOf(final.instructions, 'ENTRYPOINT')!) as string[]);
const healthCheck = (): string =>
  argsOf(final.instructions, 'HEALTHCHECK')!.replace(/^.*?CMD /, '');
const variables = (): Record<string, string> => ({
  ...env,
  TRIMTAB_BOT: here('/app/bots/bot.yaml', image),
});

function start(args: readonly string[], credentials?: string): ReturnType<typeof startContained> {
  return startContained([...entryPoint(), ...inImage(args)], {
    cwd: join(image, 'app'),
    env: {
      ...variables(),
      ...(credentials === undefined ? {} : { CREDENTIALS_DIRECTORY: credentials }),
    },
  });
}

async function runToEnd(...args: string[]): Promise<{ code: number | null; text: string }> {
  const run = start(args);
  const code = await run.ended;
  return { code, text: run.text() };
}

function makeReadOnly(): void {
  rootly('chmod', '-R', 'a-w,a+rX', join(image, 'app'));
}
