/**
 * Market data in users' files: bytes → container (gzip, zip) → format → rows with their places →
 * validated, joined, resampled → a cache file; or counted, fault by fault.
 */
export { checkData, OUTLIER, type DataReport } from './checkData.ts';
export { FORMAT_NAMES, type FormatName } from './formats.ts';
export { formatReport } from './formatReport.ts';
export { importData, type ImportOptions } from './importData.ts';
export { readCloses } from './readCloses.ts';
export { formatData, showData } from './showData.ts';
export { seriesToCsv } from './seriesToCsv.ts';
