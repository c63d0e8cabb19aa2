import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { root } from '../sourceFiles.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-backtest-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

const DEMO = join(root, 'configs/demo.yaml');
const SHORT = [0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=2500`]);

async function run(...argv: string[]) {
  const said = { out: '', err: '' };
  const take = (name: 'out' | 'err') => (text: unknown) => ((said[name] += String(text)), true);
  vi.spyOn(process.stdout, 'write').mockImplementation(take('out'));
  vi.spyOn(process.stderr, 'write').mockImplementation(take('err'));
  const code = await main(['backtest', ...argv], { out: take('out'), err: take('err') });
  vi.restoreAllMocks();
  return { code, ...said };
}

describe('trimtab backtest', () => {
  test('shows progress, table and hash, and writes report and figures', async () => {
    const files = [join(directory, 'r.html'), join(directory, 'figures.json')];
    const { code, out, err } = await run(
      DEMO,
      ...SHORT,
      '--report',
      files[0]!,
      '--json',
      files[1]!,
    );
    expect(code).toBe(0);
    expect(err).toMatch(/100 % 1,500\/1,500 bars .* bars\/s/);
    expect(out).toMatch(/^total .*\d/m);
    const hash = /^hash: ([0-9a-f]{64})$/m.exec(out)?.[1];
    expect(hash).toBeDefined();
    expect(await readFile(files[0]!, 'utf8')).toContain(hash!);
    const figures = JSON.parse(await readFile(files[1]!, 'utf8')) as {
      hash: string;
      symbols: Record<string, { close: number[] }>;
    };
    expect(figures.hash).toBe(hash);
    expect(figures.symbols['BTC']!.close).toHaveLength(1_500);
  });

  test('runs a live configuration on paper, without its keys', async () => {
    const file = join(directory, 'live.yaml');
    const demo = await readFile(DEMO, 'utf8');
    const use = (text: string) => text.replaceAll('../strategies', join(root, 'strategies'));
    const link =
      'link:\n  kind: live\n  base_url: https://exchange.example\n' +
      '  key_id: { env: NO_SUCH_KEY }\n  secret: { env: NO_SUCH_SECRET }\n';
    await writeFile(file, use(demo.replace('link:\n  kind: paper\n', link)));
    const { code, out, err } = await run(file, ...SHORT, '--no-report');
    expect(err).not.toContain('NO_SUCH');
    expect(code).toBe(0);
    expect(out).toMatch(/^hash: /m);
  });

  test.each([
    [['--timerange', '2025'], '--timerange 2025: it has no dash', 'such as 20250601-20250614'],
    [['--param', 'fast=8'], '--param fast', 'Write trend.fast=8'],
    [['--param', 'trend.fsat=8'], '--param trend.fsat', 'Did you mean fast'],
    [['--param', 'trend.fast'], '--param trend.fast: ', 'NAME=VALUE'],
    [['--param', 'trend.fast=soon'], '--param trend.fast', 'number'],
    [['--seed', 'x'], '--seed x', 'seed'],
    [['--feed', 'BTC=x.csv'], '--feed BTC=x.csv', 'SYMBOL@INTERVAL=PATH'],
  ])('%j is refused by name, with a remedy', async (flags, name, remedy) => {
    const { code, err } = await run(DEMO, ...SHORT, ...flags);
    expect(code).toBe(1);
    expect(err).toContain(name);
    expect(err).toContain(remedy);
  });
});
