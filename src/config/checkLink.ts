import type { BotSettings } from './botSettings.ts';
import type { Finding } from './Finding.ts';
import { repeatedFeeds } from './repeatedFeeds.ts';
import { isOnWall } from './resolveBudget.ts';

/** Paper needs a section `paper`; live needs the flag, limits and a persistent journal. */
export function checkLink(settings: BotSettings, allowLive: boolean): Finding[] {
  return [...checkKind(settings, allowLive), ...sharedBudget(settings)];
}

function checkKind(settings: BotSettings, allowLive: boolean): Finding[] {
  switch (settings.link.kind) {
    case 'paper':
      return [...checkPaper(settings), ...paperJournal(settings)];
    case 'paper_service':
      return [];
    case 'live':
      return checkLive(settings, allowLive);
  }
}

function checkPaper({ paper }: BotSettings): Finding[] {
  if (paper === undefined) {
    const reason = 'is missing, and link.kind is paper';
    return [
      {
        code: 'TRIMTAB_CONFIG_MISSING_KEY',
        path: ['paper'],
        reason,
        remedy: 'Add the section paper with at least one feed.',
      },
    ];
  }
  return [...(paper.speed === 0 ? [standsStill] : []), ...repeatedFeeds(paper.feeds)];
}

const standsStill: Finding = {
  code: 'TRIMTAB_CONFIG_BAD_VALUE',
  path: ['paper', 'speed'],
  reason: 'is 0, so that the replay would never move',
  remedy: 'Write max, or the replay seconds of a second, such as 60.',
};

function paperJournal({ journal }: BotSettings): Finding[] {
  if (journal.url === undefined) return [];
  const reason = 'the embedded paper service starts over with each run, and so must its journal';
  return [
    {
      code: 'TRIMTAB_CONFIG_JOURNAL_UNFIT',
      path: ['journal'],
      reason,
      remedy: 'Write the path of a file, or memory.',
    },
  ];
}

function sharedBudget({ budget, link }: BotSettings): Finding[] {
  if (budget.shared === undefined || budget.shared === false || isOnWall(link)) return [];
  const reason = "a budget that a replay counts in its own time can't be shared";
  return [
    {
      code: 'TRIMTAB_CONFIG_KEYS_EXCLUDE',
      path: ['budget', 'shared'],
      reason,
      remedy: 'Remove it.',
    },
  ];
}

function checkLive(settings: BotSettings, allowLive: boolean): Finding[] {
  return [
    ...(allowLive ? [] : [withoutFlag]),
    ...liveJournal(settings),
    ...liveGuards(settings),
    ...liveCover(settings),
    ...namedWallets(settings),
  ];
}

const withoutFlag: Finding = {
  code: 'TRIMTAB_CONFIG_LIVE_NOT_ALLOWED',
  path: ['link', 'kind'],
  reason: 'this bot would trade on a real service',
  remedy: 'If that is what you want, start it with --live as well.',
};

function liveJournal({ journal }: BotSettings): Finding[] {
  if (journal.path !== 'memory') return [];
  const reason = 'a live bot must find after a restart what it had sent before';
  return [
    {
      code: 'TRIMTAB_CONFIG_JOURNAL_UNFIT',
      path: ['journal'],
      reason,
      remedy: 'Write the path of a file.',
    },
  ];
}

/** Without these nothing protects a real account's money from a bug. */
const LIVE_GUARDS = ['max_order_notional', 'max_gross_notional', 'daily_loss_limit'] as const;

function liveGuards({ guards }: BotSettings): Finding[] {
  return LIVE_GUARDS.filter((name) => guards[name] === undefined).map((name) => ({
    code: 'TRIMTAB_CONFIG_MISSING_KEY' as const,
    path: ['guards', name],
    reason: 'is missing, and the link is live',
    remedy: `Add ${name}: the amount in quote units (USD) that you can bear.`,
  }));
}

/** A position without a stop must not go unnoticed because a setting was forgotten. */
function liveCover({ guards }: BotSettings): Finding[] {
  if (guards.max_uncovered_seconds !== undefined) return [];
  return [
    {
      code: 'TRIMTAB_CONFIG_MISSING_KEY',
      path: ['guards', 'max_uncovered_seconds'],
      reason: 'is missing, and the link is live',
      remedy:
        'Add the seconds that a position may stand without a stop before entries end, or off.',
    },
  ];
}

function namedWallets({ strategies }: BotSettings): Finding[] {
  return strategies.flatMap(({ wallet }, index) =>
    wallet !== undefined
      ? []
      : [
          {
            code: 'TRIMTAB_CONFIG_MISSING_KEY' as const,
            path: ['strategies', index, 'wallet'],
            reason: 'is missing, and the link is live',
            remedy: 'Add the id of a connection; GET /v1/connections lists them.',
          },
        ],
  );
}
