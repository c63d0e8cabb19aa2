import { PASSED, type Guard } from './Guard.ts';

/** What can't be measured passes no limit, so it isn't sent. */
export const showsExposure: Guard = (intent) => {
  if (intent.opaque !== true) return PASSED;
  const reason = 'the exposure that it may add is not known';
  return { passed: false, guard: 'shows_exposure', reason };
};
