import type { HandlerTable } from '../../core/Engine.ts';
import type { World } from '../World.ts';
import { accountRoutes } from './accountRoutes.ts';
import { basketRoutes } from './basketRoutes.ts';
import { executionRoutes } from './executionRoutes.ts';
import { monitorRoutes } from './monitorRoutes.ts';
import { orderRoutes } from './orderRoutes.ts';
import { positionRoutes } from './positionRoutes.ts';
import { webhookRoutes } from './webhookRoutes.ts';

/** The endpoints that live in the engine, by family. */
export function createRouteTable(world: World): HandlerTable {
  return {
    ...accountRoutes(world),
    ...orderRoutes(world),
    ...positionRoutes(world),
    ...executionRoutes(world),
    ...monitorRoutes(world),
    ...basketRoutes(world),
    ...webhookRoutes(world),
  };
}
