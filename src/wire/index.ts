/**
 * Bytes to and from the service: signing, HTTP and WebSocket; the only user of undici and ws.
 *
 * request → sign → {@link createHttpClient} or {@link createSocket} → Exchange: answered, not sent, no answer
 */
export * from './createChangeableSigner.ts';
export * from './createClient.ts';
export * from './createClockOffset.ts';
export * from './createCommands.ts';
export * from './createEventStream.ts';
export * from './createHttpClient.ts';
export * from './createPaperControls.ts';
export * from './createSendGate.ts';
export * from './createSigner.ts';
export * from './createSocket.ts';
export * from './errors/index.ts';
export { createBackoff } from './createBackoff.ts';
export { UnreadableAnswerError } from './readAnswer.ts';
export { readNamedRefusal } from './nameRefusal.ts';
export { readEveryPage, type PageQuery } from './readEveryPage.ts';
export { postJson, type PostAnswer } from './postJson.ts';
export type { Transport, TransportOptions, TransportRequest } from './createTransport.ts';
export type {
  Connect,
  Connection,
  ConnectionEvents,
  ConnectionOptions,
  UpgradeRefusal,
} from './SocketConnection.ts';
