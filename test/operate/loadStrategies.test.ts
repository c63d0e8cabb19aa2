import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { loadStrategies } from '../../src/operate/run/index.ts';
import { root } from '../sourceFiles.ts';

const PLUGIN = join(root, 'strategies/emaTrend.ts');

/** The strategies of a bot whose one strategy has this shadow. */
async function load(shadow: string) {
  const directory = mkdtempSync(join(tmpdir(), 'trimtab-shadow-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'bot.yaml');
  writeFileSync(
    file,
    `name: bot
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: {} }] }
strategies:
  - name: trend
    use: ${PLUGIN}
    symbols: [BTC]
    shadow: ${shadow}
`,
  );
  const loaded = await loadConfig(file, { env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loadStrategies(loaded);
}

test('a shadow is loaded and validated, with its own parameters and limits', async () => {
  const strategies = await load(`{ use: ${PLUGIN}, params: { fast: 5 }, canary: 25 % }`);
  if (!strategies.ok) throw new Error(strategies.failure.message);
  const [{ shadow, params } = {}] = strategies.value;
  expect(params).toMatchObject({ fast: 20 });
  expect(shadow).toMatchObject({
    params: { fast: 5 },
    accepted: { fast: 5, slow: 60 },
    canary: 0.25,
    isolation: { use: PLUGIN, params: { fast: 5 }, turnDeadlineMs: 1_000, memoryMb: 256 },
  });
});

test.each([
  ['{ params: { fast: soon } }', 'strategies[0].shadow.params.fast'],
  ['{ params: { fsat: 5 } }', 'Did you mean fast?'],
  ['{ use: ./none.ts }', 'none.ts'],
])('a shadow %s is refused with what is wrong', async (given, words) => {
  const use = given.includes('use:') ? '' : `use: ${PLUGIN}, `;
  const refused = await load(given.replace('{ ', `{ ${use}`));
  expect(refused).toMatchObject({ ok: false });
  expect(refused.ok ? '' : refused.failure.message).toContain(words);
});
