import type { Env, Link } from '../../src/env/index.ts';
import type { JournalStore } from '../../src/journal/index.ts';
import type { ConnectPg } from '../../src/journal/postgres/connectPg.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import type { Transport } from '../../src/wire/createTransport.ts';
import type { Family } from './Scenario.ts';
import type { Connect } from '../../src/wire/SocketConnection.ts';

/**
 * A bug, planted by wrapping the ports of a bot: the checker observes the far side of the wrapper.
 */
export interface Plant {
  name: string;
  /** The seeds that have the fault which shows it; plain ones if absent. */
  family?: Family;
  store?(store: JournalStore): JournalStore;
  transport?(transport: Transport): Transport;
  connect?(connect: Connect): Connect;
  link?(link: Link): Link;
  env?(env: Env): Env;
  plan?(plan: BotPlan): BotPlan;
  /** Of seeds with an `f`: the connection to the journal's database. */
  database?(connect: ConnectPg): ConnectPg;
}
