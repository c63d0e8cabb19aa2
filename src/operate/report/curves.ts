import type { TimedValue } from './ReportData.ts';

/** The curve from zero: what was earned since its first point. */
export function toPnl(curve: readonly TimedValue[]): TimedValue[] {
  const start = curve[0]?.[1] ?? 0;
  return curve.map(([time, value]) => [time, value - start] as const);
}

/** How far below its peak the curve is at each point: zero or less. */
export function toDrawdown(curve: readonly TimedValue[]): TimedValue[] {
  let peak = Number.NEGATIVE_INFINITY;
  return curve.map(([time, value]) => {
    peak = Math.max(peak, value);
    return [time, value - peak] as const;
  });
}

/** Sum of curves at every time that any of them has; each counts with its last value until the next. */
export function addCurves(curves: readonly (readonly TimedValue[])[]): TimedValue[] {
  const times = [...new Set(curves.flatMap((curve) => curve.map(([time]) => time)))];
  const cursors = curves.map(() => -1);
  return times
    .toSorted((a, b) => a - b)
    .map((time) => {
      const parts = curves.map((curve, index) => {
        while ((curve[cursors[index]! + 1]?.[0] ?? Infinity) <= time) cursors[index]! += 1;
        return curve[cursors[index]!]?.[1] ?? 0;
      });
      return [time, parts.reduce((total, part) => total + part, 0)] as const;
    });
}

/**
 * At most about `maxPoints`: of each stretch its first, lowest, highest and last point, so that no
 * peak and no trough is lost to the eye. Points of one moment count as the last of them.
 */
export function thinCurve(curve: readonly TimedValue[], maxPoints: number): TimedValue[] {
  const moments = curve.filter(([time], index) => curve[index + 1]?.[0] !== time);
  if (moments.length <= maxPoints) return moments;
  const stretch = Math.ceil((moments.length * 4) / maxPoints);
  const kept: TimedValue[] = [];
  for (let start = 0; start < moments.length; start += stretch) {
    kept.push(...landmarks(moments.slice(start, start + stretch)));
  }
  return kept;
}

function landmarks(points: readonly TimedValue[]): TimedValue[] {
  const byValue = points.toSorted((a, b) => a[1] - b[1]);
  const marks = new Set([points[0]!, byValue[0]!, byValue.at(-1)!, points.at(-1)!]);
  return [...marks].toSorted((a, b) => a[0] - b[0]);
}
