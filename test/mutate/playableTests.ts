/** Tests that say nothing of a patched source, or that run what was built of the former one. */
const NOT_PLAYED = [
  /^test\/(e2e|chaos|deploy|docs|mutate)\//,
  /\.(full|browser)\.test\.ts$/,
  /^test\/(tidy|docs|clauses|checks|readToolFlags)\.test\.ts$/,
  // They run the simulator with bugs planted otherwise, or for long.
  /^test\/simulation\/(teeth|freshSeeds|soak)\.test\.ts$/,
];

/** Whether a test file runs for patches. */
export const isPlayable = (file: string): boolean =>
  !NOT_PLAYED.some((pattern) => pattern.test(file));
