import type { RecordedEmission, RecordedLine } from '../../strategy/recording/index.ts';
import type { InstanceListing } from './Recording.ts';
import { createHistories } from './withHistory.ts';

/** A listing that grows with each line that is found. */
export interface ListingInMaking {
  listing: InstanceListing;
  take(line: RecordedLine): void;
}

/** What is needed of a recording before it is played, collected while it is checked. */
export function createListing(): ListingInMaking {
  const emissions: RecordedEmission[] = [];
  const histories = createHistories();
  const listing = { lines: 0, emissions, histories: histories.lives };
  return {
    listing,
    take(line) {
      listing.lines++;
      if (line[0] === 'emitted') emissions.push(line[1]);
      histories.take(line);
    },
  };
}
