import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** What a tool of this repository takes: a mode is chosen by its own flag, and has flags beside it. */
export interface ToolFlags<T extends ParseArgsOptionsConfig> {
  options: T;
  /** By the flag that chooses it; `''` is the mode without one. */
  modes: Readonly<Record<string, ReadonlyArray<keyof T & string>>>;
  /** Flags that are a whole number, 1 at least. */
  counts: ReadonlyArray<keyof T & string>;
}

/**
 * The flags of a tool's command line. One that would be passed over is refused, with what it belongs to:
 * whoever gave it believes that it was heeded.
 *
 * @throws Error with a readable message
 */
export function readToolFlags<T extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  { options, modes, counts }: ToolFlags<T>,
) {
  const { values, tokens } = parseArgs({ args: [...argv], options, tokens: true });
  const given = new Set(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
  const chosen = Object.keys(modes).filter((mode) => given.has(mode));
  const [mode = ''] = chosen;
  if (chosen.length > 1) {
    throw new Error(`--${chosen[0]} and --${chosen[1]} are two things to do: give one of them.`);
  }
  const heeded = modes[mode] ?? [];
  for (const name of given) {
    if (name === mode || heeded.includes(name)) continue;
    const places = Object.keys(modes).filter((each) => modes[each]!.includes(name));
    const belongs = places.map((each) => (each === '' ? 'a run without a mode' : `--${each}`));
    const here = mode === '' ? 'here' : `with --${mode}`;
    throw new Error(`--${name} does nothing ${here}: it belongs to ${belongs.join(' or ')}.`);
  }
  const texts: Readonly<Record<string, string | boolean | undefined>> = values;
  for (const name of counts) {
    const text = texts[name];
    if (text === undefined || /^[1-9]\d*$/.test(String(text))) continue;
    throw new Error(`--${name} ${String(text)}: a whole number is expected, 1 at least.`);
  }
  return values;
}

/** Reads them, or ends the process with the sentence. */
export function toolFlags<T extends ParseArgsOptionsConfig>(tool: ToolFlags<T>) {
  try {
    return readToolFlags(process.argv.slice(2), tool);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
