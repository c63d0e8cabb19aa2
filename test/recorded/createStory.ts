import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { personHere } from '../../src/cli/control/personHere.ts';
import { unpackPage } from '../operate/unpackPage.ts';
import { runMain } from '../cli/runMain.ts';
import { root } from '../sourceFiles.ts';
import type { Outcome } from './expectRecorded.ts';

const { version } = createRequire(import.meta.url)(join(root, 'package.json')) as {
  version: string;
};
/** Wall time of all stories: 31 January 2026, 12:00 UTC. */
export const STORY_TIME = Date.UTC(2026, 0, 31, 12);
/** What no two runs have alike, and what stands for it. */
const NOISE: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\d.,]+ bars\/s(?: · [\d.,]+ \w+ left)?/g, 'RATE'],
  [/(?<=\bin )[\d.,]+ (?:ms|s|min)\b/g, 'TIME'],
  // They depend on where the folder is: on the length of its path, or on the path itself.
  [/(?<=config_hash\\?": ?\\?")[0-9a-f]+/g, 'HASH'],
  [/^\{"sum":"[0-9a-f]+"/gm, '{"sum":"SUM"'],
  [/(?<=FOLDER\/[\w.-]+\.yaml:\d+:)\d+/g, 'COLUMN'],
  [/\.\.(?:\/\.\.)*(?=ROOT)/g, ''],
  // What kind of disk it is on.
  [/^\S+ +file system .*\n(?: +→ .*\n)?/gm, ''],
  [/\{[^{}]*"file system"[^{}]*\}/g, 'FILE SYSTEM'],
  [/\d+ bad, \d+ to note, \d+ well/g, 'COUNTS'],
  // A machine that stands still for some seconds loses a socket, and the gate says so; what it decided is the same.
  [/^\{.*"msg":"socket (?:lost|reconnected)[^"]*"\}\n/gm, ''],
  [/^\{.*"reasons":"starting up.*"msg":"Entries are closed"\}\n/gm, ''],
  [/─+/g, '─'],
  [/ {2,}/g, '  '],
];
const BINARY = /\.(?:sqlite|sqlite-(?:wal|shm)|parquet|trimtab|lock|key|pub)$/;

export interface Story {
  folder: string;
  /** Writes a file into the story's folder. @returns its path */
  put(name: string, text: string | Uint8Array): string;
  /**
   * Runs a command line; a part that begins with `@` is a path in the folder.
   *
   * @returns what it said, with its exit code first, and the files that it wrote
   */
  run(...argv: readonly string[]): Promise<Outcome>;
  /** The same text wherever it was made. */
  plain(text: string): string;
  end(): void;
}

/**
 * Command lines, one after the other, in a folder of their own, at a wall time that stands still.
 *
 * @param more what no two runs of these commands have alike, and what stands for it
 */
export function createStory(more: ReadonlyArray<readonly [RegExp, string]> = []): Story {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-story-')));
  vi.useFakeTimers({ toFake: ['Date'], now: STORY_TIME });
  let before = new Map<string, string>();
  const plain = (text: string): string =>
    [...NOISE, ...more].reduce(
      (sum, [pattern, word]) => sum.replaceAll(pattern, word),
      text
        .replaceAll(relative(process.cwd(), folder), 'FOLDER')
        .replaceAll(folder, 'FOLDER')
        .replaceAll(root, 'ROOT')
        .replaceAll(personHere(), 'PERSON')
        .replaceAll(version, 'VERSION'),
    );
  const put = (name: string, text: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    before = filesIn(folder);
    return path;
  };
  return {
    folder,
    put,
    plain,
    async run(...argv) {
      const args = argv.map((part) => part.replace(/(^|=)@/, `$1${folder}/`));
      const { code, out, err } = await runMain(...args);
      const after = filesIn(folder);
      const sections = new Map([
        ['said', plain(`${code}\n${out}`).split('\n')],
        ...(err === '' ? [] : [['errors', plain(err).split('\n')] as const]),
      ]);
      const files = [...after]
        .filter(([name, text]) => before.get(name) !== text)
        .flatMap(([name, text]) => [`--- ${name}`, ...plain(text).split('\n')]);
      const gone = [...before.keys()].filter((name) => !after.has(name));
      if (files.length + gone.length > 0)
        sections.set('files', [...files, ...gone.map((name) => `--- ${name} is gone`)]);
      before = after;
      return sections;
    },
    end() {
      vi.useRealTimers();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text of each file; of what is no text its being there. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
  return new Map(names.map((name) => [name, textOf(join(folder, name))]));
}

function textOf(path: string): string {
  if (BINARY.test(path)) return '';
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 6).toString('latin1') === 'SQLite') return '';
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
  return path.endsWith('.html') ? pageText(text) : text;
}

/** A page without its code and its style, which are no outcome; its data as it reads them. */
function pageText(html: string): string {
  const data = /id="report-data"/.test(html) ? JSON.stringify(unpackPage(html), null, 1) : '';
  return `${html.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, '<$1>')}\n${data}`;
}
