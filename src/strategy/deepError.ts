/** An error whose stack shows the plugin, far above the operators in between. */
export function deepError(reason: string, frames: number): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = frames;
  const error = new Error(reason);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
