import type { FailureRow } from './FailureRow.ts';

/** The command line, a configuration and what it refers to. */
export const configFailures = {
  TRIMTAB_USAGE: {
    meaning: 'An argument or a flag is unknown, malformed, or does not go with the others.',
    remedy: 'Read the message and `--help` of that command.',
  },
  TRIMTAB_UNEXPECTED: {
    meaning: 'An unexpected failure that no row of this table covers.',
    remedy: 'Run the command again with `--debug`, which shows where it comes from, and report it.',
  },
  TRIMTAB_CONFIG_UNREADABLE: {
    meaning:
      "The configuration does not exist, can't be read, is empty or lacks the section that is needed.",
    remedy: 'Name another file, or make one with `trimtab init`.',
  },
  TRIMTAB_CONFIG_SYNTAX: {
    meaning: 'The file is not the YAML that is read here: one document, unique keys, no tags.',
    remedy: 'Correct the line that the message names, or the one before it.',
  },
  TRIMTAB_CONFIG_UNKNOWN_KEY: {
    meaning: 'A key is not one of those that are known where it stands.',
    remedy: 'Take the key that the message suggests, or remove this one.',
  },
  TRIMTAB_CONFIG_KEYS_EXCLUDE: {
    meaning:
      'A key is valid, but not together with another one present, or not with this kind of link.',
    remedy: 'Leave out one of the two.',
  },
  TRIMTAB_CONFIG_MISSING_KEY: {
    meaning: 'A key is missing that this configuration needs.',
    remedy: 'Add it; the message says what it means.',
  },
  TRIMTAB_CONFIG_BAD_VALUE: {
    meaning: 'A value is of another kind than the key takes, or outside of its range.',
    remedy: 'Write a value as the message describes it.',
  },
  TRIMTAB_CONFIG_FLAG: {
    meaning:
      'A flag that changes the configuration is malformed or points at a key that is not there.',
    remedy: 'Write it as the message shows.',
  },
  TRIMTAB_CONFIG_LITERAL_SECRET: {
    meaning: 'The configuration contains a secret in plain text.',
    remedy:
      'Replace that key if the file was shared, and refer to it: `{env: NAME}` or `{file: PATH}`.',
  },
  TRIMTAB_CONFIG_SECRET: {
    meaning:
      "A key or a secret can't be read from where the configuration says it is, or is not one.",
    remedy: 'Set the variable, or write the file with mode 600.',
  },
  TRIMTAB_CONFIG_DUPLICATE: {
    meaning: 'Two entries of a list have the same name or symbol.',
    remedy: 'Rename or remove one of them.',
  },
  TRIMTAB_CONFIG_SYMBOL_OWNED: {
    meaning: 'Two strategies trade one symbol on one wallet, where positions net.',
    remedy: 'Give one of them another wallet or another symbol.',
  },
  TRIMTAB_CONFIG_SYMBOL_NOT_ALLOWED: {
    meaning: '`guards.allowed_symbols` leaves out a symbol that a strategy trades.',
    remedy: 'Add it there, or remove it from the strategy.',
  },
  TRIMTAB_CONFIG_UNKNOWN_SYMBOL: {
    meaning: 'A setting names a symbol that no strategy trades.',
    remedy: 'Correct the symbol, or remove the setting.',
  },
  TRIMTAB_CONFIG_NO_FEED: {
    meaning:
      "No feed of the paper service serves a strategy's symbol, or one that fees, funding or instruments are set of.",
    remedy: 'Correct the symbol; or add a feed to `paper.feeds`, or `--feed SYMBOL@INTERVAL=FILE`.',
  },
  TRIMTAB_CONFIG_UNKNOWN_WALLET: {
    meaning: 'The paper service has no wallet of that name.',
    remedy: 'Add it to `paper.connections`, or name another.',
  },
  TRIMTAB_CONFIG_CAPITAL_SHARES: {
    meaning:
      "The capital shares of a wallet's strategies add up to more than 1, or leave nothing for one of them.",
    remedy: 'Write shares that add up to 1 at most.',
  },
  TRIMTAB_CONFIG_JOURNAL_UNFIT: {
    meaning:
      "The journal does not fit the link: a live bot's must survive it, an embedded paper run's starts over.",
    remedy: 'Write the path of a file.',
  },
  TRIMTAB_CONFIG_UNREPEATABLE_RECORD: {
    meaning: 'A recording of a strategy in a worker that is not waited for could not be replayed.',
    remedy: 'Remove `record`, or set `isolation: none`.',
  },
  TRIMTAB_CONFIG_LIVE_NOT_ALLOWED: {
    meaning: 'The configuration would trade on a real service, and `--live` was not given.',
    remedy: 'Start it with `--live` if that is what you want.',
  },
  TRIMTAB_DIALECT_UNUSABLE: {
    meaning:
      "The module in `dialect_module` can't be loaded or exports no dialect, or a dialect's names clash.",
    remedy: 'Export `{ values?, shapes? }` as its default; give each field a name of its own.',
  },
} as const satisfies Record<string, FailureRow>;
