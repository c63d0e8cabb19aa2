import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { read, root } from '../sourceFiles.ts';

const SKIPPED = /(^|\/)(node_modules|\.vitepress|api)\//;

/** Every page written by hand: the root's and those of `docs/`, as paths from the root. */
export function pages(): string[] {
  const inRoot = readdirSync(root).filter((file) => file.endsWith('.md'));
  const below = readdirSync(posix.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !SKIPPED.test(file));
  return [...inRoot, ...below].sort();
}

/** A code block of a page, with the comment before it. */
export interface Block {
  language: string;
  text: string;
  /** `save: bot.yaml` of `<!-- save: bot.yaml -->`; empty if there is none. */
  note: string;
}

export function blocksOf(page: string): Block[] {
  const pattern = /(?:<!-- ((?:(?!-->)[\s\S])*?) -->\s+)?^```(\w+)\n([\s\S]*?)^```$/gm;
  return [...read(page).matchAll(pattern)].map(([, note = '', language, text]) => ({
    language: language!,
    text: text!,
    note,
  }));
}

/** A page without its code blocks. */
export const proseOf = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page's headings, as hosts of code and VitePress make them. */
export function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text!);
  return new Set(headings.map(anchorOf));
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
