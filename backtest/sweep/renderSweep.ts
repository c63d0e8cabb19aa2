import {
  escapeHtml,
  htmlTable,
  staticPage,
  type PageCard,
} from '../../src/operate/report/index.ts';
import { RATIO_CONVENTION } from '../../src/statistics/index.ts';
import { bestTable, LEGEND, windowTable, type SweepTable } from './formatSweep.ts';
import type { EvaluatedSweep } from './evaluateSweep.ts';
import { heatmapsOf, heatmapTable, varying, type PagePoint } from './page/heatmaps.ts';
import { logitsSvg } from './page/logitsSvg.ts';
import { describeOutOfSample, outOfSampleSvg, stitchTests } from './page/outOfSample.ts';
import { parallelSvg } from './page/parallelSvg.ts';
import { pointCards, type PointCards } from './page/pointCards.ts';
import { sweepStyles } from './page/sweepStyles.ts';
import { isRun, type PointFigures } from './PointResult.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';
import { describeUnsteady } from './unsteadyPoints.ts';

/** Number of best points on a page. */
export const POINTS_OF_PAGE = 50;

export interface SweepAbout {
  name: string;
  /** Path of the configuration for the commands that repeat a point. */
  config: string;
  /** Reports that were written with the sweep, by index of the point: addresses from the page. */
  reports?: ReadonlyMap<number, string>;
  /** Sentences that apply to every point. */
  assumptions: readonly string[];
}

/**
 * A sweep as one HTML page without scripts: heatmaps, parallel coordinates, best points with their robustness, or the
 * walk-forward; each point leads to the command that makes its report.
 */
export function renderSweep(
  plan: SweepPlan,
  outcome: EvaluatedSweep,
  { name, config, assumptions, reports = new Map() }: SweepAbout,
): string {
  const source = { plan, results: outcome.results, config, reports };
  const cards =
    plan.walk === null
      ? gridCards(plan, outcome, (jobs) => pointCards(source, jobs))
      : walkCards(plan, outcome, (jobs) => pointCards(source, jobs));
  const warning = describeUnsteady(plan, outcome.unsteady);
  if (warning !== null) cards.unshift({ title: 'Warning', body: notesOf([warning]) });
  if (assumptions.length > 0) cards.push({ title: 'Assumptions', body: notesOf(assumptions) });
  const ranges = plan.params.map(({ name: param, values }) => `${param} ${values.length}`);
  const backtests = outcome.jobs.length + outcome.tests.length;
  const sub = `${backtests} backtests · ${ranges.join(' × ')} · best by ${outcome.ranking.rankedBy}`;
  return staticPage({ title: `Sweep of ${name}`, sub, cards, styles: sweepStyles });
}

type CardsOf = (jobs: readonly SweepJob[]) => PointCards;

const choose = (what: string): string =>
  `Choose ${what} to see the point, and the command that makes its report.`;

function gridCards(plan: SweepPlan, outcome: EvaluatedSweep, cardsOf: CardsOf): PageCard[] {
  const { jobs, ranking, best, overfitting } = outcome;
  const ranked = ranking.rankedBy;
  const maps = heatmapsOf(plan, pagePoints(outcome));
  const inCells = maps.flatMap(({ cells }) => cells.flat()).flatMap((point) => point?.job ?? []);
  const opened = cardsOf([...best.slice(0, POINTS_OF_PAGE).map(({ job }) => job), ...inCells]);
  const linkOf = (job: SweepJob): string | undefined => opened.linkOf(job);
  const look = { ranked, linkOf, figuresOf: (job: SweepJob) => figuresOf(outcome, job) };
  const isMany = varying(plan).length > 2;
  const rest = isMany ? '; of the other parameters, the best' : '';
  const links = best.map(({ job }) => opened.linkOf(job));
  return [
    ...maps.map((map) => ({
      title: `${ranked} over ${map.x.name} and ${map.y.name}${rest}`,
      body: heatmapTable(map, look),
    })),
    ...(isMany
      ? [
          {
            title: `${ranked} over every parameter`,
            body: parallelSvg(plan, { jobs, ranking }, look),
          },
        ]
      : []),
    { title: 'A point', body: `${notesOf([choose('a cell, a line or a row')])}${opened.html}` },
    tableCard('Best points', { ...bestTable(plan, outcome, POINTS_OF_PAGE), links }, LEGEND),
    ...(overfitting === null
      ? []
      : [
          {
            title: 'Probability of overfitting',
            body: `${logitsSvg(overfitting)}${notesOf([LOGITS])}`,
          },
        ]),
  ];
}

function* pagePoints({ jobs, ranking }: EvaluatedSweep): Generator<PagePoint> {
  for (const { index, objective } of ranking) yield { job: jobs.at(index), objective };
}

function figuresOf({ results }: EvaluatedSweep, { index }: SweepJob): PointFigures {
  const result = results.get(index);
  if (result === undefined || !isRun(result)) throw new Error(`Job ${index} has lost its result.`);
  return result.figures;
}

const LOGITS =
  'Each split chooses the best of one half of the days and ranks it among all points in the other half. The red bars are ' +
  'the splits in which it was no better there than the median: their share is the probability of overfitting.';

function walkCards(plan: SweepPlan, outcome: EvaluatedSweep, cardsOf: CardsOf): PageCard[] {
  const { tests } = outcome;
  const opened = cardsOf(tests);
  const links = tests.map((job) => opened.linkOf(job));
  const stitched = stitchTests(outcome);
  const legend = `Ratios: ${RATIO_CONVENTION}.`;
  return [
    ...(stitched === null
      ? []
      : [
          {
            title: 'Out of sample, stitched',
            body: `${outOfSampleSvg(stitched)}${notesOf([describeOutOfSample(stitched)])}`,
          },
        ]),
    tableCard('Walk-forward', { ...windowTable(plan, outcome), links }, legend),
    { title: 'A window', body: `${notesOf([choose('the number of a window')])}${opened.html}` },
  ];
}

function tableCard(
  title: string,
  { head, rows, verdict, links }: SweepTable & { links: readonly (string | undefined)[] },
  legend: string,
): PageCard {
  const notes = [verdict, ...legend.split('\n')].filter((line) => line !== '');
  return { title, body: `${htmlTable(head, rows, links)}${notesOf(notes)}` };
}

const notesOf = (lines: readonly string[]): string =>
  lines.map((line) => `<p class="note">${escapeHtml(line)}</p>`).join('');
