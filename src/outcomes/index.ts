/** Response, frame or query → accepted | rejected | unknown. */
export { backoffMs } from './backoffMs.ts';
export {
  classify,
  endsById,
  resolutionOf,
  retryAfterMs,
  type Resolution,
  type Verdict,
} from './classify.ts';
