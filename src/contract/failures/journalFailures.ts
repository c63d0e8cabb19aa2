import type { FailureRow } from './FailureRow.ts';

/** A journal, and an operator's commands to it or to a running bot. */
export const journalFailures = {
  TRIMTAB_JOURNAL_IN_USE: {
    meaning: 'Another process writes the journal.',
    remedy: 'Stop that process, or give this one a journal of its own.',
  },
  TRIMTAB_JOURNAL_LEASE_LOST: {
    meaning: 'Another process has taken the journal over.',
    remedy: 'Run one bot for each journal account.',
  },
  TRIMTAB_JOURNAL_DAMAGED: {
    meaning: 'Part of the journal is missing or differs from what was written.',
    remedy:
      'Restore it from a backup: `trimtab journal restore`. Only without one, set it aside as the message says.',
  },
  TRIMTAB_JOURNAL_FOREIGN: {
    meaning:
      "The file is not a journal, or is another account's or service's, or has a wallet that the bot lacks.",
    remedy:
      'Go on with the wallets of the journal, or give the bot a new one: another file, or another `journal.account`. A new one begins at L0, and does not know what was sent.',
  },
  TRIMTAB_JOURNAL_VERSION: {
    meaning: 'The journal has a format that this program does not read.',
    remedy:
      'A newer one: run the version that wrote it. An older one: start its bot once, which upgrades it.',
  },
  TRIMTAB_JOURNAL_READ_ONLY: {
    meaning: "The journal can't be written.",
    remedy: 'Give this user the right to write it.',
  },
  TRIMTAB_JOURNAL_FULL: {
    meaning: 'The disk or the database of the journal is full. Nothing more is sent.',
    remedy: 'Make room, and start the bot again.',
  },
  TRIMTAB_JOURNAL_UNREACHABLE: {
    meaning: 'The database of the journal does not answer.',
    remedy: 'Check its address, user and network.',
  },
  TRIMTAB_JOURNAL_DUPLICATE: {
    meaning: 'The journal holds that key or decision already.',
    remedy: 'Report it: no decision is written twice.',
  },
  TRIMTAB_JOURNAL_BROKEN: {
    meaning: 'An earlier failure left the journal in an unknown state.',
    remedy: 'Reopen it: restart the bot.',
  },
  TRIMTAB_JOURNAL_MISSING: {
    meaning: 'There is no journal there.',
    remedy: 'Start the bot first, or name its journal.',
  },
  TRIMTAB_JOURNAL_GONE: {
    meaning:
      'The files of the journal were removed, moved, replaced or cut while a bot wrote them.',
    remedy:
      'Nothing more is sent. Put them back and start again; without them, what runs on the service is taken over.',
  },
  TRIMTAB_JOURNAL_IN_DATABASE: {
    meaning: 'The journal is in a database, which is backed up by its own tools.',
    remedy: 'Use `pg_dump --schema=trimtab`.',
  },
  TRIMTAB_JOURNAL_UNOPENED: {
    meaning: "The journal can't be opened.",
    remedy: 'Read the reason in the message.',
  },
  TRIMTAB_JOURNAL_UNREADABLE: {
    meaning: "The journal can't be read.",
    remedy: 'Read the reason in the message.',
  },
  TRIMTAB_JOURNAL_FAILED: {
    meaning: 'The journal failed during a run, and nothing more was sent.',
    remedy: 'Look at its disk or database; nothing is sent that is not written first.',
  },
  TRIMTAB_JOURNAL_IN_MEMORY: {
    meaning: "The bot's journal is in memory and ends with its process.",
    remedy: 'Give it a file, or stop the process itself.',
  },
  TRIMTAB_JOURNAL_NO_SUCH_INTENT: {
    meaning: 'The journal holds no intent, or more than one, of that key.',
    remedy: 'List them: `trimtab journal list`.',
  },
  TRIMTAB_JOURNAL_NOT_RESTORED: {
    meaning: 'A backup was not put in the place of the journal; nothing has changed.',
    remedy: 'The message names the reason; take another backup, or another bot’s configuration.',
  },
  TRIMTAB_JOURNAL_NOT_DOWNGRADED: {
    meaning:
      'The former format of the journal has no place for something that a bot relies on; nothing was written.',
    remedy:
      'The message counts it. Go on with this version, or start the former one with a new journal.',
  },
  TRIMTAB_JOURNAL_PROBLEMS: {
    meaning: '`journal verify` found contradictions.',
    remedy: 'Read them above; restore from a backup if the file is damaged.',
  },
  TRIMTAB_SETTLE_REFUSED: {
    meaning: "The intent can't be settled.",
    remedy: 'Read the reason; only what is unresolved can be settled.',
  },
  TRIMTAB_BOT_NOT_RUNNING: {
    meaning: 'No bot runs on this host with that journal.',
    remedy: 'Run the command where the bot runs, with the same `--journal`.',
  },
  TRIMTAB_BOT_SILENT: {
    meaning: "The bot's process is there and does not answer.",
    remedy: 'Look at its log; stop its process if it hangs.',
  },
  TRIMTAB_BOT_STOPPING: {
    meaning: 'The bot applies its stop policy, and carries out no command any more.',
    remedy: 'Wait until it has ended, then send the command again; look at what it leaves open.',
  },
  TRIMTAB_KILL_NOT_PERSISTED: {
    meaning: 'The bot is at the kill level, and that could not be persisted.',
    remedy: "Look at its journal's disk or database.",
  },
  TRIMTAB_COMMAND_OVERRULED: {
    meaning: 'The command is not in force: another one that came meanwhile took its place.',
    remedy:
      'Agree with whoever sent it; look at `trimtab status` and send it again if it is still wanted.',
  },
  TRIMTAB_KILL_LATCHED_ONLY: {
    meaning:
      'The bot is not running: the kill level is persisted for its next start, and nothing was cancelled now.',
    remedy:
      'End by hand what works on the service, or start the bot, which applies the level; at L4 it sends nothing.',
  },
  TRIMTAB_WATCHDOG_NO_SECTION: {
    meaning: 'The configuration has no section `watchdog`.',
    remedy: 'Add one with a key of its own.',
  },
  TRIMTAB_WATCHDOG_NO_SERVICE: {
    meaning: 'A watchdog watches a bot on a separate service, with a journal.',
    remedy: 'Use it with `link.kind` live or paper_service.',
  },
  TRIMTAB_WATCHDOG_KEY_REFUSED: {
    meaning: 'The key of the watchdog may not look at a wallet, or not end what is open there.',
    remedy: 'Give that key the wallet, and the scopes read, trade and algo.',
  },
} as const satisfies Record<string, FailureRow>;
