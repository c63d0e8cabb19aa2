import { InvalidArgumentError, Option } from 'commander';
import { readTimeZone, UTC, type TimeZone } from '../../operate/index.ts';

export interface TzFlag {
  tz: TimeZone;
}

/** For commands that show times to people; what they write as JSON stays in UTC. */
export const tzOption = (): Option =>
  new Option('--tz <zone>', 'time zone of the times shown: Europe/Berlin, local, UTC')
    .argParser((text): TimeZone => {
      const read = readTimeZone(text);
      if ('zone' in read) return read.zone;
      throw new InvalidArgumentError(`${read.reason}. ${read.remedy}`);
    })
    .default(UTC, 'UTC');
