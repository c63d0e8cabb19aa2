import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-shown-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRET = '5ec1e7c0ffee';

function filesIn(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

const HOW = ['throw', 'setup', 'reject', 'malformed'];
const CASES = HOW.flatMap((how) => ['', ', isolation: worker'].map((where) => [how, where]));

test.each(CASES)(
  'a secret in the error of a plugin that fails by %s%s reaches nothing that is written',
  async (how, where) => {
    const directory = mkdtempSync(join(folder, 'one-'));
    const bot = join(directory, 'bot.yaml');
    writeFileSync(
      bot,
      `name: shown
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: 60 } }] }
journal: ./bot.sqlite
record: ./bot.recording
strategies: [{ name: shows, use: ${join(root, 'test/cli/plants/showsSecret.ts')}, symbols: [BTC], params: { how: ${how} }${where} }]
`,
    );
    const outs = ['--report', join(directory, 'r.html'), '--json', join(directory, 'r.json')];
    const texts: string[] = [];
    const call = async (...args: string[]): Promise<void> => {
      const { out, err } = await runMain(...args);
      texts.push(out + err);
    };
    await call('run', bot, ...outs, '--log-level', 'debug');
    await call('journal', 'latches', bot);
    await call('journal', 'export', bot);
    await call('report', bot, '--day', new Date().toISOString().slice(0, 10));
    await call('backtest', bot, '--no-report', '--debug');
    expect(texts[0]).toMatch(/shows-secret|shows/);
    expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    const shown = filesIn(directory).filter((path) => readFileSync(path).includes(SECRET));
    expect(shown).toEqual([]);
    expect(texts.join('\n')).toContain('[secret]');
  },
);
