import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import {
  convertToFirst,
  copySqlite,
  createMemoryStore,
  createPassingStore,
  createSqliteReader,
  createSqliteStore,
  formatOf,
  lockWriter,
  readSurviving,
  readUpgrades,
  type JournalStore,
} from '../../src/journal/index.ts';
import { toFirstFormat } from '../journal/formerFormat.ts';
import { answerLine, laterLine } from './answerLine.ts';
import { createJournalWalk, readJournal, readStore } from './drawJournal.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const WALKS = 14;
const LIVES = 3;
const STEPS = 45;

/** What differs from machine to machine, or from run to run: the folder, the process and the time of its writing. */
const cleanerOf =
  (folder: string) =>
  (line: string): string =>
    line
      .replaceAll(folder, 'FOLDER')
      .replaceAll(/pid \d+, since [-\dT:.]+Z/g, 'pid PID, since TIME')
      .replaceAll(/\\"(pid|since|time)\\":\d+/g, '\\"$1\\":0')
      .replaceAll(/"time":1[789]\d{11}/g, '"time":0')
      .replaceAll(/trimtab \d[^)]*\)/g, 'trimtab VERSION)')
      .replaceAll(/(\\?"version\\?":\\?")[^"\\]*/g, '$1VERSION');

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-recorded-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function recordWalk(seed: string, open: () => JournalStore): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>();
  let section: string[] = [];
  const { walk } = createJournalWalk(createRandom(seed), (line) => section.push(line));
  for (let life = 1; life <= LIVES; life++) {
    lines.set(`life ${life}`, (section = []));
    const store = open();
    await readStore(store, (line) => section.push(line));
    await walk(store, STEPS);
    section.push(`closes: ${await laterLine(() => store.close())}`);
  }
  return lines;
}

// What a store answers to whatever is written, over restarts, and what an operator reads of it.
test('a drawn journal says what it said before', async () => {
  const folder = createFolder();
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < WALKS; seed++) {
    const memory = [createMemoryStore(), createPassingStore()][seed % 2]!;
    outcomes.set(`memory ${seed}`, await recordWalk(`journal ${seed}`, () => memory));
    const path = join(folder, `${seed}.sqlite`);
    const open = () => createSqliteStore(path, seed % 4 === 0 ? 'power' : 'process');
    const outcome = await recordWalk(`journal ${seed}`, open);
    const read: string[] = [];
    const reader = createSqliteReader(path);
    await readJournal(reader, (line) => read.push(line));
    await reader.close();
    outcomes.set(`file ${seed}`, outcome.set('read', read));
  }
  await expectRecorded('journals', outcomes);
}, 120_000);

type Damage = (path: string, db: (text: string) => void) => void;

const damageRow =
  (text: string): Damage =>
  (_path, run) =>
    run(text);

/** What an accident, or somebody, does to the file of a journal. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  none: () => {},
  'an intent': damageRow(
    "UPDATE intents SET intent = 'x' WHERE id = (SELECT max(id) FROM intents)",
  ),
  'an open intent': damageRow("UPDATE intents SET wallet = 'x' WHERE final = 0"),
  'a final intent': damageRow("UPDATE intents SET kind = 'x' WHERE final = 1"),
  'a decision': damageRow("UPDATE intents SET decision_key = 'x' || id"),
  'a step': damageRow("UPDATE entries SET data = 'x' WHERE seq = (SELECT max(seq) FROM entries)"),
  'all steps': damageRow('UPDATE entries SET wall_time = wall_time + 1'),
  'a latch': damageRow("UPDATE latches SET value = 'x' WHERE seq = (SELECT max(seq) FROM latches)"),
  'all latches': damageRow("UPDATE latches SET reason = 'x'"),
  'a fact': damageRow("UPDATE meta SET value = 'x' WHERE key = 'account'"),
  'a strategy’s state': damageRow("UPDATE strategy_states SET state = 'x'"),
  'steps without intents': damageRow('DELETE FROM intents WHERE id % 2 = 0'),
  'open intents without steps': damageRow(
    'DELETE FROM entries WHERE key IN (SELECT key FROM intents WHERE final = 0)',
  ),
  'a step in between is lost': damageRow(
    "DELETE FROM entries WHERE state = 'emitted' AND key IN (SELECT key FROM intents WHERE final = 0)",
  ),
  'the last step is lost': damageRow(
    'DELETE FROM entries WHERE seq IN (SELECT max(seq) FROM entries WHERE key IN (SELECT key FROM intents WHERE final = 0) GROUP BY key)',
  ),
  'latches are gone': damageRow('DROP TABLE latches'),
  'entries are gone': damageRow('DROP TABLE entries'),
  'retired keys are gone': damageRow('DROP TABLE retired'),
  'a later version': damageRow('PRAGMA user_version = 7'),
  'another program’s mark': damageRow('PRAGMA application_id = 12345'),
  'the writer left it open': damageRow(
    `UPDATE meta SET value = '{"pid":1,"since":1,"open":true}' WHERE key = 'writer'`,
  ),
  'the writer’s row is no JSON': damageRow("UPDATE meta SET value = '{' WHERE key = 'writer'"),
  'an empty file': (path) => truncateSync(path, 0),
  'half a page': (path) => truncateSync(path, 2_000),
  'no database': (path) => writeFileSync(path, 'A text, which is no database at all.'.repeat(20)),
  'another program’s database': (path) => {
    rmSync(path);
    const db = new DatabaseSync(path);
    db.exec('CREATE TABLE songs (name TEXT)');
    db.close();
  },
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'no file': (path) => rmSync(path),
  'a log without its file': (path) => {
    rmSync(path);
    writeFileSync(`${path}-wal`, 'log');
  },
  'a link to nothing': (path) => {
    rmSync(path);
    symlinkSync(`${path}.elsewhere`, path);
  },
  'another name': (path) => renameSync(path, path.replace('.sqlite', 's.sqlite')),
};

// What a start, a reader, a verification, a copy, a restoration and a downgrade say of a journal that is not what it was.
test('each kind of damage is told as before', async () => {
  const folder = createFolder();
  const clean = cleanerOf(folder);
  const origin = join(folder, 'origin.sqlite');
  const whole = createSqliteStore(origin, 'process');
  await createJournalWalk(createRandom('damaged'), () => {}).walk(whole, 60);
  await whole.close();
  const outcomes = new Map<string, Outcome>();
  for (const [at, [about, damage]] of Object.entries(DAMAGES).entries()) {
    const place = join(folder, `place${at}`);
    mkdirSync(place);
    const path = join(place, 'bot.sqlite');
    copyFileSync(origin, path);
    const run = (text: string): void => {
      const db = new DatabaseSync(path);
      db.exec(text);
      db.close();
    };
    damage(path, run);
    const read: string[] = [];
    const note = (line: string): void => void read.push(clean(line));
    note(`format: ${answerLine(() => formatOf(path))}`);
    note(`surviving: ${answerLine(() => readSurviving(path, 'k1'))}`);
    const reader = await laterLine(async () => {
      const opened = createSqliteReader(path);
      await readJournal(opened, note);
      await opened.close();
    });
    note(`reader: ${reader}`);
    note(`copy: ${await laterLine(() => copySqlite(path, join(place, 'copy.sqlite')))}`);
    note(`surviving: ${answerLine(() => readSurviving(join(place, 'copy.sqlite'), 'never'))}`);
    note(`first: ${answerLine(() => convertToFirst(path, join(place, 'first.sqlite')))}`);
    const started: string[] = [];
    const start = await laterLine(async () => {
      const store = createSqliteStore(path, 'power');
      await readStore(store, (line) => started.push(clean(line)));
      await store.close();
    });
    started.push(clean(`start: ${start}`));
    outcomes.set(
      about,
      new Map([
        ['read', read],
        ['started', started],
      ]),
    );
  }
  await expectRecorded('damagedJournals', outcomes);
}, 120_000);

// Who may write, what is taken away from a writer, and what a log without a power cut's last append means.
test('writers, upgrades and torn logs are told as before', async () => {
  const folder = createFolder();
  const clean = cleanerOf(folder);
  const outcomes = new Map<string, Outcome>();
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(clean(line));
  const pathOf = (name: string): string => join(folder, `${name}.sqlite`);
  const fill = async (name: string, steps = 40): Promise<string> => {
    const store = createSqliteStore(pathOf(name), 'process');
    await createJournalWalk(createRandom(name), () => {}).walk(store, steps);
    await store.close();
    return pathOf(name);
  };

  for (const ending of ['.sqlite', '.db', '', '.sqlite.old']) {
    const path = `${await fill(`upgraded${ending.length}`)}${ending}`;
    copyFileSync(path.slice(0, path.length - ending.length), path);
    toFirstFormat(path);
    note(
      `first: ${answerLine(() => formatOf(path))} ${answerLine(() => createSqliteReader(path))}`,
    );
    note(`surviving: ${answerLine(() => readSurviving(path, 'k0'))}`);
    const store = createSqliteStore(path);
    note(`upgraded: ${answerLine(() => store.upgraded)}`);
    await readStore(store, note);
    await store.close();
    const reader = createSqliteReader(path);
    await readJournal(reader, note);
    note(
      `upgrades: ${answerLine(() => 0)} ${await laterLine(async () => readUpgrades(await reader.facts()))}`,
    );
    await reader.close();
    // Again in the former format, and its backup is there already.
    toFirstFormat(path);
    const again = createSqliteStore(path);
    note(`again: ${answerLine(() => again.upgraded)}`);
    await again.close();
  }
  outcomes.set('upgrades', new Map([['all', lines.splice(0)]]));

  const owned = await fill('owned');
  const first = createSqliteStore(owned, 'process');
  note(`second: ${answerLine(() => createSqliteStore(owned))}`);
  const link = join(folder, 'link.sqlite');
  symlinkSync(owned, link);
  note(`by a link: ${answerLine(() => lockWriter(link))}`);
  note(`read: ${await laterLine(() => createSqliteReader(link).facts())}`);
  await first.close();
  const unlock = lockWriter(owned);
  note(`locked: ${answerLine(() => createSqliteStore(owned))}`);
  unlock();
  note(`nowhere: ${answerLine(() => createSqliteStore(join(folder, 'none', 'bot.sqlite')))}`);
  note(`nowhere: ${answerLine(() => createSqliteReader(join(folder, 'none', 'bot.sqlite')))}`);
  note(`meant: ${answerLine(() => createSqliteReader(join(folder, 'ownd.sqlite')))}`);
  note(`meant: ${answerLine(() => createSqliteReader(join(folder, 'owned')))}`);
  outcomes.set('writers', new Map([['all', lines.splice(0)]]));

  const takings: Readonly<Record<string, (path: string) => void>> = {
    removed: (path) => rmSync(path),
    moved: (path) => renameSync(path, `${path}.moved`),
    replaced: (path) => {
      renameSync(path, `${path}.moved`);
      copyFileSync(`${path}.moved`, path);
    },
    'without its log': (path) => rmSync(`${path}-wal`),
    'without its lock': (path) => rmSync(`${path}.lock`),
  };
  for (const [about, take] of Object.entries(takings)) {
    const path = await fill(`taken ${about}`, 12);
    const store = createSqliteStore(path, 'process');
    await store.setMeta('x', 'before');
    take(path);
    for (const act of [
      () => store.openIntents(),
      () => store.setMeta('x', 'after'),
      () => store.append({ entries: [] }),
      () => store.meta('x'),
      () => store.close(),
    ])
      note(`${about}: ${await laterLine(act)}`);
  }
  outcomes.set('takings', new Map([['all', lines.splice(0)]]));

  // A copy of a file and its log, as a power cut leaves them: whole, cut at each length, and with a wrong byte.
  const torn = await fill('torn', 6);
  const writing = createSqliteStore(torn, 'power');
  for (let at = 0; at < 6; at++) await writing.setMeta('x', `value ${at}`);
  const [file, log] = [readFileSync(torn), readFileSync(`${torn}-wal`)];
  await writing.close();
  const page = 24 + log.readUInt32BE(8);
  const pages = Math.floor((log.length - 32) / page);
  const shapes: Array<readonly [string, Buffer]> = [['whole', log]];
  for (let cut = 0; cut <= pages; cut++) {
    shapes.push([`${cut} pages`, log.subarray(0, 32 + cut * page)]);
    shapes.push([`${cut} pages and a half`, log.subarray(0, 32 + cut * page + page / 2)]);
    const wrong = Buffer.from(log);
    const offset = 32 + cut * page + 100;
    if (offset < wrong.length) {
      wrong[offset]! ^= 0xff;
      shapes.push([`page ${cut + 1} wrong`, wrong]);
      const stale = Buffer.from(wrong);
      stale[32 + cut * page + 8]! ^= 0xff;
      shapes.push([`page ${cut + 1} of another log`, stale]);
    }
  }
  const noMagic = Buffer.from(log);
  noMagic[0]! ^= 0xff;
  shapes.push(
    ['no log', noMagic],
    ['a header', log.subarray(0, 32)],
    ['less', log.subarray(0, 20)],
  );
  for (const [about, bytes] of shapes) {
    const path = join(folder, 'cut.sqlite');
    for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${path}${ending}`, { force: true });
    writeFileSync(path, file);
    writeFileSync(`${path}-wal`, bytes);
    note(`${about}, surviving: ${answerLine(() => readSurviving(path).facts.get('x'))}`);
    note(
      `${about}: ${answerLine(() => {
        const store = createSqliteStore(path, 'power');
        const found = store.meta('x');
        void store.close();
        return found;
      })}`,
    );
  }
  outcomes.set('torn logs', new Map([['all', lines.splice(0)]]));
  await expectRecorded('journalFiles', outcomes);
}, 120_000);
