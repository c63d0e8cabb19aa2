/** The finding for a cell without a number: with the raw text of the cell if it is known. */
export function noNumber(
  written: ReadonlyMap<string, string> | undefined,
  line: number,
  column: string,
): string {
  const text = written?.get(`${line}:${column}`);
  const what = column === 'timestamp' ? 'is not a time' : 'is not a number';
  if (text === undefined) return `${column} ${what}`;
  return text.trim() === '' ? `${column} is empty` : `${column} ${JSON.stringify(text)} ${what}`;
}
