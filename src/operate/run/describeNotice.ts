import type { StrategyNotice } from '../../strategy/index.ts';

/** A notice as a sentence for the log, the report and a check. */
export function describeNotice(instance: string, notice: StrategyNotice): string {
  if (notice.kind === 'state_in_warm_up') {
    return `${instance} sets its state in warm-up, first on ${notice.cause}, and is refused.`;
  }
  if (notice.kind === 'small_percent') {
    const { path, pct } = notice;
    const meant = Number((pct * 100).toPrecision(6));
    return `${instance}: ${path} is ${pct}, which is ${pct} %. If ${meant} % was meant: ${meant} % is \`pct: ${meant}\`.`;
  }
  const { symbol, interval, asked, bars } = notice;
  const short = asked - bars;
  return (
    `${instance}: its \`warmup\` asks for ${asked} closed bars of ${symbol} ${interval}, and there are ${bars}: ` +
    `the next ${short} that close warm it up, and its decisions on them are not sent. ` +
    `\`warmup\` counts bars of each interval; give it more history (on paper: paper.warmup, in bars of the feed), or ask for less.`
  );
}
