import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import { blocksOf, pages, type Block } from '../docs/pages.ts';
import { root } from '../sourceFiles.ts';
import { rotated } from '../tiers.ts';
import { runCli } from './runCli.ts';

/**
 * The commands that the pages show, run page by page in one shell each, in a folder that holds the bot of
 * `trimtab init`, the journal of a run of it (not for the tutorial), its plugin and a feed. Comments before a block say what is
 * not as usual:
 * `save: FILE` writes it, `not run: WHY` leaves it out, `stopped after: SECONDS` sends it a SIGINT, and
 * `output` compares a text with the output of the block before it; `…` there matches anything.
 */
const run = promisify(execFile);
// Below the project, so that plugins can import 'trimtab' as in a clone.
const folder = mkdtempSync(join(root, 'var-pages-'));
const bin = join(folder, 'bin');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runnable = (page: string): Block[] =>
  blocksOf(page).filter(({ language, note }) => language === 'sh' && !note.startsWith('not run: '));
const withCommands = pages().filter(
  (page) => /^docs\/(tutorial|how-to\/)/.test(page) && runnable(page).length > 0,
);

beforeAll(async () => {
  mkdirSync(bin);
  mkdirSync(join(folder, 'workshop'));
  const trimtab = `"${process.execPath}" "${join(root, 'bin/trimtab.js')}"`;
  const shim = `#!/bin/sh\n[ "$1" = trimtab ] || exit 64\nshift\nexec ${trimtab} "$@"\n`;
  writeFileSync(join(bin, 'npx'), shim);
  chmodSync(join(bin, 'npx'), 0o755);
  const workshop = join(folder, 'workshop');
  await runCli(['init', '.', '--no-project'], { cwd: workshop });
  await runCli(['run', 'bot.yaml', '--no-report'], { cwd: workshop });
  writeFileSync(join(workshop, 'btc.csv.gz'), gzipSync(feed()));
}, 60_000);

/** Some days of minutes. */
function feed(): string {
  const random = createRandom(3);
  let price = 60_000;
  const rows = Array.from({ length: 2_000 }, (_none, minute) => {
    const open = price;
    price = Math.round(price * (1 + (random.next() - 0.5) / 400));
    const [high, low] = [Math.max(open, price) + 1, Math.min(open, price) - 1];
    return `${1_735_689_600_000 + minute * 60_000},${open},${high},${low},${price},40`;
  });
  return ['timestamp,open,high,low,close,volume', ...rows, ''].join('\n');
}

describe.each(rotated(withCommands, 1))('%s', (page) => {
  test('its commands work, with the output that it shows', async () => {
    const project = join(folder, page.replaceAll('/', '-'));
    if (page !== 'docs/tutorial.md') cpSync(join(folder, 'workshop'), project, { recursive: true });
    else await runCli(['init', project, '--no-project']);
    const blocks = blocksOf(page);
    for (const { note, text } of blocks) {
      const [, file] = /^save: (\S+)$/.exec(note) ?? [];
      if (file === undefined) continue;
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), text);
    }
    const script = join(project, 'page.sh');
    const parts = runnable(page).map(
      (block) => `echo "@@ ${blocks.findIndex(isLike(block))}"\n${shellOf(block)}`,
    );
    writeFileSync(
      script,
      `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n${parts.join('\n')}\n`,
    );
    const env = {
      ...process.env,
      PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    };
    const { stdout } = await run('bash', ['-c', `exec 2>&1; . ./page.sh`], {
      cwd: project,
      env,
      maxBuffer: 2 ** 26,
    }).catch((error: { stdout: string }) => expect.fail(`${page}:\n${error.stdout.slice(-3_000)}`));
    const written = new Map(
      stdout
        .split(/^@@ /m)
        .slice(1)
        .map((part) => [Number.parseInt(part, 10), part] as const),
    );
    for (const [at, { note, text }] of blocks.entries()) {
      if (note === 'output') expectIn(written.get(at - 1) ?? '', text);
    }
  }, 180_000);
});

const isLike = (block: Block) => (other: Block) => other.text === block.text;

function shellOf({ note, text }: Block): string {
  const [, seconds] = /^stopped after: (\d+)$/.exec(note) ?? [];
  if (seconds === undefined) return text;
  const lines = text.trim().split('\n');
  const last = lines.pop();
  return `${lines.join('\n')}\ntimeout --preserve-status --signal INT ${seconds} ${last} || [ $? = 130 ]`;
}

/** What is between the `…` of a text, in its order. */
function expectIn(written: string, text: string): void {
  let at = 0;
  for (const piece of text.trimEnd().split('…')) {
    const found = written.indexOf(piece.trim(), at);
    expect(found, `${piece}\n— is not in —\n${written}`).toBeGreaterThanOrEqual(0);
    at = found + piece.trim().length;
  }
}
