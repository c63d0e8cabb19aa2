import { counted } from '../../src/env/index.ts';
import { formatFixed, formatMoney } from '../../src/operate/index.ts';
import type { CheckResult } from './checkBot.ts';
import type { CheckName, Finding } from './Finding.ts';

const CHECKS = ['determinism', 'look-ahead', 'warm-up', 'promises', 'turns', 'state'] as const;

/** A check as text: verdicts, findings with their bar, fills, costs. */
export function formatCheck(result: CheckResult): string {
  const { findings, notes, unchecked, runs, base } = result;
  const verdicts = CHECKS.map(
    (check) => `${check.padEnd(12)} ${verdictOf(check, findings, unchecked)}`,
  );
  return [
    `${counted(base.intents.length, 'intent')}, ${counted(runs, 'backtest')}`,
    ...verdicts,
    ...findings.flatMap(formatFinding),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    ...formatFills(result),
    '',
    ...formatCosts(result),
    '',
  ].join('\n');
}

function verdictOf(
  check: CheckName,
  findings: readonly Finding[],
  unchecked: CheckResult['unchecked'],
): string {
  if (findings.some((finding) => finding.check === check)) return 'FOUND';
  const reason = unchecked.get(check);
  if (reason !== undefined) return `not checked: ${reason}`;
  if (check === 'turns' || check === 'state') return 'nothing found';
  const isChance = findings.some((finding) => finding.check === 'determinism');
  return isChance ? 'not checked: fix determinism first' : 'nothing found';
}

/** A finding with its bar, its intent and the difference. */
export function formatFinding({ check, time, instance, decisionKey, words }: Finding): string[] {
  const at = new Date(time).toISOString();
  const by = check === 'state' ? 'upon' : 'intent';
  const what = decisionKey === '' ? 'an intent without an event' : `${by} ${decisionKey}`;
  return ['', `${check}: ${instance}, bar closed ${at}, ${what}`, ...words.map(indent)];
}

const indent = (line: string): string => `  ${line}`;

function formatFills({ scenarios }: CheckResult): string[] {
  return [
    'P&L by fill assumptions',
    ...scenarios.map(
      ({ name, assumptions, pnl, fills }) =>
        `  ${name.padEnd(16)} ${formatMoney(pnl).padStart(14)}  ${counted(fills, 'fill')} (${assumptions})`,
    ),
  ];
}

function formatCosts({ base, scenarios }: CheckResult): string[] {
  const { totals } = base.run.data;
  const { venueFees, serviceFees, notional } = base.costs;
  const funding = totals.funding ?? 0;
  const best = scenarios.find(({ name }) => name === 'optimistic')!;
  const row = (name: string, amount: number): string => {
    const share = notional === 0 ? '' : `  ${formatFixed((amount / notional) * 10_000, 2)} bps`;
    return `  ${name.padEnd(18)} ${formatMoney(amount).padStart(14)}${share}`;
  };
  return [
    `Costs, of ${formatMoney(notional)} traded`,
    row('before costs', totals.pnl + totals.fees + funding),
    row('venue fees', -venueFees),
    row('service fees', -serviceFees),
    row('funding', -funding),
    row('net', totals.pnl),
    row('net − optimistic', totals.pnl - best.pnl),
  ];
}
