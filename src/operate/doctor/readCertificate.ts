import { connect } from 'node:tls';

const TIMEOUT_MS = 10_000;

/** Until when the certificate of a host is valid, epoch milliseconds; or why there is no connection. */
export function readCertificate(
  host: string,
  port: number,
): Promise<{ validUntil: number } | { reason: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, timeout: TIMEOUT_MS }, () => {
      const { valid_to: until } = socket.getPeerCertificate();
      socket.destroy();
      resolve({ validUntil: Date.parse(until) });
    });
    socket.once('timeout', () => {
      socket.destroy();
      resolve({ reason: `no answer within ${TIMEOUT_MS / 1_000} s` });
    });
    socket.once('error', ({ message }) => resolve({ reason: message }));
  });
}
