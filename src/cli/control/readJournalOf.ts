import type { BotConfig } from '../../config/index.ts';
import type { JournalReader } from '../../journal/index.ts';
import { accountOf, openJournalReader } from '../../operate/journal/index.ts';

/** Reads the journal that a bot's configuration names; the bot may be writing it. */
export async function readJournalOf<T>(
  config: BotConfig,
  use: (reader: JournalReader) => Promise<T>,
): Promise<T> {
  const { path, url } = config.journal;
  const account = accountOf(config);
  const reader = await openJournalReader({ place: url?.reveal() ?? path, account });
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}
