/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const notify = {
  station: 'operate/notify',
  rows: [
    [
      'createNotifier.ts',
      'a channel that throws stops those behind it',
      'env.log.error(`An alert failed: ${redact(reasonOf(error))}`);',
      'env.log.error(`An alert failed: ${redact(reasonOf(error))}`);\n        return;',
    ],
    [
      'createNotifier.ts',
      'channels are closed one after another',
      'void (await Promise.all(opened.map((channel) => channel.close(limitMs)))),',
      '{\n      for (const channel of opened) await channel.close(limitMs);\n    },',
    ],
    [
      'createNotifier.ts',
      'the first channel that is closed ends the bot',
      'await Promise.all(opened',
      'await Promise.race(opened',
    ],
    [
      'createNotifier.ts',
      'the first channel alone gets alerts',
      'for (const channel of opened) {',
      'for (const channel of opened.slice(0, 1)) {',
    ],
    [
      'conditionsOf.ts',
      'a closed gate is no alert',
      'if (bot.gate.length > 0) {',
      'if (bot.gate.length > 9) {',
    ],
    [
      'conditionsOf.ts',
      'a kill level is said twice',
      "CLOSING: readonly string[] = ['kill', ",
      'CLOSING: readonly string[] = [',
    ],
    [
      'conditionsOf.ts',
      'a feed without any bar is never stale',
      'holdMs: PATIENCE_MS,\n        },\n      ];',
      'holdMs: Infinity,\n        },\n      ];',
    ],
    ['readDelivery.ts', 'a timeout of the receiver is final', '[408, 425, 429]', '[429]'],
    [
      'createTelegramSender.ts',
      'a message is longer than Telegram takes',
      'MOST_CHARS = 3_800',
      'MOST_CHARS = 5_000',
    ],
    [
      'eachReceiver.ts',
      'a mail to several is one',
      "channel.kind !== 'email' || channel.to.length === 1",
      "channel.kind !== 'email' || channel.to.length > 0",
    ],
    [
      'createRecipientView.ts',
      'what was lost is believed to be known',
      'known.isOpen = false;\n      known.unsentSince',
      'known.unsentSince',
    ],
    [
      'createRecipientView.ts',
      'a page that was lost is not sent before its repeat',
      'known.unsentSince ??= now();',
      '',
    ],
    [
      'eachReceiver.ts',
      'each channel has the name of the first',
      '`${kind} notify[${index}]`',
      '`${kind} notify[${index * 0}]`',
    ],
    [
      'createNotifier.ts',
      'reminders go to the first channel alone',
      'attempt((channel) => channel.remind(cleaned));',
      'opened[0]?.remind(cleaned);',
    ],
    [
      'createChannel.ts',
      'what is lost at the end is not told',
      "lose(waiting.splice(0), 'the bot ended');",
      'waiting.splice(0);',
    ],
    [
      'createChannel.ts',
      'what fails while the bot ends is tried for ever',
      'if (isClosing) return lose(batch, reason);',
      '',
    ],
    [
      'createChannel.ts',
      'a receiver that refuses is asked again',
      "if (delivery.kind === 'refused') return lose(batch, reason);",
      '',
    ],
  ],
} as const;

export const metrics = {
  station: 'operate/metrics',
  rows: [
    [
      'meterStore.ts',
      'what is appended at once is waited for',
      'append(append) {',
      'async append(append) {',
    ],
    [
      'meterStore.ts',
      'an append is over once it is measured',
      '      return written;\n',
      '      return written instanceof Promise ? written.then(() => {}) : written;\n',
    ],
    [
      'meterStore.ts',
      'a store that keeps texts keeps none',
      '...(store.keepsTexts === undefined ? {} : { keepsTexts: store.keepsTexts }),',
      '',
    ],
    [
      'meterStore.ts',
      'a measured store has no checkpoint',
      '...(store.checkpoint === undefined ? {} : { checkpoint: () => store.checkpoint!() }),',
      '',
    ],
    [
      'meterStore.ts',
      'the latch that is set is another',
      'setLatch: (name, latch) => store.setLatch(name, latch),',
      "setLatch: (name, latch) => store.setLatch('', latch),",
    ],
  ],
} as const;
