/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const links = {
  station: 'runtime/links',
  rows: [
    [
      'createFrameClock.ts',
      'once a connection was lost, tasks are late for ever',
      '      hasLost = false;\n',
      '',
    ],
    [
      'createFrameClock.ts',
      'what is asked for too late is late itself',
      'const due = Math.max(time, queue.now());',
      'const due = time;',
    ],
    [
      'createFrameClock.ts',
      'a frame that waited ten seconds has waited too long',
      'hasLost || present() - ts > LATE_MS',
      'hasLost || present() - ts >= LATE_MS',
    ],
    [
      'createFrameClock.ts',
      'of a clock that goes on, what is asked for too late is late itself',
      'const due = Math.max(time, clock.now());',
      'const due = time;',
    ],
    [
      'createWireLink.ts',
      'a refusal is of a subscription of the former connection',
      '      this.#asked.clear();\n',
      '',
    ],
    [
      'createWireLink.ts',
      'what was acknowledged may still be refused',
      '    this.#asked.delete(id);\n    const key',
      '    const key',
    ],
    [
      'createWireLink.ts',
      'trouble that is over makes the next wait longer',
      '    this.#refused.get(key)?.cancel();\n    this.#refused.delete(key);\n',
      '    this.#refused.get(key)?.cancel();\n',
    ],
    [
      'createWireLink.ts',
      'what waits to be asked for again is, though another request was answered',
      '    this.#refused.get(key)?.cancel();\n    this.#refused.delete(key);\n',
      '    this.#refused.delete(key);\n',
    ],
    [
      'createWireLink.ts',
      'a service in trouble is not asked again',
      'if (!isTransient(error.code)) return',
      "if (error.code !== 'rate_limited') return",
    ],
    [
      'createWireLink.ts',
      'a service in trouble is asked each second',
      '2 * former.waitedMs',
      'former.waitedMs',
    ],
    [
      'createWireLink.ts',
      'a service in trouble is asked ever less',
      'Math.min(LONGEST_WAIT_MS, doubledMs)',
      'doubledMs',
    ],
    [
      'createWireLink.ts',
      'what was refused twice is asked for twice',
      '    former?.cancel();\n',
      '',
    ],
    [
      'createWireLink.ts',
      'what the next connection asks for is asked for once more',
      '      this.#stopAskingAgain();\n',
      '',
    ],
    [
      'createWireLink.ts',
      'what nobody wants any more is asked for again',
      "if (this.#wanted.has(key)) this.#ask('subscribe', subscription);\n      else this.#refused.delete(key);",
      "this.#ask('subscribe', subscription);",
    ],
    [
      'createWireLink.ts',
      'a link that is closed asks again',
      '    this.#stopAskingAgain();\n    await',
      '    await',
    ],
    [
      'createWireLink.ts',
      'a command lacks its query',
      '{ ...content, ...query, ...pathParams }',
      '{ ...content, ...pathParams }',
    ],
    [
      'createWireLink.ts',
      'what was never wanted is unsubscribed',
      "if (this.#wanted.delete(subscriptionKey(subscription))) this.#ask('unsubscribe', subscription);",
      "this.#wanted.delete(subscriptionKey(subscription));\n    this.#ask('unsubscribe', subscription);",
    ],
    [
      'createWireLink.ts',
      'a refused subscription is asked for again in milliseconds',
      "readRetryAfterMs(error.details?.['retry_after_seconds'])",
      "Number(error.details?.['retry_after_seconds'] ?? 0)",
    ],
    [
      'createWireLink.ts',
      'every command goes over the socket',
      "command === undefined || request.via !== 'socket'",
      "command === undefined || request.via === 'http'",
    ],
  ],
} as const;

export const runtime = {
  station: 'runtime',
  rows: [
    [
      'createSpans.ts',
      'the worst price of a short is the lowest',
      'worst = Math.max(worst, closes[at]!);',
      'worst = Math.min(worst, closes[at]!);',
    ],
    [
      'createSpans.ts',
      'of several symbols the largest fall counts',
      'if (size !== 0) fall += size * (closes[sampled]! - worstOf(closes, sampled, until, size));',
      'if (size !== 0) fall = Math.max(fall, size * (closes[sampled]! - worstOf(closes, sampled, until, size)));',
    ],
    [
      'createSpans.ts',
      'a later day of a stretch is not looked at',
      'if (isPriced && mayReachLimit(columns, at, next))',
      'if (isPriced && at === 0 && mayReachLimit(columns, at, next))',
      { equivalent: 'while something is held, a stretch ends with a full hour at the latest' },
    ],
  ],
} as const;

export const wallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createDayLoss.ts',
      'what the day lost already leaves its whole limit',
      '? limit - (dayStart.equity - settled)',
      '? limit',
    ],
    [
      'createDayLoss.ts',
      'what reached a lower limit hides that a higher one is reached',
      '(dayStart.lost ?? 0) < limit',
      'dayStart.lost === undefined',
    ],
    [
      'readWork.ts',
      'orders that can’t be read are none',
      'if (!one.ok) failed.set(kind, one);',
      "if (!one.ok && kind !== 'order') failed.set(kind, one);",
    ],
    [
      'readWork.ts',
      'positions that can’t be read are none',
      'if (!one.ok) failed.set(kind, one);',
      "if (!one.ok && kind !== 'position') failed.set(kind, one);",
    ],
    [
      'createAccepted.ts',
      'a record with another id is never seen',
      '        if (clientName !== undefined) see(clientName);\n',
      '',
    ],
    [
      'createAccepted.ts',
      'what was shown before its answer stays unseen',
      '      remember(recordId);\n',
      '',
    ],
    [
      'createAccepted.ts',
      'of earlier processes only the newest record is looked up',
      'if (++read > MOST_READ) break;',
      'if (++read > 1) break;',
    ],
    [
      'createAccepted.ts',
      'what is shown was accepted just now',
      'saw(made.id, made.acceptedAt);',
      'saw(made.id, clock.monotonicNow());',
    ],
    [
      'createExposure.ts',
      'a snapshot half a minute after an answer may lack its record',
      'now - records.since >= SURELY_SHOWN_MS',
      'now - records.since > SURELY_SHOWN_MS',
    ],
    [
      'createExposure.ts',
      'what waits for a price closes at once',
      ' && one.isArmed === wanted.isArmed',
      '',
    ],
    [
      'createExposure.ts',
      'rows of one wallet count in all',
      'for (const { rows } of itemsOf(wallet)) sum += rows;',
      'for (const { rows } of open.values()) sum += rows;',
    ],
    [
      'createExposure.ts',
      'what was seen early is seen for ever',
      '    if (open.size === 0 && seenEarly.size > 0) seenEarly.clear();\n',
      '',
    ],
    [
      'createSnapshotCoverage.ts',
      'a fill after a snapshot of its instant is in it',
      'return id !== lastInTurn || at < account.time;',
      'return true;',
    ],
  ],
} as const;

export const budget = {
  station: 'budget',
  rows: [
    [
      'createBudget.ts',
      'a gateway’s shorter wait shortens a longer one',
      'wallHeldUntil = Math.max(wallHeldUntil, wallNow() + delayMs);',
      'wallHeldUntil = wallNow() + delayMs;',
    ],
    [
      'createBudget.ts',
      'another key starts with the gateway’s wait of the former',
      '      wallHeldUntil = Number.NEGATIVE_INFINITY;\n      limit = next;',
      '      limit = next;',
    ],
    [
      'createBudget.ts',
      'a gateway’s wait lasts an instant too long',
      'wallNow() < wallHeldUntil',
      'wallNow() <= wallHeldUntil',
    ],
    [
      'createBudget.ts',
      'a gateway’s wait is shown to nobody',
      'isHeldByWall() ? Math.max(heldUntil, time + WALL_LOOK_MS) : heldUntil',
      'heldUntil',
    ],
  ],
} as const;

export const outlet = {
  station: 'runtime',
  rows: [
    [
      'createOutlet.ts',
      'what a signature may still bring is absent',
      'timestampToleranceSeconds * 2_000',
      'timestampToleranceSeconds * 1_000',
    ],
    [
      'createOutlet.ts',
      'what a quarantined strategy left may open positions',
      'planned.has(instance) && !isOver(instance)',
      'planned.has(instance)',
    ],
    [
      'createTeam.ts',
      'what a quarantined strategy left waits on',
      '      pipe.reconsider();\n',
      '',
    ],
  ],
} as const;

export const testing = {
  station: 'testing',
  rows: [
    [
      'createTestClock.ts',
      'a timer of ten seconds before the end is late',
      'outageEnd - due > LATE_MS',
      'outageEnd - due >= LATE_MS',
    ],
    [
      'createTestClock.ts',
      'what is asked for too late is late itself',
      'const due = Math.max(time, market.now());',
      'const due = time;',
    ],
  ],
} as const;
