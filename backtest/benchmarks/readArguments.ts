import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchmarkArguments {
  /** Suites to run, all of them if none is named. */
  suites: string[];
  /** Whether suites were named: one that can't run here is a failure then. */
  areNamed: boolean;
  /** Fails where a ratio fell behind. */
  check: boolean;
  /** Records the ratios as those to compare with. */
  record: boolean;
  /** Absolute path of the results' JSON, which can be written. */
  json: string;
}

/**
 * The arguments of `npm run bench`. The file is tried before anything is measured, which may take an hour.
 *
 * @param known names of the suites
 * @param folder of the results without `--json`
 * @throws Error with a readable message
 */
export function readArguments(
  argv: readonly string[],
  known: readonly string[],
  folder: string,
): BenchmarkArguments {
  const { values, positionals } = parse(argv);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No such suite: ${unknown.join(', ')}. There are ${known.join(', ')}.`);
  }
  const areNamed = positionals.length > 0;
  const json = values.json === undefined ? join(folder, 'latest.json') : resolve(values.json);
  requireWritable(json);
  const { check, record } = values;
  return { suites: areNamed ? positionals : [...known], areNamed, check, record, json };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        check: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    // Its first sentence names the option; the others explain how to pass a file of that name.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new Error(`${reason}. There are --check, --record and --json FILE.`, { cause: error });
  }
}

function requireWritable(file: string): void {
  if (existsSync(file) && statSync(file).isDirectory()) {
    throw new Error(`--json ${file}: this is a folder; name a file.`);
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`--json ${file} can't be written: ${reason}`, { cause: error });
  }
}
