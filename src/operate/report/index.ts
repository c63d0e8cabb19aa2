/** A run's figures → one HTML file that opens without a network. */
export { compareRuns, FEWEST_DAYS, renderComparison, type ComparedRun } from './compareRuns.ts';
export { figuresCsv, figuresJson, formatFigures, type TradeGrouping } from './figures/index.ts';
export { renderReport } from './renderReport.ts';
export type * from './ReportData.ts';
export { reportJson } from './reportJson.ts';
export { escapeHtml } from './pageShell.ts';
export { htmlTable, staticPage, type PageCard } from './staticPage.ts';
export { FEWEST_RETURNS, statistics } from './statistics.ts';
export { wholeCourse } from './wholeCourse.ts';
