/** For programs of one's own (`trimtab/service`): the signed client, and the paper service to try it on. */
export { createDialect, defaultDialect, type Dialect } from './contract/index.ts';
export { createLiveEnv, type Env } from './env/index.ts';
export { decodeFrame } from './frames/index.ts';
export {
  createClient,
  createClockOffset,
  createCommands,
  createEventStream,
  createHttpClient,
  createSigner,
  createSocket,
  ServiceFaultError,
  type Client,
  type Commands,
} from './wire/index.ts';
export {
  loadMarketData,
  paperSettings,
  startPaperServer,
  type PaperServer,
} from './paper/index.ts';
