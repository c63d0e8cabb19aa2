/** Bugs that a reader planted who had seen no test, which nothing found that each commit runs: as tables’ rows. */
export const freshCBudget = {
  station: 'budget',
  rows: [
    [
      'createPostgresLedger.ts',
      'a process can’t end without its database',
      'leave(state, member, last, now)).catch(() => {});',
      'leave(state, member, last, now));',
    ],
    [
      'createPostgresLedger.ts',
      'a member’s name ends the statement',
      '.replaceAll("\'", "\'\'")',
      '',
    ],
    [
      'createPostgresLedger.ts',
      'a turn writes the ledgers of all keys',
      "SET state = '${text}' WHERE key = '${key}'; COMMIT",
      "SET state = '${text}'; COMMIT",
    ],
    [
      'createPostgresLedger.ts',
      'a turn waits for ten seconds',
      ', queryTimeoutMs: TURN_TIMEOUT_MS });',
      ' });',
    ],
    [
      'createPostgresLedger.ts',
      'a process that joins empties the ledger',
      'ON CONFLICT DO NOTHING`',
      'ON CONFLICT (key) DO UPDATE SET state = excluded.state`',
    ],
    [
      'createReplaceableBudget.ts',
      'the end does not wait for the former key’s booking',
      'await Promise.all([closing, current.close()]);',
      'await current.close();',
    ],
    [
      'readWeight.ts',
      'a list since a time weighs no more',
      "query['start_time'] !== undefined || query['end_time']",
      "query['end_time']",
    ],
    [
      'readWeight.ts',
      'a list until a time weighs no more',
      "query['start_time'] !== undefined || query['end_time'] !== undefined",
      "query['start_time'] !== undefined",
    ],
  ],
} as const;

export const freshCJournal = {
  station: 'journal/postgres',
  rows: [
    [
      'createWriterSession.ts',
      'a session that was closed beats on',
      '      isClosed = true;\n      cancelBeat();\n',
      '      isClosed = true;\n',
    ],
    [
      'createWriterSession.ts',
      'a heartbeat makes it forget the write in flight',
      'isInFlight = isDone ?? isInFlight;',
      'isInFlight = isDone;',
    ],
    [
      'createWriterSession.ts',
      'a lost connection is not ended',
      '    await client?.end().catch(() => {});\n    for',
      '    for',
    ],
    [
      'createWriterSession.ts',
      'a database that lacks what it had is tried again and again',
      "code === 'lease_lost' || code === 'damaged'",
      "code === 'lease_lost'",
    ],
    ['createWriterSession.ts', 'a demoted server is an error', ' || code === READ_ONLY', ''],
    [
      'createWriterSession.ts',
      'a server that shuts down is an error',
      " || code.startsWith('57P')",
      '',
    ],
    ['createWriterSession.ts', 'a deadlock is an error', "'40P01', ", ''],
    ['createWriterSession.ts', 'a conflict is an error', ", '40001'", ''],
    ['createWriterSession.ts', 'a cancelled statement is an error', "'57014', ", ''],
    ['createWriterSession.ts', 'a full disk is an error', ' || isShort(error);', ';'],
    [
      'createWriterSession.ts',
      'a full disk is said to be a lock',
      'isShort(error) ? SHORT : LOCKED',
      'LOCKED',
    ],
    [
      'createWriterSession.ts',
      'each attempt at a locked table is logged',
      'if (since === undefined) env.log.warn(warning',
      'env.log.warn(warning',
    ],
    [
      'createWriterSession.ts',
      'a write that was done is repeated',
      'attempt > 0 && (await isDone?.()) === true',
      'false',
    ],
    [
      'createWriterSession.ts',
      'connections that are refused one by one are tried for ever',
      'if (now - since >= options.giveUpAfterMs) fail(unreachable(error, url));',
      '',
    ],
    [
      'createWriterSession.ts',
      'the longer an outage the later its end is noticed',
      'Math.min(pauseMs * 2, LONGEST_PAUSE_MS)',
      'pauseMs * 2',
    ],
    [
      'createWriterSession.ts',
      'a journal that has ended beats once more',
      '    broken = fault;\n    cancelBeat();\n',
      '    broken = fault;\n',
    ],
    [
      'createPostgresStore.ts',
      'the goodbye has the whole time of a close',
      'Math.max(GOODBYE_MS, until - env.clock.monotonicNow())',
      'withinMs + 0 * (until + GOODBYE_MS)',
    ],
    [
      'createPostgresReader.ts',
      'a key’s start is a pattern',
      'left(key, length($2)) = $2',
      "key LIKE $2 || '%'",
    ],
    [
      'createPostgresReader.ts',
      'one known key ends the search for monitors',
      'if (keys.every((key) => found.has(key))) return found;',
      'if (keys.some((key) => found.has(key))) return found;',
    ],
    [
      'createPostgresReader.ts',
      'another account’s monitors are held',
      'WHERE account = $1 AND NOT retired AND kind',
      'WHERE NOT retired AND account >= left($1, 0) AND kind',
    ],
    [
      'createPostgresReader.ts',
      'another account’s writer is shown',
      "'SELECT host, pid, since, seen FROM trimtab.accounts WHERE account = $1'",
      "'SELECT host, pid, since, seen FROM trimtab.accounts WHERE account <= $1 ORDER BY account'",
    ],
    [
      'createPostgresReader.ts',
      'after all lives a reader sees nothing new',
      "        await client.query({ text: 'ROLLBACK' });\n",
      '',
    ],
    [
      'createPostgresReader.ts',
      'lives are of several instants',
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      'BEGIN READ ONLY',
    ],
    [
      'createPostgresReader.ts',
      'steps of what was retired are no problem',
      '           AND NOT retired) LIMIT 20',
      '           ) LIMIT 20',
    ],
    [
      'createPostgresReader.ts',
      'of two journals that an account could go on in the first is read',
      'return next.length === 1 ? next[0] : undefined;',
      'return next[0];',
    ],
    [
      'createPostgresReader.ts',
      'a reader that is refused keeps its connection',
      '    await client.end().catch(() => {});\n    throw toFault',
      '    throw toFault',
    ],
    [
      'loadAccount.ts',
      'an old monitor is loaded with its first step',
      'ORDER BY key, seq DESC`,',
      'ORDER BY key, seq`,',
    ],
    ['loadAccount.ts', 'the last hour is a minute', 'newest - HOUR_MS', 'newest - HOUR_MS / 60'],
  ],
} as const;

export const freshCRotation = {
  station: 'operate/run',
  rows: [
    [
      'createKeyRotation.ts',
      'another secret of one key opens another budget',
      '      if (!isOtherKey) return;\n',
      '',
    ],
    [
      'createKeyRotation.ts',
      'a rotation is in place of the key of the start',
      'const { keyId: previous } = inUse;',
      'const { keyId: previous } = options.first;',
    ],
    [
      'createKeyRotation.ts',
      'a rotation is answered before the journal has it',
      '    await durable;\n    return',
      '    return',
    ],
    [
      'createKeyRotation.ts',
      'what the old key has in flight is not said',
      '      unanswered = waitedInVain;\n',
      '',
    ],
    [
      'createKeyRotation.ts',
      'a change of a time to come is one of late',
      'Math.abs(options.wallNow() - change.time) > LATELY_MS',
      'options.wallNow() - change.time > LATELY_MS',
    ],
    [
      'createKeyRotation.ts',
      'only the first wallet is asked for',
      'wallets.find((wallet)',
      'wallets.slice(0, 1).find((wallet)',
    ],
    [
      'createKeyRotation.ts',
      'a scope that no strategy uses is required',
      '.filter((scope) => scopes.includes(scope))',
      '',
    ],
    [
      'createKeyRotation.ts',
      'one request of the old key is none',
      'if (unanswered === 0)',
      'if (unanswered <= 1)',
    ],
    [
      'createKeyRotation.ts',
      'a key without a wallet is tried again',
      'error instanceof UnfitKey || error',
      'error',
    ],
    [
      'createKeyRotation.ts',
      'a file that can’t be read is never read again',
      'return { refused: next.unread, mayPass: true };',
      'return { refused: next.unread, mayPass: false };',
    ],
    [
      'createKeyRotation.ts',
      'two rotations overlap',
      'const result = last.then(() => rotate(read, why, named));',
      'const result = rotate(read, why, named);',
    ],
    [
      'createKeyRotation.ts',
      'the remedy for a file is that for a variable',
      "'env' in secret",
      "'file' in secret",
    ],
    [
      'openKeyRotation.ts',
      'the first strategy’s wallet is enough',
      'tradedWallets(plan.strategies)',
      'tradedWallets(plan.strategies.slice(0, 1))',
    ],
    [
      'openKeyRotation.ts',
      'the first strategy’s scopes are enough',
      'plan.strategies.flatMap(({ strategy }) => strategy.scopes)',
      'plan.strategies.slice(0, 1).flatMap(({ strategy }) => strategy.scopes)',
    ],
    [
      'openKeyRotation.ts',
      'the shared budget of a refused key stays',
      'drop: () => next.close()',
      'drop: async () => {}',
    ],
    [
      'openKeyRotation.ts',
      'a shared budget that can’t be opened is none',
      'if (!opened.ok) throw new Error(opened.failure.message);',
      '',
    ],
    [
      'openKeyRotation.ts',
      'the files of a refused command are watched',
      "if ('done' in result) named = asked;",
      'named = asked;',
    ],
    [
      'openKeyRotation.ts',
      'a key that is in use again is still refused',
      'onInUse: () => bot.keyRotationRefused(null),',
      'onInUse: () => {},',
    ],
    ['openKeyRotation.ts', 'nobody asked', '`${reason} (by ${by})`', 'reason'],
    [
      'openKeyRotation.ts',
      'commands are carried out after the end',
      'ends.forEach((end) => end())',
      'ends[0]!()',
    ],
    [
      'openKeyRotation.ts',
      'only the first fault of a key is said',
      "return { unread: lines.join('; ') };",
      'return { unread: lines[0]! };',
    ],
    [
      'openKeyRotation.ts',
      'the configuration’s budget is not the new key’s',
      'weightPerMinute: config.budget.weight_per_minute ?? undefined',
      'weightPerMinute: undefined',
    ],
    [
      'openKeyRotation.ts',
      'files are beside the process',
      'directory: config.directory };',
      "directory: '.' };",
    ],
    [
      'openKeyRotation.ts',
      'a rotation is not told before its answer',
      '      onDone: options.onDone,\n',
      '',
    ],
  ],
} as const;

export const freshCCli = {
  station: 'cli',
  rows: [
    [
      'rotate.ts',
      'a bot without a journal is asked by its files',
      'if (files === null)',
      'if (files === undefined)',
    ],
    [
      'rotate.ts',
      'a silent bot has rotated',
      "case 'silent':\n      throw",
      "case 'silent':\n      return;\n      throw",
    ],
    [
      'rotate.ts',
      'a bot that stops has rotated',
      "case 'stopping':\n      throw botStopping(name);",
      "case 'stopping':\n      return;",
    ],
    [
      'promote.ts',
      'a silent bot has taken the step',
      "case 'silent':\n      throw",
      "case 'silent':\n      return;\n      throw",
    ],
    [
      'promote.ts',
      'a bot that stops has taken the step',
      "case 'stopping':\n      throw botStopping(name);",
      "case 'stopping':\n      return;",
    ],
    [
      'promote.ts',
      'a stopped bot’s symbols are never handed over',
      'const stopped = { move, reason, handOver };',
      'const stopped = { move, reason, handOver: [] };',
    ],
    [
      'settle.ts',
      'a silent bot has settled',
      "case 'silent': {\n",
      "case 'silent': {\n      if (key) return undefined;\n",
    ],
  ],
} as const;

export const freshCOperateControl = {
  station: 'operate/control',
  rows: [
    [
      'promoteStopped.ts',
      'a step back hands over unasked',
      'if (isSwap(from, to) && unnamed.length > 0)',
      "if (to !== 'shadow' && isSwap(from, to) && unnamed.length > 0)",
    ],
    [
      'promoteStopped.ts',
      'a strategy without a new version goes up',
      'shadow: shadow ?? (isBack ? row : undefined)',
      'shadow: shadow ?? row',
    ],
    ['pollSettlements.ts', 'a settlement is not told before its answer', '    onDone,\n', ''],
  ],
} as const;

export const freshCOperateRun = {
  station: 'operate/run',
  rows: [
    [
      'settleStages.ts',
      'the first strategy’s use ends every stage',
      'config.strategies[at]!',
      'config.strategies[0]!',
    ],
  ],
} as const;

export const freshCOperateJournal = {
  station: 'operate/journal',
  rows: [
    [
      'settleInJournal.ts',
      'a settled intent ends at its first market time',
      'life.entries.at(-1)?.marketTime',
      'life.entries[0]?.marketTime',
    ],
    ['settleInJournal.ts', 'a settlement keeps the journal', '    await store.close();\n', ''],
  ],
} as const;

export const freshCRuntimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'promote.ts',
      'what is open on another wallet is handed over',
      'const work = parts.workOf(wallet);',
      "const work = parts.workOf('main');",
    ],
  ],
} as const;

export const freshCWire = {
  station: 'wire',
  rows: [
    [
      'SocketConnection.ts',
      'all frames that wait are one turn',
      'if (now - burst.from < BURST_MS ||',
      'if (now > burst.from ||',
    ],
    [
      'SocketConnection.ts',
      'a socket that rested once reads no more',
      '      this.#socket.resume();\n',
      '',
    ],
    [
      'createSocket.ts',
      'a wait to reconnect keeps a process from its end',
      '    this.#closed = true;\n    this.#cancelRetry();\n',
      '    this.#closed = true;\n',
    ],
    [
      'createSocket.ts',
      'the date of a refusal is taken for exact',
      'resolutionMs: 1000',
      'resolutionMs: 1',
    ],
    [
      'SocketConnection.ts',
      'a head that never ends is waited for',
      "    this.#after('handshake', handshakeTimeout, () => this.#end('handshake_timeout'));\n",
      '',
    ],
  ],
} as const;

export const freshCStreams = {
  station: 'streams',
  rows: [
    [
      'watchSilence.ts',
      'a feed that nobody asked for was silent',
      'if (!feed.isHeld) pulses.delete(feed);',
      'if (!feed.isHeld) return undefined;',
    ],
  ],
} as const;
