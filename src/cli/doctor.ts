import { Command } from 'commander';
import {
  formatFault,
  loadConfig,
  processEnvironment,
  type ApiKey,
  type LoadedConfig,
} from '../config/index.ts';
import { createLiveEnv, reasonOf, type Env } from '../env/index.ts';
import type { JournalReader } from '../journal/index.ts';
import {
  examineJournal,
  examinePlaces,
  examineService,
  type Finding,
} from '../operate/doctor/index.ts';
import { formatColumns } from '../operate/index.ts';
import { loadDialect, loadStrategies } from '../operate/run/index.ts';
import { connectService } from '../service/index.ts';
import { configFailure } from './failures/CommandFailure.ts';
import { isAlive } from './control/isAlive.ts';
import { journalOfControlledBot, type ControlledBotFlags } from './control/loadControlledBot.ts';
import { readJournalOf } from './control/readJournalOf.ts';
import { say } from './output/say.ts';

const EXAMPLES = `
Looks at the configuration and its secrets, plugins, files and their modes, disk and file system, the journal, its
backup, the process, and on a service also at the way to it, certificate, stream, clock, key, scopes, wallets, the
watchdog's key, and at each position: who owns it, and whether it has a stop. It changes nothing without --fix; to
learn a key's scopes it asks the service to cancel an order and to stop an execution that do not exist.

Exits with 1 if anything is bad. Run it on the bot's host, as the bot's user, with the bot's environment.

Examples:
  trimtab doctor live.yaml
  trimtab doctor live.yaml --fix
  trimtab doctor live.yaml --json | jq '.[] | select(.state != "well")'
`;

interface Flags extends ControlledBotFlags {
  json?: boolean;
  fix?: boolean;
}

/** `trimtab doctor`: examines a bot, its host and its account; a remedy for each finding. */
export function createDoctorCommand(): Command {
  return new Command('doctor')
    .description('examine a bot, its host and its account; a remedy for each finding')
    .argument('<config>', "the bot's YAML")
    .option('--fix', 'mend what can be mended here: modes, folders, what a dead process left')
    .option('--json', 'an array of findings: check, state (well, note, bad), text, remedy')
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(doctor);
}

async function doctor(path: string, flags: Flags): Promise<void> {
  const { journal } = flags;
  const overrides = journal === undefined ? {} : { journal };
  const loaded = await loadConfig(path, { allowLive: true, overrides });
  if (!loaded.ok) {
    // The rest of the examination needs a configuration; its faults are findings all the same.
    if (flags.json !== true) throw configFailure(loaded.faults);
    const findings = loaded.faults.map((fault) => ({
      check: 'configuration',
      state: 'bad',
      text: formatFault(fault),
      remedy: fault.remedy,
    }));
    await say(`${JSON.stringify(findings, null, 2)}\n`);
    process.exitCode = 1;
    return;
  }
  const env = createLiveEnv();
  const found = await examine(loaded, env);
  const done = flags.fix === true ? found.map(mend) : found;
  await say(flags.json === true ? toJson(done) : toTable(loaded.config.name, done));
  if (done.some(({ state }) => state === 'bad')) process.exitCode = 1;
}

async function examine(loaded: LoadedConfig, env: Env): Promise<Finding[]> {
  const { config } = loaded;
  const now = env.clock.wallNow();
  const read = <T>(use: (reader: JournalReader) => Promise<T>): Promise<T> =>
    readJournalOf(config, use);
  const strategies = await loadStrategies(loaded);
  const findings: Finding[] = [
    { check: 'configuration', state: 'well', text: `${config.file}, ${config.link.kind}` },
    strategies.ok
      ? { check: 'plugins', state: 'well', text: `${strategies.value.length} loaded` }
      : { check: 'plugins', state: 'bad', text: strategies.failure.message, remedy: PLUGIN },
    ...examinePlaces({ config, now, isAlive }),
    ...(await examineJournal({ config, now, read })),
  ];
  if (config.link.kind === 'paper') return findings;
  const spoken = await loadDialect(config);
  if (!spoken.ok)
    return [
      ...findings,
      { check: 'dialect', state: 'bad', text: spoken.failure.message, remedy: '' },
    ];
  const { baseUrl, wsUrl } = config.link;
  const dialect = spoken.value;
  const connectWith = async <T>(
    { keyId, secret }: ApiKey,
    use: (service: ReturnType<typeof connectService>) => Promise<T>,
  ): Promise<T> => {
    const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
    const service = connectService(address, { env, dialect });
    try {
      return await use(service);
    } finally {
      await service.http.close();
    }
  };
  const found = await connectWith(config.link, ({ client, socket, clockOffset }) =>
    examineService({
      config,
      environment: processEnvironment,
      withKey: (key, use) => connectWith(key, (service) => use(service.client)),
      client,
      socket,
      clockOffset,
      dialect,
      now,
      read,
    }),
  );
  return [...findings, ...found];
}

const PLUGIN = 'Correct the plugin or its parameters; trimtab check shows the place.';

/** What was mended is well from now on. */
function mend(finding: Finding): Finding {
  if (finding.fix === undefined) return finding;
  try {
    return { check: finding.check, state: 'well', text: finding.fix() };
  } catch (error) {
    return { ...finding, text: `${finding.text}; it could not be mended: ${reasonOf(error)}` };
  }
}

function toJson(findings: readonly Finding[]): string {
  const rows = findings.map(({ check, state, text, remedy }) => ({
    check,
    state,
    text,
    ...(remedy === undefined ? {} : { remedy }),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

const SIGN: Readonly<Record<Finding['state'], string>> = { well: 'ok', note: 'note', bad: 'BAD' };

function toTable(name: string, findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ check, state, text, remedy }) => {
    const [first = '', ...more] = text.split('\n');
    return [
      [SIGN[state], check, first],
      ...more.map((line) => ['', '', line]),
      ...(remedy === undefined || remedy === '' ? [] : [['', '', `→ ${remedy}`]]),
    ];
  });
  const count = (state: Finding['state']): number =>
    findings.filter((finding) => finding.state === state).length;
  const table = formatColumns([['', 'check', 'what was found'], ...rows], ['left', 'left', 'left']);
  return `${table}\n\n${name}: ${count('bad')} bad, ${count('note')} to note, ${count('well')} well.\n`;
}
