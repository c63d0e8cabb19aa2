import type { BotConfig } from '../../config/index.ts';
import {
  ACCOUNT,
  foreignJournal,
  goesOnIn,
  type JournalReader,
  type Latch,
} from '../../journal/index.ts';
import { explainRenamed } from '../../runtime/index.ts';
import { describeForeign, describeTakingBack, readOpenStage } from '../control/index.ts';
import { accountOf } from '../journal/accountOf.ts';
import { bad, note, type Finding } from './Finding.ts';

/** Whether the journal is that of this configuration: what a start would refuse it for, or would leave behind. */
export async function examineBelonging(
  reader: Pick<JournalReader, 'facts' | 'latchChanges'>,
  config: BotConfig,
): Promise<Finding[]> {
  // A paper run with its own service begins a new journal.
  if (config.link.kind === 'paper') return [];
  const facts = await reader.facts();
  const latches = new Map<string, Latch>();
  for (const change of await reader.latchChanges()) latches.set(change.name, change);
  const store = {
    meta: (key: string) => facts[key],
    latch: (name: string) => latches.get(name),
    // States are the running bot's to read.
    readState: () => undefined,
  };
  const names = config.strategies.map(({ name }) => name);
  return [
    ...examineAccount(facts[ACCOUNT], config),
    ...examineStages(store, config),
    ...explainRenamed(store, names).map((text) =>
      note('renamed', text, 'The next start says it once, and goes on.'),
    ),
  ];
}

function examineAccount(owner: string | undefined, config: BotConfig): Finding[] {
  const { journal } = config;
  // An operator named it: whose it is then stays.
  if (owner === undefined || journal.account !== undefined) return [];
  const account = accountOf(config);
  if (goesOnIn(owner, account)) return [];
  const place = journal.url === undefined ? journal.path : 'in the database';
  const [text = '', ...remedy] = foreignJournal({ place, owner, account }).message.split('\n');
  return [bad('account', text.replace(/\.$/, ''), remedy.map((line) => line.trim()).join(' '))];
}

function examineStages(store: { latch(name: string): Latch | undefined }, config: BotConfig) {
  const { directory } = config;
  return config.strategies.flatMap(({ name, use, symbols, shadow }) => {
    const planned = shadow && { use: shadow.use, directory };
    const open = readOpenStage(store, name, { own: { use, directory }, shadow: planned });
    if (open.version !== 'foreign') return [];
    const back = describeTakingBack(config, { name, symbols }, open.row);
    return [
      bad(
        'stage',
        `${name} is ${describeForeign(open.row, planned)}: a start is refused`,
        `Name ${open.row.version} again, as \`shadow\` or as \`use\`; or ${back}`,
      ),
    ];
  });
}
