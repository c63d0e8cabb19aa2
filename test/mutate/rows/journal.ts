/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const journal = {
  station: 'journal',
  rows: [
    [
      'sqlite/createStatements.ts',
      'the newest latch is chosen by wall time',
      'FROM latches WHERE name = ? ORDER BY seq DESC LIMIT 1',
      'FROM latches WHERE name = ? ORDER BY time DESC, seq DESC LIMIT 1',
    ],
    [
      'sqlite/createStatements.ts',
      'the latches of a view are chosen by wall time',
      'WHERE seq IN (SELECT max(seq) FROM latches GROUP BY name)',
      'WHERE time IN (SELECT max(time) FROM latches GROUP BY name)',
    ],
    [
      'sqlite/createStatements.ts',
      'a retired key is not held',
      'SELECT state FROM intents WHERE key = ?\n    UNION ALL SELECT state FROM retired WHERE key = ?',
      'SELECT state FROM intents WHERE key = ?\n    AND key = ?',
    ],
    [
      'sqlite/createStatements.ts',
      'an open intent is retired',
      'WHERE final = 1 AND updated < ?',
      'WHERE updated < ?',
    ],
    [
      'sqlite/createStatements.ts',
      'steps are read by time',
      'FROM entries WHERE key = ? ORDER BY seq',
      'FROM entries WHERE key = ? ORDER BY wall_time',
    ],
    [
      'sqlite/createWriter.ts',
      'a write that fails is not rolled back',
      "db.exec(isOver ? 'ROLLBACK'",
      "db.exec(isOver ? 'COMMIT'",
    ],
    [
      'sqlite/createSqliteReader.ts',
      'the last row of a page is on the next one too',
      "parts.push(['id < ?', below]);",
      "parts.push(['id <= ?', below]);",
    ],
    [
      'sqlite/createSqliteReader.ts',
      'a page that is just full has another',
      'rows.length > filter.limit ?',
      'rows.length >= filter.limit ?',
    ],
    [
      'sqlite/createSqliteReader.ts',
      'an intent at the end of the time is found',
      "parts.push(['opened < ?', until]);",
      "parts.push(['opened <= ?', until]);",
    ],
    ['createMemoryStore.ts', 'a compacted key may be used again', 'retired.set(key, state);', ''],
    [
      'createMemoryStore.ts',
      'a step that is just old enough is retired',
      '.wallTime < olderThan',
      '.wallTime <= olderThan',
    ],
    [
      'sqlite/checkIntegrity.ts',
      'old steps of what is open are not examined',
      "  [\n    'entries',\n    'key, state, wall_time, market_time, data',\n    'WHERE key IN (SELECT key FROM intents WHERE final = 0)',\n  ],\n",
      '',
    ],
    [
      'sqlite/openDatabase.ts',
      'the check of a file takes off its locks',
      '    db = openAsItIs(path);\n',
      "    db = openAsItIs(path);\n    closeSync(openSync(path, 'r'));\n",
    ],
    [
      'sqlite/lockWriter.ts',
      'a second opening takes off the first one’s lock',
      "openSync(file, 'wx', OWNER_ONLY)",
      "openSync(file, 'a', OWNER_ONLY)",
    ],
    [
      'sqlite/lockWriter.ts',
      'without its lock’s file a journal has two writers in one process',
      "  if (written.has(name)) throw inUse(path, 'this process');\n",
      '',
    ],
  ],
} as const;
