/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const doctor = {
  station: 'operate/doctor',
  rows: [
    [
      'examineJournal.ts',
      'a backup may be ten weeks old',
      'OLDEST_BACKUP_DAYS = 7;',
      'OLDEST_BACKUP_DAYS = 70;',
    ],
    [
      'examineStream.ts',
      'a key that lacks the scope read is an address that is wrong',
      '/^refused_(401|403)/',
      '/^refused_(402)/',
    ],
    ['examineJournal.ts', 'no journal is large', '2 * 2 ** 30', '2 * 2 ** 40'],
    ['examinePlaces.ts', 'a journal on CIFS is local', '0xff534d42', '0xff534d43'],
    [
      'examinePlaces.ts',
      'the socket of a bot that hangs is removed',
      '!hasEnded(files, isAlive)',
      "statusOf(files, { now: Infinity, isAlive }).state !== 'down'",
    ],
    [
      'examinePlaces.ts',
      'a file in the place of the socket is removed',
      'if (!statSync(listen.socket).isSocket()) {',
      'if (!existsSync(listen.socket)) {',
    ],
    [
      'examinePlaces.ts',
      'others that may write the journal are none',
      'const OTHERS = 0o077;',
      'const OTHERS = 0o044;',
    ],
    [
      'examinePlaces.ts',
      'only the journal’s own file is looked at',
      'const own = [path, `${path}-wal`, `${path}-shm`, ...Object.values(files ?? {})];',
      'const own = [path].concat(Object.values(files ?? {}).slice(0, 0));',
    ],
    [
      'examinePlaces.ts',
      'the first file that others may read is told alone',
      'return open.map((file) => {',
      'return open.slice(0, 1).map((file) => {',
    ],
    [
      'examinePlaces.ts',
      'a bot that failed stopped cleanly',
      "if (state === 'well' || reasons.join() === 'it was stopped cleanly')",
      "if (state !== 'degraded')",
    ],
    [
      'examinePlaces.ts',
      'a level of the next start is not told',
      "if (level !== null && level !== 'L0')",
      'if (level === null)',
    ],
    [
      'examinePlaces.ts',
      'a journal in memory is well',
      "if (link.kind === 'paper') return well('journal', text);",
      "return well('journal', text + link.kind.slice(0, 0));",
    ],
    [
      'examineWatchdog.ts',
      "the bot's key by another name is a key of its own",
      'if (key.keyId === keyId) return [sharesKey];\n',
      '',
    ],
    [
      'examineWatchdog.ts',
      'a watchdog that can end nothing is well',
      'return refusal === undefined',
      "return refusal !== ''",
    ],
    [
      'examineService.ts',
      'a strategy that is renamed keeps its position',
      '(former(symbol) ?? owner.name) !== owner.name',
      "owner.name === ''",
    ],
    [
      'examineJournal.ts',
      'a live bot without a backup is a note',
      "link.kind === 'live'",
      "link.kind === 'paper'",
    ],
    [
      'examineJournal.ts',
      'an unresolved intent is not told',
      '...open.items.map(',
      '...open.items.slice(0, 0).map(',
    ],
    [
      'examineService.ts',
      'a certificate that ends is well',
      'days < CERTIFICATE_DAYS',
      'days > CERTIFICATE_DAYS',
    ],
  ],
} as const;
