export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** NaN of none. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** A result that is NaN or infinite becomes null. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Whether every period has a return: one that began without equity has none. */
export const areReturns = (returns: readonly number[]): boolean =>
  returns.length > 0 && returns.every((value) => Number.isFinite(value));

/** The quotient, null if there is nothing to divide by. */
export const quotient = (part: number, whole: number): number | null =>
  whole === 0 ? null : finite(part / whole);
