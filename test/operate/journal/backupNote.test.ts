import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBackupNote, writeBackupNote } from '../../../src/operate/journal/backupNote.ts';

test('a backup that was made through a link to the journal is known beside its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-note-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, link] = [join(folder, 'bot.sqlite'), join(folder, 'link.sqlite')];
  symlinkSync(path, link);
  const made = { time: 1, file: '/backups/one.sqlite' };
  writeBackupNote(link, made);
  expect([readBackupNote(path), readBackupNote(link)]).toEqual([made, made]);
});

test('a note that can’t be written leaves the one before, and the backup is none the worse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-note-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const first = { time: 1, file: '/backups/one.sqlite' };
  writeBackupNote(path, first);
  mkdirSync(`${path}.backup.json.new`);
  writeBackupNote(path, { time: 2, file: '/backups/two.sqlite' });
  expect(readBackupNote(path)).toEqual(first);
});
