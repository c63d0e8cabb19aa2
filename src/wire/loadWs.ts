import { createRequire } from 'node:module';
import type * as ws from 'ws';

type Ws = typeof ws;

let loaded: Ws | undefined;

/** The library of WebSockets, when the first is opened: it loads Node's HTTP with it, which backtests never need. */
export function loadWs(): Ws {
  loaded ??= createRequire(import.meta.url)('ws') as Ws;
  return loaded;
}
