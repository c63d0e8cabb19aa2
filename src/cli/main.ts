/** The command line: arguments → one command → exit code; failures as one message. */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { wantsDebug } from '../config/index.ts';
import { failureAnchor } from '../contract/index.ts';
// Of a command's start: not by the folder's index, which loads a backtest.
import { noteSlowImports } from '../operate/run/noteSlowImports.ts';
import { CommandFailure, UNKNOWN_STATUS, USAGE } from './failures/CommandFailure.ts';
import { explainFailure, failureAsJson } from './failures/explainFailure.ts';
import { registerCommands } from './registerCommands.ts';
import { watchOutput } from './output/say.ts';
import { stopListening } from './process/stopOnSignals.ts';
import { wantsJson } from './options/wantsJson.ts';
import { watchProcessEnd } from './process/watchProcessEnd.ts';

/** Where the command line writes help, version and refusals. */
export interface CliStreams {
  out: (text: string) => void;
  err: (text: string) => void;
}

const processStreams: CliStreams = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** The reader is gone, or the disk under a log is full: that must not end a bot. */
const unread = (): void => {};

/** Without a listener each such write would throw, and so would the message about it. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(unread)) stream.on('error', unread);
  }
}

const EXAMPLES = `
Examples:
  trimtab run configs/demo.yaml                      the demo: three strategies on paper
  trimtab init my-bot                                a first bot and plugin of your own
  trimtab paper --feed BTC@1m=btc.csv.gz --paused    the paper service on its own
`;

/**
 * Runs one command line.
 *
 * @param argv arguments after the program's name
 * @returns exit code: 0, 1 for a failure, 2 for wrong usage, 3 for a bounded run whose intents were all refused, and for any
 * failure of `status`
 */
export async function main(
  argv: readonly string[],
  streams: CliStreams = processStreams,
): Promise<number> {
  outliveReaders();
  // A caller that reads JSON output also gets its errors as JSON.
  const isForProgram = (): boolean => wantsJson(program, argv);
  const program = await createProgram(argv, {
    out: streams.out,
    err: (text) => isForProgram() || streams.err(text),
  });
  const isDebug = argv.includes('--debug') || wantsDebug();
  const explain = (thrown: unknown) =>
    (isForProgram() ? failureAsJson : explainFailure)(thrown, isDebug);
  const stopWatching = watchProcessEnd((failure) => explain(failure).text);
  const stopNoting = noteSlowImports(streams.err);
  const output = watchOutput();
  const refuse = (thrown: unknown): number => {
    const { text, exitCode } = explain(thrown);
    streams.err(text);
    return failureCodeOf(program, exitCode);
  };
  /** A command that did its work and could not say so; what it ended with otherwise is worth more. */
  const orLost = async (code: number): Promise<number> => {
    const lost = await output.lost();
    if (lost === undefined) return code;
    const refused = refuse(lost);
    return code === 0 ? refused : code;
  };
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], {
      from: 'user',
    });
    return await orLost(Number(process.exitCode ?? 0));
  } catch (thrown) {
    const isJson = isForProgram();
    if (thrown instanceof CommanderError) {
      // Commander has already written its message; help and version arrive here with code 0.
      if (thrown.exitCode === 0) return await orLost(0);
      if (isJson) streams.err(failureAsJson(misuse(thrown), false).text);
      return failureCodeOf(program, USAGE);
    }
    return refuse(thrown);
  } finally {
    output.end();
    stopWatching();
    stopNoting();
    stopListening();
  }
}

/** Of `status` a monitor takes 1 for a degraded bot and 2 for one that is down, whatever failed. */
function failureCodeOf({ commands }: Command, exitCode: number): number {
  const [command, other] = commands;
  return command?.name() === 'status' && other === undefined ? UNKNOWN_STATUS : exitCode;
}

function misuse({ message }: CommanderError): CommandFailure {
  return new CommandFailure('TRIMTAB_USAGE', message.replace(/^error: /, ''), USAGE);
}

async function createProgram(argv: readonly string[], streams: CliStreams): Promise<Command> {
  const program = new Command('trimtab')
    .description(
      'Trading bots on the v1 execution service: run them, paper-trade them, write them.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
    .showHelpAfterError(
      `(--help shows what there is; TRIMTAB_USAGE: ${failureAnchor('TRIMTAB_USAGE')})`,
    )
    .exitOverride();
  await registerCommands(program, argv);
  return program;
}

function packageVersion(): string {
  const require = createRequire(import.meta.url);
  return (require('trimtab/package.json') as { version: string }).version;
}
