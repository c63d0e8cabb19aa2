import type { ConnectionRecord } from '../../contract/index.ts';
import type { SavedAnswer, SavedKey } from './Change.ts';
import type { SavedEngine } from './SavedEngine.ts';

/** The whole service as plain data: what a restart has to know. Budgets and streams start anew. */
export interface SavedService {
  /** How often it was started on this state; request ids carry it, so that they stay unique. */
  starts: number;
  connections: ConnectionRecord[];
  keys: SavedKey[];
  answers: SavedAnswer[];
  engine: SavedEngine;
}
