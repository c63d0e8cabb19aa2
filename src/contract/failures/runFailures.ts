import type { FailureRow } from './FailureRow.ts';

/** A run and its data, a report, a sweep, a recording, and the way to the service. */
export const runFailures = {
  TRIMTAB_RUN_MALFORMED_INTENTS: {
    meaning: 'Strategies emitted values that are not intents; they were not sent.',
    remedy: 'Correct the fields that the log names.',
  },
  TRIMTAB_RUN_NOTHING_ACCEPTED: {
    meaning: 'Strategies proposed intents, and none was accepted. The command ends with 3.',
    remedy: 'Fix the most frequent reason, which the message names.',
  },
  TRIMTAB_RUN_FAIL_ON: {
    meaning: 'What `--fail-on` names has happened. The command ends with 3.',
    remedy: 'Read the counts in the message and the table above it.',
  },
  TRIMTAB_CRASHED: {
    meaning: 'An exception outside every stream, of no plugin’s file, stopped the bot.',
    remedy: 'Correct the plugin: a promise without `catch`, or a timer that threw.',
  },
  TRIMTAB_INTERRUPTED: {
    meaning: 'The command was stopped before its end.',
    remedy: 'Run it again.',
  },
  TRIMTAB_BOT_FATAL: {
    meaning: 'A failure stopped the bot.',
    remedy: 'Read the reason in the message.',
  },
  TRIMTAB_BOT_BLOCKED: {
    meaning:
      'One call in the main thread does not return, such as an endless loop of a plugin. A bot on a service then ends itself with 5.',
    remedy: 'Correct the place that the line names, or run the strategy with `isolation: worker`.',
  },
  TRIMTAB_PAUSE_REFUSED: {
    meaning: 'A strategy could not be paused or resumed, or that is not durable.',
    remedy: 'Read the reason in the message; see the log of the bot and its journal.',
  },
  TRIMTAB_PROMOTE_REFUSED: {
    meaning: 'The new version of a strategy could not go to another stage; the stage is as it was.',
    remedy:
      'Read the reason in the message: what is open is handed over by name, with --hand-over.',
  },
  TRIMTAB_STAGE_REFUSED: {
    meaning: 'A promoted version of a strategy is no longer in the configuration.',
    remedy:
      'Name it again, as `shadow` or `use`; or take it back: trimtab promote CONFIG NAME --back.',
  },
  TRIMTAB_ROTATE_REFUSED: {
    meaning: 'The key of a running bot was not replaced: it signs with the old one as before.',
    remedy:
      'Read the reason in the message. Correct the key or its file, then run trimtab rotate again; revoke the old key only after it has succeeded.',
  },
  TRIMTAB_LOG_UNREADABLE: {
    meaning: 'The file of a log can’t be read.',
    remedy: 'Name the file into which the bot logs, or pipe its lines in.',
  },
  TRIMTAB_EMBEDDED_PAPER: {
    meaning: 'The bot has its paper service in its own process, where no command reaches it.',
    remedy:
      'Stop its process, or run the service apart: `trimtab paper`, `link.kind: paper_service`.',
  },
  TRIMTAB_OPERATE_UNSERVED: {
    meaning: "The operator's server can't listen where the configuration says.",
    remedy: 'Name a free address of this machine under `operate.listen`, or `off`.',
  },
  TRIMTAB_NOTIFY_FAILED: {
    meaning: 'A test message did not reach each channel of `operate.notify`, or there is none.',
    remedy: 'Correct the address or token of the channel that the message names, and try again.',
  },
  TRIMTAB_ADOPT_REFUSED: {
    meaning: '`--adopt` names a strategy that is not there, or that does not trade the symbol.',
    remedy: 'Name one that has the symbol among its symbols.',
  },
  TRIMTAB_BOT_UNENDED: {
    meaning:
      'A stop, a kill level or a watchdog could not end what it should have, an intent that was sent has no answer, or an exit was never sent.',
    remedy: 'Check the service at what the lines name; the exit code is 4.',
  },
  TRIMTAB_CHECK_FAILED: {
    meaning: "`check` found that the backtest can't be trusted.",
    remedy: 'Each finding names the bar, the intent and the remedy.',
  },
  TRIMTAB_TAPE_NOTHING_TO_TRADE: {
    meaning: 'The tape, or the range of it, leaves nothing to trade after the warm-up.',
    remedy: 'Give a longer tape or range, or a shorter warm-up.',
  },
  TRIMTAB_DATA_REFUSED: {
    meaning: 'A file of market data has invalid content.',
    remedy: 'The message names the file, the line and the value.',
  },
  TRIMTAB_DATA_NOT_OK: {
    meaning: '`data check` found files with faults.',
    remedy: 'Read them above.',
  },
  TRIMTAB_SYMBOL_UNLISTED: {
    meaning: 'The service lists no instrument of that symbol.',
    remedy: 'Correct the symbol, or take one that the message lists.',
  },
  TRIMTAB_STREAM_REFUSED: {
    meaning: 'The service refuses a stream that a strategy needs.',
    remedy: "Read the service's reason in the message.",
  },
  TRIMTAB_STREAM_GAP: {
    meaning:
      'Frames of a stream are missing or out of their order; a fresh snapshot was asked for.',
    remedy: 'Nothing, unless it repeats: then look at the network.',
  },
  TRIMTAB_STREAM_NO_SNAPSHOT: {
    meaning: 'A subscription got no snapshot and was asked for again.',
    remedy: 'Nothing, unless it repeats.',
  },
  TRIMTAB_STREAM_CANDLES_MISSING: {
    meaning: 'An outage was longer than the snapshot reaches back.',
    remedy: 'Indicators continue across a gap; restart the bot to warm up again.',
  },
  TRIMTAB_STREAM_READ_FAILED: {
    meaning: 'A read of candles failed and is tried again.',
    remedy: 'Nothing, unless it repeats.',
  },
  TRIMTAB_STREAM_CLOCK_BACK: {
    meaning: "The service's clock stepped back; the stream restarts with a fresh snapshot.",
    remedy: "Look at the service's clock if it repeats.",
  },
  TRIMTAB_STREAM_UNDECODABLE: {
    meaning: 'A frame is not what v1 describes, and was left out.',
    remedy: 'Report it to the service, or describe its shapes in the dialect.',
  },
  TRIMTAB_OUTPUT_UNWRITABLE: {
    meaning: "A file that was asked for, or the standard output, can't be written.",
    remedy: 'Name another place, one with room, or make the folder.',
  },
  TRIMTAB_OUTPUT_EXISTS: {
    meaning: "A file that would be written exists already, and is no such output of Trimtab's own.",
    remedy: 'Name another place, or write over it with `--force`, where the command has it.',
  },
  TRIMTAB_REPORT_NEEDS_PAPER: {
    meaning: 'A report is made of a paper run.',
    remedy: 'Leave `--report` out; a bot on a service keeps its journal.',
  },
  TRIMTAB_REPORT_UNREADABLE: {
    meaning: 'A file holds no figures of a run.',
    remedy: 'Write them with `--json`.',
  },
  TRIMTAB_RECORDING_UNREADABLE: {
    meaning: "A recording can't be read, or is damaged.",
    remedy: 'Take a copy that is whole, or record again.',
  },
  TRIMTAB_RECORDING_EMPTY: {
    meaning: 'A recording holds nothing to replay.',
    remedy: 'Record again.',
  },
  TRIMTAB_RECORDING_INCOMPLETE: {
    meaning: 'A recording lacks what the strategies ask for now, or a strategy itself.',
    remedy: 'Record again with the strategies as they are now.',
  },
  TRIMTAB_RECORDING_DIFFERS: {
    meaning: 'The strategies decide otherwise than recorded, or two recordings differ.',
    remedy: 'The first difference is above.',
  },
  TRIMTAB_RECORDING_UNRELATED: {
    meaning: 'Two recordings have no strategy in common.',
    remedy: 'Name two recordings of the same bot.',
  },
  TRIMTAB_SHADOW_NONE: {
    meaning: 'No shadow of a strategy has left anything to compare.',
    remedy:
      'Give the strategy a `shadow` in the configuration, and a journal in a file or a database; start the bot.',
  },
  TRIMTAB_SHADOW_UNREADABLE: {
    meaning: 'What a shadow left beside the journal can’t be read.',
    remedy: 'Start the bot again: its shadow begins anew, and what stands there is set aside.',
  },
  TRIMTAB_SWEEP_PARAM: {
    meaning: 'A range of a sweep is malformed or missing.',
    remedy: 'Write `--param NAME=FROM..TO:STEP`, or A,B,C.',
  },
  TRIMTAB_SWEEP_GRID_TOO_LARGE: {
    meaning: "A sweep's grid has more points than a sweep takes.",
    remedy: 'Give fewer values, or draw points: `--random 1000`.',
  },
  TRIMTAB_SWEEP_UNSTEADY: {
    meaning: 'Two runs of one point gave different results.',
    remedy: "Find the strategy's own clock or randomness with `trimtab check`.",
  },
  TRIMTAB_SWEEP_CODE_CHANGED: {
    meaning:
      'A plugin, a file or package that it imports, or a file that a parameter names changed while a sweep ran, or could not be read any more.',
    remedy:
      'Undo the change and run the same command again, which resumes; or name another file with `--out`.',
  },
  TRIMTAB_SWEEP_CONTENT: {
    meaning: 'The code or data of a sweep could not be collected for its workers.',
    remedy: 'Do what the message says, or leave out --serve, --content and --pack.',
  },
  TRIMTAB_SWEEP_KEY: {
    meaning: 'The key that signs sweeps for workers could not be read or made.',
    remedy: 'Name another file with --key: if there is none of that name, a new key is made.',
  },
  TRIMTAB_SWEEP_REFUSED: {
    meaning: 'A worker could compute none of the sweeps that wait for results.',
    remedy: 'Do what the reason in the message says; the log has that of every sweep.',
  },
  TRIMTAB_SWEEP_NO_POINT_RAN: {
    meaning: 'No point of a sweep could be run.',
    remedy: 'Read the reasons above.',
  },
  TRIMTAB_SWEEP_RESULTS_REFUSED: {
    meaning: "The results file is another sweep's, or another version's.",
    remedy: 'Name another file with `--out`.',
  },
  TRIMTAB_SWEEP_RESULTS_UNWRITABLE: {
    meaning: 'The results file of a sweep takes no more results, such as on a full disk.',
    remedy: 'Mend the reason in the message; the same command resumes with what the file has.',
  },
  TRIMTAB_SWEEP_RESULTS_DIFFER: {
    meaning: 'A point was computed twice, with different results.',
    remedy: "Find the strategy's own clock or randomness with `trimtab check`.",
  },
  TRIMTAB_SWEEP_PART_REFUSED: {
    meaning:
      'A file to merge is damaged, no results file, or of another sweep, version, data or seed.',
    remedy: 'Do for the file that the message names what it says.',
  },
  TRIMTAB_SWEEP_POINTS_MISSING: {
    meaning: 'The files to merge do not have every point of the sweep.',
    remedy: 'Compute the shards that the message names, and merge again.',
  },
  TRIMTAB_SERVICE_UNREACHABLE: {
    meaning: 'The service does not answer.',
    remedy: 'Check `link.base_url`, and whether the service is up.',
  },
  TRIMTAB_SERVICE_KEY_REFUSED: {
    meaning: 'The service refuses the key, or the key lacks a scope that a start needs.',
    remedy: "Check key id, secret and scopes, and this machine's clock.",
  },
  TRIMTAB_WALLET_UNKNOWN: {
    meaning: 'The key has no wallet of that name.',
    remedy: 'Take one of the wallets that the message lists.',
  },
  TRIMTAB_BUDGET_UNREACHABLE: {
    meaning: "The database of the shared budget can't be used.",
    remedy: 'Correct `budget.shared`, or set it to false where no other process uses the key.',
  },
  TRIMTAB_CONFORMANCE_IMPOSSIBLE: {
    meaning: "The conformance checks can't begin at that address.",
    remedy: 'Check the address and the key.',
  },
  TRIMTAB_CONFORMANCE_UNENDED: {
    meaning:
      'The conformance checks leave something on the service, or could not put something back.',
    remedy: 'Look at the listed things on the service, and end them by hand.',
  },
  TRIMTAB_PORT_UNAVAILABLE: {
    meaning:
      'The port of the paper service, or of a page on this machine, is in use or may not be used.',
    remedy: 'Name another: `--port 0` takes any.',
  },
  TRIMTAB_PAPER_STATE_REFUSED: {
    meaning: "The paper service's state file is damaged, in use, or of another tape or version.",
    remedy: 'Restore it from a copy, or name another file.',
  },
  TRIMTAB_SERVICE_ADDRESS: {
    meaning:
      '`openService` was given an address without a field, or with one that is no line of text.',
    remedy: 'Give `{ base_url, ws_url, key_id, secret }`, as `trimtab paper` prints them.',
  },
  TRIMTAB_WIRE_UNSENDABLE: {
    meaning: 'A request holds a value that has no form on the wire. Nothing was sent.',
    remedy: 'Correct the value that the message names.',
  },
  TRIMTAB_WIRE_NOT_SENT: {
    meaning: 'A request failed before its first byte left.',
    remedy: 'It may be sent again; look at the network.',
  },
  TRIMTAB_WIRE_NO_ANSWER: {
    meaning: 'A request left and no readable answer came: it may have been executed.',
    remedy: 'Look it up before sending it under another key.',
  },
  TRIMTAB_WIRE_UNEXPECTED_RESPONSE: {
    meaning: 'The service answered in a shape that v1 does not have.',
    remedy: 'Describe its shapes in the dialect; what it did is done.',
  },
  TRIMTAB_WIRE_UNSAFE_ADDRESS: {
    meaning:
      'The address of the service is malformed, holds credentials, or would send a key unencrypted.',
    remedy: 'Use https and wss; plain http and ws are for this machine only.',
  },
} as const satisfies Record<string, FailureRow>;
