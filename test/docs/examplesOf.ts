import { read, sourceFiles } from '../sourceFiles.ts';

/** An example in the comment of a public name. */
export interface Example {
  name: string;
  /** The file that declares the name, as a path from the root. */
  file: string;
  code: string;
}

const DECLARED =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:declare )?(?:async )?(?:function|const|class) (\w+)/g;

/** Every example of the sources, by the name that it is of. */
export function examplesOf(): readonly Example[] {
  return [...sourceFiles('src'), ...sourceFiles('backtest')].flatMap((file) =>
    [...read(file).matchAll(DECLARED)].flatMap(([, comment, name]) =>
      codeOf(comment!).map((code) => ({ name: name!, file, code })),
    ),
  );
}

function codeOf(comment: string): string[] {
  const text = comment.replaceAll(/^ *\* ?/gm, '');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!.trimEnd());
}

/** What an example may use without saying where it comes from, by the module that it is imported from. */
type Sources = Readonly<Record<string, readonly string[]>>;

/**
 * An example as a module: `example(ctx)` runs it and returns its last value. A line `EXPRESSION; // => VALUE` is
 * checked. One that declares a plugin exports it instead.
 */
export function toModule({ code }: Example, sources: Sources): string {
  const taken = new Set([...code.matchAll(/^\s*const (\w+)/gm)].map(([, name]) => name));
  const imports = Object.entries(sources).flatMap(([from, names]) => {
    const used = names.filter((name) => !taken.has(name) && new RegExp(`\\b${name}\\b`).test(code));
    for (const name of used) taken.add(name);
    return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${from}';`];
  });
  if (code.includes('export default')) return [...imports, code, ''].join('\n');
  return [
    ...imports,
    "import type { StrategyContext } from 'trimtab';",
    'type Check = (actual: unknown, expected: unknown) => void;',
    `export ${code.includes('await ') ? 'async ' : ''}function example(ctx: StrategyContext, check: Check) {`,
    withValue(code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);')),
    '}',
    '',
  ].join('\n');
}

/** The last statement, if it is an expression, is what the example returns. */
function withValue(code: string): string {
  const lines = code.split('\n');
  const last = lines.findLastIndex((line) => /^\w/.test(line));
  if (/^(const|let|return|try|for|if|check)\b/.test(lines[last]!)) return code;
  return lines.with(last, `return ${lines[last]}`).join('\n');
}
