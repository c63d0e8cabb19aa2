/**
 * After a power cut a directory has what it had when it was last synced, and of what was done to it since any part: a system
 * may write a removal before a renaming that came first. Whatever it has, the snapshot's log must be among it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { openState } from '../../../src/paper/server/state/openState.ts';
import { StateLog } from '../../../src/paper/server/state/StateLog.ts';
import { openTestService } from '../core/openTestService.ts';

/** Names in a directory, and the generation of the snapshot in it. */
interface Directory {
  names: ReadonlySet<string>;
  generation: number | null;
}

type Step = (directory: Directory) => Directory;

const EMPTY: Directory = { names: new Set(), generation: null };

/** Every part of the steps, in their order. */
function* partsOf(steps: readonly Step[]): Generator<Step[]> {
  for (let bits = 0; bits < 2 ** steps.length; bits++)
    yield steps.filter((_step, index) => (bits >> index) % 2 === 1);
}

interface Watched {
  path: string;
  onCut(directory: Directory): void;
  /** What was done before; by default nothing. */
  begin?: { synced: Directory; since: Step[] };
}

/** Runs `act`, and tells after each step each directory that a power cut may leave. */
function watchDirectory(
  { path, onCut, begin = { synced: EMPTY, since: [] } }: Watched,
  act: () => void,
): void {
  const originals = {
    openSync: fs.openSync,
    renameSync: fs.renameSync,
    rmSync: fs.rmSync,
    fsyncSync: fs.fsyncSync,
  };
  let { synced, since } = begin;
  const apply = (steps: readonly Step[]): Directory =>
    steps.reduce((directory, step) => step(directory), synced);
  const note = (step: Step): void => {
    since.push(step);
    for (const part of partsOf(since)) onCut(apply(part));
  };
  Object.assign(fs, {
    openSync: (file: string, ...rest: [string, number]) => {
      const opened = originals.openSync(file, ...rest);
      if (rest[0] === 'w') {
        note(({ names, ...more }) => ({ ...more, names: new Set([...names, basename(file)]) }));
      }
      return opened;
    },
    renameSync: (from: string, to: string) => {
      const { generation } = JSON.parse(fs.readFileSync(from, 'utf8')) as Directory;
      originals.renameSync(from, to);
      expect(to).toBe(path);
      note((directory) => ({ ...directory, generation }));
    },
    rmSync: (file: string, options: fs.RmOptions) => {
      originals.rmSync(file, options);
      note(({ names, ...more }) => ({
        ...more,
        names: new Set([...names].filter((name) => name !== basename(file))),
      }));
    },
    fsyncSync: (file: number) => {
      originals.fsyncSync(file);
      if (!fs.fstatSync(file).isDirectory()) return;
      synced = apply(since);
      since = [];
    },
  });
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}

/** A snapshot without its log is no state. */
function expectLog({ names, generation }: Directory): void {
  if (generation === null) return;
  expect([...names], `of snapshot ${generation}`).toContain(`paper.state.${generation}.log`);
}

const newPath = (): string => join(fs.mkdtempSync(join(tmpdir(), 'trimtab-state-')), 'paper.state');

test.skipIf(process.platform === 'win32')('a snapshot has its log at every power cut', () => {
  const path = newPath();
  const seen = new Set<number | null>();
  const onCut = (directory: Directory): void => {
    seen.add(directory.generation);
    expectLog(directory);
  };
  watchDirectory({ path, onCut }, () => {
    const env = createVirtualEnv();
    const keeper = openState({ path, tape: [], venue: '' }, env);
    keeper.begin(() => ({ demoKeyId: null, service: { marks: 0 } as never }));
    for (let round = 1; round <= 2; round++) {
      for (let time = 0; time < 20_000; time++) keeper.record({ time });
      env.queue.advanceTo(round * 1_000);
    }
    keeper.close();
  });
  expect([...seen]).toEqual([null, 1, 2, 3, 4]);
});

test.skipIf(process.platform === 'win32')(
  'so it has if the process died before the last renaming was durable',
  () => {
    const path = newPath();
    const opened = { path, tape: [], venue: '' };
    const first = openState(opened, createVirtualEnv());
    first.begin(() => ({ demoKeyId: null, service: openTestService().core.save(0) }));
    const former = fs.readFileSync(`${path}.1.log`);
    first.close();
    fs.writeFileSync(`${path}.1.log`, former);
    const names = new Set(['paper.state.1.log', 'paper.state.2.log']);
    const renamed: Step = (directory) => ({ ...directory, generation: 2 });
    const begin = { synced: { names, generation: 1 }, since: [renamed] };
    watchDirectory({ path, onCut: expectLog, begin }, () =>
      openState(opened, createVirtualEnv()).close(),
    );
    expect(fs.existsSync(`${path}.1.log`)).toBe(false);
  },
);

test('what is appended while the log is synced is synced by the next time, and an error leaves all to it', () => {
  const original = fs.fsync;
  const ends: Array<(error: Error | null) => void> = [];
  Object.assign(fs, {
    fsync: (_file: number, end: (error: Error | null) => void) => void ends.push(end),
  });
  syncBuiltinESMExports();
  try {
    const log = new StateLog(`${newPath()}.1.log`, 1);
    const errors: Error[] = [];
    const sync = (): number => {
      log.sync((error) => void errors.push(error));
      return ends.length;
    };
    // An empty log was synced as it was made.
    expect(sync()).toBe(0);
    log.append({ time: 1 });
    expect(sync()).toBe(1);
    log.append({ time: 2 });
    ends[0]!(null);
    expect(sync()).toBe(2);
    ends[1]!(new Error('The disk is gone.'));
    expect(errors).toMatchObject([{ message: 'The disk is gone.' }]);
    expect(sync()).toBe(3);
    // Of two at once the later may end first.
    log.append({ time: 3 });
    expect(sync()).toBe(4);
    ends[3]!(null);
    ends[2]!(null);
    expect(sync()).toBe(4);
    log.close();
  } finally {
    Object.assign(fs, { fsync: original });
    syncBuiltinESMExports();
  }
});
