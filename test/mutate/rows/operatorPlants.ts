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

export const operateRun = {
  station: 'operate/run',
  rows: [
    [
      'describeLeft.ts',
      'a position without its stop has one',
      "isBare ? 'without a stop of its size' : 'with its stop'",
      "isBare ? 'with its stop' : 'with its stop'",
    ],
    [
      'describeLeft.ts',
      'exits that were not sent are not named',
      '  ...waiting.map((line) => `NOT SENT: ${line}`),\n',
      '',
    ],
    [
      'endServiceRun.ts',
      'a stop that left something was in order',
      "ended!.unended.length === 0 ? 'in_order' : 'failed'",
      "ended!.unended.length >= 0 ? 'in_order' : 'failed'",
    ],
    [
      'endServiceRun.ts',
      'what a stop leaves is no alert',
      'if (left.length > 0) run.onLeft(left);',
      'if (left.length > 99) run.onLeft(left);',
    ],
  ],
} as const;

export const operateDoctor = {
  station: 'operate/doctor',
  rows: [
    [
      'examineWatchdog.ts',
      'a key of another id is compared by nothing',
      'if (watchdog.key_id === keyId) return [sharesKey];',
      '',
    ],
    [
      'examineWatchdog.ts',
      'one wallet of the watchdog is examined',
      'tradedWallets(config.strategies)',
      'tradedWallets(config.strategies).slice(0, 1)',
    ],
    [
      'examineBelonging.ts',
      'an older change of a latch counts',
      'for (const change of await reader.latchChanges()) latches.set(change.name, change);',
      'for (const change of await reader.latchChanges()) if (!latches.has(change.name)) latches.set(change.name, change);',
    ],
    [
      'examineBelonging.ts',
      'a named account is compared',
      'owner === undefined || journal.account !== undefined',
      'owner === undefined',
    ],
  ],
} as const;

export const operateState = {
  station: 'operate/state',
  rows: [
    [
      'createCandleTrack.ts',
      'an intent’s new state is as new as the oldest',
      'MOST_INTENTS = 500',
      'MOST_INTENTS = 5',
    ],
    [
      'createCandleTrack.ts',
      'marks of every symbol',
      '.filter((mark) => mark.symbol === symbol)',
      '',
    ],
    [
      'createCandleTrack.ts',
      'marks of symbols of others are kept',
      'if (!intervals.has(mark.symbol)) return;',
      '',
    ],
    [
      'hashOfConfig.ts',
      'the folder changes the hash',
      ".replaceAll(JSON.stringify(directory).slice(1, -1), '.')",
      '',
    ],
    [
      'hashOfConfig.ts',
      'the flag of the journal changes the hash',
      'journalFlag: _journalFlag, directory,',
      'directory,',
    ],
    [
      'createEventList.ts',
      'the oldest events are newest',
      'ring.list().slice(-limit)',
      'ring.list().slice(0, limit)',
    ],
    [
      'createBotState.ts',
      'a key that was accepted again is still refused',
      "event.kind === 'key_rotated' || event.kind === 'key_accepted'",
      "event.kind === 'key_rotated'",
    ],
  ],
} as const;

export const cli = {
  station: 'cli',
  rows: [
    [
      'control/ownerDecisions.ts',
      'only the first flag counts',
      'return [...before, { kind, symbol }];',
      'return before.length > 0 ? before : [{ kind, symbol }];',
    ],
    ['settle.ts', 'an empty id is a record', "if (id.trim() === '')", "if (id === '-')"],
    [
      'settle.ts',
      'what a running bot refuses is settled',
      "case 'refused':\n      return answer.reason;",
      "case 'refused':\n      return undefined;",
    ],
    [
      'settle.ts',
      'a failed settlement ends well',
      "case 'done':\n      return undefined;\n    case 'refused'",
      "case 'done':\n    case 'failed':\n      return undefined;\n    case 'refused'",
    ],
    [
      'status.ts',
      'a bot that is down ends as degraded',
      'exitCode: STATES.indexOf(found.state)',
      'exitCode: Math.min(1, STATES.indexOf(found.state))',
    ],
    ['status.ts', 'notes are not shown', '[...reasons, ...notes].map', '[...reasons].map'],
    [
      'promote.ts',
      'symbols with a blank after the comma are others',
      '.map((symbol) => symbol.trim())',
      '',
    ],
    [
      'watchdog.ts',
      'the silence of the configuration is ignored',
      '      silenceMs: watchdog.silence_seconds * 1_000,\n',
      '',
    ],
    ['watchdog.ts', 'what is left ends well', '    refuseLeft(config.name, left);\n', ''],
    [
      'watchdog.ts',
      'a watchdog watches a bot without a journal',
      '  await requireReadable(config);\n',
      '',
    ],
    [
      'watchdog.ts',
      'a service that is away ends the watchdog',
      "await watchdogRefusal(client, wallets).catch((error: unknown) => {\n    env.log.warn(`The watchdog's key can't be examined: ${reasonOf(error)}`);\n  });",
      'await watchdogRefusal(client, wallets);',
    ],
    [
      'notify.ts',
      'a channel that is tried again is delivered',
      "delivery.kind !== 'delivered');\n  if",
      "delivery.kind === 'refused');\n  if",
    ],
    [
      'runs/reportDay.ts',
      'the P&L is that of the first wallet',
      'of tradedWallets(config.strategies)) {',
      'of tradedWallets(config.strategies).slice(0, 1)) {',
    ],
  ],
} as const;

export const operateNotify = {
  station: 'operate/notify',
  rows: [
    [
      'eachReceiver.ts',
      'the sender of the configuration is ignored',
      'const from = channel.from ?? senderOf',
      'const from = senderOf',
    ],
    [
      'formatNotices.ts',
      'a length is measured before the escape',
      'length += escape(formatNotice(bot, notice)).length + 2;',
      'length += formatNotice(bot, notice).length + 2;',
    ],
    [
      'formatNotices.ts',
      'a notice longer than a message is never sent',
      'if (taken.length > 0 && length > most) break;',
      'if (length > most) break;',
    ],
    [
      'formatNotices.ts',
      'the line of lost alerts is not counted',
      'let length = dropped === 0 ? 0 : escape(describeDropped(dropped)).length;',
      'let length = 0;',
    ],
    [
      'openAlerts.ts',
      'the last alerts have no time where the stop took it all',
      'Math.max(left, SHORTEST_FLUSH_MS)',
      'left',
    ],
    [
      'createAlerts.ts',
      'a start does not say what has no answer',
      '...(unanswered.length === 0 ? [] :',
      '...(unanswered.length <= 1 ? [] :',
    ],
  ],
} as const;

export const config = {
  station: 'config',
  rows: [
    ['resolveNotify.ts', 'quiet hours are ignored', 'quiet: quiet ?? null', 'quiet: null'],
    [
      'resolveNotify.ts',
      'the sender of a mail is ignored',
      'return url && { kind, url, to, from, ...rules };',
      'return url && { kind, url, to, from: undefined, ...rules };',
    ],
    [
      'notifySettings.ts',
      'a channel gets tickets by default',
      ".default('page')",
      ".default('ticket')",
    ],
    [
      'guardSettings.ts',
      'a leverage of 50 by default',
      '.max(1_000).default(5)',
      '.max(1_000).default(50)',
    ],
    [
      'guardSettings.ts',
      'a collar of 50 % by default',
      '.max(10_000).default(500)',
      '.max(10_000).default(5_000)',
    ],
    [
      'guardSettings.ts',
      'data of an hour are fresh',
      'max_data_age_seconds: amount().default(10)',
      'max_data_age_seconds: amount().default(3_600)',
    ],
    [
      'guardSettings.ts',
      'tracked entries are replaced unasked',
      ".default('refuse')",
      ".default('replace_least_important')",
    ],
    [
      'linkSettings.ts',
      'a watchdog waits an hour by default',
      '.max(3_600).default(60)',
      '.max(3_600).default(3_600)',
    ],
    [
      'linkSettings.ts',
      'an address with a password',
      "url.username !== '' || url.password !== ''",
      "url.username !== ''",
    ],
    ['databaseUrl.ts', 'a password as a parameter', " || url?.searchParams.get('password')", ''],
  ],
} as const;
