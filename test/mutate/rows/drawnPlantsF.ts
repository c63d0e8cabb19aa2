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
      'routes/webhookRoutes.ts',
      'the token of a removed webhook still names it',
      '      engine.webhookTokens.delete(webhook.token);\n      return { body: shown(webhook) };',
      '      return { body: shown(webhook) };',
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
  ],
} as const;
