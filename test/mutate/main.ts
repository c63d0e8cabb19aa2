/**
 * `npm run mutate`: plants bugs one at a time in a scratch copy, and tells those that nothing notices. `--station a,b`,
 * `--file text` and `--part 3/16` choose; `--generated N` takes so many of the generator's for each station (`all`), and
 * `--kind first,selection` of these kinds alone; `--list` names them; `--again` plays what the ledger has found already;
 * `--record` records what the tests execute. Results go to reports/mutate/ledger.jsonl.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toolFlags } from '../readToolFlags.ts';
import { root } from '../sourceFiles.ts';
import { choosePatches } from './choosePatches.ts';
import { createScratchCopy } from './createScratchCopy.ts';
import { createTestRunner } from './createTestRunner.ts';
import { failuresOf } from './failuresOf.ts';
import { openLedger, type Entry } from './ledger.ts';
import { nameOf } from './Patch.ts';
import { playPatch, type Stage } from './playPatch.ts';
import { readReach, recordReach } from './reach.ts';
import { formatScore } from './formatScore.ts';
import { isPlayable } from './playableTests.ts';

const values = toolFlags({
  options: {
    station: { type: 'string' },
    file: { type: 'string' },
    kind: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    generated: { type: 'string', default: '5' },
    seeds: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '120' },
    again: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
  modes: {
    '': ['station', 'file', 'kind', 'part', 'generated', 'seeds', 'seconds', 'again', 'record'],
    list: ['station', 'file', 'kind', 'part', 'generated'],
  },
  counts: [],
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const patches = choosePatches(values, (why) => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
});
if (values.list) {
  for (const patch of patches) print(`${patch.station.padEnd(20)} ${nameOf(patch)}`);
  print(`${patches.length} patches`);
  process.exit(0);
}

const ledger = openLedger(join(root, 'reports/mutate/ledger.jsonl'));
const sourceOf = (file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
const results: Entry[] = [];
const due = patches.filter((patch) => {
  const known = ledger.resultOf(patch, sourceOf(patch.file));
  // What survived is played again, since a test may have come; but not what no test can notice.
  const isKnown = known?.result === 'found' || (known?.result === 'survived' && patch.equivalent);
  if (known === undefined || !isKnown || values.again) return true;
  results.push(known);
  return false;
});
print(`${patches.length} patches, ${results.length} of them found by earlier runs`);

const copy = await createScratchCopy('mutate');
// What a test that is ended leaves behind goes with the copy.
const TMPDIR = join(copy.folder, 'tmp');
await mkdir(TMPDIR);
const runner = createTestRunner(copy.folder, { TMPDIR });
let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
  runner.close();
});
try {
  if (due.length > 0) await playAll();
} finally {
  runner.close();
  await copy.close();
}
print(formatScore(patches, results));
process.exitCode = failuresOf(patches, results).length === 0 && !stopped ? 0 : 1;

async function playAll(): Promise<void> {
  const tests = (await runner.files()).filter(isPlayable);
  if (values.record) await recordReach(copy.folder, tests, print);
  const stage: Stage = {
    folder: copy.folder,
    runner,
    reach: readReach(tests),
    finders: ledger,
    trusted: new Set(),
    unfit: new Set(),
    seeds: Number(values.seeds),
    seconds: Number(values.seconds),
  };
  for (const [index, patch] of due.entries()) {
    if (stopped) return;
    const started = performance.now();
    const verdict = await playPatch(patch, stage).catch((error: unknown) => {
      if (!stopped) throw error;
    });
    if (stopped || verdict === undefined) return;
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    results.push(ledger.add(patch, sourceOf(patch.file), verdict, seconds));
    const how =
      verdict.result === 'found'
        ? `${verdict.by}: ${verdict.how}`
        : verdict.result === 'survived'
          ? verdict.after
          : verdict.why;
    const word = verdict.result === 'found' ? 'found   ' : verdict.result.toUpperCase();
    print(`[${index + 1}/${due.length}] ${word} ${seconds} s  ${nameOf(patch)}\n      ${how}`);
  }
  for (const test of stage.unfit) print(`not run, because it fails in the unbroken copy: ${test}`);
}
