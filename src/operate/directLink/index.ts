/** The paper core of this process as a service: a link to it, in virtual time. */
export { createDirectLink, type DirectLink } from './createDirectLink.ts';
export type { WalkedLane, WalkReport } from './createWalkCounter.ts';
export { openVenueLink, type VenueLink } from './openVenueLink.ts';
