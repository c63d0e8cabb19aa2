import {
  compareAccounts,
  foreignJournal,
  JournalFault,
  journalNamed,
  type ChooseJournal,
  type KnownJournal,
} from '../../journal/index.ts';

/**
 * Which journal of a database a bot writes: that of its account, or that of some of its wallets, which goes on. Any
 * other one with a wallet of the bot's is refused, since a new one would not know its kill level or what it sent, and
 * two processes could trade that wallet.
 *
 * @param place the database's address without its password
 * @throws JournalFault `foreign`
 */
export function chooseJournal(account: string, place: string): ChooseJournal {
  return (known) => {
    const shared = known
      .map((journal) => ({ ...journal, standing: compareAccounts(journal.account, account) }))
      .filter(({ standing }) => standing !== 'apart');
    if (shared.length > 1) throw severalJournals(shared, { place, account });
    const [only] = shared;
    if (only?.standing === 'overlaps')
      throw foreignJournal({ place, owner: only.account, account });
    return only?.key ?? account;
  };
}

/** The journal that an operator named; a new one where no journal has the name. */
export function namedJournal(name: string): ChooseJournal {
  return (known) => journalNamed(known, name)?.key ?? name;
}

/** Nothing says which of them knows what was sent last. */
function severalJournals(
  shared: readonly KnownJournal[],
  { place, account }: { place: string; account: string },
): JournalFault {
  const names = shared.map((journal) => journal.account).join(' and ');
  const message =
    `The database ${place} has the journals of ${names}, and this bot trades on ${account}: they have wallets in common.\n` +
    '  Name the one that goes on (journal.account: NAME). Kill levels, pauses, states and open intents of the others are\n' +
    '  not read: look at each by trimtab journal latches and trimtab journal list, with --account NAME.';
  return new JournalFault('foreign', message);
}
