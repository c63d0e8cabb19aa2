import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { STRATEGY_CONTRACT_VERSION } from './defineStrategy.ts';
import { refusePlugin, type PluginFault, type PluginResult } from './PluginFault.ts';
import type { PluginPackage } from './PluginPackage.ts';
import { satisfiesRange } from './satisfiesRange.ts';

/**
 * Checks what a package says of itself before its code is loaded: one that was written for another contract may
 * import names that are not there, and the error about those says nothing of versions.
 */
export function checkPackage(use: string, found: PluginPackage): PluginResult<PluginPackage> {
  const { wants, contract = STRATEGY_CONTRACT_VERSION } = found;
  if (contract !== STRATEGY_CONTRACT_VERSION) return refusePlugin(refusal(use, found, contract));
  if (wants !== undefined && satisfiesRange(ownVersion(), wants) === false)
    return refusePlugin(refusal(use, found));
  return { ok: true, value: found };
}

/**
 * Why a package does not fit: which one, its version, what it asks for, and what is here.
 *
 * @param contract the one that it is written for, if it is another one
 */
export function refusal(use: string, found: PluginPackage, contract?: unknown): PluginFault {
  const { name, version, wants } = found;
  const asked = [
    ...(contract === undefined ? [] : [`strategy contract ${JSON.stringify(contract)}`]),
    ...(wants === undefined ? [] : [`trimtab ${wants}`]),
  ].join(' and ');
  const here = `this is trimtab ${ownVersion()}, with contract ${STRATEGY_CONTRACT_VERSION}`;
  const other = wants === undefined ? 'a trimtab that knows it' : `npm install trimtab@"${wants}"`;
  return {
    code: 'TRIMTAB_PLUGIN_VERSION',
    file: use,
    reason: `The package ${name} ${version} asks for ${asked}; ${here}.`,
    remedy: `In the folder of the bot, install a version of ${name} for this one (npm view ${name} versions peerDependencies), or ${other}.`,
  };
}

function ownVersion(): string {
  const path = createRequire(import.meta.url).resolve('trimtab/package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
