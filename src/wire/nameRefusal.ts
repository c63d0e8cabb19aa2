/** `refused_401_unknown_key`: status and code of a stream's refusal, for a status line. */
export function nameRefusal(status: number, body: string): string {
  const code = readCode(body);
  return code === '' ? `refused_${status}` : `refused_${status}_${code}`;
}

/** Status and code of what {@link nameRefusal} named, the code empty where there was none. */
export function readRefusal(reason: string): { status: number; code: string } | undefined {
  const [, status, code = ''] = /^refused_(\d+)(?:_(.+))?$/.exec(reason) ?? [];
  return status === undefined ? undefined : { status: Number(status), code };
}

function readCode(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : '';
  } catch {
    return '';
  }
}
