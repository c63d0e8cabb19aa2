import type { BotOptions } from './Bot.ts';
import { createCatchUp, type CatchUp, toOutcome } from './pipe/index.ts';
import type { BooksOfBot } from './createBooks.ts';
import { createMembers, type Member, latchLife } from './members/index.ts';
import type { Outlet } from './createOutlet.ts';

/** The strategies of a bot, connected to its events and its pipe. */
export interface Team {
  members: ReadonlyMap<string, Member>;
  catchUp: CatchUp;
}

/** Connects the deciding parts: what they propose goes to the pipe, and each receives the outcome. */
export function createTeam(books: BooksOfBot, outlet: Outlet, options: BotOptions): Team {
  const { env, market, store, events$, instants, spans, onFatal } = books;
  const { pipe, outcomes$ } = outlet;
  const catchUp = createCatchUp({ timers: env.timers, submit: pipe.submit });
  const members = createMembers({
    ...books,
    record: options.record,
    onPlot: options.onPlot,
    threads: options.threads,
    onIntent(emission) {
      spans.interrupt();
      catchUp.take(emission);
    },
    onFault(fault) {
      spans.interrupt();
      events$.next({ kind: 'strategy_fault', fault });
    },
    onNotice(instance, notice) {
      spans.interrupt();
      events$.next({ kind: 'strategy_notice', instance, notice });
    },
    onLife(life) {
      spans.interrupt();
      events$.next({ kind: 'strategy_life', life });
      // What it left waiting for its turn may no longer be sent.
      pipe.reconsider();
      void latchLife(store, life, env.clock.wallNow()).catch(onFatal);
    },
  });
  const ledgers = [...members.values()].map(({ ledger }) => ledger);
  spans.ledgers.push(...ledgers);
  // Before the subscribers that record the bot, so that an instant is valued by complete figures.
  instants.listen(
    (time) => {
      for (let at = 0; at < ledgers.length; at++) ledgers[at]!.sampleDrawdown(time);
    },
    (columns) => {
      for (let at = 0; at < ledgers.length; at++) ledgers[at]!.sampleColumns(columns);
    },
  );
  outcomes$.subscribe((event) => {
    const own$ = members.get(event.emission.instance)?.outcomes$;
    if (own$?.observed === true) own$.next(toOutcome(event, market.now()));
  });
  return { members, catchUp };
}
