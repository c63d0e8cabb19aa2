/** Bugs at lines of the runtime’s money path drawn at random that no test found, and their kin: as tables’ rows. */
export const drawnEBudget = {
  station: 'budget',
  rows: [
    [
      'createTurns.ts',
      'what is asked for no more is asked of the ledger for ever',
      '    grant.forget();\n    const acknowledge',
      '    const acknowledge',
    ],
  ],
} as const;

export const drawnEGuards = {
  station: 'guards',
  rows: [
    [
      'maxEntriesPerHour.ts',
      'a latched instance is refused for what was counted, not for why it was latched',
      'throttled ?? `${count};',
      '`${count};',
    ],
  ],
} as const;

export const drawnEIntents = {
  station: 'intents',
  rows: [
    [
      'needsOf.ts',
      'an order of a monitor takes no maintained row',
      "if (type === 'order') return needs([ALGO, TRADE], rows);",
      "if (type === 'order') return needs([ALGO, TRADE]);",
    ],
    [
      'symbolOf.ts',
      'an intent with a symbol that is no text has its name',
      "if ('symbol' in intent && typeof intent.symbol === 'string') return intent.symbol;\n",
      "if ('symbol' in intent) return String(intent.symbol);\n",
    ],
    [
      'closePosition.ts',
      'a close by an algorithm loses its ref and its end',
      "request: Extract<ClosePositionRequest, { algo: AlgoId; params: AlgoParams[AlgoId] }>,\n    meta: IntentMeta = {},\n  ): ClosePositionIntent => ({ kind: 'close_position', symbol, request, ...meta }),",
      "request: Extract<ClosePositionRequest, { algo: AlgoId; params: AlgoParams[AlgoId] }>,\n    _meta: IntentMeta = {},\n  ): ClosePositionIntent => ({ kind: 'close_position', symbol, request }),",
    ],
    [
      'needsOf.ts',
      'an execution of a monitor takes no maintained row',
      'return needs([ALGO], rows, request.reduce_only',
      'return needs([ALGO], 0, request.reduce_only',
    ],
  ],
} as const;

export const drawnEJournal = {
  station: 'journal',
  rows: [
    [
      'postgres/createPostgresStore.ts',
      'a value that the database refused is in memory as if it had it',
      'found), undo).then(() => {});',
      'found), () => {}).then(() => {});',
    ],
    [
      'createPassingStore.ts',
      'a run without a journal of its own loses the state of its strategies',
      '    writeState,\n',
      '    writeState: () => {},\n',
    ],
    [
      'postgres/createPostgresReader.ts',
      'changes of latches are read by name, not in their order',
      'SELECT name, value, reason, time FROM trimtab.latches WHERE account = $1\n        ORDER BY seq',
      'SELECT name, value, reason, time FROM trimtab.latches WHERE account = $1\n        ORDER BY name',
    ],
    [
      'sqlite/syncPath.ts',
      'each file that reaches the disk stays open',
      '  } finally {\n    closeSync(file);\n  }',
      '  } finally {\n    void closeSync;\n  }',
    ],
    [
      'postgres/createPostgresReader.ts',
      'a reader has the facts of all accounts',
      "'SELECT key, value FROM trimtab.facts WHERE account = $1 ORDER BY key',\n      );\n      const facts",
      "'SELECT key, value FROM trimtab.facts WHERE $1 <> key ORDER BY key',\n      );\n      const facts",
    ],
    [
      'sqlite/openDatabase.ts',
      'another program’s file of format one counts as a damaged journal',
      '(version === 1 && hasTables)',
      'version === 1',
    ],
    [
      'monitorIdsOf.ts',
      'an answer without an id is a monitor',
      "    return typeof id === 'string' ? [id] : [];",
      '    return [String(id)];',
    ],
    [
      'createPassingStore.ts',
      'a run without a journal of its own loses its facts',
      '    setMeta,\n',
      '    setMeta: () => {},\n',
    ],
    [
      'createPassingStore.ts',
      'a run without a journal of its own has no list of latches',
      '    latches,\n    // Final',
      '    latches: () => [],\n    // Final',
    ],
  ],
} as const;

export const drawnERuntimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'rotateKey.ts',
      'a start by a clock that was set back does not record its key',
      'const before = keyBefore(store);\n  if (before === key) return;',
      'const before = keyAt(store, time);\n  if (before === key) return;',
    ],
    [
      'endAll.ts',
      'what several steps threw is said once for each',
      '[...new Set(reasons)].join(',
      'reasons.join(',
    ],
    [
      'createLevelEnding.ts',
      'who asks what a level has left begins another check while one goes on',
      'if (ending.endedAt === undefined) return true;',
      'if (ending.endedAt === undefined) return false;',
    ],
  ],
} as const;

export const drawnERuntimeLinks = {
  station: 'runtime/links',
  rows: [
    [
      'createBarrierLink.ts',
      'an event of another channel ends a step',
      "frame.channel === '_meta' && frame.event === event",
      'frame.event === event',
    ],
    [
      'createWireLink.ts',
      'what nobody wanted for a while waits longer than what was never refused',
      '      else this.#refused.delete(key);\n',
      '',
    ],
  ],
} as const;

export const drawnERuntimeMembers = {
  station: 'runtime/members',
  rows: [
    [
      'followAssets.ts',
      'an asset without an instrument is asked for its bars',
      'if (followed.has(symbol) || !listed.has(symbol)) continue;',
      'if (followed.has(symbol)) continue;',
    ],
    [
      'followWallet.ts',
      'funding counts in no account before the next record',
      '      book.funding(amount);\n',
      '',
    ],
    [
      'followWallet.ts',
      'a liquidation is of the time at which it was reported',
      '      reportLiquidation({ symbol, time });',
      '      reportLiquidation({ symbol, time: market.now() + time * 0 });',
    ],
    [
      'followAssets.ts',
      'an asset that two wallets hold is followed twice',
      '      followed.add(symbol);\n',
      '',
    ],
    [
      'followSymbol.ts',
      'each asset is followed by the bars of the first instrument',
      'const interval = plan.markInterval(symbol);\n  const setMark = marks.followAsset',
      'const interval = plan.markInterval(plan.instruments[0]!.symbol);\n  const setMark = marks.followAsset',
    ],
  ],
} as const;

export const drawnERuntimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createRowReservations.ts',
      'an order whose id is no plain word frees no row',
      '/^slot:([^:]+):(.+)$/',
      '/^slot:([^:]+):(\\w+)$/',
    ],
    [
      'createRowReservations.ts',
      'an intent that went on is evaluated again at its not_after',
      '    inVain.delete(key);\n    waiting.get(key)?.cancelTimer();',
      '    inVain.delete(key);',
    ],
    [
      'createEarlyControls.ts',
      'the first of the lists that go on ends with each of the others',
      'going.splice(going.indexOf(turn), 1);',
      'going.splice(0, 1);',
    ],
  ],
} as const;

export const drawnERuntimeRecord = {
  station: 'runtime/record',
  rows: [
    [
      'createRunRecord.ts',
      'refusals stand in place of the delays of a run',
      'return intents.delays();',
      'return intents.refusals() as never;',
    ],
    [
      'createLedger.ts',
      'a short position has no price',
      'all[at]!.size !== 0) symbols',
      'all[at]!.size > 0) symbols',
    ],
    [
      'createOriginLog.ts',
      'another’s order that goes on after a leg has triggered is its exit',
      'if (byId.has(id) || made.has(id)) return;',
      'if (byId.has(id)) return;',
    ],
    [
      'createLedger.ts',
      'a long position has no price',
      'all[at]!.size !== 0) symbols',
      'all[at]!.size < 0) symbols',
    ],
  ],
} as const;

export const drawnERuntimeRecovery = {
  station: 'runtime/recovery',
  rows: [
    [
      'reportTakeOver.ts',
      'of the keys of what is open only the first tells whose it is',
      'instanceOf(keys, { store, accepted }) ??\n    (keys.some((key) => work.isOwn(key))',
      'instanceOf(keys.slice(0, 1), { store, accepted }) ??\n    (keys.some((key) => work.isOwn(key))',
    ],
  ],
} as const;

export const drawnERuntimeWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createTransfers.ts',
      'a deposit is no more than what the cost shows, whatever the balances say',
      'byCost > 0 ? most : Math.min(0, most)',
      'byCost > 0 ? byCost : Math.min(0, most)',
    ],
    [
      'orderEventsOf.ts',
      'an order with a client id is gone with each snapshot',
      '.filter(([id]) => !openOrders.has(id))',
      '.filter(([, order]) => !openOrders.has(order.client_order_id ?? order.order_id))',
    ],
    [
      'createTransfers.ts',
      'an asset that came without a price is valued anew by each one after',
      '    if (isUnvalued) valueAssets(model, retain);\n    // A fill',
      '    // A fill',
    ],
    [
      'openBooks.ts',
      'an asset that no strategy trades counts as not listed',
      'const listed = new Set(instruments.map(({ symbol }) => symbol));',
      'const listed = symbols;',
    ],
    [
      'tradedWallets.ts',
      'wallets come in the order of the alphabet',
      '[...new Set(strategies.map(({ wallet }) => wallet))]',
      '[...new Set(strategies.map(({ wallet }) => wallet))].toSorted()',
    ],
    [
      'readWork.ts',
      'a 429 of a gateway is an answer to a read',
      "verdict.kind === 'again' || readHold(exchange) !== undefined",
      "verdict.kind === 'again'",
    ],
    [
      'createOpenWork.ts',
      'an execution’s child order counts beside what is left of the execution',
      '        if (order.execution_id == null && counts(order))',
      '        if (counts(order))',
    ],
    [
      'orderEventsOf.ts',
      'no order is gone by what a snapshot lacks',
      'return [...shown, ...gone];',
      'return shown;',
    ],
    [
      'orderEventsOf.ts',
      'a change of an account without a snapshot shows its orders again',
      '      last = model;\n',
      '      last ??= model;\n',
    ],
    [
      'orderEventsOf.ts',
      'a changed price shows no order',
      '  order.size === known.size &&\n  order.price === known.price;',
      '  order.size === known.size;',
    ],
    [
      'createTransfers.ts',
      'a withdrawal is as large as the cost shows, whatever the balances say',
      'Math.min(0, most)',
      'byCost',
    ],
  ],
} as const;

export const drawnEWire = {
  station: 'wire',
  rows: [
    [
      'createClient.ts',
      'a client without a requester is made',
      "  requireFields('createClient', http, ['request']);\n",
      '',
    ],
    [
      'createCommands.ts',
      'commands without a socket are made',
      "  requireFields('createCommands', socket, ['command']);\n",
      '',
    ],
    [
      'createSigner.ts',
      'a signer without its fields is made',
      "  requireFields('createSigner', options, ['keyId', 'secret', 'dialect', 'clock']);\n",
      '',
    ],
  ],
} as const;
