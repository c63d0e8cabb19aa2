import { visibleText } from '../visibleText.ts';

/** Alignment of a column: words left, numbers right. */
export type Align = 'left' | 'right';

const GAP = '  ';

/** Rows of cells as aligned text; the first row is the header, with a line under it. */
export function formatColumns(
  cells: readonly (readonly string[])[],
  align: readonly Align[],
): string {
  const rows = cells.map((row) => row.map(visibleText));
  const widths = align.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  );
  const lines = rows.map((row) =>
    align
      .map((side, column) => pad(row[column] ?? '', widths[column]!, side))
      .join(GAP)
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join(GAP);
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function pad(text: string, width: number, side: Align): string {
  return side === 'left' ? text.padEnd(width) : text.padStart(width);
}
