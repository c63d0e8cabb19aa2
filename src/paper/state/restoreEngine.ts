import type { Cancel } from '../../env/index.ts';
import type { BarHook } from '../engine/BarHook.ts';
import type { PlannedTimer } from '../engine/EngineTimers.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { Account } from '../venue/Account.ts';
import { restoreAccount } from './restoreAccount.ts';
import type { SavedEngine } from './SavedEngine.ts';
import type { EngineParts } from './saveEngine.ts';

/**
 * Restores a saved state into a new engine on the same tape. Nothing of the tape is executed again:
 * paths, bars and indicators are read from it as far as time has run.
 */
export function restoreEngine({ engine, timers, counters }: EngineParts, saved: SavedEngine): void {
  for (const [kind, number] of saved.ids) counters.set(kind, number);
  const watches = engine.market.restore(saved.market);
  timers.advanceTo(engine.market.now);
  for (const each of saved.accounts) {
    const account = restoreAccount(each, engine.settings);
    engine.accounts.set(account.wallet, account);
    for (const [id, { token }] of account.webhooks.entries()) {
      engine.webhookTokens.set(token, { wallet: account.wallet, id });
    }
  }
  for (const watch of watches) tieWatch(engine, watch);
  for (const hook of saved.hooks) {
    engine.barHooks.add(hook);
    tieHook(engine, hook);
  }
  for (const timer of saved.timers) tieTimer(engine, timer, timers.at(timer));
}

function accountOf(engine: EngineState, wallet: string): Account {
  const account = engine.accounts.get(wallet);
  if (account === undefined) throw new Error(`The saved state has no wallet ${wallet}.`);
  return account;
}

/** The owner of a handle; a handle without an owner is damage that should be found now. */
function owned<T>(owner: T | undefined, handle: PriceWatch | BarHook | PlannedTimer): T {
  if (owner !== undefined) return owner;
  throw new Error(`The saved state has no owner of ${handle.topic} ${handle.id}.`);
}

function tieWatch(engine: EngineState, watch: PriceWatch): void {
  const account = accountOf(engine, watch.wallet);
  const { topic, id } = watch;
  if (topic === 'order') owned(account.openOrders.get(id), watch).watch = watch;
  else if (topic === 'leg') owned(account.liveLegs.get(id), watch).watch = watch;
  else if (topic === 'margin') owned(account.positions.get(id), watch).marginWatch = watch;
  else if (topic === 'monitor') owned(account.monitors.get(id), watch).watch = watch;
  else owned(account.liveExecutions.get(id), watch).watches.push(watch);
}

function tieHook(engine: EngineState, hook: BarHook): void {
  const account = accountOf(engine, hook.wallet);
  const { topic, id } = hook;
  if (topic === 'leg') owned(account.liveLegs.get(id), hook).hook = hook;
  else if (topic === 'track') owned(account.entryWatches.get(id), hook).hook = hook;
  else if (topic === 'monitor') owned(account.monitors.get(id), hook).hook = hook;
  else owned(account.liveExecutions.get(id), hook).barHook = hook;
}

function tieTimer(engine: EngineState, timer: PlannedTimer, cancel: Cancel): void {
  const { topic, wallet, id } = timer;
  if (topic === 'funding') return;
  const account = accountOf(engine, wallet);
  if (topic === 'exit') owned(account.openOrders.get(id), timer).waiting = cancel;
  else if (topic === 'execution') owned(account.liveExecutions.get(id), timer).timer = cancel;
  else owned(account.liveExecutions.get(id), timer).staleTimer = cancel;
}
