/** Every figure of a run, computed of its report's data: definitions, trades by lot, excursions, exposure, benchmark. */
export { definitions } from './definitions.ts';
export type { Figure } from './Figure.ts';
export { figuresCsv } from './figuresCsv.ts';
export { figuresJson } from './figuresJson.ts';
export { formatFigures } from './formatFigures.ts';
export { lots } from './lots.ts';
export type { MeasuredTrade } from './measureTrades.ts';
export {
  reportFigures,
  type ReportFigures,
  type TradeGrouping,
  type TradeGroups,
} from './reportFigures.ts';
