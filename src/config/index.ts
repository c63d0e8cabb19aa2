/** A bot's YAML → checked configuration, or faults with their location; secrets by name only. */
export type { ConfigOverrides } from './applyOverrides.ts';
export type { BotConfig, ServiceLinkConfig, PaperLinkConfig, StrategyConfig } from './BotConfig.ts';
export { botSettings, type BotInput } from './botSettings.ts';
export { checkPaper } from './checkPaper.ts';
export { createConfigSchema } from './createConfigSchema.ts';
export {
  formatFault,
  formatFaults,
  isOfFlags,
  type ConfigFault,
  type KeyPath,
} from './ConfigFault.ts';
export { processEnvironment, wantsDebug, type Environment } from './environment.ts';
export { loadJournalSection } from './loadJournalSection.ts';
export {
  checkConfig,
  loadConfig,
  loadConfigText,
  readConfig,
  type LoadOptions,
  type LoadedConfig,
} from './loadConfig.ts';
export { Secret } from './Secret.ts';
export { secretReference, type NamedKey } from './linkSettings.ts';
export { resolveKey, streamOf, type ApiKey } from './resolveLink.ts';
export { SEVERITIES, type QuietHours, type Severity, type Template } from './notifySettings.ts';
export type { ChannelConfig, ChannelRules } from './resolveNotify.ts';
export type { ListenAddress } from './operateSettings.ts';
export type { OperateConfig } from './resolveOperate.ts';
export { yamlOf } from './yamlOf.ts';
export { OBJECTIVES, type Objective, type SweepSettings } from './sweepSettings.ts';
export { walletsOf } from './wallets.ts';
export { isPath } from './resolveBot.ts';
