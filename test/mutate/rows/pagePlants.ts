/** Bugs planted in the pages of a browser, the lines of a terminal and the workers of a sweep, which no fast test had found: as tables’ rows. */
export const operateProgress = {
  station: 'operate/progress',
  rows: [
    [
      'createProgress.ts',
      'a run that is finished twice leaves two lines',
      "      stream.write('\\n');\n      last = null;",
      "      stream.write('\\n');",
    ],
    [
      'formatProgress.ts',
      'the first bars predict hours',
      'left > 0 && barsDone >= barsTotal * FORESEEABLE_SHARE',
      'left > 0',
    ],
    [
      'formatProgress.ts',
      'the last bars are to come and 100 % are done',
      'Math.floor(share * 100)',
      'Math.round(share * 100)',
    ],
    [
      'formatEnds.ts',
      'one cause more than are listed is left out',
      'left > 0 ? [`and',
      'left > 1 ? [`and',
    ],
    [
      'formatEnds.ts',
      'a strategy that went on is said to have ended',
      'new Map(lives.map((life) => [nameOf(life), life]))',
      'new Map(lives.toReversed().map((life) => [nameOf(life), life]))',
    ],
    [
      'formatColumns.ts',
      'a terminal obeys the name of a strategy',
      'cells.map((row) => row.map(visibleText))',
      'cells.map((row) => [...row])',
    ],
  ],
} as const;

export const operateProfile = {
  station: 'operate/profile',
  rows: [
    [
      'describeProfile.ts',
      'half of the bars are most of them',
      'taken / bars <= MOST_TAKEN',
      'taken / bars < MOST_TAKEN',
    ],
    [
      'describeProfile.ts',
      'readers of other bars of the symbol are named',
      'reader.symbol === symbol && reader.interval === interval',
      'reader.symbol === symbol',
    ],
    ['describeProfile.ts', 'a lane without bars is told', '.filter(({ bars }) => bars > 0)', ''],
    [
      'describeProfile.ts',
      'every line of a plugin is shown',
      'lines.slice(0, MOST_LINES)',
      'lines.slice(0)',
    ],
    ['formatProfile.ts', 'shares of no time are no numbers', 'Math.max(whole, 1e-9)', 'whole'],
    [
      'summariseProfile.ts',
      'loading the tape is the venue’s time',
      "  ['src/paper/feed/', 'loading the tape'],\n",
      '',
    ],
    [
      'summariseProfile.ts',
      'two operators that call a function share its line',
      '${callFrame.functionName} ${operator}`',
      '${callFrame.functionName}`',
    ],
    [
      'summariseProfile.ts',
      'of an installed package no time is its own',
      ' && !path.startsWith(home + sep)',
      '',
    ],
  ],
} as const;

export const operateTrace = {
  station: 'operate/trace',
  rows: [
    [
      'traceIntents.ts',
      'an unknown outcome ends a span',
      "'expired', 'absent']",
      "'expired', 'absent', 'unknown']",
    ],
    [
      'traceIntents.ts',
      'an absent intent never ends its span',
      "'expired', 'absent']",
      "'expired']",
    ],
    [
      'traceIntents.ts',
      'a repeated decision begins a span that never ends',
      "      if (state === 'duplicate') return;\n",
      '',
    ],
    ['traceIntents.ts', 'an intent that has ended is held', '      open.delete(key);\n', ''],
    ['traceIntents.ts', 'a trace that was ended follows on', '    followed.unsubscribe();\n', ''],
    [
      'traceIntents.ts',
      'a rejection has the intent’s reason',
      'fault?.message ?? reason ?? state',
      'reason ?? fault?.message ?? state',
    ],
    ['traceIntents.ts', 'an expired intent is no error', " || state === 'expired')", ')'],
    [
      'traceIntents.ts',
      'that a query did not find it is no answer',
      "['accepted', 'rejected', 'absent'];\n\n",
      "['accepted', 'rejected'];\n\n",
    ],
    ['traceIntents.ts', 'spans end twice with the process', '    open.clear();\n', ''],
    ['traceIntents.ts', 'a span begins by the tracer’s clock', ', startTime: now() }', ' }'],
    ['traceIntents.ts', 'a span ends by the tracer’s clock', 'span.end(time)', 'span.end()'],
    [
      'traceIntents.ts',
      'what the process’s end cuts ends by the tracer’s clock',
      'span.end(now())',
      'span.end()',
    ],
  ],
} as const;

export const operateServe = {
  station: 'operate/serve',
  rows: [
    [
      'page/applyChange.ts',
      'a change that was applied is applied again',
      'change.sequence !== view.sequence + 1',
      'change.sequence > view.sequence + 1',
    ],
    [
      'page/applyChange.ts',
      'the page shows the oldest lines',
      '.slice(-SHOWN_LINES)',
      '.slice(0, SHOWN_LINES)',
    ],
    [
      'page/applyChange.ts',
      'new lines replace the former',
      '[...view.events, ...change.events]',
      '[...change.events]',
    ],
    [
      'page/applyChange.ts',
      'a view keeps its time through changes',
      '    time,\n    wall_time,\n    blocks',
      '    wall_time,\n    blocks',
    ],
    [
      'page/applyChange.ts',
      'a changed block stays as it was',
      '{ ...view.blocks, ...change.blocks }',
      '{ ...change.blocks, ...view.blocks }',
    ],
    [
      'page/readMessages.ts',
      'a character that the network cuts is lost',
      'decoder.decode(value, { stream: true })',
      'decoder.decode(value)',
    ],
    [
      'page/readMessages.ts',
      'the beginning of the next message is dropped',
      'text = blocks.pop()!;',
      "blocks.pop();\n    text = '';",
    ],
    [
      'page/readMessages.ts',
      'data are cut at their last colon',
      "line.indexOf(': ')",
      "line.lastIndexOf(': ')",
    ],
    [
      'page/readMessages.ts',
      'a message without an end fills the memory',
      'if (text.length > MOST_CHARACTERS)',
      'if (text.length < 0)',
    ],
    [
      'page/readMessages.ts',
      'a comment is no sign of life',
      'for (const block of blocks) onMessage(toMessage(block));',
      'for (const block of blocks) {\n      const message = toMessage(block);\n      if (message !== null) onMessage(message);\n    }',
    ],
    [
      'page/followEvents.ts',
      'the silence begins when it is noticed',
      'since: heardAt, reason',
      'since: ports.now(), reason',
    ],
    [
      'page/followEvents.ts',
      'a bot that was back for a moment is waited for as long as before',
      '    pauseMs = FIRST_PAUSE_MS;\n    if (isOpen) return;',
      '    if (isOpen) return;',
    ],
    [
      'page/followEvents.ts',
      'a change that follows nothing is a sign of life',
      "if (next === undefined) throw new Error('a change is missing');",
      'if (next === undefined) return hear();',
    ],
    [
      'page/followEvents.ts',
      'a view that lacks a change is gone on with',
      '      view = next;\n      if (next',
      '      if (next !== undefined) view = next;\n      if (next',
    ],
    [
      'page/followEvents.ts',
      'each connection begins with the whole view',
      "        ...(view === undefined ? {} : { 'last-event-id': String(view.sequence) }),\n",
      '',
    ],
    [
      'page/followEvents.ts',
      'events are asked for without the token',
      '        ...(token === null ? {} : { authorization: `Bearer ${token}` }),\n',
      '',
    ],
    [
      'page/followEvents.ts',
      'a connection that the bot closed is not opened again',
      "      throw new Error('the bot has closed the connection');\n",
      '      return;\n',
    ],
    [
      'page/followEvents.ts',
      'wrong tokens of others close the page',
      '(code === WRONG_TOKENS && view === undefined)',
      'code === WRONG_TOKENS',
    ],
    [
      'page/followEvents.ts',
      'a new connection has no time to begin',
      'Math.max(startedAt, heardAt)',
      'heardAt',
    ],
    [
      'page/followEvents.ts',
      'a stream is left four seconds after its beginning',
      'Math.max(startedAt, heardAt)',
      'startedAt',
    ],
    [
      'page/followEvents.ts',
      'silence is looked for once',
      '      ports.after(LOOK_MS, look);\n',
      '',
    ],
    [
      'page/followEvents.ts',
      'a stream that broke the order stays open',
      '      controller.abort();\n      silence',
      '      silence',
    ],
    [
      'page/followEvents.ts',
      'another token goes on with the former’s view',
      '    view = undefined;\n    pauseMs',
      '    pauseMs',
    ],
    [
      'page/followEvents.ts',
      'another token leaves the former’s stream open',
      '    attempt?.abort();\n',
      '',
    ],
    [
      'page/followEvents.ts',
      'each sign of life is a new connection',
      '    if (isOpen) return;\n    isOpen = true;',
      '    isOpen = true;',
    ],
    [
      'page/followEvents.ts',
      'what a proxy answers has no words',
      'return { message: `The server answered ${response.status}.` };',
      "return { message: '' };",
    ],
    [
      'page/createClient.ts',
      'commands have the reader’s token',
      '...bearer(known), ',
      '...bearer(token()), ',
    ],
    ['page/createClient.ts', 'an answer of the last moment is lost', 'answer.ok || !late', '!late'],
    [
      'page/createClient.ts',
      'a refusal has no number',
      'status: response.status, message',
      'status: 0, message',
    ],
    ['page/createClient.ts', 'the browser answers for the bot', ", cache: 'no-store' }", ' }'],
    [
      'page/createClient.ts',
      'a day’s report is not asked for as text',
      ", accept: 'text/plain' }",
      ' }',
    ],
    [
      'page/tableColumns.ts',
      'an order without an owner is not marked',
      "(row.owner === null ? 'warn' : '')",
      "(row.owner !== null ? 'warn' : '')",
    ],
    [
      'page/tableColumns.ts',
      'a spot holding is marked for want of a stop',
      "(row.stop_price === null && !isSpot(row) ? 'warn' : '')",
      "(row.stop_price === null ? 'warn' : '')",
    ],
    [
      'page/tableColumns.ts',
      'a position without a stop is said to need none',
      "isSpot(row) ? NONE : 'none'",
      "isSpot(row) ? 'none' : NONE",
    ],
    [
      'page/tableColumns.ts',
      'the uncovered time of a replay is counted to today',
      '${size(row.uncovered)} for ${age(row.uncovered_since, at.market)}',
      '${size(row.uncovered)} for ${age(row.uncovered_since, at.wall)}',
    ],
    [
      'page/tableColumns.ts',
      'all of a position is uncovered',
      '${size(row.uncovered)} for',
      '${size(row.size)} for',
    ],
    [
      'page/tableColumns.ts',
      'a position that is ignored has an owner',
      "row.ownership === 'owned'\n        ?",
      "row.ownership !== 'orphan'\n        ?",
    ],
    [
      'page/tableColumns.ts',
      'an orphan is not marked',
      "(row) => (row.ownership === 'orphan' ? 'loss strong' : '')",
      "(row) => (row.ownership === 'owned' ? 'loss strong' : '')",
    ],
    [
      'page/tableColumns.ts',
      'a strategy has its first symbol alone',
      "row.symbols.join(', ')",
      'row.symbols[0]',
    ],
    [
      'page/tableColumns.ts',
      'a shadow is said to trade',
      "stage === null || stage === 'shadow' ? null",
      'stage === null ? null',
    ],
    [
      'page/tableColumns.ts',
      'the button of a paused strategy pauses it',
      "kind: paused === null ? 'pause' : 'resume'",
      "kind: paused !== null ? 'pause' : 'resume'",
    ],
    [
      'page/tableColumns.ts',
      'the label of a paused strategy’s button says pause',
      "paused === null ? 'Pause' : 'Resume'} ${name}",
      "paused !== null ? 'Pause' : 'Resume'} ${name}",
    ],
    [
      'page/tableColumns.ts',
      'a page without commands pauses',
      '      takesCommands()\n        ? () => asks.onCommand({ kind: paused',
      '      true\n        ? () => asks.onCommand({ kind: paused',
    ],
    [
      'page/tableColumns.ts',
      'a page without commands settles',
      "(takesCommands() ? () => asks.onCommand({ kind: 'settle'",
      "(true ? () => asks.onCommand({ kind: 'settle'",
    ],
    [
      'page/tableColumns.ts',
      'the rarest denial comes first',
      '([, a], [, b]) => b - a',
      '([, a], [, b]) => a - b',
    ],
    [
      'page/tableColumns.ts',
      'a shadow that was ended is not marked',
      "shadow.state === 'quarantined' ? 'warn' : ''",
      "shadow.state === 'quarantined' ? '' : 'warn'",
    ],
    [
      'page/tableColumns.ts',
      'the shadow has the P&L of what trades',
      '${gain(net_pnl)}, live ${gain(live_pnl)}',
      '${gain(live_pnl)}, live ${gain(net_pnl)}',
    ],
    [
      'page/tableColumns.ts',
      'what parted is the same',
      '${whole(same)} same, ${whole(parted)} parted',
      '${whole(parted)} same, ${whole(same)} parted',
    ],
    [
      'page/tableColumns.ts',
      'a quarantined strategy looks like a paused one',
      "if (life === 'quarantined') return 'loss strong';",
      "if (life === 'quarantined') return 'warn';",
    ],
    [
      'page/tableColumns.ts',
      'a throttled strategy is not marked',
      "life !== 'running' || throttled !== null || paused",
      "life !== 'running' || paused",
    ],
    [
      'page/tableColumns.ts',
      'an execution shows what is left as filled',
      '`${size(row.filled_size)} / ${size(row.total_size)}`',
      '`${size(row.total_size - row.filled_size)} / ${size(row.total_size)}`',
    ],
    [
      'page/tableColumns.ts',
      'the phase of an execution is not shown',
      'row.phase === row.status ? row.status : `${row.status}, ${row.phase}`',
      'row.status',
    ],
    [
      'page/tableColumns.ts',
      'the last bar of a replay is as old as the replay',
      '(row.bar_time === null ? NONE : age(row.bar_time, at.market))',
      '(row.bar_time === null ? NONE : age(row.bar_time, at.wall))',
    ],
    [
      'page/tableColumns.ts',
      'an intent is as old as its bar',
      'row.intent === null ? NONE : age(row.intent.time, at.market)',
      'row.intent === null ? NONE : age(row.bar_time!, at.market)',
    ],
    [
      'page/tableColumns.ts',
      'every intent is accepted',
      "right('accepted', (row) => whole(row.accepted))",
      "right('accepted', (row) => whole(row.emitted))",
    ],
    [
      'page/tableColumns.ts',
      'a realised loss has the colour of what is open',
      '(row) => gain(row.realized_pnl),\n    (row) => signTone(row.realized_pnl)',
      '(row) => gain(row.realized_pnl),\n    (row) => signTone(row.unrealized_pnl)',
    ],
    [
      'page/tableColumns.ts',
      'a limit that was reached is not said to be',
      "isReached(row) ? ' reached' : ''",
      "''",
    ],
    [
      'page/tableColumns.ts',
      'a feed of a replay is as old as the replay',
      '(row.close_time === null ? NONE : age(row.close_time, at.market)),\n    (row, at) => (isStale',
      '(row.close_time === null ? NONE : age(row.close_time, at.wall)),\n    (row, at) => (isStale',
    ],
    [
      'page/tableColumns.ts',
      'zero is a loss by its colour',
      "isNone(value) || value === 0 ? ''",
      "isNone(value) ? ''",
    ],
    [
      'page/tableColumns.ts',
      'the explanation is of another intent',
      'press: (row) => () => asks.onExplain(row.key)',
      'press: (row) => () => asks.onExplain(row.strategy)',
    ],
    [
      'page/tableColumns.ts',
      'an order that only reduces looks like an entry',
      "(row) => `${row.side} ${row.order_type}${row.reduce_only ? ', reduce only' : ''}`",
      '(row) => `${row.side} ${row.order_type}`',
    ],
    [
      'page/tableColumns.ts',
      'the mark is shown as liquidation price',
      'priceText(row.liquidation_price)',
      'priceText(row.mark_price)',
    ],
    [
      'openOperator.ts',
      'a bot is ready with its first account',
      'walletCount: tradedWallets(plan.strategies).length',
      'walletCount: 1',
    ],
  ],
} as const;

export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'state/StateLog.ts',
      'the rest of a line that did not fit is lost',
      '      while (written < bytes.length) {\n        written += writeSync(this.#file, bytes, written, null, this.#bytes + written);\n      }',
      '      written += writeSync(this.#file, bytes, written, null, this.#bytes + written);',
    ],
    [
      'state/StateLog.ts',
      'the rest of a line is written over its beginning',
      'bytes, written, null, this.#bytes + written)',
      'bytes, written, null, this.#bytes)',
    ],
    [
      'state/StateLog.ts',
      'a line that did not fit takes those before it along',
      'ftruncateSync(this.#file, this.#bytes)',
      'ftruncateSync(this.#file, this.#synced)',
    ],
  ],
} as const;

export const operateMetrics = {
  station: 'operate/metrics',
  rows: [
    [
      'metricCatalogue.ts',
      'an append of seconds is as one of half a second',
      '0.05, 0.25, 1];',
      '0.05, 0.25];',
    ],
  ],
} as const;

export const runtime = {
  station: 'runtime',
  rows: [
    [
      'createBot.ts',
      'a stop does not wait for what was bought to be shown',
      'isShown: () => wallets.every((wallet) => books.exposure.symbols(wallet).length === 0)',
      'isShown: () => true',
    ],
    [
      'createBot.ts',
      'one wallet that shows all is enough for a stop',
      'isShown: () => wallets.every((wallet)',
      'isShown: () => wallets.some((wallet)',
    ],
    [
      'createBot.ts',
      'a stop waits for the first wallet alone',
      'isShown: () => wallets.every((wallet)',
      'isShown: () => wallets.slice(0, 1).every((wallet)',
    ],
  ],
} as const;
