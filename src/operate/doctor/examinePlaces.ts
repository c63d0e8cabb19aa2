import { chmodSync, existsSync, statfsSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { makeFolders } from '../../env/index.ts';
import { explainUnwritable } from '../explainUnwritable.ts';
import { controlFilesOfBot, hasEnded, statusOf } from '../control/index.ts';
import { bad, note, well, type Finding } from './Finding.ts';

export interface PlacesOptions {
  config: BotConfig;
  /** Wall time, epoch milliseconds. */
  now: number;
  isAlive(pid: number): boolean;
}

const OTHERS = 0o077;
const GIGABYTE = 2 ** 30;
/** File systems on which SQLite's locks or its log don't work (`statfs`, `f_type`). */
export const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
]);
const PASSING: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs, which ends with the machine'],
  [0x794c7630, "an overlay, as in a container's own layer, which ends with the container"],
]);

/** Files and folders of a bot: modes, space, file system; and what a dead process left. */
export function examinePlaces(options: PlacesOptions): Finding[] {
  const { config } = options;
  const { path, url } = config.journal;
  const isFile = url === undefined && path !== 'memory';
  return [
    ...(isFile ? examineFolder(dirname(path)) : []),
    ...(isFile ? examineModes(config) : []),
    ...(path === 'memory' ? [inMemory(config)] : []),
    ...examinePulse(options),
    ...examineSocket(options),
  ];
}

function inMemory({ link }: BotConfig): Finding {
  const text = 'the journal is in memory, and ends with the process';
  if (link.kind === 'paper') return well('journal', text);
  return bad('journal', text, 'Name a file: journal: ./var/bot.sqlite');
}

function examineFolder(folder: string): Finding[] {
  if (!existsSync(folder)) {
    const finding = note('folder', `${folder} does not exist yet`, 'The bot makes it; or --fix.');
    return [{ ...finding, fix: () => (makeFolders(folder), `made ${folder}`) }];
  }
  const unwritable = explainUnwritable(`${folder}/probe`);
  if (unwritable !== null)
    return [
      bad('folder', `${folder}: ${unwritable}`, 'Give the bot’s user the right to write there.'),
    ];
  const { type, bavail, bsize, blocks } = statfsSync(folder);
  return [
    well('folder', `${folder} can be written`),
    fileSystem(type),
    examineSpace({ bavail, bsize, blocks }),
  ];
}

function fileSystem(type: number): Finding {
  const remote = REMOTE.get(type);
  if (remote !== undefined)
    return bad(
      'file system',
      `the journal is on ${remote}, where SQLite's locks can't be trusted`,
      'Put it on a local disk, or in PostgreSQL (journal.url).',
    );
  const passing = PASSING.get(type);
  if (passing === undefined) return well('file system', 'local');
  return note(
    'file system',
    `the journal is on ${passing}`,
    'Put it on a disk, or mount one there.',
  );
}

/** Room on a disk, as `statfs` has it: a large disk with little left fills as soon as a small one. */
export function examineSpace({
  bavail,
  bsize,
  blocks,
}: {
  bavail: number;
  bsize: number;
  blocks: number;
}): Finding {
  const free = bavail * bsize;
  const share = blocks === 0 ? 1 : bavail / blocks;
  const text = `${(free / GIGABYTE).toFixed(1)} GiB free, ${Math.round(share * 100)} %`;
  const remedy = 'Make room: without it the bot stops when its journal can’t be written.';
  if (free < GIGABYTE / 10) return bad('space', text, remedy);
  return free < GIGABYTE || share < 0.05 ? note('space', text, remedy) : well('space', text);
}

function examineModes(config: BotConfig): Finding[] {
  const { path } = config.journal;
  const files = controlFilesOfBot(config);
  const own = [path, `${path}-wal`, `${path}-shm`, ...Object.values(files ?? {})];
  const open = own.filter((file) => existsSync(file) && (statSync(file).mode & OTHERS) !== 0);
  if (open.length === 0)
    return [well('modes', 'only their owner may read the journal and its files')];
  return open.map((file) => {
    const mode = (statSync(file).mode & 0o777).toString(8);
    return {
      ...bad('modes', `others may read ${file} (its mode is ${mode})`, `chmod 600 ${file}`),
      fix: () => (chmodSync(file, 0o600), `chmod 600 ${file}`),
    };
  });
}

const DOWN =
  'See its log; its next start reconciles what it sent, except for what is unresolved, which needs trimtab settle.';
const DEGRADED =
  'It runs: see its log for each. A start changes nothing of what is unresolved, which needs trimtab settle.';

function examinePulse({ config, now, isAlive }: PlacesOptions): Finding[] {
  const files = controlFilesOfBot(config);
  if (files === null) return [];
  if (config.link.kind === 'paper')
    return [well('process', 'not known: a run on the embedded paper service records no status')];
  const { state, reasons, level, time } = statusOf(files, { now, isAlive });
  if (time === null) return [well('process', 'it has not run yet')];
  const text = reasons.length === 0 ? 'it runs' : reasons.join('; ');
  if (level !== null && level !== 'L0') {
    const what = state === 'down' ? `${text}; it starts at ${level}` : text;
    return [note('process', what, 'Look why, then: trimtab rearm.')];
  }
  // A clean stop is no fault of a bot that does not run.
  if (state === 'well' || reasons.join() === 'it was stopped cleanly')
    return [well('process', text)];
  return [note('process', text, state === 'down' ? DOWN : DEGRADED)];
}

/** A socket that no process serves keeps none from starting, and misleads who looks for one. */
function examineSocket({ config, isAlive }: PlacesOptions): Finding[] {
  const listen = config.operate?.listen ?? undefined;
  if (listen === undefined || !('socket' in listen) || !existsSync(listen.socket)) return [];
  if (!statSync(listen.socket).isSocket()) {
    const remedy = 'Name another path under operate.listen.';
    return [bad('socket', `${listen.socket} is a file that is no socket`, remedy)];
  }
  const files = controlFilesOfBot(config);
  // A bot that hangs still has its socket.
  if (files === null || !hasEnded(files, isAlive)) return [];
  const text = `${listen.socket} is left of a process that is gone`;
  return [
    {
      ...note('socket', text, `rm ${listen.socket}`),
      fix: () => (unlinkSync(listen.socket), `removed ${listen.socket}`),
    },
  ];
}
