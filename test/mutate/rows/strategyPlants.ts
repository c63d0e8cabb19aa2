/** Bugs of the streams, the strategies’ sources and the wire, planted beside the tests that first found them. */
export const streams = {
  station: 'streams',
  rows: [
    [
      'ChannelFeed.ts',
      'what was held back of a former hold begins the next one',
      '    this.#candidate = [];\n    this.#next = null;\n    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#misses = 0;\n    this.#ask();',
      '    this.#next = null;\n    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#misses = 0;\n    this.#ask();',
    ],
    [
      'ChannelFeed.ts',
      'the numbers of a former hold count in the next one',
      '    this.#candidate = [];\n    this.#next = null;\n    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#misses = 0;\n    this.#ask();',
      '    this.#candidate = [];\n    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#misses = 0;\n    this.#ask();',
    ],
    [
      'ChannelFeed.ts',
      'a lost snapshot of a former hold counts in the next one',
      '    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#misses = 0;\n    this.#ask();',
      '    this.#lastTs = Number.NEGATIVE_INFINITY;\n    this.#ask();',
    ],
    [
      'ChannelFeed.ts',
      'a lost snapshot of before an outage counts after it',
      '    this.#misses = 0;\n    this.#cancelTimer();\n    this.#missing.clear();',
      '    this.#cancelTimer();\n    this.#missing.clear();',
    ],
    [
      'ChannelFeed.ts',
      'what was held back before an outage is confirmed after it',
      '    this.#missing.clear();\n    this.#candidate = [];\n    this.#next = null;',
      '    this.#missing.clear();\n    this.#next = null;',
    ],
    [
      'ChannelFeed.ts',
      'the former wait for a snapshot goes on through an outage',
      '    this.#misses = 0;\n    this.#cancelTimer();\n    this.#missing.clear();',
      '    this.#misses = 0;\n    this.#missing.clear();',
      {
        equivalent:
          'a timer does nothing while the line is closed, and its opening sets another one',
      },
    ],
    [
      'ChannelFeed.ts',
      'a frame newer than all is held back with an older sequence',
      ' && frame.ts >= last.ts && frame.ts < this.#lastTs;',
      ' && frame.ts >= last.ts;',
    ],
    [
      'ChannelFeed.ts',
      'the step of a clock is measured from the last frame alone',
      'Math.max(this.#lastTs, this.#firstTs) - first.ts',
      'this.#lastTs - first.ts',
    ],
    [
      'ChannelFeed.ts',
      'after what was held back the numbers begin at two',
      '      this.#next = frame.seq + 1;\n      this.#lastTs = frame.ts;\n      this.#options',
      '      this.#lastTs = frame.ts;\n      this.#options',
    ],
    [
      'ChannelFeed.ts',
      'the time of what was held back is that of its first',
      '      this.#next = frame.seq + 1;\n      this.#lastTs = frame.ts;\n      this.#options',
      '      this.#next = frame.seq + 1;\n      this.#options',
    ],
    [
      'ChannelFeed.ts',
      'after a step back the former time stays the last',
      '    this.#firstTs = frame.ts;\n    this.#lastTs = frame.ts;\n    return true;',
      '    this.#firstTs = frame.ts;\n    return true;',
    ],
    [
      'ChannelFeed.ts',
      'a frame after a gap is not the newest',
      '    this.#lastTs = Math.max(this.#lastTs, frame.ts);\n    // Also',
      '    // Also',
    ],
    [
      'ChannelFeed.ts',
      'a snapshot is waited for without a connection',
      'if (this.#awaiting && this.#options.isOpen()) this.#watchForSnapshot();',
      'if (this.#awaiting) this.#watchForSnapshot();',
      {
        equivalent:
          'a timer does nothing while the line is closed, and its opening sets another one',
      },
    ],
    [
      'ChannelFeed.ts',
      'after a snapshot that did not come an earlier time is still refused',
      "      // The service's clock may have been set back.\n      this.#lastTs = Number.NEGATIVE_INFINITY;\n",
      '',
    ],
    [
      'ChannelFeed.ts',
      'rows are taken while an earlier sequence is undecided',
      'return isHeld && this.#candidate.length === 0;',
      'return isHeld;',
    ],
    [
      'ChannelFeed.ts',
      'rows are taken while a snapshot is pending',
      'this.#next !== null && !this.#awaiting;',
      'this.#next !== null;',
    ],
    [
      'ChannelFeed.ts',
      'a span of rows counts as one frame',
      'this.#next! += to - from;',
      'this.#next! += 1;',
    ],
    [
      'ChannelFeed.ts',
      'while a snapshot is pending a repeat of the first is none',
      'else if (!this.#awaiting && this.#isFirstAgain(frame)) return;',
      'else if (this.#isFirstAgain(frame)) return;',
      { equivalent: 'it is asked for again in either case: at once, or five seconds later' },
    ],
    [
      'ChannelFeed.ts',
      'an older frame in turn sets the time back',
      'this.#lastTs = Math.max(this.#lastTs, frame.ts);\n      handler',
      'this.#lastTs = frame.ts;\n      handler',
    ],
    [
      'FeedPulse.ts',
      'a silence of exactly the limit is too long',
      'now - this.#lastFrameAt <= this.#limitMs()',
      'now - this.#lastFrameAt < this.#limitMs()',
    ],
    [
      'FeedPulse.ts',
      'a feed that spoke just now may be asked at once',
      '    this.#lastFrameAt = now;\n    this.#askedAt = now;\n    this.#isSilent',
      '    this.#lastFrameAt = now;\n    this.#isSilent',
      { equivalent: 'it is asked for only once it has been silent for as long' },
    ],
    [
      'watchSilence.ts',
      'a feed is asked without a connection',
      'if (pulse.look(now) && isOpen())',
      'if (pulse.look(now))',
      {
        equivalent:
          'time without a connection counts as none, so that no silence becomes too long in it',
      },
    ],
    [
      'watchSilence.ts',
      'that a feed speaks again is told for ever',
      '      silent = found;\n',
      '      if (found.length > 0) silent = found;\n',
    ],
    [
      'latestByReading.ts',
      'a short refusal ends the wait of a long one',
      'heldUntil = Math.max(heldUntil, market.now() + retryAfterMs(exchange))',
      'heldUntil = market.now() + retryAfterMs(exchange)',
    ],
    [
      'latestByReading.ts',
      'who leaves at an answer that is there at once leaves a read behind',
      '    if (ofRun === run) cancel = market.at',
      '    cancel = market.at',
    ],
    [
      'createWalletStreams.ts',
      'a late hold of an entry passes after its end',
      "'entry_moved', 'entry_hold'",
      "'entry_moved'",
    ],
    [
      'createWalletStreams.ts',
      'a late move of an entry passes after its end',
      "'entry_moved', 'entry_hold'",
      "'entry_hold'",
    ],
    [
      'createWalletStreams.ts',
      'a late pause of an execution passes after its end',
      "'started', 'progress', 'status'",
      "'started', 'progress'",
    ],
    [
      'createWalletStreams.ts',
      'a late pause of a monitor passes after its end',
      "'armed', 'paused', 'resumed'",
      "'armed', 'resumed'",
    ],
  ],
} as const;

export const paperWebhooks = {
  station: 'paper/webhooks',
  rows: [
    [
      'renderTemplate.ts',
      'a list of an action becomes an object',
      'Array.isArray(template)',
      'false',
    ],
    [
      'renderTemplate.ts',
      'a list is not looked through',
      "typeof template !== 'object' || template === null",
      "typeof template !== 'object' || template === null || Array.isArray(template)",
    ],
    [
      'renderTemplate.ts',
      'what the alert inherits fills a template',
      '!Object.hasOwn(alert, name)',
      '!(name in alert)',
      {
        equivalent:
          'an alert is parsed from JSON, and no field of an alert is one that objects inherit',
      },
    ],
  ],
} as const;

export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'createStreams.ts',
      'a stream that was stuck once is never waited for again',
      'stuck.get(connection) !== connection.backlog.left',
      '!stuck.has(connection)',
    ],
    [
      'createStreams.ts',
      'a stream that is stuck is waited for each time',
      '        if (backlog.isHigh && tookNothing) stuck.set(connection, backlog.left);',
      'void tookNothing;',
    ],
    [
      'createStreams.ts',
      'a stream that took something is stuck',
      'if (backlog.isHigh && tookNothing)',
      'if (backlog.isHigh)',
    ],
  ],
} as const;

export const paperMonitors = {
  station: 'paper/monitors',
  rows: [
    [
      'LevelGroup.ts',
      'a watch that was taken away is still the monitor’s',
      '      monitor.watch = null;\n',
      '',
      {
        equivalent:
          'to take away a watch that is gone changes nothing, and the next one takes its place',
      },
    ],
  ],
} as const;

export const strategy = {
  station: 'strategy',
  rows: [
    [
      'pairs/createPairLeg.ts',
      'a symbol is a ref as it is',
      "${symbol.replaceAll(/[^\\w.-]/g, '_')}",
      '${symbol}',
    ],
    [
      'pairs/createPairLeg.ts',
      'an order without its frame counts for neither side',
      "order?.side ?? (intent?.kind === 'place_order' ? intent.request.side : undefined)",
      'order?.side',
    ],
    [
      'pairs/createPairLeg.ts',
      'the order on its way counts as the former one of its ref',
      'if (view !== silent) add',
      'add',
    ],
    [
      'pairs/createPairLeg.ts',
      'what is believed after a wait is not counted from',
      '    tally.onPosition(position, sum);\n    return position;',
      '    return position;',
    ],
    [
      'pairs/createPairLeg.ts',
      'after a wait it waits as long again',
      '    apartSince = undefined;\n    tally',
      '    tally',
    ],
    [
      'pairs/createPairLeg.ts',
      'the wait of frames that came apart is given from now on',
      'apartSince + APART_MS',
      'ctx.now() + APART_MS',
    ],
    [
      'thread/createThreadHost.ts',
      'a fault that goes on shows its secrets',
      'options.onFault(showableFault(said.fault))',
      'options.onFault(said.fault)',
    ],
    [
      'thread/createThreadHost.ts',
      'a fault that ends shows its secrets',
      'const fault = showableFault(ended);',
      'const fault = ended;',
    ],
    [
      'thread/createThreadHost.ts',
      'what was scheduled and cancelled is due',
      "      case 'cancel':\n        return held.cancel(said.task);",
      "      case 'cancel':\n        return;",
    ],
    [
      'thread/createThreadHost.ts',
      'a task of a stopped strategy is scheduled',
      "        if (status.state === 'running') held.at(said.task, said.time);",
      '        held.at(said.task, said.time);',
    ],
    [
      'thread/createThreadHost.ts',
      'a value is shown on the first line',
      'plotted[values[at]!]!',
      'plotted[0]!',
    ],
    [
      'thread/createThreadHost.ts',
      'a refused call ends nothing',
      '      return { messages, error: messageOf(error) };',
      '      return { messages };',
    ],
    [
      'thread/createThreadHost.ts',
      'a state that is written at the end is lost',
      "    if (call.kind === 'state') options.state.write(call.persisted);\n    else if (status.state !== 'running') return;",
      "    if (status.state !== 'running') return;\n    else if (call.kind === 'state') options.state.write(call.persisted);",
    ],
    [
      'thread/createThreadHost.ts',
      'a stopped strategy trades',
      "    else if (status.state !== 'running') return;\n",
      '',
    ],
    [
      'thread/createThreadHost.ts',
      'an ended strategy is told as ended twice',
      '    if (isRunning) options.onFault(fault);',
      '    options.onFault(fault);',
    ],
    [
      'thread/createThreadHost.ts',
      'a strategy that ended while it stops is quarantined',
      "    if (isRunning) status = { state: 'quarantined', fault };",
      "    status = { state: 'quarantined', fault };",
    ],
    [
      'thread/createThreadHost.ts',
      'what a thread subscribed to stays after its end',
      '    held.release();\n    early?.close();\n    turns?.close();\n    turns = undefined;\n    stopped.resolve();',
      '    early?.close();\n    turns?.close();\n    turns = undefined;\n    stopped.resolve();',
    ],
    [
      'thread/createThreadHost.ts',
      'early events go on after the end',
      '    held.release();\n    early?.close();\n    turns?.close();',
      '    held.release();\n    turns?.close();',
    ],
    [
      'thread/createThreadHost.ts',
      'a stop waits for a thread that has ended',
      '    turns = undefined;\n    stopped.resolve();',
      '    turns = undefined;',
    ],
    [
      'thread/createThreadHost.ts',
      'a stopped strategy still gets early events',
      '      held.release();\n      early?.close();\n      if (turns === undefined) return;',
      '      held.release();\n      if (turns === undefined) return;',
    ],
    [
      'thread/createThreadHost.ts',
      'a strategy of a second wallet has the account of none',
      'const limits = { pacemakerMinSeconds, account: options.account };',
      'const limits = { pacemakerMinSeconds };',
    ],
    [
      'thread/createThreadHost.ts',
      'a suppressed intent counts as emitted',
      'counts = { emitted: said.emitted, suppressed: said.suppressed };',
      'counts = { emitted: said.emitted + said.suppressed, suppressed: said.suppressed };',
    ],
    [
      'thread/createThreadTurns.ts',
      'the turn at the end of a tape has the deadline of any',
      'return isSettling ? turnDeadlineMs + LONGEST_FLUSH_MS : turnDeadlineMs;',
      'return turnDeadlineMs;',
    ],
    [
      'thread/createThreadTurns.ts',
      'each turn has the deadline of the last of a tape',
      'isSettling ? turnDeadlineMs + LONGEST_FLUSH_MS : turnDeadlineMs',
      'turnDeadlineMs + LONGEST_FLUSH_MS',
    ],
    [
      'thread/createThreadTurns.ts',
      'messages of all turns are counted together',
      'said = isOver ? 0 : said + 1;',
      'said += 1;',
    ],
    [
      'thread/createThreadTurns.ts',
      'a turn takes what is left of the one before',
      'take(received.message as From) ? deadlineMs() : received.leftMs',
      '(take(received.message as From), received.leftMs)',
    ],
    [
      'thread/createThreadTurns.ts',
      'a message gives a turn its full time again',
      'take(received.message as From) ? deadlineMs() : received.leftMs',
      '(take(received.message as From), deadlineMs())',
    ],
    [
      'thread/createThreadTurns.ts',
      'a bot that was late itself ends its strategy',
      '    if (isNext || waiting === 0) return;\n',
      '',
    ],
    [
      'thread/createThreadTurns.ts',
      'a strategy that called is given no time',
      'if (wasAnswered && !isLast) watch(true);',
      'if (false) watch(true);',
    ],
    [
      'thread/createThreadTurns.ts',
      'a strategy that calls and then loops is never ended',
      'if (wasAnswered && !isLast) watch(true);',
      'if (wasAnswered) watch(true);',
    ],
    [
      'thread/createThreadTurns.ts',
      'what follows a call is read before it is answered',
      "      if (next.kind === 'call' || next.kind === 'sync') break;\n",
      '',
    ],
    [
      'thread/createThreadTurns.ts',
      'each event gives the present turn its full time again',
      'else if (waiting === 1) watch();',
      'else watch();',
    ],
    [
      'thread/createThreadTurns.ts',
      'a closed thread still has turns',
      '    close() {\n      waiting = 0;\n',
      '    close() {\n',
    ],
    [
      'thread/createEarlyEvents.ts',
      'a price of the first symbol alone is held',
      'for (const symbol of symbols) follow',
      'for (const symbol of symbols.slice(0, 1)) follow',
    ],
    [
      'thread/createEarlyEvents.ts',
      'a source that fails while it loads is silent',
      "          pass((subscription) => ({ kind: 'failed', subscription, reason: messageOf(error) })),",
      '          void messageOf(error),',
    ],
    [
      'thread/createEarlyEvents.ts',
      'what was held is delivered after the end',
      '      isOpen = false;\n      held = [];\n      for',
      '      isOpen = false;\n      for',
    ],
    [
      'thread/createHeldSources.ts',
      'a late task is on time',
      'options.onDue(task, isLate);',
      'options.onDue(task, false);',
    ],
    [
      'thread/createRemoteSources.ts',
      'a book in a thread has the default depth',
      "source({ name: 'book', symbol, depth, stack })",
      "source({ name: 'book', symbol, depth: undefined, stack })",
    ],
    [
      'thread/createRemoteClock.ts',
      'a task that was cancelled runs',
      'if (tasks.delete(task)) ports.cancel(task);',
      'ports.cancel(task);',
    ],
    [
      'thread/createRemoteClock.ts',
      'a task that ran is cancelled outside',
      'if (tasks.delete(task)) ports.cancel(task);',
      'tasks.delete(task);\n          ports.cancel(task);',
    ],
    [
      'thread/createRemotePlots.ts',
      'values of one turn are sent with the next again',
      '      values = [];\n    },',
      '    },',
    ],
    [
      'thread/createRemotePlots.ts',
      'each value is on the newest line',
      'if (index !== undefined) return index;',
      'if (index !== undefined) return known.size - 1;',
    ],
    [
      'thread/createThreadHost.ts',
      'what an answered call causes comes after the call',
      '    if (collected === undefined) turns?.post({ ...messages, now: market.now(), frameTime });\n    else collected.push(messages);',
      '    turns?.post({ ...messages, now: market.now(), frameTime });',
    ],
    [
      'thread/createThreadHost.ts',
      'events have no time of their frame',
      'const frameTime = options.frameTime?.();',
      'const frameTime = undefined;',
    ],
    [
      'thread/createThreadHost.ts',
      'a thread that was stopped stays',
      "        if (status.state === 'stopped' && turns?.waiting === 0) close();\n",
      '',
    ],
    [
      'thread/createThreadHost.ts',
      'a stop ends the thread with turns before it',
      "if (status.state === 'stopped' && turns?.waiting === 0) close();",
      "if (status.state === 'stopped') close();",
    ],
    [
      'thread/createThreadHost.ts',
      'a fault that goes on ends the strategy',
      'return said.hasEnded ? end(said.fault) : options.onFault(showableFault(said.fault));',
      'return end(said.fault);',
    ],
    [
      'refs/createByRef.ts',
      'a ref that is used again keeps its place',
      '    slots.delete(ref);\n    slots.set(ref, slot);\n    if',
      '    slots.set(ref, slot);\n    if',
    ],
    [
      'refs/createByRef.ts',
      'an intent on its way is forgotten with the oldest',
      'if (!isPending(slot.parts)) slots.delete(ref);',
      'slots.delete(ref);',
    ],
    [
      'refs/createByRef.ts',
      'the state is that of the first look',
      '    slot.state = undefined;\n    if (changes',
      '    if (changes',
    ],
    [
      'refs/createByRef.ts',
      'what warm-up decides again replaces what became of it',
      '    if (guard === WARM_UP && slots.has(intent.ref)) return;\n',
      '',
    ],
    [
      'refs/createByRef.ts',
      'a source of refs that fails is silent',
      'error: (error) => options.onSourceFailed(error),',
      'error: () => {},',
    ],
    [
      'refs/RefState.ts',
      'an order that is shown again is still gone',
      '      parts.gone.delete(order.order_id);\n',
      '',
    ],
    [
      'refs/RefState.ts',
      'an execution that is shown again is still gone',
      '      parts.gone.delete(execution.execution_id);\n',
      '',
    ],
    [
      'refs/RefState.ts',
      'a monitor that is shown again is still gone',
      '      parts.gone.delete(news.monitor.monitor_id);\n',
      '',
    ],
    [
      'refs/RefState.ts',
      'an answer replaces a frame of the same time',
      '  return answered !== true;',
      '  return true;',
    ],
    [
      'refs/RefState.ts',
      'an execution under a new id is another one',
      'execution.client_execution_id ?? execution.execution_id',
      'execution.execution_id',
    ],
    [
      'refs/RefState.ts',
      'a monitor that is gone has not ended',
      'isMonitorOver(monitor) || gone.has(monitor.monitor_id)',
      'isMonitorOver(monitor)',
    ],
    ['refs/RefState.ts', 'a control of an execution is never over', "  'control_execution',\n", ''],
    ['refs/RefState.ts', 'a stop of a monitor is never over', "  'stop_monitor',\n", ''],
    ['refs/RefState.ts', 'a retired leg is never over', "  'retire_tpsl',\n", ''],
    [
      'refs/RefState.ts',
      'a close that was accepted is forgotten before its order',
      "  'close_position',\n",
      '',
    ],
    [
      'refs/RefState.ts',
      'a monitor is not brought over',
      "  if (parts.monitor !== null) yield { kind: 'monitor', monitor: parts.monitor };\n",
      '',
    ],
  ],
} as const;

export const wire = {
  station: 'wire',
  rows: [
    [
      'createSocket.ts',
      'parameters of a subscription that JSON can’t carry are sent',
      "    if (message.op !== 'command') requireSendable(message.params, ['params']);\n",
      '',
    ],
    [
      'createSocket.ts',
      'a prepared connection that came too late stays open',
      'if (this.#closed || this.#listener === null) return void next?.drop();',
      'if (this.#closed || this.#listener === null) return;',
    ],
    [
      'createSocket.ts',
      'a socket that was replaced is closed before the next is there',
      "if (old !== null) this.#listener.onStatus({ state: 'lost', reason: 'key_changed' });",
      "this.#listener.onStatus({ state: 'lost', reason: 'key_changed' });",
    ],
    [
      'createSocket.ts',
      'the sixteenth outage is told as long as the first',
      '    this.#lostAt = null;\n    const fields',
      '    const fields',
    ],
    [
      'createEventStream.ts',
      'an event stream is of the default wallet',
      "headers: { Accept: 'text/event-stream', ...signed, ...selector }",
      "headers: { Accept: 'text/event-stream', ...signed }",
    ],
    [
      'createEventStream.ts',
      'after its end a stream’s timer goes on',
      '    ended = true;\n    cancelSilence();',
      '    ended = true;',
    ],
    [
      'createTransport.ts',
      'an abort is listened for for ever',
      "      request.signal?.removeEventListener('abort', onAbort);\n",
      '',
    ],
    [
      'createTransport.ts',
      'each request leaves its timer',
      '      cancelTimer();\n      request',
      '      request',
    ],
    [
      'ExchangeHandler.ts',
      'a request that is written a second time waits for its answer',
      "    if (this.#controller !== null) this.#fail('connection_lost');\n",
      '',
    ],
    ['postJson.ts', 'an address’s query is lost', '`${url.pathname}${url.search}`', 'url.pathname'],
    [
      'postJson.ts',
      'a reply of megabytes is read whole',
      '    if (bytes >= MAX_RESPONSE_BYTES) break;\n',
      '',
    ],
    [
      'errors/transportErrors.ts',
      'the cause of an answer that is described comes twice',
      'shown === reason ? withCause(reason, cause) : shown',
      'withCause(shown, cause)',
    ],
  ],
} as const;
