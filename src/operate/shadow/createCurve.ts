import type { CurvePoint } from './ShadowView.ts';

const MOST_POINTS = 2_000;
/** Instants of one version that the other may still come to. Older ones go: the bot has those of other markets, too. */
const MOST_AHEAD = 10_000;

/** Both versions' net P&L by instant, thinned on a long run. */
export interface Curve {
  live(time: number, net: number): void;
  shadow(time: number, net: number): void;
  points(): CurvePoint[];
}

export function createCurve(): Curve {
  let points: CurvePoint[] = [];
  let last: CurvePoint | undefined;
  let every = 1;
  let count = 0;
  const ahead = { live: new Map<number, number>(), shadow: new Map<number, number>() };

  function meet(own: 'live' | 'shadow', time: number, net: number): void {
    if (last !== undefined && time <= last[0]) return;
    const other = own === 'live' ? 'shadow' : 'live';
    const met = ahead[other].get(time);
    if (met === undefined) {
      ahead[own].set(time, net);
      if (ahead[own].size > MOST_AHEAD) ahead[own].delete(ahead[own].keys().next().value!);
      return;
    }
    last = own === 'live' ? [time, net, met] : [time, met, net];
    if (count++ % every === 0) points.push(last);
    if (points.length < MOST_POINTS) return;
    points = points.filter((_point, at) => at % 2 === 0);
    every *= 2;
  }

  return {
    live: (time, net) => meet('live', time, net),
    shadow: (time, net) => meet('shadow', time, net),
    points: () => (last === undefined || points.at(-1) === last ? [...points] : [...points, last]),
  };
}
