import { joinModules } from './joinModules.ts';

/** The page's modules, each after those that it imports. */
const MODULES = [
  'format',
  'unpackJson',
  'pageData',
  'theme',
  'charts',
  'drawdownBands',
  'seriesCharts',
  'svg',
  'tables',
  'tiles',
  'cards',
  'selectTab',
  'tabBar',
  'performance',
  'budget',
  'figuresCard',
  'drawdownCard',
  'groupsCard',
  'exposureCard',
  'equityCard',
  'candleChart',
  'candleLayers',
  'candleMarks',
  'candlePlots',
  'markPointer',
  'candleCard',
  'recordCard',
  'shapeCards',
  'profileCard',
  'strategyCards',
  'shadowCards',
  'aboutCard',
  'main',
] as const;

/** The page's own code as one script: a file opened from disk can't import another. */
export function pageScript(): string {
  return joinModules(
    import.meta.url,
    MODULES.map((name) => `./page/${name}`),
  );
}
