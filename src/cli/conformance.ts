import { Command, Option } from 'commander';
import { loadConfig, processEnvironment } from '../config/index.ts';
import { readSecret } from '../config/readSecret.ts';
import type { ClauseId, ConformanceOptions, ConformanceResult } from '../conformance/index.ts';
import { defaultDialect, isLoopback, type Dialect } from '../contract/index.ts';
import { createLiveEnv, withFullStop } from '../env/index.ts';
import { loadDialect } from '../operate/run/index.ts';
import { CommandFailure, configFailure, runFailed, UNENDED } from './failures/CommandFailure.ts';
import { prepareJson } from './output/jsonOutput.ts';
import { forceOption, STDOUT } from './output/prepareOutput.ts';
import { say } from './output/say.ts';
import { writeOutput } from './output/writeOutput.ts';
import { INTERRUPTED, stopOnSignals } from './process/stopOnSignals.ts';

interface ConformanceFlags {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secretEnv?: string;
  secretFile?: string;
  config?: string;
  readOnly?: boolean;
  write?: boolean;
  json?: string;
  force?: boolean;
  only?: string;
}

const EXAMPLES = `
Against a real service use --read-only: it sends GETs and indicator evaluations, nothing else, and
subscribes. On purpose, one request has a wrong signature, two have a timestamp out of the window,
and some have no credentials, or those of a key that nobody has.
With --write, or without either on this machine, orders are placed far from the market and cancelled, and
whatever a service takes that it should refuse is ended: what is left then, such as a position, is listed.
Against a paper service the checks step the replay and use their own wallets and keys; its speed and its
faults are put back. Ctrl-C ends the run the same way.

Exit code: 0 when nothing differs, 4 when something is left on the service, 1 otherwise.

Examples:
  trimtab conformance --base-url https://host --ws-url wss://host/v1/stream \\
    --key-id vk_… --secret-env SERVICE_SECRET --read-only
  trimtab conformance --base-url http://127.0.0.1:8730 --ws-url ws://127.0.0.1:8730/v1/stream \\
    --key-id vk_… --secret-file paper.secret --json result.json
`;

/** `trimtab conformance`: checks which clauses of the contract a service meets (DIAL-2). */
export function createConformanceCommand(): Command {
  return new Command('conformance')
    .description('check a service against the contract, clause by clause')
    .requiredOption('--base-url <url>', 'address of the service, without /v1')
    .requiredOption('--ws-url <url>', 'address of its WebSocket, path included')
    .requiredOption('--key-id <id>', 'API key, vk_…')
    .addOption(
      new Option('--secret-env <name>', 'environment variable that holds the secret').conflicts(
        'secretFile',
      ),
    )
    .option('--secret-file <path>', 'file that holds the secret, readable by you alone')
    .option('--config <file>', "a bot's YAML with the dialect to check against")
    .option('--read-only', 'never write; use it against a real service')
    .addOption(
      new Option('--write', 'place orders too, on a service that is not on this machine').conflicts(
        'readOnly',
      ),
    )
    .option('--json <file>', 'write the result as JSON; - for stdout, instead of the text')
    .option('--only <clauses>', 'clauses to check, separated by commas')
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ConformanceFlags, command: Command) => {
      const { json, force = false } = flags;
      requireConsent(flags);
      const only = await readClauses(flags.only, command);
      prepareJson(json, { kind: 'conformance', force });
      const options = await optionsOf(flags, only);
      const interrupt = new AbortController();
      const stop = stopOnSignals();
      void stop.stopped.then(() => interrupt.abort());
      const result = await run({ ...options, signal: interrupt.signal });
      await report(result, json);
      refuseLeft(result);
      if (stop.isStopped())
        throw new CommandFailure('TRIMTAB_INTERRUPTED', 'Interrupted.', INTERRUPTED);
      if (result.summary.differs > 0) process.exitCode = 1;
    });
}

/** What is not on this machine may be a real account: nobody writes to it by leaving a flag out. */
function requireConsent({ baseUrl, readOnly, write }: ConformanceFlags): void {
  const host = URL.parse(baseUrl)?.hostname;
  if (readOnly === true || write === true || host === undefined || isLoopback(host)) return;
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    `${host} is not this machine, and the checks would place orders there.\n` +
      '  Say which: --read-only sends nothing that writes; --write places orders and cancels them.',
  );
}

/** A caller must not assume that a run left nothing on an account. */
function refuseLeft({ left }: ConformanceResult): void {
  if (left.length === 0) return;
  throw new CommandFailure(
    'TRIMTAB_CONFORMANCE_UNENDED',
    `The run leaves behind:\n${left.map((line) => `  ${line}\n`).join('')}` +
      '  Check the service.',
    UNENDED,
  );
}

async function optionsOf(
  flags: ConformanceFlags,
  only: ClauseId[] | undefined,
): Promise<ConformanceOptions> {
  const { baseUrl, wsUrl, keyId, readOnly = false } = flags;
  return {
    baseUrl,
    wsUrl,
    keyId,
    secret: await secretOf(flags),
    dialect: await dialectOf(flags.config),
    env: createLiveEnv(),
    isReadOnly: readOnly,
    ...(only === undefined ? {} : { only }),
    ...(process.stderr.isTTY ? { onCheck: showProgress, onWait: showWait } : {}),
  };
}

async function run(options: ConformanceOptions): Promise<ConformanceResult> {
  const { runConformance } = await import('../conformance/index.ts');
  try {
    return await runConformance(options);
  } catch (error) {
    // A problem with an address, or with the service behind it.
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('TRIMTAB_CONFORMANCE_IMPOSSIBLE', reason, 1, { cause: error });
  }
}

async function secretOf({ secretEnv, secretFile }: ConformanceFlags): Promise<string> {
  if (secretEnv === undefined && secretFile === undefined) {
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      'Name the secret: --secret-env NAME or --secret-file PATH.',
      2,
    );
  }
  const reference = secretEnv === undefined ? { file: secretFile ?? '' } : { env: secretEnv };
  const from = { environment: processEnvironment, directory: process.cwd() };
  const read = await readSecret(reference, from);
  if ('text' in read) return read.text;
  throw new CommandFailure(
    'TRIMTAB_CONFIG_SECRET',
    `The secret can't be read: ${withFullStop(read.reason)}\n  ${read.remedy}`,
  );
}

async function dialectOf(config: string | undefined): Promise<Dialect> {
  if (config === undefined) return defaultDialect;
  const loaded = await loadConfig(config, { allowLive: true });
  if (!loaded.ok) throw configFailure(loaded.faults);
  const dialect = await loadDialect(loaded.config);
  if (!dialect.ok) throw runFailed(dialect.failure);
  return dialect.value;
}

async function report(result: ConformanceResult, json: string | undefined): Promise<void> {
  const text = `${JSON.stringify({ format: 'trimtab-conformance', ...result }, null, 2)}\n`;
  if (json === STDOUT) return say(text);
  const { formatConformance } = await import('../conformance/index.ts');
  process.stdout.write(formatConformance(result));
  if (json !== undefined) await writeOutput(json, text);
}

const showProgress: NonNullable<ConformanceOptions['onCheck']> = ({ clause, title }, { result }) =>
  void process.stderr.write(
    `${clause} ${title}: ${result === 'inconclusive' ? 'inconclusive' : result}\n`,
  );

const showWait = (seconds: number): void =>
  void process.stderr.write(`Waiting ${Math.ceil(seconds)} s for the rate budget …\n`);

/** Read when the command runs, not when its options are parsed: no other command loads the clauses. */
async function readClauses(
  text: string | undefined,
  command: Command,
): Promise<ClauseId[] | undefined> {
  if (text === undefined) return undefined;
  const { CLAUSE_IDS } = await import('../conformance/index.ts');
  const ids = text.split(',').map((id) => id.trim().toUpperCase());
  const isClause = (id: string): id is ClauseId => (CLAUSE_IDS as string[]).includes(id);
  const unknown = ids.filter((id) => !isClause(id));
  if (unknown.length === 0) return ids.filter(isClause);
  return command.error(
    `error: option '--only <clauses>' argument '${text}' is invalid. ` +
      `No such clause: ${unknown.join(', ')}. One is ${CLAUSE_IDS[0]}.`,
    { code: 'commander.invalidArgument' },
  );
}
