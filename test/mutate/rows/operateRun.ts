/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const operateRun = {
  station: 'operate/run',
  rows: [
    [
      'followBot.ts',
      'what nobody can find out is not logged as a warning',
      "['unresolved', 'rejected', 'unknown']",
      "['rejected', 'unknown']",
    ],
    [
      'endOnRefusedKey.ts',
      'a read that says nothing clears a refused key',
      "if (standing === 'unclear') {",
      "if (standing === ('never' as string)) {",
    ],
    [
      'endOnRefusedKey.ts',
      'after a read that says nothing no other follows',
      '        refusal.cancel = env.timers.after(AGAIN_MS, () => void look());\n',
      '',
    ],
    [
      'endOnRefusedKey.ts',
      'what the old key is answered ends a bot that signs with another',
      'if (waiting !== refusal) return;',
      '',
    ],
    [
      'endOnRefusedKey.ts',
      'another key leaves the wait for the old one',
      '    stop();\n    options.onState(undefined);\n  });',
      '    options.onState(undefined);\n  });',
    ],
    [
      'endOnRefusedKey.ts',
      'each refusal begins the wait anew',
      "event.kind === 'key_refused' && waiting === undefined",
      "event.kind === 'key_refused'",
    ],
    [
      'endOnRefusedKey.ts',
      'the bot is not told that its key is accepted',
      '      bot.keyAccepted();\n',
      '',
    ],
    [
      'endOnRefusedKey.ts',
      'a refused key ends no bot',
      "if (standing === 'refused') return",
      'if (standing === undefined) return',
    ],
    [
      'readKeyStanding.ts',
      'a key without the scope counts as refused or unclear',
      "    if (error instanceof InsufficientScopeError) return 'accepted';\n",
      '',
    ],
    [
      'readKeyStanding.ts',
      'an error of the service refuses the key',
      "refusesKey(error) ? 'refused' : 'unclear'",
      "'refused'",
    ],
    [
      'createKeyRotation.ts',
      'a new key that is refused for its time is never tried again',
      'error instanceof InsufficientScopeError || refusesKey(error);',
      "error instanceof InsufficientScopeError ||\n    error instanceof Error && 'code' in error && error.code === 'timestamp_out_of_window' || refusesKey(error);",
    ],
    [
      'openSharedBudget.ts',
      'two processes of one name and pid are one',
      '`${config.name}/${pid}/${env.random.next()}`',
      '`${config.name}/${pid}`',
    ],
    [
      'createKeyRotation.ts',
      'what the old key had in flight is forgotten after a rotation by file',
      '      unansweredBefore = waitedInVain;\n',
      '',
    ],
    [
      'watchKeyFiles.ts',
      'a key that a service could not check is never given again',
      'retryAt = isFinal ? Number.POSITIVE_INFINITY : env.clock.monotonicNow() + RETRY_MS;',
      'retryAt = Number.POSITIVE_INFINITY;',
    ],
    [
      'openKeyRotation.ts',
      'the new key spends the shared budget of the old one',
      'use: () => void shared.replace(next)',
      'use: () => {}',
    ],
    [
      'createStartReads.ts',
      'a restart of the service during a start ends it',
      '          isAddressRight = true;\n',
      '',
    ],
    [
      'createStartReads.ts',
      'a service that hangs gives no line',
      'await noteSilence(options, () => inTime(read))',
      'await inTime(read)',
    ],
    [
      'createStartReads.ts',
      'a 401 of a proxy points at the address',
      'return unread?.status ?? statusOf(error);',
      'return statusOf(error);',
    ],
    [
      'createStartReads.ts',
      'a key without a scope is a service that does not answer',
      'if (error instanceof InsufficientScopeError) {',
      'if (error === undefined) {',
    ],
    [
      'noteRefusedStream.ts',
      'a refused stream is not in the status',
      '    onState(problem);\n',
      '',
    ],
    [
      'planServiceRun.ts',
      'a journal that another process took is not reported',
      'grows: true, onLost }',
      'grows: true, onLost: () => {} }',
    ],
    [
      'createKeyRotation.ts',
      'a new key has another budget than the configuration',
      'limit: options.weightPerMinute ?? granted.limit',
      'limit: granted.limit',
    ],
    [
      'openKeyRotation.ts',
      'the first files are watched after a command that named others',
      "        if ('done' in result) named = asked;\n",
      '',
    ],
    [
      'createKeyRotation.ts',
      'a rotation that failed keeps every later one from its key',
      'last = result.catch(() => {});',
      'last = result;',
    ],
  ],
} as const;

export const operateReads = {
  station: 'operate',
  rows: [
    [
      'refusesKey.ts',
      'a wrong clock is a refused key',
      " && error.code !== 'timestamp_out_of_window'",
      '',
    ],
    [
      'lackingScopes.ts',
      'a key has the scope that nobody was asked for',
      '    else if (!hasPassed(error)) throw error;\n',
      '',
    ],
    [
      'lackingScopes.ts',
      'a 429 shows that the key has the scope',
      'const NO_ANSWER: readonly number[] = [401, 429];',
      'const NO_ANSWER: readonly number[] = [401];',
    ],
    [
      'readLiveWork.ts',
      'a history of executions is read',
      'readEveryPage(limit, (query) => read({ ...query, status }))',
      'readEveryPage(limit, (query) => read(query as never))',
    ],
    [
      'readLiveWork.ts',
      'what is paused is not read',
      'for (const status of statuses)',
      'for (const status of statuses.slice(0, 1))',
    ],
    [
      'watchdogRefusal.ts',
      'a watchdog that may not cancel is let in',
      'const lacking = await lackingScopes(client);',
      'const lacking = (await lackingScopes(client)).slice(0, 0);',
    ],
    [
      'watchdogRefusal.ts',
      'a wallet that is away lets all others pass',
      '      unclear.push(new Error(reason, { cause: error }));',
      '      throw error;',
    ],
  ],
} as const;
