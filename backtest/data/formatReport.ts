import { timeText } from '../../src/paper/index.ts';
import { basename } from 'node:path';
import type { DataReport } from './checkData.ts';
import { FAULT_KINDS, REMARK_KINDS, type Finding, type FindingKind } from './Finding.ts';

const NAMES: Readonly<Record<FindingKind, string>> = {
  not_a_number: 'not a number',
  impossible: 'impossible bars',
  misaligned: 'misaligned',
  out_of_order: 'out of order',
  duplicate: 'duplicates',
  mixed_intervals: 'mixed intervals',
  gap: 'gaps',
  zero_volume: 'zero volume',
  outlier: 'outliers',
  regime: 'changes of rule',
};

/** The findings of a check, with the first places of each kind; for gaps and runs the longest. */
export function formatReport(report: DataReport, limit: number): string {
  const lines = [headline(report), ...report.notes.map((note) => `  ${note}`)];
  for (const kind of [...FAULT_KINDS, ...REMARK_KINDS]) {
    const found = report.findings.filter((finding) => finding.kind === kind);
    if (found.length === 0) continue;
    const isRate = kind === 'impossible' && report.kind === 'funding';
    const name = isRate ? 'impossible rates' : NAMES[kind];
    lines.push(`  ${name.padEnd(16)} ${summaryOf(kind, found)}`);
    for (const finding of placesOf(found, limit)) {
      const { line, time, detail } = finding;
      lines.push(
        `    line ${count(line).padEnd(9)} ${Number.isFinite(time) ? timeText(time) : '(no time)'}  ${detail}`,
      );
    }
    if (found.length > limit) lines.push(`    … ${count(found.length - limit)} more`);
  }
  if (report.largest_move !== null) {
    lines.push(`  ${'largest move'.padEnd(16)} ${(report.largest_move * 100).toFixed(1)} %`);
  }
  lines.push(report.ok ? '  ok' : '  not ok');
  return `${lines.join('\n')}\n`;
}

type About = Pick<DataReport, 'file' | 'symbol' | 'interval' | 'kind' | 'rows' | 'from' | 'until'>;

export function headline(report: About): string {
  const { file, symbol, interval, kind, rows, from, until } = report;
  const what = [symbol, interval, kind].filter((word) => word !== null).join(' ');
  const when = from === null ? '' : `, ${timeText(from)} → ${timeText(until!)} UTC`;
  return `${basename(file)}: ${what}, ${count(rows)} rows${when}`;
}

function summaryOf(kind: FindingKind, found: readonly Finding[]): string {
  const rows = found.reduce((sum, finding) => sum + finding.rows, 0);
  const longest = found.reduce((most, finding) => Math.max(most, finding.rows), 0);
  const of = count(found.length);
  if (kind === 'gap') return `${of}: ${count(rows)} missing, longest ${count(longest)}`;
  if (kind === 'zero_volume') return `${of}: ${count(rows)} bars, longest ${count(longest)}`;
  return of;
}

function placesOf(found: readonly Finding[], limit: number): Finding[] {
  const longest = found.toSorted((a, b) => b.rows - a.rows).slice(0, limit);
  return longest.toSorted((a, b) => a.line - b.line);
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}
