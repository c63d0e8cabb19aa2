import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { reasonOf } from '../env/index.ts';
import type { PluginFault } from './PluginFault.ts';
import type { PluginPlace } from './findPlugin.ts';

interface Place {
  line?: number;
  column?: number;
}

/** esbuild puts the place into the message, Node into the stack's first line, a throw into its frames. */
function placeIn(text: string, file: string): Place {
  const escaped = file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = new RegExp(`${escaped}(?:\\?[^:\\s]*)?:(\\d+)(?::(\\d+))?`).exec(text);
  if (match === null) return {};
  const [, line, column] = match;
  return { line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}

const SYNTAX_CODES: ReadonlySet<string> = new Set([
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
]);

function isSyntax(error: Error & { code?: string }): boolean {
  const isTransform =
    error.name === 'TransformError' || error.message.startsWith('Transform failed');
  return error instanceof SyntaxError || isTransform || SYNTAX_CODES.has(error.code ?? '');
}

/** Node calls a wrong name in an import a syntax error, which is misleading for the plugin's author. */
const NO_EXPORT =
  /The requested module '(?<from>.+)' does not provide an export named '(?<name>.+)'/;

/** The part of the message that helps: without paths, counts and code frames. */
function helpfulPart(message: string): string {
  const transform = /ERROR: (.+)/.exec(message)?.[1];
  return (
    transform ??
    message
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ??
    message
  );
}

/** What was thrown while a plugin was imported, as a fault with its place. */
export function faultOfError(thrown: unknown, { file, target }: PluginPlace): PluginFault {
  const error: Error & { code?: string } =
    thrown instanceof Error ? thrown : new Error(reasonOf(thrown));
  const text = `${error.message}\n${error.stack ?? ''}`;
  const place = placeIn(text, target);
  const reason = helpfulPart(error.message);
  const missing = NO_EXPORT.exec(error.message);
  if (missing !== null) {
    const { name, from } = missing.groups as { name: string; from: string };
    const remedy = 'Correct the name in the import.';
    return {
      code: 'TRIMTAB_PLUGIN_NO_SUCH_EXPORT',
      file,
      ...place,
      reason: `It imports ${name}, which ${from} does not export.`,
      remedy,
    };
  }
  if (isSyntax(error)) {
    return {
      code: 'TRIMTAB_PLUGIN_SYNTAX',
      file,
      ...place,
      reason: `It can't be read: ${reason}`,
      remedy: 'Correct the syntax.',
    };
  }
  if (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') {
    const shown = reason.replace(/file:\/\/[^'" ]+/g, (url) => relative('.', fileURLToPath(url)));
    const remedy = remedyFor(reason, target);
    return {
      code: 'TRIMTAB_PLUGIN_IMPORT_MISSING',
      file,
      ...place,
      reason: `One of its imports is missing: ${shown}`,
      remedy,
    };
  }
  if (error.code === 'TRIMTAB_INDICATOR_LIBRARY') {
    const remedy = 'In the folder of the bot, do what it says, and start it again.';
    return { code: error.code, file, ...place, reason, remedy };
  }
  const remedy = 'A plugin may only define at import time; do the work in setup.';
  return {
    code: 'TRIMTAB_PLUGIN_THREW',
    file,
    ...place,
    reason: `It threw while it was imported: ${reason}`,
    remedy,
  };
}

/** One command installs all that a plugin's template imports, as it needs all of them. */
const WITH_TEMPLATE = ['rxjs', 'zod'];

function remedyFor(reason: string, target: string): string {
  const name = /Cannot find (?:package|module) '((?:@[^/']+\/)?[^/.'][^/']*)'/.exec(reason)?.[1];
  if (name === undefined) return 'Install the package, or correct the path in its imports.';
  if (isListed(name, target)) {
    return 'package.json lists it, but it is not installed. In the folder of the bot: npm install.';
  }
  const wanted = WITH_TEMPLATE.includes(name) ? WITH_TEMPLATE.join(' ') : name;
  return `In the folder of the bot: npm install ${wanted}. Or correct the import.`;
}

/** Whether the project of a plugin's file names a package, so that `npm install` brings it. */
function isListed(name: string, target: string): boolean {
  try {
    const file = isAbsolute(target) ? findPackageJSON(pathToFileURL(target)) : undefined;
    if (file === undefined) return false;
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      object | undefined
    >;
    return name in { ...dependencies, ...devDependencies };
  } catch {
    return false;
  }
}
