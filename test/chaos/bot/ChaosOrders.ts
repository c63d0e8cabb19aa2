import type { Durability } from '../../../src/journal/index.ts';
import type { Boundary } from '../boundaries.ts';
import type { ScriptName } from '../script.ts';

/** The passage of a boundary at which the process dies. */
export interface Armed {
  boundary: Boundary;
  passage: number;
}

/** Start options of a chaos bot, as JSON in its environment. */
export interface ChaosOrders {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
  wallet: string;
  /** A SQLite file; commands to the bot are written beside it. */
  path: string;
  /** Instead of the file. */
  database?: { url: string; account: string };
  durability: Durability;
  armed: Armed | null;
  script: ScriptName;
  /** Milliseconds between two steps of the script. */
  paceMs: number;
}

/** Name of the variable that holds them; a secret in it is that of a paper service. */
export const ORDERS = 'TRIMTAB_CHAOS_ORDERS';

/** A line that a chaos bot writes on its standard output. */
export type ChaosLine =
  /** The program is loaded, and opens its journal now. */
  | { kind: 'loaded'; sinceStartMs: number }
  /** The journal is recovered; the strategy starts. */
  | { kind: 'recovered'; sinceStartMs: number }
  /** The script is complete. */
  | { kind: 'done'; passages: Partial<Record<Boundary, number>> }
  /** An intent of the script was accepted; the number so far. */
  | { kind: 'step'; done: number; sinceStartMs: number; cpuMs: number }
  /** It dies now. */
  | { kind: 'dies'; boundary: Boundary }
  | { kind: 'failed'; reason: string };
