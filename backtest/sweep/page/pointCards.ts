import { formatFixed, formatGain, formatMoney, formatWhole } from '../../../src/operate/index.ts';
import { escapeHtml } from '../../../src/operate/report/index.ts';
import { shownValue } from '../ParamRange.ts';
import { isRun, type PointResult } from '../PointResult.ts';
import type { SweepResults } from '../results/SweepResults.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { pointCommand } from './pointCommand.ts';

/** More would make the page's size; the rest is in the CSV. */
const MOST_POINTS = 400;

/** Points that can be opened on the page: a link to each, and the cards that the links open. */
export interface PointCards {
  /** `#point-3`; undefined for a point without a card. */
  linkOf: (job: SweepJob) => string | undefined;
  html: string;
}

/** @param jobs those that the page shows, the most important first */
export function pointCards(
  { plan, results, config, reports = new Map() }: PointSource,
  jobs: readonly SweepJob[],
): PointCards {
  const shown = new Map(jobs.slice(0, MOST_POINTS * 4).map((job) => [job.index, job]));
  const chosen = [...shown.values()].slice(0, MOST_POINTS);
  const linked = new Set(chosen.map(({ index }) => index));
  const cards = chosen.map((job) =>
    card(plan, job, { result: results.get(job.index), config, report: reports.get(job.index) }),
  );
  return {
    linkOf: ({ index }) => (linked.has(index) ? `#point-${index + 1}` : undefined),
    html: `<div class="points">${cards.join('')}</div>`,
  };
}

export interface PointSource {
  plan: SweepPlan;
  results: Pick<SweepResults, 'get'>;
  config: string;
  /** Reports that were written, by index of the point: addresses from the page. */
  reports?: ReadonlyMap<number, string>;
}

function card(
  plan: SweepPlan,
  job: SweepJob,
  {
    result,
    config,
    report,
  }: { result: PointResult | undefined; config: string; report: string | undefined },
): string {
  const values = plan.params
    .map(({ name }, at) => `${name} ${shownValue(job.values[at]!)}`)
    .join(', ');
  const command = pointCommand(plan, job, config);
  return `<section class="point" id="point-${job.index + 1}" tabindex="-1"><h3>Point ${job.index + 1}: ${escapeHtml(values)}</h3><p>${escapeHtml(figuresOf(result))}</p>${reportLine(report)}<pre>${escapeHtml(command)}</pre></section>`;
}

/** A link where the report was written with the sweep; the command makes it in any case. */
const reportLine = (report: string | undefined): string =>
  report === undefined
    ? '<p class="note">Its report:</p>'
    : `<p><a href="${escapeHtml(report)}">Its report</a></p><p class="note">Or again:</p>`;

function figuresOf(result: PointResult | undefined): string {
  if (result === undefined) return 'It has not run.';
  if (!isRun(result)) return `It failed: ${result.fault}`;
  const { pnl, max_drawdown, max_drawdown_share, trades, sharpe, fees, hash } = result.figures;
  return [
    `P&L ${formatGain(pnl)}`,
    `drawdown ${formatMoney(max_drawdown)} (${percent(max_drawdown_share)})`,
    `${formatWhole(trades)} trades`,
    `fees ${formatMoney(fees)}`,
    ...(sharpe === null ? [] : [`Sharpe ${formatFixed(sharpe, 2)}`]),
    ...(hash === '' ? [] : [`hash ${hash.slice(0, 12)}`]),
  ].join(' · ');
}

const percent = (share: number): string => `${formatFixed(share * 100, 2)} %`;
