import type { OverloadFigures } from './measureOverload.ts';

/** The figures with their goals, for a terminal. */
export function formatOverload(figures: OverloadFigures): string {
  const { exitWaitP99, exitWaitMax, findingMax } = figures;
  const lanes = Object.entries(figures.lanes).map(
    ([lane, { hours, used }]) =>
      `${lane}: ${(used * 100).toFixed(1)} % of what it may use (goal 95), over ${hours.toFixed(1)} h with work`,
  );
  return [
    `${figures.hours} virtual hours, ${figures.intents} intents, ${figures.sends} requests`,
    `exits: ${figures.exits}, wait p99 ${Math.round(exitWaitP99)} ms (goal 1,000), longest ${Math.round(exitWaitMax)} ms, starved ${figures.starvedExits}`,
    `unanswered: ${figures.findings}, found out about within ${Math.round(findingMax / 1_000)} s`,
    `429s by our own spending: ${figures.own429s} (goal 0)`,
    ...lanes,
    `violations: ${figures.violations.length} (a send inside retry_after is one)`,
    ...figures.violations.map((violation) => `  ${violation}`),
  ].join('\n');
}

/** Whether every goal is met. */
export function isWithinGoals(figures: OverloadFigures): boolean {
  const { exitWaitP99, starvedExits, own429s, violations, lanes } = figures;
  const used = Object.values(lanes).map((lane) => lane.used);
  return (
    exitWaitP99 <= 1_000 &&
    starvedExits + own429s + violations.length === 0 &&
    used.every((share) => share >= 0.95)
  );
}
