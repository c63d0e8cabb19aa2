/** Bugs at lines of the paper service and the contract drawn at random that no test found, and what lies beside them. */
export const drawnFEngine = {
  station: 'paper/engine',
  rows: [
    [
      'createEngine.ts',
      'an engine whose moves are recorded skips instants that nobody recorded',
      'record === undefined ? quietUntil(engine, timers, feedback, limit) : market.now',
      'quietUntil(engine, timers, feedback, limit)',
    ],
    [
      'quietUntil.ts',
      'what else acts at the instant of a settlement is passed over',
      'const until = due <= limit ? due - 1 : limit;',
      'const until = settlement <= Math.min(due, limit) ? settlement : due <= limit ? due - 1 : limit;',
    ],
    ['quietUntil.ts', 'a stretch goes on beyond a settlement', '    settlement + 1,\n', ''],
    [
      'routes/webhookRoutes.ts',
      'the token of a removed webhook still names it',
      '      engine.webhookTokens.delete(webhook.token);\n      return { body: shown(webhook) };',
      '      return { body: shown(webhook) };',
    ],
    [
      'closePosition.ts',
      'a position that is not there is unprocessable where it is asked for',
      'asPrecondition = false,',
      'asPrecondition = true,',
    ],
    [
      'routes/accountRoutes.ts',
      'the P&L is not filtered by its days',
      'filterable: ({ day, symbol }) => ({ symbol, time: Date.parse(day) })',
      'filterable: ({ symbol }) => ({ symbol, time: engine.market.now })',
    ],
    [
      'routes/basketRoutes.ts',
      'a basket is looked for in the first wallet',
      "findBasket(of(call), call.pathParams['id']!)",
      "findBasket(accountOf(engine, 'main'), call.pathParams['id']!)",
    ],
    [
      'routes/pageOf.ts',
      'the first of what an execution gathered is on no page',
      'gathered.length) - 1; at >= 0; at--',
      'gathered.length) - 1; at > 0; at--',
    ],
    [
      'routes/pageOf.ts',
      'a cursor with parts of other kinds is taken',
      'a.length !== b.length || a.some((part, at) => typeof part !== typeof b[at])',
      'a.length !== b.length',
    ],
    [
      'routes/executionRoutes.ts',
      'a page of algorithms is as long as the longest',
      'const { pacemakerMinSeconds, pageDefault } = engine.dialect.limits;',
      'const { pacemakerMinSeconds, pageMax: pageDefault } = engine.dialect.limits;',
    ],
  ],
} as const;

export const drawnFVenue = {
  station: 'paper/venue',
  rows: [
    [
      'publish.ts',
      'a closed position is shown as of 1970',
      '{ ...emptyPosition, symbol, updatedTime: engine.market.now }',
      '{ ...emptyPosition, symbol }',
    ],
    [
      'publish.ts',
      'what happens to any account is published as the first wallet’s',
      'const { wallet } = account;\n  engine.emit',
      "const wallet = 'main';\n  engine.emit",
    ],
    [
      'closeOrder.ts',
      'an order that ends is dated by what came before',
      '  record.updated_time = engine.market.now;\n  account.openOrders.delete',
      '  account.openOrders.delete',
    ],
  ],
} as const;

export const drawnFFeed = {
  station: 'paper/feed',
  rows: [
    [
      'loadTape.ts',
      'trades that cover no bar are blamed on the book',
      "files.trades ?? files.book ?? ''",
      "files.book ?? files.trades ?? ''",
    ],
    [
      'rowsInOrder.ts',
      'a book that is written from its newest row is not sorted',
      'at >= time[index - 1]!)',
      'at <= time[index - 1]!)',
    ],
    [
      'parseDepth.ts',
      'changes have the time of the event before that of the transaction',
      "[rows.column('txn_ms'), rows.column('event_ms')]",
      "[rows.column('event_ms'), rows.column('txn_ms')]",
    ],
    [
      'parseTops.ts',
      'an archive’s ask has the size of its bid',
      "['ask_qty', 'best_ask_qty']",
      "['ask_qty', 'best_bid_qty']",
    ],
    [
      'checkRates.ts',
      'one large rate is taken for a percentage',
      'sizes.length < FEWEST_RATES || median',
      'median',
    ],
    [
      'unzip.ts',
      'an archive unpacks to more than its limit, file by file',
      'total += entry.uncompressedSize;',
      'total = entry.uncompressedSize;',
    ],
  ],
} as const;

export const drawnFServer = {
  station: 'paper/server',
  rows: [
    [
      'latencySettings.ts',
      'the time of a cancel has no distribution',
      '  cancel_ms: delaySettings.meta({',
      '  cancel_ms: z.int().min(0).default(0).meta({',
    ],
    [
      'ServerParts.ts',
      'a signature ages while its order is on its way',
      '(given.cameAt ?? env.clock.wallNow()) + plan.skewMs',
      'env.clock.wallNow() + plan.skewMs',
    ],
    [
      'startPaperServer.ts',
      'a start that fails keeps the state locked',
      '  } catch (error) {\n    keeper?.close();\n',
      '  } catch (error) {\n',
    ],
    [
      'acceptUpgrade.ts',
      'a handshake that fails later cuts a socket that is open',
      "  sockets.off('wsClientError', refuse);\n",
      '',
    ],
    [
      'acceptUpgrade.ts',
      'a handshake carries the headers of one that failed',
      "  sockets.off('headers', addHeaders);\n",
      '',
    ],
    [
      'createFaults.ts',
      'of two refusals the later one is answered',
      "plan.refusal ??= 'internal';",
      "plan.refusal = 'internal';",
    ],
    [
      'createFaults.ts',
      'of two drops the later one decides',
      "plan.drop ??= 'after';",
      "plan.drop = 'after';",
    ],
    [
      'createFaultyPort.ts',
      'no message about the service comes twice',
      "frame.channel === '_meta' && frame.event === 'advanced'",
      "frame.channel === '_meta'",
    ],
    [
      'serveHttp.ts',
      'a name that was accepted at another address is accepted at this machine’s own',
      'host !== lastOwn.host || localAddress !== lastOwn.localAddress',
      'host !== lastOwn.host',
    ],
    [
      'state/StateLog.ts',
      'what was appended while the log was synced counts as synced',
      'Math.max(this.#synced, upTo)',
      'this.#bytes',
    ],
    [
      'state/tapeOf.ts',
      'a tape in a longer buffer is another tape',
      'new Uint8Array(part.buffer, part.byteOffset, part.byteLength)',
      'new Uint8Array(part.buffer)',
    ],
    [
      'PaperSettings.ts',
      'fills may use a whole bar unless it is set',
      '.default(0.1)\n    .meta({ description: "Share of a bar\'s',
      '.default(1)\n    .meta({ description: "Share of a bar\'s',
    ],
    [
      'loadMarketData.ts',
      'settlements that end as the tape begins are taken',
      'from <= tape.until && until > tape.from',
      'from <= tape.until && until >= tape.from',
    ],
    [
      'createReplay.ts',
      'a replay that goes on within a bar ends after its tape',
      'await run(Math.min(engine.now + stepMs, engine.endTime));',
      'await run(engine.now + stepMs);',
    ],
    [
      'startPaperServer.ts',
      'each start has another demo key',
      'demoKeyOf(core, saved?.demoKeyId ?? null)',
      'demoKeyOf(core, null)',
    ],
  ],
} as const;

export const drawnFState = {
  station: 'paper/state',
  rows: [
    [
      'savedState.ts',
      'what a saved service has too much is not noticed',
      'export const savedService: z.ZodType = z.strictObject({',
      'export const savedService: z.ZodType = z.object({',
    ],
    [
      'savedState.ts',
      'an execution without its orders is restored',
      '  children: texts,\n  orderIds: texts,',
      '  children: texts,\n  orderIds: texts.optional(),',
    ],
  ],
} as const;

export const drawnFCore = {
  station: 'paper/core',
  rows: [
    [
      'createRouter.ts',
      'a literal segment that leads nowhere hides the parameter beside it',
      '  if (literal.length > 0 ||',
      '  if (child !== undefined ||',
    ],
    [
      'exactNumbers.ts',
      'a number in a list is named without its place',
      "if (typeof value === 'object' && value !== null) places.set",
      "if (typeof value === 'object' && value !== null && !Array.isArray(value)) places.set",
    ],
    [
      'createGate.ts',
      'a change is made again under its key',
      "new Set(['POST', 'PATCH', 'DELETE'])",
      "new Set(['POST', 'DELETE'])",
    ],
    [
      'createShellHandlers.ts',
      'a page of market data is as long as the longest',
      'const { pageDefault } = dialect.limits;',
      'const { pageMax: pageDefault } = dialect.limits;',
    ],
    [
      'createKeyring.ts',
      'a key that was not persisted is valid',
      "      record({ key: { ...given, scopes: [...given.scopes] } });\n      const secret = createSecretKey(Buffer.from(given.secret, 'utf8'));\n      const key: ApiKey = { ...given, secret };\n      keys.set(key.keyId, key);",
      "      const secret = createSecretKey(Buffer.from(given.secret, 'utf8'));\n      const key: ApiKey = { ...given, secret };\n      keys.set(key.keyId, key);\n      record({ key: { ...given, scopes: [...given.scopes] } });",
    ],
    [
      'authenticate.ts',
      'a signature without its key is taken for a session',
      'if (!keyId && !timestamp && !signature && hasSessionCredentials(raw))',
      'if (!keyId && hasSessionCredentials(raw))',
    ],
  ],
} as const;

export const drawnFTracking = {
  station: 'paper/tracking',
  rows: [
    [
      'moveEntry.ts',
      'a moved entry is published with its legs at the former price',
      '      moveQueuedLegs(engine, account, order, level);\n      moveOrder(engine, account, order, level);',
      '      moveOrder(engine, account, order, level);\n      moveQueuedLegs(engine, account, order, level);',
    ],
  ],
} as const;

export const drawnFMarket = {
  station: 'paper/market',
  rows: [
    [
      'PriceWatches.ts',
      'a watch that slept comes after those that were set later',
      '  if (at === watches.length) watches.push(watch);\n  else watches.splice(at, 0, watch);',
      '  watches.push(watch);',
    ],
    [
      'BookCursor.ts',
      'a level with nothing in it is the best price',
      'if (size > 0) yield { price, size };',
      'yield { price, size };',
    ],
  ],
} as const;

export const drawnFContract = {
  station: 'contract',
  rows: [
    [
      'validation.ts',
      'a field that nobody knows hides the faults beside it',
      'const unseen = parsed.success ? pathToProto(input) : null;',
      'const unseen = pathToProto(input);',
    ],
    ['intervals.ts', 'five minutes last three', "'5m': 5 * MINUTE_MS", "'5m': 3 * MINUTE_MS"],
    [
      'vocabulary.ts',
      'an interrupted execution counts as ended',
      "['running', 'paused', 'interrupted'];",
      "['running', 'paused'];",
    ],
    [
      'indicatorRead.ts',
      'a wrong parameter of an indicator is named without its place',
      '[...path, ...at], issue.code',
      'path, issue.code',
    ],
    [
      'automationRequests.ts',
      'a monitor may watch a series that its indicator has not',
      '  .superRefine((trigger, ctx) => checkLevelRead(ctx, trigger));',
      '  ;',
    ],
  ],
} as const;

export const drawnFWebhooks = {
  station: 'paper/webhooks',
  rows: [
    [
      'deliver.ts',
      'the order of an alert is answered without its legs',
      '    return orderRecord(account, order);',
      '    return { ...order.record };',
    ],
  ],
} as const;

export const drawnFAlgos = {
  station: 'paper/algos',
  rows: [
    [
      'flowband.ts',
      'volume outside of the band counts',
      '    if (!isInside(context)) return;\n    countVolume(context as AlgoContext<VolumeState>);',
      '    countVolume(context as AlgoContext<VolumeState>);\n    if (!isInside(context)) return;',
    ],
  ],
} as const;

export const drawnFConformance = {
  station: 'conformance',
  rows: [
    [
      'rule.ts',
      'candles without an interval are not asked for',
      "  refusedField(await me.call('market.candles', { params }), 'interval');\n",
      '',
    ],
    [
      'legs.ts',
      'an unwinding trail is not tried',
      "  refused(await attach(stage, me, { stop_loss: trail }), 422, 'trail_cannot_unwind');\n",
      '',
    ],
    [
      'executions.ts',
      'launches are not checked by field',
      '  request,\n  shapes,\n',
      '  request,\n',
    ],
    [
      'webhooks.ts',
      'a change with a field that nobody knows is not tried',
      "  refusedField(await me.call('webhooks.update', { params, body: { cap: 1 } }), 'cap');\n",
      '',
    ],
  ],
} as const;
