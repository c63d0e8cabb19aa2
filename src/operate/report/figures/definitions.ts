import { activityDefinitions } from './activityDefinitions.ts';
import { benchmarkDefinitions } from './benchmarkDefinitions.ts';
import { drawdownDefinitions } from './drawdownDefinitions.ts';
import type { FigureDefinition, FigureGroup } from './Figure.ts';
import { returnDefinitions } from './returnDefinitions.ts';
import { riskDefinitions } from './riskDefinitions.ts';
import { tradeDefinitions } from './tradeDefinitions.ts';

/** Every figure of a report, by its group, in the order in which it is shown. */
export const definitions: Readonly<Record<FigureGroup, readonly FigureDefinition[]>> = {
  returns: returnDefinitions,
  risk: riskDefinitions,
  drawdown: drawdownDefinitions,
  benchmark: benchmarkDefinitions,
  trades: tradeDefinitions,
  activity: activityDefinitions,
};
