/** Bugs of what the paper service answers: lists, candles, refusals, the scopes of stored actions. */
export const paperAnswersCore = {
  station: 'paper/core',
  rows: [
    [
      'createBudgets.ts',
      'a budget is said to be there again at once',
      'resets_at: window.resetsAt(time)',
      'resets_at: time',
    ],
    [
      'createWeightWindow.ts',
      'the wait of a fixed window forgets a clock that stepped back',
      'sum <= allowed ? 0 : start + windowMs - now',
      'sum <= allowed ? 0 : Math.floor(now / windowMs) * windowMs + windowMs - now',
    ],
    [
      'createVenueWriteMeter.ts',
      'what never reached the venue is charged to it',
      "    if (status === 'rejected') return 0;\n",
      '',
    ],
    [
      'createHttpDoor.ts',
      'an empty header is a key',
      "raw.headers['idempotency-key'] || null",
      "raw.headers['idempotency-key'] ?? null",
    ],
    [
      'evaluateItem.ts',
      'a refused value is named by its indicator',
      'id: item.id,\n        bars',
      'id: item.indicator,\n        bars',
    ],
    ['evaluateItem.ts', 'each refused value is the first', 'indicators.${index}', 'indicators.0'],
    ['paginate.ts', 'the last page has a cursor', 'end < items.length', 'end <= items.length'],
    [
      'respond.ts',
      'the wait of a 429 has the header of another dialect',
      'headers[names.retryAfter]',
      "headers['retry-after']",
    ],
    [
      'readJson.ts',
      'the last of a field that stands twice counts',
      'fields === fieldsOf(value) ?',
      'fields >= fieldsOf(value) ?',
    ],
    [
      'repeatedFields.ts',
      'a field of another object is taken for the same',
      'open.push({ names: new Set(), at',
      'open.push({ names: within?.names ?? new Set(), at',
    ],
    [
      'Session.ts',
      'a message is half read',
      '      requireFieldsOnce(repeated.filter((path) => !isOfArgs(path)));\n',
      '',
    ],
    [
      'commandAdmission.ts',
      'the arguments of a command are half read',
      '      requireFieldsOnce(repeatedArgs);\n',
      '',
    ],
    [
      'performCall.ts',
      'null stands for an empty body',
      'known.body === undefined ? {}',
      'known.body == null ? {}',
    ],
    [
      'nextPrice.ts',
      'the tick below a power of ten is the one above',
      'tickAt(coarse, grid)',
      'tickAt(price, grid)',
    ],
    [
      'readCandles.ts',
      'the bar in progress follows a page of history',
      ' && end === bars.length',
      '',
    ],
    [
      'readCandles.ts',
      'the bar in progress is beyond the end of the range',
      ' && forming.time < until',
      '',
    ],
    [
      'readCandles.ts',
      'the bar in progress is before the start of the range',
      'forming.time >= from && ',
      '',
    ],
    [
      'createUtilityHandlers.ts',
      'connections of every status are listed',
      '(asked ?? status) === status',
      'true || asked === status',
    ],
    [
      'bodyScopes.ts',
      'a webhook is changed to an order without the scope of orders',
      "    case 'webhooks.update':\n",
      '',
    ],
    [
      'knownInstrument.ts',
      'a refused interval stands nowhere',
      "path: 'interval', code",
      "path: '', code",
    ],
    [
      'listFilters.ts',
      'a filter that does not apply passes',
      'if (fields.length === 0) return;',
      'if (fields.length >= 0) return;',
    ],
    [
      'parseSseChannels.ts',
      'a value that is encoded once is two',
      "entry.includes(':') ?",
      "entry.includes('::') ?",
    ],
  ],
} as const;

export const paperAnswersEngine = {
  station: 'paper/engine',
  rows: [
    [
      'routes/pageOf.ts',
      'the last page has a cursor',
      'found.length > limit ?',
      'found.length >= limit ?',
    ],
    [
      'routes/pageOf.ts',
      'the last row of a page is the first of the next',
      'compareKeys(keyOf(row), last) > 0',
      'compareKeys(keyOf(row), last) >= 0',
    ],
    [
      'routes/accountRoutes.ts',
      'the oldest day of the P&L comes first',
      '-Date.parse(day), symbol',
      'Date.parse(day), symbol',
    ],
    [
      'routes/orderRoutes.ts',
      'orders of an unknown symbol are cancelled',
      "  if (typeof symbol === 'string') engine.market.at(symbol);\n",
      '',
    ],
    [
      'routes/positionRoutes.ts',
      'a short breaks even above its entry',
      'entryPrice + entryFees / size',
      'entryPrice + entryFees / Math.abs(size)',
    ],
    [
      'routes/accountRoutes.ts',
      'the next tier begins where this one does',
      'from_volume: next.fromVolume',
      'from_volume: tier.fromVolume',
    ],
    [
      'routes/positionRoutes.ts',
      'legs of an unknown symbol are retired',
      '      engine.market.at(symbolOf(call));\n',
      '',
    ],
    [
      'routes/positionRoutes.ts',
      'legs of an unknown symbol are listed',
      '  engine.market.at(symbol);\n',
      '',
    ],
    [
      'routes/monitorRoutes.ts',
      'a monitor is armed without the scope of its action',
      "new Set(['resume', 'rearm'])",
      "new Set(['resume'])",
    ],
    [
      'routes/webhookRoutes.ts',
      'a token is rotated without the scope of the action',
      '      requireActionScopes(call, webhook.action);\n',
      '',
    ],
    [
      'closePosition.ts',
      'a close has the slippage of the wallet',
      'body.slippage_bps ?? account.settings',
      'account.settings',
    ],
    [
      'withinField.ts',
      'a refusal without fields has no place',
      '{ ...details, path: below(path) }',
      '{ ...details, path }',
    ],
  ],
} as const;

export const paperAnswersVenue = {
  station: 'paper/venue',
  rows: [
    [
      'publish.ts',
      'an asset of which some is left is published as sold',
      '    addRow(rows, { asset: instrument.base, total: 0',
      '    rows.push({ asset: instrument.base, total: 0',
    ],
    [
      'publishHeldAfter.ts',
      'a fill within the change is forgotten',
      'account.published === published ? before : account.published.held',
      'before',
    ],
    [
      'leverage.ts',
      'the margin of orders changes in silence',
      'if (position !== undefined || rests) publishBalance',
      'if (position !== undefined) publishBalance',
    ],
  ],
} as const;
