import { ServiceError } from '../../core/ServiceError.ts';

/** A row of `results`: what became of one id of many (conventions §3). */
export function resultOf(id: string, act: () => void) {
  try {
    act();
    return { id, ok: true };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    return { id, ok: false, error: { code, message, details } };
  }
}
