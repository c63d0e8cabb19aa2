import type { Dialect, EndpointId, Layer, LayerStatus } from '../../contract/index.ts';
import type { ShellHandler } from './Admission.ts';
import { checkSubscription } from './checkSubscription.ts';
import type { Budgets } from './createBudgets.ts';
import type { CandleCache } from './createCandleCache.ts';
import type { Connections } from './createConnections.ts';
import { createMarketHandlers } from './createMarketHandlers.ts';
import { createUtilityHandlers } from './createUtilityHandlers.ts';
import type { Engine } from './Engine.ts';
import { parseSseChannels } from './parseSseChannels.ts';

export interface ShellHandlerParts {
  engine: Engine;
  dialect: Dialect;
  budgets: Budgets;
  connections: Connections;
  layers: Readonly<Record<Layer, LayerStatus>>;
  cache: CandleCache;
}

/** The engine's handlers come last: they take precedence for the families that it serves. */
export function createShellHandlers(
  parts: ShellHandlerParts,
): Partial<Record<EndpointId, ShellHandler>> {
  const { engine, dialect, connections, cache } = parts;
  const { pageDefault } = dialect.limits;
  return {
    ...createUtilityHandlers(parts),
    ...createMarketHandlers({ engine, cache, pageDefault }),
    'streams.websocket': () => ({ body: {} }),
    'streams.sse': ({ query, wallet }) => {
      for (const wish of parseSseChannels(String(query['channels']))) {
        checkSubscription(wish, wallet, { connections, market: engine.market });
      }
      return { body: {} };
    },
    ...engine.handlers,
  };
}
