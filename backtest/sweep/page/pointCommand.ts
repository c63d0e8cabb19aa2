import type { SweepJob, SweepPlan } from '../SweepPlan.ts';

/** What a shell takes as one word and changes nothing of. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * The command that repeats a point and writes its report.
 *
 * @param config path of the configuration, as a reader has it
 */
export function pointCommand(plan: SweepPlan, job: SweepJob, config: string): string {
  const { params, feeds, set, seed } = plan;
  const { from, until } = job.range;
  const range = from === undefined && until === undefined ? [] : [`${stamp(from)}-${stamp(until)}`];
  const given = (flag: string, values: readonly string[]): string[] =>
    values.flatMap((value) => [flag, quote(value)]);
  const words = [
    'npx trimtab backtest',
    quote(config),
    ...given(
      '--param',
      params.map(({ name }, at) => `${name}=${job.values[at]}`),
    ),
    ...given('--timerange', range),
    ...given('--feed', feeds),
    ...given('--set', set),
    ...given('--seed', seed === null ? [] : [seed]),
    ...given('--report', [`point-${job.index + 1}.html`]),
  ];
  return words.join(' ');
}

/** As a date, which is easier to read than the milliseconds that are accepted too; empty for an open end. */
function stamp(time: number | undefined): string {
  if (time === undefined) return '';
  const text = new Date(time).toISOString();
  if (!text.endsWith(':00.000Z')) return String(time);
  return text.slice(0, 16).replaceAll(/[-:]/g, '');
}

const quote = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
