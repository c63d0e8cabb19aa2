import { dirname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stackPaths } from '../../strategy/stackPaths.ts';

/** The place in the plugin's file to which a stack points: `line:column`. */
export function placeIn(file: string, stack: string | undefined): string | undefined {
  const names = isAbsolute(file) ? stackPaths(file, dirname(file)) : [file];
  const frame = stack?.split('\n').find((line) => names.some((name) => line.includes(name)));
  const position = frame === undefined ? null : /:(\d+):(\d+)\)?$/.exec(frame.trim());
  return position === null ? undefined : `${position[1]}:${position[2]}`;
}

/** This package's own code: everything beside the folder of this file's station. */
const OWN = new URL('../../../', import.meta.url).href;
const NOT_A_PLUGINS = /[/\\]node_modules[/\\]rxjs[/\\]|\bnode:|<anonymous>/;

/**
 * The place of a fault as `file:line:column`, by its stack.
 *
 * @param use what the configuration calls the plugin: a path, a package, or the name of one of the program's own,
 *   which has no file but the one in the stack
 */
export function placeOfFault(use: string, stack: string | undefined): string | undefined {
  if (isAbsolute(use) || /[/\\.]/.test(use)) {
    const place = placeIn(use, stack);
    return place === undefined ? undefined : `${use}:${place}`;
  }
  return placeOfPlugin(stack);
}

/** The place of the nearest frame that is none of this package's, as `file:line:column`. */
export function placeOfPlugin(stack: string | undefined): string | undefined {
  const frame = stack?.split('\n').find((line) => /^\s+at /.test(line) && isOfProgram(line));
  const found = /(?:\(|at (?:async )?)((?:file:\/\/)?\/.+):(\d+):(\d+)\)?$/.exec(
    frame?.trim() ?? '',
  );
  if (found === null) return undefined;
  const [, file = '', line, column] = found;
  const plain = file.replace(/\?.*$/, '');
  return `${plain.startsWith('file:') ? fileURLToPath(plain) : plain}:${line}:${column}`;
}

/** Whether the first frame of a stack is this package's own. */
export function isOwnCall(stack: string): boolean {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line));
  return frame !== undefined && isOwn(frame);
}

const isOfProgram = (frame: string): boolean => !NOT_A_PLUGINS.test(frame) && !isOwn(frame);

function isOwn(frame: string): boolean {
  const own = [OWN, fileURLToPath(OWN)];
  return own.some((root) =>
    ['src/', 'backtest/', 'dist/'].some((part) => frame.includes(root + part)),
  );
}
