/** The paper core of this process as a service: a link to it, in virtual time. */
export { createDirectLink, type DirectLink, type DirectLinkOptions } from './createDirectLink.ts';
export type { WalkedLane, WalkReport } from './createSpans.ts';
export { openVenueLink, type VenueLink, type VenueLinkOptions } from './openVenueLink.ts';
