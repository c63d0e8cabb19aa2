/**
 * The path that a function reads of its argument and returns, as `['fast']` of `({ fast }) => fast`, or
 * `['bands', 'upper']` of `(row) => row.bands.upper`. Undefined if its source text has anything else: only of such a
 * function is it certain that nothing but the path decides its result.
 */
export function readerPath(read: (value: never) => unknown): readonly string[] | undefined {
  return parse(Function.prototype.toString.call(read));
}

const NAME = '[A-Za-z_$][\\w$]*';
const MEMBERS = `((?:\\.${NAME})*)`;
/** `(row) => row.a.b`, with or without parentheses. */
const OF_ARGUMENT = new RegExp(`^\\(?\\s*(${NAME})\\s*\\)?\\s*=>\\s*\\(?\\1${MEMBERS}\\)?;?$`, 'u');
/** `({ a }) => a.b`, also under another name: `({ a: one }) => one.b`. */
const OF_FIELD = new RegExp(
  `^\\(\\{\\s*(${NAME})\\s*(?::\\s*(${NAME})\\s*)?,?\\s*\\}\\s*\\)\\s*=>\\s*\\(?(${NAME})${MEMBERS}\\)?;?$`,
  'u',
);

function parse(source: string): readonly string[] | undefined {
  const text = source.trim();
  const ofArgument = OF_ARGUMENT.exec(text);
  if (ofArgument !== null) return members(ofArgument[2]!);
  const ofField = OF_FIELD.exec(text);
  if (ofField === null) return undefined;
  const [, field, alias = field, read, rest] = ofField;
  return read === alias ? [field!, ...members(rest!)] : undefined;
}

const members = (text: string): string[] => text.split('.').filter((name) => name !== '');
