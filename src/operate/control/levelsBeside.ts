import type { KillLevel } from '../../runtime/index.ts';
import { pendingCommand, pulse, readWhole, writeWhole, type ControlFiles } from './controlFiles.ts';

/** What the control files of a bot that does not run say of its level. */
export interface LevelsBeside {
  /** In its last pulse; undefined if there is none. */
  reported: KillLevel | undefined;
  /** Of the command that its next start carries out; undefined if none waits. */
  waiting: KillLevel | undefined;
}

export function readLevelsBeside(files: ControlFiles): LevelsBeside {
  return {
    reported: readWhole(files.pulse, pulse)?.level,
    waiting: pendingCommand(files)?.level,
  };
}

/** Has `trimtab status` show the level at which a stopped bot starts. */
export function showStoppedLevel(files: ControlFiles, level: KillLevel): void {
  const last = readWhole(files.pulse, pulse);
  if (last !== undefined) writeWhole(files.pulse, { ...last, level, reasons: [] });
}
