/**
 * Writes to the journal where the caller can neither wait for it nor catch what it throws: inside a subscriber,
 * an error would end in RxJS's own handler. A store that fails, at once or later, ends the bot.
 */
export function writeOrFail(
  write: () => void | Promise<void>,
  onFatal: (error: unknown) => void,
): void {
  try {
    write()?.catch(onFatal);
  } catch (error) {
    onFatal(error);
  }
}
