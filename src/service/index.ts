/** Assembles a service's client and socket: address and key → signer → HTTP and WebSocket. */
export type { KeyChange } from './createKeyChange.ts';
export { connectService } from './connectService.ts';
export {
  openService,
  type OpenedService,
  type OpenServiceOptions,
  type ServiceAddress,
} from './openService.ts';
