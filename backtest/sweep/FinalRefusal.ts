/** A sweep that a worker can't compute, whatever becomes of network, disk or server. */
export class FinalRefusal extends Error {
  override readonly name: string = 'FinalRefusal';
}

/** Whether another attempt would fail too: it, or what caused it, is final. */
export function isFinal(error: unknown): boolean {
  if (error instanceof FinalRefusal) return true;
  return error instanceof Error && error.cause !== undefined && isFinal(error.cause);
}
