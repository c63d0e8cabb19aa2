/** Response, frame or query → accepted | rejected | unknown. */
export { backoffMs } from './backoffMs.ts';
export { classify, endsById, opensAnew, resolutionOf, type Verdict } from './classify.ts';
export { readHold } from './readHold.ts';
