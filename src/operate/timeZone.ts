import { nearest } from '../contract/nearest.ts';
import { DAY_MS, HOUR_MS } from '../contract/durations.ts';

/** A time zone in which times are shown to people. Files and JSON have UTC, whatever it is. */
export interface TimeZone {
  /** As in the IANA database: `Europe/Berlin`, `UTC`. */
  name: string;
  /** Epoch ms → `2026-11-24 09:15:00.123+01:00`; without an offset in UTC. */
  format(time: number): string;
  /** Epoch ms → `2026-11-24`, the day there. */
  dayOf(time: number): string;
  /**
   * A day there as epoch ms, `until` excluded: 23 or 25 hours where the clocks change. Empty for a day that the zone
   * skipped.
   */
  rangeOf(day: string): { from: number; until: number };
}

/** A zone, or why there is none, with a remedy. */
export type ZoneRead = { zone: TimeZone } | { reason: string; remedy: string };

export const UTC: TimeZone = {
  name: 'UTC',
  format: (time) => new Date(time).toISOString().slice(0, 23).replace('T', ' '),
  dayOf: (time) => new Date(time).toISOString().slice(0, 10),
  rangeOf(day) {
    const from = Date.parse(`${day}T00:00:00Z`);
    return { from, until: from + DAY_MS };
  },
};

/** @param text a name of the IANA database, `local` or `UTC`; capitals do not matter */
export function readTimeZone(text: string): ZoneRead {
  const asked = text.trim();
  if (/^utc$/i.test(asked)) return { zone: UTC };
  const name =
    asked.toLowerCase() === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : asked;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const { timeZone } = format.resolvedOptions();
    return { zone: timeZone === 'UTC' ? UTC : createZone(timeZone, format) };
  } catch {
    const meant = nearest(asked, ['local', 'UTC', ...Intl.supportedValuesOf('timeZone')]);
    return {
      reason: `there is no time zone ${asked}`,
      remedy:
        meant === null
          ? 'Name one of the IANA database, such as Europe/Berlin, or local, or UTC.'
          : `Did you mean ${meant}?`,
    };
  }
}

function createZone(name: string, offsets: Intl.DateTimeFormat): TimeZone {
  /** `+01:00` */
  const offsetAt = (time: number): string => {
    const part = offsets.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
    return part?.replace('GMT', '') || '+00:00';
  };
  const shifted = (time: number): Date => {
    const [, sign, hours, minutes, seconds = '0'] =
      /^([+-])(\d+):(\d+)(?::(\d+))?$/.exec(offsetAt(time)) ?? [];
    const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    return new Date(time + (sign === '-' ? -ms : ms));
  };
  const dayOf = (time: number): string => shifted(time).toISOString().slice(0, 10);

  /** The first instant that has this day or a later one; no zone is further from UTC than 15 hours. */
  function startOf(day: string): number {
    let before = Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS;
    let at = before + 30 * HOUR_MS;
    while (at - before > 1) {
      const middle = Math.floor((before + at) / 2);
      if (dayOf(middle) < day) before = middle;
      else at = middle;
    }
    return at;
  }
  return {
    name,
    format: (time) => shifted(time).toISOString().slice(0, 23).replace('T', ' ') + offsetAt(time),
    dayOf,
    rangeOf: (day) => ({ from: startOf(day), until: startOf(UTC.dayOf(Date.parse(day) + DAY_MS)) }),
  };
}
