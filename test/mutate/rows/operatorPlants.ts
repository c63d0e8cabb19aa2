/** Bugs planted in the command line, the configuration and the operator’s rooms, which no test had found: as a table’s rows. */
export const operateMetrics = {
  station: 'operate/metrics',
  rows: [
    [
      'meterLink.ts',
      'a request takes milliseconds',
      '(clock.monotonicNow() - begun) / 1_000);\n    if',
      'clock.monotonicNow() - begun);\n    if',
    ],
    [
      'meterLink.ts',
      'a request without an answer is not measured',
      '          () => note(begun),',
      '          () => {},',
    ],
    ['readHost.ts', 'the journal’s log is not counted', '[path, `${path}-wal`]', '[path]'],
    [
      'readHost.ts',
      'free space is what the root has',
      'disk.bavail * disk.bsize',
      'disk.bfree * disk.bsize',
    ],
    [
      'readHost.ts',
      'the size of the disk is its free space',
      'disk.blocks * disk.bsize',
      'disk.bavail * disk.bsize',
    ],
    [
      'readHost.ts',
      'the age of a pulse is in milliseconds',
      'Math.max(0, wallNow - last.time) / 1_000',
      'Math.max(0, wallNow - last.time)',
    ],
    [
      'createPrometheusMetrics.ts',
      'what is no more stays on the page',
      '        instrument.reset();\n',
      '',
    ],
  ],
} as const;

export const operateServe = {
  station: 'operate/serve',
  rows: [
    [
      'createReportRoute.ts',
      'a day once read is answered for ever',
      '.finally(() => underway.delete(day))',
      '',
    ],
    [
      'createReportRoute.ts',
      'several days are read at once',
      'const made = last.then(() =>\n      read',
      'const made = Promise.resolve().then(() =>\n      read',
    ],
    [
      'serveTravel.ts',
      'the past is served to every machine',
      "host: '127.0.0.1'",
      "host: '0.0.0.0'",
    ],
    ['answer.ts', 'a browser stores answers', "  'cache-control': 'no-store',\n", ''],
    ['answer.ts', 'another site may frame the page', " frame-ancestors 'none';", ''],
    [
      'answer.ts',
      'a stream has none of the headers',
      "{ ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' }",
      "{ 'content-type': 'text/event-stream; charset=utf-8' }",
    ],
    [
      'readRoutes.ts',
      'ready with one account of two',
      'wallets.length < options.walletCount',
      'wallets.length === 0',
    ],
    [
      'readRoutes.ts',
      'ready though the key is refused',
      'bot.key_refused === null ? []',
      'bot.key_refused !== undefined ? []',
    ],
    [
      'readRoutes.ts',
      'intents of every strategy',
      '...(strategy === null ? {} : { instance: strategy }),',
      '',
    ],
    [
      'readRoutes.ts',
      'the next page is the first one',
      '...(cursor === null ? {} : { cursor }),',
      '',
    ],
    [
      'readRoutes.ts',
      'a word that is no state is ignored',
      'if (states.length < asked.length)',
      'if (states.length === 0 && asked.length > 0)',
    ],
    ['readRoutes.ts', 'no intents at all may be asked for', 'limit < 1 ||', 'limit < 0 ||'],
    [
      'openOperator.ts',
      'a bot without a journal has control',
      'operate.controlToken !== null && files !== null',
      'operate.controlToken !== null',
    ],
    [
      'openOperator.ts',
      'alerts without a server are not opened',
      'operate.listen === null && operate.notify === null',
      'operate.listen === null',
    ],
    [
      'openOperator.ts',
      'the journal stays open after the end',
      '      await journal.close();\n',
      '',
    ],
    [
      'openOperator.ts',
      'a secret read later is shown in alerts',
      'hide: (secret) => alerts?.hide(secret),',
      'hide: () => {},',
    ],
    [
      'streamEvents.ts',
      'a silent connection is cut by a proxy',
      '      cancels[0] = env.timers.after(COMMENT_MS, comment);\n',
      '',
    ],
    [
      'streamEvents.ts',
      'a reader that has gone is still listened for',
      'for (const cancel of cancels.splice(0)) cancel();',
      '',
    ],
  ],
} as const;

export const operateControl = {
  station: 'operate/control',
  rows: [
    [
      'writeInTurn.ts',
      'two writers at once replace one another',
      '    // Another one may have been written since.\n    if (!isFree()) return false;\n',
      '',
    ],
    [
      'writeInTurn.ts',
      'a lock is taken from who holds it',
      'Math.abs(now - since) > LEFT_MS',
      'Math.abs(now - since) >= 0',
    ],
    [
      'pollRequests.ts',
      'the view is refreshed after the answer',
      '      options.onDone?.();\n      answer(said);',
      '      answer(said);\n      options.onDone?.();',
    ],
    ['pollRequests.ts', 'it goes on after its end', 'if (!isOver) cancel', 'cancel'],
    [
      'pollRotations.ts',
      'a refused key is said to be in use',
      "return 'done' in result ? result : result.refused;",
      "return 'done' in result ? result : { done: result.refused };",
    ],
    [
      'isJournalFree.ts',
      'a journal that is in use is free',
      '  } catch {\n    return false;',
      '  } catch {\n    return true;',
    ],
    [
      'isJournalFree.ts',
      'a journal is made by the look',
      'if (url === undefined && !existsSync(path)) return false;',
      '',
    ],
    [
      'askBot.ts',
      'a bot that ended is waited for',
      "ended === undefined ? undefined : 'not_running'",
      "pid !== 0 ? undefined : 'not_running'",
    ],
    [
      'askToSettle.ts',
      'records have ten seconds',
      'asked.records.length === 0 ? {} :',
      'asked.records.length >= 0 ? {} :',
    ],
  ],
} as const;
