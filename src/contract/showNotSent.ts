/** A code of the system or of the client: `CERT_HAS_EXPIRED`, `ENOTFOUND`, `UND_ERR_CONNECT_TIMEOUT`. */
const CODE = /^\w{1,60}$/;

/** The part of an exchange that was not sent which says why. */
interface NotSent {
  reason: string;
  cause?: unknown;
}

/**
 * Why a request was not sent, in words for a log or a journal: `not_connected (CERT_HAS_EXPIRED)`. Which of many
 * causes kept a connection from being made is what an operator needs; the field `reason` of the exchange is for programs.
 */
export function showNotSent({ reason, cause }: NotSent): string {
  const code = (cause as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && CODE.test(code) ? `${reason} (${code})` : reason;
}
