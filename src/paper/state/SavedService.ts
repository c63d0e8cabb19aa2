import type { ConnectionRecord } from '../../contract/index.ts';
import type { SavedAnswer, SavedKey } from './Change.ts';
import type { SavedEngine } from './SavedEngine.ts';

/** The whole service as plain data: what a restart needs. Budgets and streams start fresh. */
export interface SavedService {
  /** Number of starts on this state; request ids include it, so that they stay unique. */
  starts: number;
  connections: ConnectionRecord[];
  keys: SavedKey[];
  answers: SavedAnswer[];
  engine: SavedEngine;
}
