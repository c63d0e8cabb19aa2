import type { FailureRow } from './FailureRow.ts';

/** A plugin's file, and faults of a running strategy. */
export const strategyFailures = {
  TRIMTAB_PLUGIN_NOT_FOUND: {
    meaning: "There is no file or package of the plugin's name.",
    remedy: 'Write a path with `./`, or install the package.',
  },
  TRIMTAB_PLUGIN_SYNTAX: {
    meaning: "The plugin's source can't be parsed.",
    remedy: 'Correct the line that the message names.',
  },
  TRIMTAB_PLUGIN_IMPORT_MISSING: {
    meaning: 'The plugin imports a module that is not there.',
    remedy: 'Install it, or correct the import.',
  },
  TRIMTAB_PLUGIN_NO_SUCH_EXPORT: {
    meaning: 'The plugin imports a name that the module does not export.',
    remedy: 'Correct the name in the import.',
  },
  TRIMTAB_PLUGIN_THREW: {
    meaning: 'The plugin threw while it was imported.',
    remedy: 'Only define at import time; do the work in `setup`.',
  },
  TRIMTAB_PLUGIN_EXITED: {
    meaning:
      'A plugin, or a package that it imports, called `process.exit` and ended the command before it was done.',
    remedy:
      'Remove the call that the message names. To end a strategy let it throw: others go on, and the bot stops in order.',
  },
  TRIMTAB_PLUGIN_UNSETTLED: {
    meaning: 'A plugin has a top-level `await` that never settles, so that its import never ends.',
    remedy: 'Only define at import time; await in `setup`, as a stream by `from(promise)`.',
  },
  TRIMTAB_PLUGIN_NO_EXPORT: {
    meaning: "The plugin's default export is not a strategy.",
    remedy: 'Write `export default defineStrategy({ … })`.',
  },
  TRIMTAB_PLUGIN_VERSION: {
    meaning: 'The plugin was written for another version of the strategy contract.',
    remedy: 'Use a version of the plugin, or of Trimtab, that agrees.',
  },
  TRIMTAB_PLUGIN_DEFINITION: {
    meaning: "A field of the strategy's definition is not what it must be.",
    remedy: 'Correct that field in `defineStrategy({ … })`.',
  },
  TRIMTAB_PLUGIN_PARAMS: {
    meaning: "The parameters do not fit the plugin's schema.",
    remedy: 'Correct `params` in the configuration.',
  },
  TRIMTAB_STATE_IN_WARM_UP: {
    meaning:
      'A strategy set its state in warm-up. A restart repeats warm-up, so that values of old bars would replace newer ones.',
    remedy:
      "Set it if `ctx.liveness() === 'live'`; if the same bars give the same state each time, set `writesInWarmUp: true` in the definition's `state`.",
  },
  TRIMTAB_BOOK_DEPTH: {
    meaning: 'A strategy requested an order book of another depth than the channel has.',
    remedy: 'Request 1 to 50 levels in `ctx.book(symbol, depth)`.',
  },
  TRIMTAB_PLOT: {
    meaning: 'A strategy plotted a value under a name, a pane or a symbol that cannot be drawn.',
    remedy:
      "Give `ctx.plot` a constant name, `{ pane: 'price' }` or the name of a pane, and one of the instance's symbols; 64 lines are the most.",
  },
  TRIMTAB_STRATEGY_MALFORMED_INTENT: {
    meaning:
      'A strategy emitted a value that is not an intent, or an intent with fields that do not fit. It was not sent.',
    remedy:
      'Correct the fields that the message names; the builders, such as `placeOrder`, check types in the editor.',
  },
  TRIMTAB_STRATEGY_OUTSIDE_TURN: {
    meaning:
      "A strategy decided outside of a turn: in a promise, an `async` function or a timer of its own. Such a decision has no event that it belongs to, so that it can't be repeated, journaled under its name, or told from the same decision after a restart.",
    remedy:
      'Decide in the event itself, with synchronous operators. For time use `ctx.every` or `ctx.scheduler`, for data from elsewhere `ctx.state` or a source that is read before the start; or give the intent a `decision` name of its own.',
  },
  TRIMTAB_STRATEGY_SETUP_FAILED: {
    meaning: 'A strategy threw in `setup`.',
    remedy: 'Correct the plugin at the place that the message names.',
  },
  TRIMTAB_STRATEGY_THREW: {
    meaning: "A strategy's stream threw or ended with an error; it no longer takes part.",
    remedy:
      'Correct the plugin at the place that the message names; orders and stops remain as they are.',
  },
  TRIMTAB_STRATEGY_COMPLETED: {
    meaning: "A strategy's stream completed. A strategy lives as long as its bot.",
    remedy:
      'End the stream with operators that do not complete, or merge it with one that lives on.',
  },
  TRIMTAB_STRATEGY_NOT_OBSERVABLE: {
    meaning: '`setup` returned no Observable.',
    remedy: 'Return the stream of intents.',
  },
  TRIMTAB_STRATEGY_FLOODED: {
    meaning:
      'A strategy emitted more intents on one event than any sound strategy does, or was refused too often.',
    remedy: 'Look for a loop between `outcomes$` and the stream of intents.',
  },
  TRIMTAB_STRATEGY_SOURCE_FAILED: {
    meaning: 'A source that a strategy follows failed.',
    remedy: 'Read the reason in the message, and the log before it.',
  },
  TRIMTAB_STRATEGY_OVERRAN: {
    meaning: 'A strategy in a worker took longer for a turn than its deadline.',
    remedy: 'Do less in a turn, or raise `isolation.worker.turn_deadline_seconds`.',
  },
  TRIMTAB_STRATEGY_THREAD_ENDED: {
    meaning: "A strategy's worker ended, as by `process.exit` or for want of memory.",
    remedy: 'Remove the exit, or raise `isolation.worker.memory_mb`.',
  },
  TRIMTAB_STRATEGY_ENDED: {
    meaning: 'A strategy ended before its run did.',
    remedy: 'Correct the plugin at the place that the message names.',
  },
  TRIMTAB_TEST_CALL: {
    meaning:
      'A test of a strategy asks for something that cannot happen: bars out of order, a fill of an unknown order, an invalid duration.',
    remedy: 'Correct the call that the message names.',
  },
  TRIMTAB_TEST_EXPECTATION: {
    meaning: 'In a test, a strategy did something else than the test expects of it.',
    remedy: 'Read the difference in the message: correct the strategy, or the test.',
  },
  TRIMTAB_STATE_REFUSED: {
    meaning: 'The state that a strategy persisted does not fit the plugin as it is now.',
    remedy: 'Raise `state.version` and add `state.migrate`, or run the plugin that wrote it.',
  },
  TRIMTAB_STATE_INVALID: {
    meaning:
      'A strategy wrote a state that does not fit its own schema, or that would be another one when a restart reads it from JSON. The previous state stays in force.',
    remedy:
      'Correct what is written, or the schema in `state`. It holds what JSON does: a date as milliseconds, a map or a set as a list.',
  },
  TRIMTAB_INTERVAL_UNKNOWN: {
    meaning: 'A strategy asks for bars or ticks of an interval that is not there.',
    remedy: 'Take one of the intervals that the message lists.',
  },
  TRIMTAB_TASK_TIME: {
    meaning: 'A strategy scheduled a task for a time that is not a number.',
    remedy: 'Give `ctx.scheduler`, or the operator that uses it, a delay in milliseconds.',
  },
  TRIMTAB_OPERATOR_BARS: {
    meaning: "An operator got bars of more than one market, or bars that don't add up to its own.",
    remedy: 'Give it the bars of one symbol, of an interval that divides the one it makes.',
  },
  TRIMTAB_INDICATOR_UNKNOWN: {
    meaning: 'There is no indicator of that name, or none of its series has that name.',
    remedy: 'Take a name of the catalogue; an editor lists them.',
  },
  TRIMTAB_INDICATOR_PARAMETER: {
    meaning: 'A parameter of an indicator or an operator is unknown or out of range.',
    remedy: 'Write a value in the range that the message names.',
  },
  TRIMTAB_INDICATOR_DEFINITION: {
    meaning:
      'A call of `defineIndicator` has a name, series, warm-up or kernel that cannot be used.',
    remedy: 'Correct the field that the message names.',
  },
  TRIMTAB_INDICATOR_LIBRARY: {
    meaning:
      'An indicator of a library cannot be computed: the library is not installed, or is set to round everything in this process.',
    remedy: 'Install the package that the message names, or remove the setting.',
  },
  TRIMTAB_INDICATOR_VALUE: {
    meaning:
      'An indicator that a plugin defined or took from a library threw, or has warmed up and gave no finite number; or one of the catalogue was given a number that is not finite, such as 0/0, after which it would give none any more. The message names its parameters and the bar. The strategy is quarantined.',
    remedy:
      'Correct its kernel or its warm-up, or what computes its input; a kernel that has no value at a bar may repeat its last.',
  },
} as const satisfies Record<string, FailureRow>;
