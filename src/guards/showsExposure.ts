import { PASSED, type Guard } from './Guard.ts';

/** Why an intent of a kind may not show what it adds, and what would show it. */
const WHY: Readonly<Record<string, string>> = {
  launch_basket:
    'its legs are in a template that only the service knows, so that neither its exposure nor its ' +
    'maintained rows can be counted; launch it with `legs`',
  modify_order: 'the order that it changes is unknown, and with it the exposure that it opens',
  control_execution:
    'the execution is not known to be running or paused, so its exposure is unknown',
};

/** What can't be measured passes no limit, so it isn't sent. */
export const showsExposure: Guard = (intent) => {
  if (intent.opaque !== true) return PASSED;
  const reason = WHY[intent.kind] ?? 'the exposure that it may add is unknown';
  return { passed: false, guard: 'shows_exposure', reason };
};
