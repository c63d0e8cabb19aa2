import type { ShadowCourse, ShadowView } from './ShadowView.ts';

/** Without the intents, which are in the journals. */
export function viewOf(course: ShadowCourse): ShadowView {
  const { liveIntents: _live, shadowIntents: _shadow, intentsSince: _since, ...view } = course;
  return view;
}
