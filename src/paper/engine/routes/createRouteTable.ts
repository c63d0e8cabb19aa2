import type { HandlerTable } from '../../core/Engine.ts';
import type { EngineState } from '../EngineState.ts';
import { accountRoutes } from './accountRoutes.ts';
import { basketRoutes } from './basketRoutes.ts';
import { executionRoutes } from './executionRoutes.ts';
import { monitorRoutes } from './monitorRoutes.ts';
import { orderRoutes } from './orderRoutes.ts';
import { positionRoutes } from './positionRoutes.ts';
import { webhookRoutes } from './webhookRoutes.ts';

/** The endpoints that live in the engine, by family. */
export function createRouteTable(engine: EngineState): HandlerTable {
  return {
    ...accountRoutes(engine),
    ...orderRoutes(engine),
    ...positionRoutes(engine),
    ...executionRoutes(engine),
    ...monitorRoutes(engine),
    ...basketRoutes(engine),
    ...webhookRoutes(engine),
  };
}
