const OF_JOURNAL = /^(?:account$|writer$|upgrade )/;

/** Whether a fact is about the journal itself, by its name, and not what its bot has noted of its account. */
export const isOfJournal = (name: string): boolean => OF_JOURNAL.test(name);
