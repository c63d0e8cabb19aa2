import type { Budget } from '../../src/budget/index.ts';
import { decodeFrame } from '../../src/frames/index.ts';
import type { JournalStore } from '../../src/journal/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import type { OwnerDecision } from '../../src/runtime/control/createOwnerDecisions.ts';
import { createBot, type Bot } from '../../src/runtime/createBot.ts';
import { createWireLink } from '../../src/runtime/links/createWireLink.ts';
import {
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
} from '../../src/wire/index.ts';
import type { SimNetwork } from './createSimNetwork.ts';
import type { SimService } from './createSimService.ts';
import type { Plant } from './Plant.ts';
import type { SimProcess } from './SimProcess.ts';

export interface BotParts {
  process: SimProcess;
  network: SimNetwork;
  service: SimService;
  plan: BotPlan;
  store: JournalStore;
  plant?: Plant | undefined;
  /** Shared with another bot; absent: its own. */
  budget?: Budget;
  /** An operator's decisions at this start; default: none. */
  decisions?: readonly OwnerDecision[];
  onFatal(error: unknown): void;
}

/** A bot as the program assembles it, down to the bytes on the wire; only the ports are simulated. */
export function assembleBot({
  process,
  network,
  service,
  plan,
  store,
  plant,
  budget,
  decisions = [],
  onFatal,
}: BotParts): Bot {
  const env = plant?.env?.(process.env) ?? process.env;
  const { dialect, keyId, secret } = service;
  const clockOffset = createClockOffset();
  const offsetMs = (): number => clockOffset.offsetMs();
  const signer = createSigner({ keyId, secret, dialect, clock: env.clock, offsetMs });
  const transport = plant?.transport?.(network.transport) ?? network.transport;
  const connect = plant?.connect?.(network.connect) ?? network.connect;
  const baseUrl = 'http://127.0.0.1:1';
  const http = createHttpClient({ baseUrl, dialect, signer, env, clockOffset, transport });
  const decode = (text: string) => decodeFrame(text, dialect);
  const wsUrl = 'ws://127.0.0.1:1/v1/stream';
  const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset, connect });
  const { market } = process.scenario.bot;
  const wire = createWireLink({ http, socket, env, market, clockOffset });
  return createBot({
    plan: plant?.plan?.(plan) ?? plan,
    link: plant?.link?.(wire) ?? wire,
    env,
    store: plant?.store?.(store) ?? store,
    defaultWallet: 'main',
    decisions,
    onFatal,
    ...(budget !== undefined && { budget }),
  });
}
