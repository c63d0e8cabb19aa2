import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs';
import { parse } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/index.ts';
import { isPostgresUrl, type JournalReader } from '../journal/index.ts';
import { explainUnreadable } from '../operate/index.ts';
import { accountOf, openJournalReader } from '../operate/journal/index.ts';
import type { RunResult } from '../operate/run/index.ts';
import { serveTravel, type TravelServer } from '../operate/serve/index.ts';
import { travelJournal, travelRecording, type Travel } from '../operate/travel/index.ts';
import { CommandFailure, configFailure, runFailed } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { journalFailure } from './failures/journalFailure.ts';
import { parseInstant } from './options/parseInstant.ts';
import { readPort } from './options/readPort.ts';
import { stopOnSignals } from './process/stopOnSignals.ts';

interface ViewFlags {
  at?: number;
  journal?: string;
  json?: boolean;
  port?: number;
}

const EXAMPLES = `
Examples:
  trimtab view var/seen.jsonl                       every block, as it was at each instant
  trimtab view var/seen.jsonl --journal var/bot.sqlite     with the explanation of each intent
  trimtab view bot.yaml                             the bot's recording and journal, as far as it has them
  trimtab view var/bot.sqlite                       what the journal alone says
  trimtab view var/seen.jsonl --at 2026-01-05T22:30Z --json

A bot writes a recording if its configuration has record: PATH. The page is for this machine alone. Ctrl-C ends it.
`;

/** `trimtab view`: the operator's page of a bot as it was. */
export function createViewCommand(): Command {
  return new Command('view')
    .description("the operator's page of a bot as it was, from its recording or its journal")
    .argument('<past>', "a recording, a journal, or the bot's YAML, which names both")
    .option(
      '--journal <file>',
      "with a recording or a bot's YAML: the journal that explains its intents",
    )
    .option('--at <time>', 'instant to begin with, UTC, such as 2026-01-05T22:30', readInstant)
    .option('--json', 'print the view at that instant, and serve nothing')
    .option('--port <number>', 'port of the page; without it, a free one', readPort)
    .addHelpText('after', EXAMPLES)
    .action((past: string, flags: ViewFlags) => view(past, flags));
}

async function view(past: string, flags: ViewFlags): Promise<void> {
  const { port = 0, json = false } = flags;
  const travel = await openTravel(past, flags.journal);
  try {
    const { from, until } = travel.about;
    const at = Math.min(until, Math.max(from, flags.at ?? until));
    if (json) return void process.stdout.write(`${JSON.stringify(travel.at(at), null, 2)}\n`);
    await serve(travel, { port, at: flags.at === undefined ? undefined : at });
  } finally {
    await travel.close();
  }
}

async function serve(
  travel: Travel,
  { port, at }: { port: number; at: number | undefined },
): Promise<void> {
  const stop = stopOnSignals();
  const server = await listen(travel, port);
  const { name, from, until, changes, isComplete } = travel.about;
  const span = `${instant(from)} to ${instant(until)} UTC`;
  const cut = isComplete ? '' : ' · it ends before its bot did';
  const address = at === undefined ? server.address : `${server.address}#at=${at}`;
  process.stdout.write(
    `${name} · ${span} · ${changes} changes${cut}\n${address} · Ctrl-C ends it\n`,
  );
  await stop.stopped;
  await server.close();
}

async function listen(travel: Travel, port: number): Promise<TravelServer> {
  try {
    return await serveTravel(travel, { env: createCliEnv('warn'), port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use';
    const message = `Port ${port} ${why}.\n  Name another, or leave --port out: it takes a free one then.`;
    throw new CommandFailure('TRIMTAB_PORT_UNAVAILABLE', message, 1, { cause: error });
  }
}

/** What the argument names, by its content and not by its ending. */
async function openTravel(past: string, journal: string | undefined): Promise<Travel> {
  if (isPostgresUrl(past) || asReadable(past, () => isDatabase(past))) {
    if (journal !== undefined) {
      const message = `${past} is a journal itself.\n  --journal goes with a recording.`;
      throw new CommandFailure('TRIMTAB_USAGE', message);
    }
    return opened(
      await travelJournal(await reader(past), { path: shown(past), name: nameOf(past) }),
    );
  }
  if (/\.ya?ml$/i.test(past)) return openBot(past, journal);
  const explains = journal === undefined ? undefined : await reader(journal);
  return opened(travelRecording(past, explains), explains);
}

async function openBot(path: string, journal: string | undefined): Promise<Travel> {
  const loaded = await loadConfig(path, { allowLive: true, withKey: false });
  if (!loaded.ok) throw configFailure(loaded.faults);
  const { config } = loaded;
  const { path: file, url } = config.journal;
  const account = accountOf(config);
  const place = journal ?? url?.reveal() ?? file;
  // A journal that the user names has to be there; that of the configuration may not be there yet.
  const isThere = journal !== undefined || isPostgresUrl(place) || existsSync(place);
  const hasJournal = place !== 'memory' && isThere;
  const explains = hasJournal ? await reader(place, account) : undefined;
  if (config.record !== null && existsSync(config.record))
    return opened(travelRecording(config.record, explains), explains);
  if (explains !== undefined)
    return opened(
      await travelJournal(explains, {
        path: journal === undefined ? file : shown(journal),
        name: config.name,
        kind: config.link.kind,
      }),
      explains,
    );
  const message =
    `${path}: neither its recording nor its journal is there.\n` +
    '  Run the bot first, with record: PATH in its configuration.';
  throw new CommandFailure('TRIMTAB_JOURNAL_UNREADABLE', message);
}

async function reader(place: string, account?: string): Promise<JournalReader> {
  try {
    return await openJournalReader({ place, ...(account === undefined ? {} : { account }) });
  } catch (error) {
    return journalFailure(error);
  }
}

function opened(travel: RunResult<Travel>, journal?: JournalReader): Travel {
  if (travel.ok) return travel.value;
  void journal?.close();
  throw runFailed(travel.failure);
}

/** A database's address may hold a password. */
const shown = (place: string): string => (isPostgresUrl(place) ? withoutPassword(place) : place);
const nameOf = (place: string): string =>
  isPostgresUrl(place) ? withoutPassword(place) : parse(place).name;

function withoutPassword(address: string): string {
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

const SQLITE = 'SQLite format 3';
const ANOTHER = "Name the recording or the journal, or the bot's YAML.";
const ONE_IN_IT = "Name the recording or the journal in it, or the bot's YAML.";

/** @throws CommandFailure for what the system does not let it look at */
function asReadable<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const why = explainUnreadable(error, path, ANOTHER);
    throw new CommandFailure('TRIMTAB_JOURNAL_UNREADABLE', `${path} can't be read: ${why}`, 1, {
      cause: error,
    });
  }
}

/** @throws CommandFailure for a folder */
function isDatabase(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    throw new CommandFailure('TRIMTAB_JOURNAL_UNREADABLE', `${path} is a folder.\n  ${ONE_IN_IT}`);
  // Nothing shows what it was to be, but its name.
  if (found === undefined || found.size === 0) return /\.(sqlite|db)$/i.test(path);
  if (!found.isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SQLITE.length);
    readSync(file, head, 0, SQLITE.length, 0);
    return head.toString('latin1') === SQLITE;
  } finally {
    closeSync(file);
  }
}

const instant = (time: number): string =>
  new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Without a zone it is UTC. */
function readInstant(text: string): number {
  const time = parseInstant(text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('It is a time, such as 2026-01-05T22:30 (UTC).');
}
