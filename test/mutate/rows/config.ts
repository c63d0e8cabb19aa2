/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const cli = {
  station: 'cli',
  rows: [
    [
      'failures/failOnOutcome.ts',
      'a run of which all was refused succeeds',
      'if (intents.emitted === 0 || intents.accepted > 0 || intents.unknown > 0) return;',
      'if (intents.emitted >= 0 || intents.accepted > 0 || intents.unknown > 0) return;',
    ],
    [
      'failures/failOnOutcome.ts',
      'a failure ends like a usage error',
      'const NO_SUCCESS = 3;',
      'const NO_SUCCESS = 2;',
    ],
  ],
} as const;

export const config = {
  station: 'config',
  rows: [
    [
      'applyOverrides.ts',
      'a parameter goes to the first strategy',
      'const index = named === undefined ? 0 : names.indexOf(named);',
      'const index = 0;',
    ],
    [
      'applyOverrides.ts',
      '--journal memory is a file',
      "const isPath = given !== 'memory' && !isPostgresUrl(given);",
      'const isPath = !isPostgresUrl(given);',
    ],
    [
      'applyOverrides.ts',
      'a run on paper keeps the file’s link',
      'if (overrides.onPaper === true && hasKnownLink(copy)) {',
      'if (overrides.onPaper === true && !hasKnownLink(copy)) {',
    ],
    [
      'checkLink.ts',
      'only the first missing limit of a live bot is told',
      'LIVE_GUARDS.filter((name) => guards[name] === undefined).map',
      'LIVE_GUARDS.filter((name) => guards[name] === undefined).slice(0, 1).map',
    ],
    [
      'checkLink.ts',
      'a live bot may leave out the gross limit',
      "'max_order_notional', 'max_gross_notional', 'daily_loss_limit'",
      "'max_order_notional', 'daily_loss_limit'",
    ],
    ['checkLink.ts', 'a live strategy needs no wallet', '    ...namedWallets(settings),\n', ''],
    [
      'checkLink.ts',
      'the embedded paper service takes a database',
      'if (journal.url === undefined) return [];',
      'return [];',
    ],
    [
      'resolveJournal.ts',
      "a command needs the address of the bot's database",
      "if ('findings' in read && from.withKey) return read;",
      "if ('findings' in read) return read;",
    ],
    [
      'checkLink.ts',
      'a speed of 0 is accepted',
      '...(paper.speed === 0 ? [standsStill] : []),',
      '',
    ],
    [
      'checkStrategies.ts',
      'a symbol of one strategy on two wallets has one owner',
      'JSON.stringify([walletOf(strategy), symbol])',
      'JSON.stringify([symbol])',
    ],
    [
      'checkStrategies.ts',
      'a strategy’s symbol need not be allowed',
      'if (allowed.includes(symbol)) return [];',
      'if (allowed.length > 0) return [];',
    ],
    [
      'checkStrategies.ts',
      'only the first symbol needs a feed',
      'if (fed.includes(symbol) || paper === undefined) return [];',
      'if (fed.includes(symbol) || paper === undefined || at > 0) return [];',
    ],
    [
      'checkStrategies.ts',
      'a limit of an untraded symbol is accepted',
      'if (traded.includes(symbol)) return [];',
      'if (traded.length > 0) return [];',
    ],
    [
      'resolveLink.ts',
      'the socket of an https address is plain',
      "baseUrl.replace(/^http/, 'ws')",
      "baseUrl.replace(/^https?/, 'ws')",
    ],
    [
      'resolveJournal.ts',
      'a journal is relative to the working directory',
      'resolve(from.directory, path)',
      'resolve(path)',
    ],
    [
      'readSecret.ts',
      'the line break of a file is part of the secret',
      '(await readRegularText(path, MAX_BYTES)).trim()',
      'await readRegularText(path, MAX_BYTES)',
    ],
    [
      'literalSecrets.ts',
      'a secret in a list of a section is not found',
      "const texts = typeof held === 'object' && held !== null ? Object.values(held) : [held];",
      'const texts = [held];',
    ],
    [
      'resolveNotify.ts',
      'a digest is in milliseconds',
      'digestMs: digest * 1_000,',
      'digestMs: digest,',
    ],
    [
      'resolveNotify.ts',
      'a bot that is meant to run without stops is reported',
      "most === 'off' ? null : UNCOVERED_SECONDS",
      'most === undefined ? UNCOVERED_SECONDS : UNCOVERED_SECONDS',
    ],
    [
      'resolveBot.ts',
      'a strategy’s turn is in milliseconds',
      'turnDeadlineMs: turn_deadline_seconds * 1_000',
      'turnDeadlineMs: turn_deadline_seconds',
    ],
    [
      'resolveBot.ts',
      'the share of a strategy is the first one’s',
      'capitalShare: shares[index]!,',
      'capitalShare: shares[0]! + 0 * index,',
    ],
    [
      'guardSettings.ts',
      'a leverage of 0 is a limit',
      'max_leverage: amount()',
      'max_leverage: z.number().min(0)',
    ],
    [
      'journalSettings.ts',
      'a journal is of a process unless it is set',
      ".default('power')",
      ".default('process')",
    ],
    [
      'strategySettings.ts',
      'a percentage is a part a hundred times as large',
      'Number.parseFloat(text) / 100',
      'Number.parseFloat(text) / 10',
    ],
    [
      'loadConfig.ts',
      'only the link’s faults are told',
      'for (const part of [link, journal, budget, operate]) {',
      'for (const part of [link]) {',
    ],
  ],
} as const;

export const control = {
  station: 'operate/control',
  rows: [
    [
      'pollRequests.ts',
      'a request of before the start is carried out',
      'let taken = readWhole(request, schema)?.time ?? 0;',
      'let taken = 0;',
    ],
    [
      'askBot.ts',
      'a clock that was set back hides the request',
      'Math.max(env.clock.wallNow(), earlier + 1)',
      'env.clock.wallNow()',
    ],
    [
      'latchStopped.ts',
      'the journal is not closed',
      '  } finally {\n    await store.close();\n  }\n}\n\nconst highest',
      '  } finally {\n    void store;\n  }\n}\n\nconst highest',
    ],
    [
      'statusOf.ts',
      'a stopped bot loses its kill level',
      "return { state: 'down', reasons: [why, ...because, ...latched], ...known };\n  }\n  const silentMs",
      "return { state: 'down', reasons: [why], ...known };\n  }\n  const silentMs",
    ],
    [
      'promoteStopped.ts',
      'a version that never was a canary goes live',
      "open.version === 'foreign' && !isBack",
      "open.version === 'foreign' && isBack",
    ],
    [
      'readOpenStage.ts',
      'a canary of the same plugin ends at the next start',
      'if (shadow !== undefined && isVersion(row.version, shadow)) return',
      'if (shadow !== undefined && !isVersion(row.version, own) && isVersion(row.version, shadow)) return',
    ],
    [
      'readOpenStage.ts',
      'the command that is printed hands over nothing',
      ", `--hand-over ${symbols.map(shellWord).join(',')}`",
      '',
    ],
    [
      'promoteStopped.ts',
      "the strategy's own version decides under another name",
      'if (ends) await endStage(store, instance, { version: open.row.version, time });',
      '',
    ],
    [
      'promoteStopped.ts',
      'the former new version is promoted',
      'isKept ? row.version : versionOf(shadow!)',
      'row?.version ?? versionOf(shadow!)',
    ],
    [
      'promoteStopped.ts',
      'one symbol named is enough to hand all over',
      'planned.symbols.filter((symbol) => !asked.handOver.includes(symbol))',
      'planned.symbols.slice(0, 1).filter((symbol) => !asked.handOver.includes(symbol))',
    ],
  ],
} as const;
