/** Every figure of a run, computed of its report's data: definitions, trades by lot, excursions, exposure, benchmark. */
export { definitions } from './definitions.ts';
export { FIGURE_GROUPS, type Figure, type FigureGroup, type FigureUnit } from './Figure.ts';
export { figuresCsv } from './figuresCsv.ts';
export { figuresJson, type NamedRun } from './figuresJson.ts';
export { formatFigures } from './formatFigures.ts';
export { lots } from './lots.ts';
export type { MeasuredTrade } from './measureTrades.ts';
export {
  reportFigures,
  type ReportFigures,
  type TradeGrouping,
  type TradeGroups,
} from './reportFigures.ts';
export type { TradeGroup } from './breakdown.ts';
