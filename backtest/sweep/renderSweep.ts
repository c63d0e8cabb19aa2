import {
  escapeHtml,
  htmlTable,
  staticPage,
  type PageCard,
} from '../../src/operate/report/index.ts';
import { RATIO_CONVENTION } from '../../src/statistics/index.ts';
import { bestTable, LEGEND, windowTable, type SweepTable } from './formatSweep.ts';
import { heatmapOf, heatmapSvg } from './heatmapSvg.ts';
import type { EvaluatedSweep } from './evaluateSweep.ts';
import type { SweepPlan } from './SweepPlan.ts';
import { describeUnsteady } from './unsteadyPoints.ts';

/** Number of best points on a page. */
export const POINTS_OF_PAGE = 50;

export interface SweepAbout {
  name: string;
  /** Sentences that apply to every point. */
  assumptions: readonly string[];
}

/** A sweep as one HTML page: heatmap, best points with their robustness, or the walk-forward. */
export function renderSweep(
  plan: SweepPlan,
  outcome: EvaluatedSweep,
  { name, assumptions }: SweepAbout,
): string {
  const cards = plan.walk === null ? gridCards(plan, outcome) : [windowCard(plan, outcome)];
  const warning = describeUnsteady(plan, outcome.unsteady);
  if (warning !== null) {
    cards.unshift({ title: 'Warning', body: notesOf([warning]) });
  }
  if (assumptions.length > 0) cards.push({ title: 'Assumptions', body: notesOf(assumptions) });
  const ranges = plan.params.map(({ name: param, values }) => `${param} ${values.length}`);
  const sub = `${outcome.jobs.length} backtests · ${ranges.join(' × ')} · best by ${outcome.points[0]?.rankedBy ?? plan.objective}`;
  return staticPage({ title: `Sweep of ${name}`, sub, cards });
}

function gridCards(plan: SweepPlan, outcome: EvaluatedSweep): PageCard[] {
  const map = heatmapOf(plan, outcome.points);
  const best = tableCard('Best points', bestTable(plan, outcome, POINTS_OF_PAGE), LEGEND);
  if (map === null) return [best];
  const { x, y } = map;
  const rest = plan.params.length > 2 ? '; of the other parameters, the best' : '';
  const ranked = outcome.points[0]?.rankedBy ?? plan.objective;
  const title = `${ranked} over ${x.name} and ${y.name}${rest}`;
  return [{ title, body: heatmapSvg(map, ranked) }, best];
}

function windowCard(plan: SweepPlan, outcome: EvaluatedSweep): PageCard {
  return tableCard('Walk-forward', windowTable(plan, outcome), `Ratios: ${RATIO_CONVENTION}.`);
}

function tableCard(title: string, { head, rows, verdict }: SweepTable, legend: string): PageCard {
  const notes = [verdict, ...legend.split('\n')].filter((line) => line !== '');
  return { title, body: `${htmlTable(head, rows)}${notesOf(notes)}` };
}

const notesOf = (lines: readonly string[]): string =>
  lines.map((line) => `<p class="note">${escapeHtml(line)}</p>`).join('');
