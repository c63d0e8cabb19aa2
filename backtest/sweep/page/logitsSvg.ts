import type { Overfitting } from '../../../src/statistics/index.ts';

const [WIDTH, HEIGHT, BOTTOM, STEP, FARTHEST] = [720, 220, 36, 0.5, 6];

/** The shares of splits by their logit, in bins of a half; what is farther than 6 is in the last one. */
export function logitBins({ ranks }: Overfitting): { from: number; share: number }[] {
  const bins = new Map<number, number>();
  for (const [rank, share] of ranks) {
    const logit = Math.max(-FARTHEST, Math.min(FARTHEST, Math.log(rank / (1 - rank))));
    // The median counts as failed: a bin ends with its upper bound.
    const bin = Math.min(Math.ceil(logit / STEP), FARTHEST / STEP) - 1;
    bins.set(
      Math.max(bin, -FARTHEST / STEP),
      (bins.get(Math.max(bin, -FARTHEST / STEP)) ?? 0) + share,
    );
  }
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([bin, share]) => ({ from: bin * STEP, share }));
}

/**
 * The picture of the probability of overfitting: how the best of one half ranked in the other. What is at or left of
 * zero is no better there than the median, and its share is the probability.
 */
export function logitsSvg(overfitting: Overfitting): string {
  const bins = logitBins(overfitting);
  const most = Math.max(...bins.map(({ share }) => share));
  const x = (logit: number): number => ((logit + FARTHEST) / (2 * FARTHEST)) * WIDTH;
  const height = HEIGHT - BOTTOM - 16;
  const bars = bins.map(({ from, share }) => {
    const tall = (share / most) * height;
    const text = `logit ${from} to ${from + STEP}: ${(share * 100).toFixed(1)} % of the splits`;
    const colour = from < 0 ? 'var(--loss)' : 'var(--gain)';
    return `<rect x="${(x(from) + 1).toFixed(1)}" y="${(HEIGHT - BOTTOM - tall).toFixed(1)}" width="${(x(STEP) - x(0) - 2).toFixed(1)}" height="${tall.toFixed(1)}" fill="${colour}" fill-opacity="0.75"><title>${text}</title></rect>`;
  });
  const marks = [-6, -4, -2, 0, 2, 4, 6].map(
    (logit) =>
      `<text x="${x(logit).toFixed(1)}" y="${HEIGHT - BOTTOM + 14}" text-anchor="${logit === -6 ? 'start' : logit === 6 ? 'end' : 'middle'}">${logit}</text>`,
  );
  const zero = `<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${HEIGHT - BOTTOM}"/>`;
  const base = `<line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>`;
  const names = `<text class="name" x="${x(0) - 8}" y="12" text-anchor="end">worse than the median</text><text class="name" x="${x(0) + 8}" y="12">better</text><text x="${WIDTH / 2}" y="${HEIGHT - 4}" text-anchor="middle">logit of the rank out of sample; tallest bar ${(most * 100).toFixed(1)} %</text>`;
  return `<div class="scroll wide small" tabindex="0" role="group" aria-label="logits"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Distribution of logits">${base}${bars.join('')}${zero}${marks.join('')}${names}</svg></div>`;
}
