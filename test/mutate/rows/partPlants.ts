/** Bugs planted where no bug had been, which no test near them had found: as a table’s rows. */
export const frames = {
  station: 'frames',
  rows: [
    [
      'decodeFrame.ts',
      'an event without data is checked by none',
      'channelCheck(frame.channel, frame.event)?.(frame.data) ?? null',
      '(frame.data === undefined ? null : channelCheck(frame.channel, frame.event)?.(frame.data)) ?? null',
    ],
  ],
} as const;

export const guards = {
  station: 'guards',
  rows: [
    [
      'exposureOf.ts',
      'what is pending against a position is netted when the entry is elsewhere',
      'held >= 0 || filled === 0',
      'held >= 0 || added === 0',
    ],
  ],
} as const;

export const journal = {
  station: 'journal',
  rows: [
    [
      'postgres/claimJournal.ts',
      'a start that is refused is shown as the holder',
      'ON CONFLICT (account) DO NOTHING',
      'ON CONFLICT (account) DO UPDATE SET host = excluded.host, pid = excluded.pid, since = now()',
    ],
    [
      'postgres/claimJournal.ts',
      'a new journal is not listed before its lease',
      '    await client.query({\n      text: `INSERT INTO trimtab.accounts (account, token, host, pid, since, seen)\n        VALUES ($1, 0, $2, $3, now(), now()) ON CONFLICT (account) DO NOTHING`,\n      values: [key, hostname(), process.pid],\n    });\n',
      '',
    ],
    [
      'postgres/connectPg.ts',
      'a connection that is refused its settings stays open',
      '    await client.end().catch(() => {});\n    throw unreachable(error, url);',
      '    throw unreachable(error, url);',
    ],
    [
      'postgres/connectPg.ts',
      'a driver’s message shows the password',
      'withoutPassword(reasonOf(error), url) ||',
      'reasonOf(error) ||',
    ],
    [
      'postgres/schema.ts',
      'a start that made an index keeps others from it',
      'RESET statement_timeout; SELECT pg_advisory_unlock(${LOCK_ID})',
      'RESET statement_timeout',
    ],
    [
      'postgres/schema.ts',
      'statements of a start that made an index are cut at eight seconds',
      'RESET statement_timeout; SELECT pg_advisory_unlock',
      'SELECT pg_advisory_unlock',
    ],
    [
      'postgres/takeLease.ts',
      'the heartbeat that is shown is the start',
      'extract(epoch FROM now() - seen)',
      'extract(epoch FROM now() - since)',
    ],
    [
      'postgres/createPostgresStore.ts',
      'a state whose answer was lost is taken for written by the former one',
      'WHERE account = $1 AND instance = $2 AND state = $3`,\n  count: 3,',
      'WHERE account = $1 AND instance = $2`,\n  count: 2,',
    ],
    [
      'postgres/createPostgresStore.ts',
      'a fact whose answer was lost is taken for written by the former one',
      'WHERE account = $1 AND key = $2 AND value = $3`,\n  count: 3,',
      'WHERE account = $1 AND key = $2`,\n  count: 2,',
    ],
  ],
} as const;

export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'createStreams.ts',
      'a stream that was closed keeps its socket',
      '    farewells.set(connection, env.timers.after(FAREWELL_MS, cut));',
      '    farewells.set(connection, () => void cut);',
    ],
  ],
} as const;

export const runtime = {
  station: 'runtime',
  rows: [
    [
      'followStreams.ts',
      'executions of one wallet alone are told',
      'streams.wallet(wallet).executionsModel$',
      'streams.wallet([...wallets][0]!).executionsModel$',
    ],
  ],
} as const;

export const runtimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'createOwners.ts',
      'to flatten one asset sells all',
      '      .filter((one) => one.symbol === symbol)\n',
      '',
    ],
    [
      'createOwners.ts',
      'before the look an ignored position is released',
      '!hasLooked || lifetime.closed || !options.isKnown',
      'lifetime.closed || !options.isKnown',
    ],
    [
      'createOwners.ts',
      'a flatten of the wallet sells an ignored asset',
      'holdings: (work.holdings ?? []).filter(isOther)',
      'holdings: work.holdings ?? []',
    ],
    [
      'createOwners.ts',
      'flattening the bot closes what it never owned',
      'former === undefined ? [] : [symbol]',
      '[symbol]',
    ],
    [
      'createOwners.ts',
      'what is closed at a start is released of one symbol',
      'for (const symbol of own.flatMap((one) => one.symbols))',
      'for (const symbol of own.map((one) => one.symbols[0]!))',
    ],
    [
      'rotateKey.ts',
      'a key that was replaced again has the last change',
      'latch?.value === keyId ? PREVIOUS',
      'latch !== undefined ? PREVIOUS',
    ],
    [
      'rotateKey.ts',
      'a key id with a dash is cut',
      '/in place of (\\S+?): /',
      '/in place of (\\w+)/',
    ],
  ],
} as const;

export const runtimeMembers = {
  station: 'runtime/members',
  rows: [
    [
      'followWallet.ts',
      'a fill that a snapshot holds moves the book again',
      'if (!snapshots.includesFill(fill)) book.fill(fill);',
      'book.fill(fill);',
    ],
    [
      'followWallet.ts',
      'each strategy has all of the equity',
      'equity * planned.capitalShare',
      'equity',
    ],
    [
      'followWallet.ts',
      'an order frame has no client name',
      'seen(order.order_id, clientNameOf(order), order);\n      book.orderShown',
      'seen(order.order_id, undefined, order);\n      book.orderShown',
    ],
    [
      'followWallet.ts',
      'an execution in flight counts until its answer',
      "source.executionsShown$.subscribe(() => exposure.shown(wallet, 'execution', market.now())),",
      '',
    ],
    [
      'followWallet.ts',
      'a monitor in flight counts until its answer',
      "source.monitorsShown$.subscribe(() => exposure.shown(wallet, 'monitor', market.now())),",
      '',
    ],
    ['followWallet.ts', 'a liquidation is reported twice', '      missed.reported(symbol);\n', ''],
    [
      'followWallet.ts',
      'the clock of another wallet was set back',
      'if (source.isOf({ channel: fault.channel, params })) snapshots',
      'snapshots',
    ],
    [
      'followWallet.ts',
      'a monitor that is shown is still in flight',
      '      for (const id of monitors.keys()) seen(id);\n',
      '',
    ],
    [
      'followWallet.ts',
      'fills of before the first snapshot are lost',
      'for (const fill of early.splice(0)) takeFill(fill);',
      'early.length = 0;',
    ],
    [
      'followWallet.ts',
      'what an execution fills covers nothing more',
      'if (filled.execution(execution)) grown$.next();',
      'filled.execution(execution);',
    ],
    [
      'followWallet.ts',
      'what an order fills covers nothing more',
      'if (filled.order(order)) grown$.next();',
      'filled.order(order);',
    ],
    [
      'followWallet.ts',
      'a funding payment counts for the symbol’s stranger too',
      'strangers.has(symbol) ? undefined : ownerOf(symbol)?.ledger',
      'ownerOf(symbol)?.ledger',
    ],
    [
      'followWallet.ts',
      'a missed liquidation is reported for what was told in turn',
      'fill.fill_id !== lastInTurn && missed',
      'missed',
    ],
  ],
} as const;

export const runtimeRecovery = {
  station: 'runtime/recovery',
  rows: [
    [
      'createSettle.ts',
      'a settlement is of the first attempt',
      "entries.filter((entry) => entry.state === 'sending').length",
      '1',
    ],
    [
      'createSettle.ts',
      'a control cannot be settled with its execution',
      "  control_execution: 'execution_id',\n",
      '',
    ],
  ],
} as const;

export const service = {
  station: 'service',
  rows: [
    [
      'createKeyChange.ts',
      'the client that checked a key stays open',
      '        await own.close();\n',
      '',
    ],
  ],
} as const;

export const strategy = {
  station: 'strategy',
  rows: [
    [
      'thread/createThreadHost.ts',
      'a shortest duration of the service is not known in a thread',
      'pacemakerMinSeconds, account: options.account',
      'pacemakerMinSeconds: undefined, account: options.account',
    ],
    [
      'thread/createThreadHost.ts',
      'each instance has the whole capital',
      'instance, wallet, symbols, capitalShare };',
      'instance, wallet, symbols, capitalShare: 1 };',
    ],
    [
      'thread/runInThread.ts',
      'the time of a frame stays for later turns',
      'frameTime = message.frameTime;',
      'frameTime = message.frameTime ?? frameTime;',
    ],
    [
      'thread/runInThread.ts',
      'twice the memory is allowed',
      'used > spec.memoryMb) endThread',
      'used > 2 * spec.memoryMb) endThread',
    ],
    [
      'thread/runInThread.ts',
      'instances in threads have one random stream',
      'createRandom(seed)',
      "createRandom('trimtab')",
    ],
    [
      'thread/runInThread.ts',
      'fields of a logger are lost',
      'fields: { ...own, ...fields } });',
      'fields });',
    ],
    [
      'thread/runInThread.ts',
      'an instrument is the first',
      'instruments.find((record) => record.symbol === symbol)',
      'instruments[0]',
    ],
    [
      'thread/runInThread.ts',
      'plots of a turn come with the next',
      "    plots.flush();\n    if (used > spec.memoryMb) endThread(explainMemoryExcess(used, spec.memoryMb));\n    post({ kind: 'done', emitted: host.emitted, suppressed: host.suppressed });",
      "    if (used > spec.memoryMb) endThread(explainMemoryExcess(used, spec.memoryMb));\n    post({ kind: 'done', emitted: host.emitted, suppressed: host.suppressed });\n    plots.flush();",
    ],
  ],
} as const;

export const wire = {
  station: 'wire',
  rows: [
    [
      'SocketConnection.ts',
      'a connection that was closed is lost as well',
      "    this.#ended = true;\n    this.#cancelTimers();\n    this.#after('goodbye'",
      "    this.#cancelTimers();\n    this.#after('goodbye'",
    ],
    [
      'SocketConnection.ts',
      'a close of what has ended waits for ever',
      '    if (this.#socket.readyState === this.#socket.CLOSED) return Promise.resolve();\n',
      '',
    ],
    [
      'SocketConnection.ts',
      'a goodbye goes on after the close',
      "    this.#socket.once('close', () => {\n      this.#cancelTimers();\n",
      "    this.#socket.once('close', () => {\n",
    ],
    [
      'SocketConnection.ts',
      'a frame after the end is told',
      'else if (!this.#ended) this.#events',
      'else this.#events',
    ],
    [
      'createSocket.ts',
      'a close does not wait for the connection',
      'await connection?.close();',
      'void connection?.close();',
    ],
    [
      'SocketConnection.ts',
      'a binary frame is passed over',
      "if (isBinary) this.#end('binary_frame');\n      else if (!this.#ended)",
      'if (!isBinary && !this.#ended)',
    ],
  ],
} as const;
