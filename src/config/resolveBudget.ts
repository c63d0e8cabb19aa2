import type { BotSettings } from './botSettings.ts';
import type { BudgetSettings } from './budgetSettings.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { JournalSettings } from './journalSettings.ts';
import { readDatabase } from './readDatabase.ts';

/** Bots that write to one database may share a key: there the budget is shared by default. */
export async function resolveBudget(
  { budget: { shared, ...budget }, link }: BotSettings,
  journal: Pick<JournalSettings, 'url'>,
  from: { environment: Environment; directory: string },
): Promise<{ budget: BudgetSettings } | { findings: Finding[] }> {
  if (shared === undefined) {
    return { budget: { ...budget, shared: isOnWall(link) ? (journal.url ?? null) : null } };
  }
  if (shared === false) return { budget: { ...budget, shared: null } };
  const read = await readDatabase(shared, ['budget', 'shared'], from);
  return 'findings' in read ? read : { budget: { ...budget, shared: read.url } };
}

/** Processes share the minute of wall time; each replay has its own. */
export function isOnWall(link: BotSettings['link']): boolean {
  return link.kind === 'live' || (link.kind === 'paper_service' && link.budget_clock === 'wall');
}
