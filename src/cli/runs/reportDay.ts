import { DAY_MS } from '../../contract/durations.ts';
import { loadConfig } from '../../config/index.ts';
import { createLiveEnv, reasonOf } from '../../env/index.ts';
import {
  formatDay,
  isDay,
  readDay,
  type DayReport,
  type WalletDay,
} from '../../operate/journal/index.ts';
import { loadDialect } from '../../operate/run/index.ts';
import { tradedWallets } from '../../runtime/index.ts';
import { connectService } from '../../service/index.ts';
import { readEveryPage } from '../../wire/index.ts';
import type { TimeZone } from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { journalFailure } from '../failures/journalFailure.ts';
import { loadControlledBot } from '../control/loadControlledBot.ts';
import { readJournalOf } from '../control/readJournalOf.ts';

/** A bot's day; `pnl` is null if the service was not asked, or did not answer. */
export interface BotDay {
  json: DayReport & { pnl: readonly WalletDay[] | null };
  text(): string;
}

/**
 * `trimtab report BOT --day`: what a bot did on one day, from its journal, with the P&L that the service counts.
 *
 * @param day `2026-11-23`; undefined for today
 */
export async function reportDay(
  path: string,
  day: string | undefined,
  zone: TimeZone,
): Promise<BotDay> {
  // The operator's terminal may have none of the bot's secrets; the journal needs none.
  const { config } = await loadControlledBot(path, {});
  const asked = day ?? zone.dayOf(createLiveEnv().clock.wallNow());
  if (!isDay(asked))
    throw new CommandFailure('TRIMTAB_USAGE', `--day ${asked}: a day is such as 2026-11-23.`);
  const report = await readJournalOf(config, (reader) =>
    readDay(reader, asked, undefined, zone),
  ).catch(journalFailure);
  const pnl =
    config.link.kind === 'paper'
      ? undefined
      : zone.name === 'UTC'
        ? await readPnl(path, asked)
        : leaveOut('it is counted by days of UTC; leave out --tz');
  return {
    json: { ...report, pnl: pnl ?? null },
    text: () => formatDay(config.name, report, pnl, zone),
  };
}

/** Undefined, with a line on stderr, if the service can't be asked: the journal's part stands alone. */
async function readPnl(path: string, day: string): Promise<WalletDay[] | undefined> {
  const loaded = await loadConfig(path, { allowLive: true });
  if (!loaded.ok) return leaveOut(loaded.faults[0]?.reason);
  const { config } = loaded;
  if (config.link.kind === 'paper') return undefined;
  const spoken = await loadDialect(config);
  if (!spoken.ok) return leaveOut(spoken.failure.message);
  const { baseUrl, wsUrl, keyId, secret } = config.link;
  const env = createLiveEnv();
  const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
  const { client, http } = connectService(address, { env, dialect: spoken.value });
  const start = Date.parse(day);
  const range = { start_time: start, end_time: start + DAY_MS - 1 };
  try {
    const days: WalletDay[] = [];
    for (const wallet of tradedWallets(config.strategies)) {
      const items = await readEveryPage(spoken.value.limits.pageMax, (query) =>
        client.account.pnl({ query: { ...query, ...range }, wallet }),
      );
      days.push({ wallet, rows: items.filter((row) => row.day === day) });
    }
    return days;
  } catch (error) {
    return leaveOut(reasonOf(error));
  } finally {
    await http.close();
  }
}

function leaveOut(reason: string | undefined): undefined {
  process.stderr.write(`The service's P&L is left out: ${reason ?? 'it was not asked'}\n`);
}
