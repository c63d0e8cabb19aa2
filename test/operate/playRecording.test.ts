import { describe, expect, test } from 'vitest';
import { diffInputs } from '../../src/operate/recording/diffRecordings.ts';
import { divideRows } from '../../src/operate/recording/divideRows.ts';
import { playRecording } from '../../src/operate/recording/playRecording.ts';
import type { Recording } from '../../src/operate/recording/index.ts';
import type { RecordedLine } from '../../src/strategy/recording/index.ts';

const timer = (time: number): RecordedLine => ['timer', 0, time];

/** A recording of `a1 b1 b2 a2 …`: whose line, and its time. */
function recordingOf(text: string) {
  const rows = text
    .split(' ')
    .map((word) => ({ instance: word[0]!, line: timer(Number(word.slice(1))) }));
  const read: number[] = [];
  const listed = new Map<string, number>();
  for (const { instance } of rows) listed.set(instance, (listed.get(instance) ?? 0) + 1);
  const listing = (lines: number) => ({ lines, emissions: [], histories: [] });
  const instances = new Map([...listed].map(([name, lines]) => [name, listing(lines)]));
  /** Files that are open. */
  let open = 0;
  function* each() {
    open++;
    try {
      for (const [at, row] of rows.entries()) {
        read.push(at);
        yield row;
      }
    } finally {
      open--;
    }
  }
  const recording = { instances, rows: each, isComplete: true } as unknown as Recording;
  return { recording, read, open: () => open };
}

const timeOf = (line: RecordedLine | undefined): number | undefined =>
  line?.[0] === 'timer' ? line[2] : undefined;

describe('one pass over a recording', () => {
  test('delivers to each instance its lines in file order', () => {
    const { recording, read } = recordingOf('a1 b1 b2 a2 c1 b3');
    const reported: string[] = [];
    const results = playRecording(recording, ['a', 'b'], function* (name, take) {
      let count = 0;
      for (let line = take(); line !== undefined; line = take()) {
        reported.push(`${name}${timeOf(line)} of ${read.length}`);
        count++;
        yield;
      }
      return count;
    });
    expect(reported).toEqual(['a1 of 1', 'b1 of 2', 'b2 of 3', 'a2 of 4', 'b3 of 6']);
    expect(Object.fromEntries(results)).toEqual({ a: 2, b: 3 });
  });

  test('buffers lines of the other instances', () => {
    const { recording } = recordingOf('a1 b1 b2 a2 b3');
    const reported: string[] = [];
    playRecording(recording, ['a', 'b'], function* (name, take) {
      for (let line = take(); line !== undefined; line = take()) {
        reported.push(`${name}${timeOf(line)}`);
        // One more line within the call, regardless of the rest of the file.
        if (name === 'a' && timeOf(line) === 1) reported.push(`a${timeOf(take())} within`);
        yield;
      }
    });
    expect(reported).toEqual(['a1', 'a2 within', 'b1', 'b2', 'b3']);
  });

  test('ends when no instance wants more, and closes the file', () => {
    const { recording, read, open } = recordingOf('a1 b1 a2 b2 a3');
    const first = playRecording(recording, ['a'], function* (_name, take) {
      yield;
      return timeOf(take());
    });
    expect(first.get('a')).toBe(1);
    expect(read).toEqual([0]);
    expect(open()).toBe(0);
  });

  test('closes the file of a player that fails, and both files of a comparison that ends early', () => {
    const failing = recordingOf('a1 a2 a3');
    const play = (): unknown =>
      playRecording(failing.recording, ['a'], function* (_name, take) {
        take();
        yield;
        throw new Error('it fails');
      });
    expect(play).toThrow('it fails');
    expect(failing.open()).toBe(0);

    const [first, second] = [recordingOf('a1 a2 a3 a4'), recordingOf('a1 a9 a3 a4')];
    const found = diffInputs(first.recording, second.recording, new Map([['a', 5]]));
    expect(found.get('a')?.time).toBe(2);
    expect([first.open(), second.open()]).toEqual([0, 0]);
    expect(second.read).toEqual([0, 1]);
  });

  test('reads no further for an instance that had its last line', () => {
    const { recording, read } = recordingOf('a1 b1 b2 b3');
    const rows = divideRows(recording, ['a', 'b']);
    const take = rows.takerOf('a');
    expect([timeOf(take()), timeOf(take())]).toEqual([1, undefined]);
    expect(read).toEqual([0]);
  });
});
