import type { ReportShadow } from '../report/index.ts';
import { compareVersions, describeIntent, timeOf, type ShadowCourse } from '../shadow/index.ts';

/** More partings are not shown; the command line and the journals have all of them. */
const MOST_PARTINGS = 2_000;

/** A shadow's course in the shape of the report. */
export function toReportShadow(course: ShadowCourse): ReportShadow {
  const compared = compareVersions(course);
  const { instance, use, state, reason, same, parted, curve, shadow, live } = compared;
  const partings = compared.pairs.filter(({ differs }) => differs.length > 0);
  return {
    strategy: instance,
    plugin: use,
    state,
    reason,
    same,
    parted,
    pnl: shadow?.netPnl ?? 0,
    live_pnl: live?.netPnl ?? 0,
    curve,
    partings: partings.slice(0, MOST_PARTINGS).map((pair) => ({
      time: timeOf(pair),
      cause: (pair.live ?? pair.shadow)!.cause,
      live: describeIntent(pair.live),
      shadow: describeIntent(pair.shadow),
      differs: pair.differs.join(', '),
    })),
  };
}
