/** Bugs planted in the parts that authors, services and their checks use, which no fast test had found: as a table's rows. */
export const service = {
  station: 'service',
  rows: [
    [
      'connectService.ts',
      'commands pass while a key is replaced',
      'gate.pass(() => socket.command(name, args, options))',
      'socket.command(name, args, options)',
    ],
    [
      'connectService.ts',
      'requests pass while a key is replaced',
      'gate.pass(() => http.request(request, options))',
      'http.request(request, options)',
    ],
    [
      'connectService.ts',
      'the check of the next key is signed with the one in use',
      'createHttpClient({ ...shared, signer: next })',
      'createHttpClient({ ...shared, signer })',
    ],
    [
      'connectService.ts',
      'the socket’s commands go to the key’s wallet',
      'clockOffset, wallet, ca });',
      'clockOffset, ca });',
    ],
    [
      'connectService.ts',
      'a private authority is unknown to the socket',
      'clockOffset, wallet, ca });',
      'clockOffset, wallet });',
    ],
    [
      'connectService.ts',
      'a refused stream teaches no time',
      'decode, clockOffset, wallet, ca });',
      'decode, wallet, ca });',
    ],
    [
      'connectService.ts',
      'signatures carry this machine’s time',
      'clock: env.clock, offsetMs });',
      'clock: env.clock });',
    ],
    [
      'createKeyChange.ts',
      'the key is replaced before the last answers to the old one',
      'await within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
      'void within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
    ],
    [
      'createKeyChange.ts',
      'one answer that is late holds every exit',
      'await within(env.timers, gate.drained(), LONGEST_WAIT_MS);',
      'await gate.drained();',
    ],
    [
      'createKeyChange.ts',
      'requests wait for ever after a change that was not recorded',
      '      } finally {\n        gate.open();',
      '      } finally {\n        if (gate.inFlight === 0) gate.open();',
    ],
    [
      'createKeyChange.ts',
      'a refused stream holds requests for ever',
      '      const stream = await socket.prepare(nextSigner);',
      '      gate.close();\n      const stream = await socket.prepare(nextSigner);',
    ],
    ['openService.ts', 'a carriage return is signed', '/[\\r\\n]/', '/\\n/'],
  ],
} as const;

export const wire = {
  station: 'wire',
  rows: [
    [
      'createSendGate.ts',
      'one request is in flight when the key is replaced',
      'if (inFlight > 0) return;',
      'if (inFlight > 1) return;',
    ],
    [
      'createSendGate.ts',
      'a request that failed is in flight for ever',
      'answer.then(ended, ended);',
      'answer.then(ended, () => {});',
    ],
    [
      'createSendGate.ts',
      'only the last of two who wait for the end is told of it',
      'drained ??= Promise',
      'drained = Promise',
    ],
  ],
} as const;

export const conformance = {
  station: 'conformance',
  rows: [
    [
      'algorithms.ts',
      'a Glidemaker that shows no order keeps its limit',
      'fills.length === 0 || orders.length > 0',
      'orders.length >= 0',
    ],
    [
      'algorithms.ts',
      'the orders of a Smart Exit only reduce, if it has any',
      "    that(orders.length > 0, 'orders of a Smart Exit', orders);\n",
      '',
    ],
    [
      'algorithms.ts',
      'a sweep that took nothing keeps its limit',
      "    if (fills.length === 0) throw new Inconclusive('The sweep found nothing in its range.', true);\n",
      '',
    ],
  ],
} as const;

export const intents = {
  station: 'intents',
  rows: [
    [
      'bulkCancel.ts',
      'a cancel of one symbol is one of the wallet',
      'query: symbol === undefined ? {} : { symbol }',
      'query: {}',
    ],
    [
      'retireTpsl.ts',
      'who owns a symbol is not asked about its legs',
      'effect({ symbols: [symbol], isExit: true, isControl: true })',
      'effect({ isExit: true, isControl: true })',
    ],
    [
      'attachTpsl.ts',
      'legs close at once',
      'size: Number.POSITIVE_INFINITY, isArmed: true }',
      'size: Number.POSITIVE_INFINITY }',
    ],
    [
      'launch.ts',
      'a launch loses the strategy’s own client id',
      'request.client_execution_id ?? idempotencyKey',
      'idempotencyKey',
    ],
    [
      'createMonitor.ts',
      'a monitor that fires again repeats a client id',
      'request.rearm === true ? request.action : withClientId',
      'false ? request.action : withClientId',
    ],
    [
      'createMonitor.ts',
      'a monitor has the name of its key',
      'request.name ?? idempotencyKey',
      'idempotencyKey',
    ],
    [
      'createMonitor.ts',
      'what a monitor orders is filled at once',
      '  delete after.isAtOnce;\n',
      '',
    ],
    ['needsOf.ts', 'a trail of a position takes no row', 'rowsOf(intent.legs).trails', '0'],
    ['needsOf.ts', 'a resumed execution is none', "intent.action === 'resume' ? 1 : 0", '0'],
    [
      'needsOf.ts',
      'a monitor that orders needs no trade scope',
      'needs([ALGO, TRADE], rows)',
      'needs([ALGO], rows)',
    ],
    [
      'targetMadeBy.ts',
      'a basket makes what a close makes',
      "    case 'launch_basket':\n      return 'execution';",
      "      return 'execution';",
    ],
    ['targetRefOf.ts', 'a change of an order is about none', "    case 'modify_order':\n", ''],
  ],
} as const;

export const contract = {
  station: 'contract',
  rows: [
    [
      'checkRequest.ts',
      'a target may unwind faster than the service does',
      "    ...at('take_profit', inLeg)(body),\n",
      '',
    ],
    [
      'checkRequest.ts',
      'a template may hold a Pacemaker that is too short',
      "  'baskets.createTemplate': at('legs', inEach(inLaunch)),\n",
      '',
    ],
    [
      'executeRequest.ts',
      'a Pacemaker takes the limit of a sweep',
      "['trigger_from', 'sweep_limit', 'sweep_limit_bps'] as const",
      "['trigger_from', 'sweep_limit_bps'] as const",
    ],
    [
      'orderRequest.ts',
      'a market order takes a time in force',
      "['price', 'price_from', 'time_in_force'] as const",
      "['price', 'price_from'] as const",
    ],
    [
      'automationRequests.ts',
      'a range may have no width',
      'range.low >= range.high',
      'range.low > range.high',
    ],
    [
      'automationRequests.ts',
      'a basket takes eleven legs',
      'legs.length <= LIMITS.basketLegs',
      'legs.length <= LIMITS.basketLegs + 1',
    ],
    [
      'automationRequests.ts',
      'a trigger may lie outside the range',
      "['limit_price', 'band_low', 'band_high', 'trigger_price'].flatMap",
      "['limit_price', 'band_low', 'band_high'].flatMap",
    ],
    [
      'automationRequests.ts',
      'a template’s legs may lie outside its range',
      '.superRefine((template, ctx) => checkRange(template.legs, template.price_range, ctx))',
      '',
    ],
    [
      'legs.ts',
      'a trail in percent takes a distance too',
      "['indicator', 'mult', 'params', 'series'] as const",
      "['indicator', 'params', 'series'] as const",
    ],
  ],
} as const;

export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'createPaperControls.ts',
      'steps by bars that come at once begin at the same time',
      'const target = (now: number): number => targetOf(request, now);',
      'const target = targetOf(request, core.engine.now);',
    ],
    [
      'createReplay.ts',
      'a replay that has ended is running for ever',
      'if (state.running && !hasEnded()) {',
      'if (state.running) {',
    ],
    [
      'createReplay.ts',
      'the end of a step is told with the time that was asked for',
      'options.onAdvanced(engine.now);',
      'options.onAdvanced(toTime);',
    ],
    [
      'controlRequests.ts',
      'a step may be to a time and by bars',
      'const isOne = to_time === undefined || (bars === undefined && interval === undefined);',
      'const isOne = true;',
    ],
    [
      'createStreams.ts',
      'a stream that is gone is published for',
      '    sessions.get(connection)?.close();\n',
      '',
    ],
    [
      'createFaults.ts',
      'a rate is the share of what is spared',
      'env.random.next() < spec.rate',
      'env.random.next() > spec.rate',
    ],
    [
      'createFaults.ts',
      'of several latencies the last counts',
      'plan.latencyMs += spec.ms;',
      'plan.latencyMs = spec.ms;',
    ],
    [
      'createFaultyPort.ts',
      'a frame that waits for the next is lost with the end of its fault',
      '        for (const run of runs) run();\n        release();',
      '        for (const run of runs) run();',
    ],
    [
      'createFaultyPort.ts',
      'what one stall has held comes again with the next',
      '        held = [];\n',
      '',
    ],
    [
      'readBody.ts',
      'a body without its length is none',
      " || headers['transfer-encoding'] !== undefined",
      '',
    ],
    [
      'serveRequest.ts',
      'an event stream that is gone is published for',
      "  response.on('close', () => streams.drop(connection));\n",
      '',
    ],
    ['acceptUpgrade.ts', 'a socket that is gone uses up a fault', '    unwatch();\n', ''],
    ['acceptUpgrade.ts', 'an answer to a ping is silence', "  socket.on('pong', seen);\n", ''],
  ],
} as const;

export const testing = {
  station: 'testing',
  rows: [
    [
      'createFills.ts',
      'spot that is not held is sold',
      '    requireHolding({ symbol, side: side as Side, size });\n    if (reduce_only)',
      '    if (reduce_only)',
    ],
    [
      'createFills.ts',
      'a fill is worth its price',
      'const notional = price * size;',
      'const notional = price;',
    ],
    [
      'createTestAccount.ts',
      'a position that is set was opened in 1970',
      'realized: 0, opened: time',
      'realized: 0, opened: 0',
    ],
    [
      'createBarDriver.ts',
      'bars that come together leave the price of the first',
      '      mark(symbol, last.close);\n      load(feed, []);\n      for (const record of records) feed.window.close(record, true);',
      '      mark(symbol, records[0]!.close);\n      load(feed, []);\n      for (const record of records) feed.window.close(record, true);',
    ],
    [
      'createBarDriver.ts',
      'a timer knows the close of the bar that it comes before',
      '    market.advanceTo(barCloseTime(record.time, interval));\n    mark(symbol, record.close);',
      '    mark(symbol, record.close);\n    market.advanceTo(barCloseTime(record.time, interval));',
    ],
    [
      'createDrivenSources.ts',
      'a position that stays is shown again',
      ' => position$(symbol).pipe(distinctUntilChanged()),',
      ' => position$(symbol),',
    ],
    [
      'createDrivenSources.ts',
      'a book has twenty levels',
      'const DEFAULT_DEPTH = 10;',
      'const DEFAULT_DEPTH = 20;',
    ],
    ['createMarketDriver.ts', 'asks may come in any order', ' && isOrdered(asks, 1)', ''],
    [
      'createWalletDriver.ts',
      'a position that is set leaves the account as it was',
      '      driven.balances$.next(account.balances());\n      driven.account$.next(account.account);\n    },\n    account(',
      '      driven.balances$.next(account.balances());\n    },\n    account(',
    ],
    [
      'marbles.ts',
      'a diagram changes RxJS’s frames for good',
      '    TestScheduler.frameTimeFactor = frames;\n',
      '',
    ],
  ],
} as const;

export const paperWebhooks = {
  station: 'paper/webhooks',
  rows: [
    [
      'deliver.ts',
      'a cap goes on from the day before',
      'const count = acceptedToday(webhook, now) + 1;',
      'const count = webhook.acceptedToday.count + 1;',
    ],
  ],
} as const;
