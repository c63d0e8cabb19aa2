import type { LeverageRequest } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { World } from '../engine/World.ts';
import type { Account } from './Account.ts';
import { availableMargin } from './margin.ts';

/** Changes a symbol's leverage; positions and orders must still fit into the margin. */
export function setLeverage(
  world: World,
  account: Account,
  symbol: string,
  request: LeverageRequest,
): void {
  const { instrument } = world.market.at(symbol);
  const { leverage } = request;
  if (request.mode === 'isolated') {
    throw fieldFault('mode', 'not_available', 'Isolated margin is not available yet.');
  }
  if (leverage < 1 || leverage > instrument.max_leverage || instrument.kind === 'spot') {
    const details = { leverage, max_leverage: instrument.max_leverage };
    throw new ServiceError('leverage_out_of_range', { details });
  }
  const before = account.leverage.get(symbol);
  account.leverage.set(symbol, leverage);
  const available = availableMargin(world, account);
  if (available >= 0) return;
  if (before === undefined) account.leverage.delete(symbol);
  else account.leverage.set(symbol, before);
  throw new ServiceError('insufficient_margin', {
    details: { required: -available, available: 0 },
  });
}
