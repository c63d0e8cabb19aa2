import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecordingFile } from '../../../src/cli/runs/openRecordingFile.ts';
import { writeRecording, type RecordingHeader } from '../../../src/operate/recording/index.ts';

/** A recording of two strategies, of which each saw so many timers. */
function recordingOf(counts: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-seen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'seen.jsonl');
  const instances = Object.keys(counts).map((name) => ({
    name,
    use: 'own',
    params: {},
    symbols: ['BTC'],
    wallet: 'main',
    capital_share: 1,
  }));
  const about = { format: 'trimtab-recording', version: 1, bot: 'one', seed: 1 } as const;
  const header: RecordingHeader = { ...about, instances, instruments: [] };
  const writer = writeRecording(path, header, (error) => expect.unreachable(String(error)));
  for (const [name, count] of Object.entries(counts))
    for (let at = 0; at < count; at++) writer.write(name, ['timer', 1, at]);
  writer.close();
  return path;
}

test('what one strategy saw is enough, whichever it is, and what none saw is refused', () => {
  for (const [one, two] of [
    [2, 0],
    [0, 2],
    [1, 1],
  ] as const) {
    const { instances } = openRecordingFile(recordingOf({ one, two }));
    expect([...instances.values()].map(({ lines }) => lines)).toEqual([one, two]);
  }
  expect(() => openRecordingFile(recordingOf({ one: 0, two: 0 }))).toThrow(
    /holds nothing to replay: its strategies saw nothing/,
  );
});
