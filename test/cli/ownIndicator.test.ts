import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/ownIndicator.ts');

function bot(state: 'own' | 'shared', more = ''): string {
  const file = join(folder, `${state}${more.length}.yaml`);
  writeFileSync(
    file,
    `name: own
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 3, bars: 1500 } }] }
${more}
strategies: [{ name: mine, use: ${plugin}, symbols: [BTC], params: { state: ${state} } }]
`,
  );
  return file;
}

describe('an indicator of a plugin’s own', () => {
  test('is in the journal beside those of the catalogue, and a recording replays it', async () => {
    const journal = join(folder, 'own.db');
    const record = join(folder, 'own.jsonl');
    const file = bot('own', `record: ${record}`);
    const ran = await runMain('run', file, '--journal', journal, '--no-report');
    expect(ran.code, ran.err).toBe(0);
    const listed = await runMain('journal', 'list', journal, '--limit', '1');
    const [, key] = /^\S+ \S+ +\S+ \S+ +(\w{8})/m.exec(listed.out)!;
    const { out } = await runMain('journal', 'explain', journal, key!);
    expect(out).toMatch(
      /indicators: fast ema\(3\) [\d.]+, own drift\(own\) \(?\{?.*drift .*[\d.]+, mean [\d.]+/,
    );
    const replayed = await runMain('replay', record);
    expect(replayed.out).toMatch(/^mine: same, \d+ intents recorded/m);
    expect(replayed.code).toBe(0);
  });

  test('passes `check` with a kernel for each subscription, and fails it with state in common', async () => {
    const fresh = await runMain('check', bot('own'), '--points', '1');
    expect(fresh.code, fresh.out + fresh.err).toBe(0);
    const shared = await runMain('check', bot('shared'), '--points', '1');
    expect(shared.code).toBe(1);
    expect(shared.out + shared.err).toMatch(/^determinism +FOUND/m);
  });
});
