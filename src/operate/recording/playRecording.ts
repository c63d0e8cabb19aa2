import type { TakeLine } from '../../strategy/recording/index.ts';
import { divideRows } from './divideRows.ts';
import type { Recording } from './Recording.ts';

/**
 * Processes one instance's lines and returns the result. It yields before a line for which it can wait,
 * so that others get their lines when the file has them.
 */
export type Player<Result> = Generator<void, Result, void>;

/** Reads a recording once, for all requested instances. @returns the result of each */
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
