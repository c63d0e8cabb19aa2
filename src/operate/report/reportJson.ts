import type { ReportData } from './ReportData.ts';

/** A run's figures as JSON for other programs: all that the report shows, columns as arrays. */
export function reportJson(data: ReportData): string {
  const text = JSON.stringify(data, (_name, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
  return `${text}\n`;
}
