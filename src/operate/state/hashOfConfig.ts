import type { BotConfig } from '../../config/index.ts';
import { sha256 } from '../../env/index.ts';

/**
 * SHA-256 of a checked configuration, hexadecimal: equal on two hosts if the bots are configured alike, whatever the
 * folder that holds the file. A secret counts by its place alone.
 */
export function hashOfConfig(config: BotConfig): string {
  const { file: _file, journalFlag: _journalFlag, directory, ...settings } = config;
  const text = JSON.stringify(settings).replaceAll(JSON.stringify(directory).slice(1, -1), '.');
  return sha256(text);
}
