import type { TakeLine } from '../../strategy/recording/index.ts';
import { divideRows } from './divideRows.ts';
import type { Recording } from './Recording.ts';

/**
 * What is done with one instance's lines, and what comes of it. It yields before a line that it can wait for,
 * so that others get theirs when the file has them.
 */
export type Player<Result> = Generator<void, Result, void>;

/** Goes through a recording once, for all instances that are asked for. @returns what came of each */
export function playRecording<Result>(
  recording: Recording,
  names: readonly string[],
  play: (instance: string, take: TakeLine) => Player<Result>,
): Map<string, Result> {
  const rows = divideRows(recording, names);
  const results = new Map<string, Result>();
  const players = new Map(names.map((name) => [name, play(name, rows.takerOf(name))]));

  function step(name: string): void {
    const { done, value } = players.get(name)!.next();
    if (done !== true) return;
    results.set(name, value);
    players.delete(name);
    rows.leave(name);
  }
  try {
    while (players.size > 0) {
      const name = rows.read();
      if (name === undefined) break;
      while (rows.hasWaiting(name)) step(name);
    }
    for (const name of players.keys()) while (players.has(name)) step(name);
  } finally {
    rows.close();
  }
  return results;
}
