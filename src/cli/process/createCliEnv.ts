import { createLiveEnv, type Env } from '../../env/index.ts';
import { createPinoLog, type LogLevel } from '../../operate/index.ts';

/**
 * The real machine, with a log on stderr from this level on.
 *
 * @param isBrief the command ends soon, and may log nothing
 */
export function createCliEnv(level: LogLevel, isBrief = false): Env {
  const { clock } = createLiveEnv();
  const isTerminal = process.stderr.isTTY;
  const write = (line: string): void => void process.stderr.write(line);
  return createLiveEnv({ log: createPinoLog({ level, clock, isTerminal, isBrief, write }) });
}
