/** Where the time of a run went: a sampled profile → stations of Trimtab and lines of the plugin → report and text. */
export { describeProfile } from './describeProfile.ts';
export { formatProfile } from './formatProfile.ts';
export { startProfile, type RunningProfile } from './startProfile.ts';
export { summariseProfile, type ProfileSummary } from './summariseProfile.ts';
