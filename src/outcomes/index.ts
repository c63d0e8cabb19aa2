/** Response, frame or query → accepted | rejected | unknown. */
export { backoffMs } from './backoffMs.ts';
export {
  classify,
  endsById,
  opensAnew,
  resolutionOf,
  type Resolution,
  type Verdict,
} from './classify.ts';
export { readHold, type Hold } from './readHold.ts';
