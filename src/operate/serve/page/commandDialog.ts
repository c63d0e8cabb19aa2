// A command to the bot: with a reason, and for the heavy ones the bot's name typed by hand.
import { el } from '../../report/page/format.ts';
import type { BrowserPorts } from './browserPorts.ts';
import { outcomeOf, type CommandAnswer } from './commandOutcome.ts';
import type { Client } from './createClient.ts';
import type { PageDialog } from './createDialog.ts';
import type { LateNotices } from './lateNotices.ts';
import type { Command } from './PageAsks.ts';

const EFFECTS = {
  L1: 'No new exposure. Protection and exits go on.',
  L2: 'The bot’s own entries are stopped and cancelled; protection stays.',
  L3: 'The bot’s positions are closed by reduce-only orders.',
  L4: 'Nothing is sent any more until the bot is re-armed and restarted. Positions stay as they are.',
} as const;

interface Field {
  element: HTMLElement;
  value(): string;
}

interface TextField extends Field {
  input: HTMLInputElement;
}

function field(label: string, properties: Record<string, string | boolean>): TextField {
  const input = el('input', { autocomplete: 'off', spellcheck: 'false', ...properties });
  return {
    element: el('label', { class: 'field' }, el('span', {}, label), input),
    input,
    value: () => input.value.trim(),
  };
}

function choice(label: string, options: Readonly<Record<string, string>>): Field {
  const select = el(
    'select',
    {},
    ...Object.entries(options).map(([value, text]) => el('option', { value }, text)),
  );
  return {
    element: el('label', { class: 'field' }, el('span', {}, label), select),
    value: () => select.value,
  };
}

const WRONG_TOKEN = 'This is not the control token.';

function showOutcome(answer: CommandAnswer): HTMLElement {
  const { text, open, todo } = outcomeOf(answer);
  return el(
    'div',
    { role: todo === '' ? 'status' : 'alert' },
    el('p', {}, text),
    ...(open.length === 0 ? [] : [el('ul', {}, ...open.map((line) => el('li', {}, line)))]),
    ...(todo === '' ? [] : [el('p', {}, todo)]),
  );
}

/** The same in a line. */
function outcomeText(answer: CommandAnswer): string {
  const { text, open, todo } = outcomeOf(answer);
  return [text, ...open, todo].filter((part) => part !== '').join(' ');
}

interface Asked {
  title: string;
  about: string;
  path: string;
  fields: readonly Field[];
  body(): Record<string, unknown>;
  button: string;
}

function asksOf(command: Command, bot: string): Asked {
  switch (command.kind) {
    case 'kill': {
      const { level } = command;
      const isHeavy = level === 'L3' || level === 'L4';
      const name = isHeavy ? [field(`The bot’s name, ${bot}, to confirm`, { required: true })] : [];
      return {
        title: `Kill to ${level}`,
        about: EFFECTS[level],
        path: '/api/kill',
        fields: name,
        body: () => ({ level, ...(isHeavy ? { name: name[0]!.value() } : {}) }),
        button: `Kill to ${level}`,
      };
    }
    case 'rearm':
      return {
        title: 'Re-arm',
        about: 'Back to L0: entries are open again, unless another reason closes them.',
        path: '/api/rearm',
        fields: [],
        body: () => ({}),
        button: 'Re-arm',
      };
    case 'pause':
    case 'resume': {
      const { kind, strategy } = command;
      const verb = kind === 'pause' ? 'Pause' : 'Resume';
      return {
        title: `${verb} ${strategy}`,
        about:
          kind === 'pause'
            ? 'It adds no exposure until it is resumed, across restarts; its exits go on.'
            : 'It may add exposure again.',
        path: `/api/strategies/${encodeURIComponent(strategy)}/${kind}`,
        fields: [],
        body: () => ({}),
        button: verb,
      };
    }
    case 'settle': {
      const { key, strategy, symbol } = command.row;
      const as = choice('Its outcome', {
        absent: 'absent: the service never had it',
        accepted: 'accepted: the service has it',
      });
      const records = field('Ids of its records, if accepted, separated by spaces', {});
      return {
        title: 'Settle an intent',
        about: `${strategy}, ${symbol}, ${key}. Look at the service first: what you state is taken as the truth.`,
        path: '/api/settle',
        fields: [as, records],
        body: () => ({
          key,
          as: as.value(),
          records: records
            .value()
            .split(/[\s,]+/)
            .filter((id) => id !== ''),
        }),
        button: 'Settle',
      };
    }
  }
}

/**
 * Asks for what a command needs and sends it. The control token is held in this function alone: a page that is loaded
 * again asks again.
 */
export function commandDialog(
  dialog: PageDialog,
  {
    client,
    ports,
    late,
    botName,
  }: { client: Client; ports: BrowserPorts; late: LateNotices; botName(): string },
): (command: Command) => void {
  let known: string | null = null;
  return (command) => {
    const asked = asksOf(command, botName());
    const reason = field('Reason, for the journal', { required: true, maxlength: '500' });
    const token = field('Control token', { type: 'password' });
    /** A form that was opened while the token was known may have to ask for another one. */
    const askToken = (isAsked: boolean): void => {
      token.element.hidden = !isAsked;
      token.input.required = isAsked;
      if (isAsked) token.input.focus();
    };
    askToken(known === null);
    const answer = el('p', { role: 'alert', class: 'answer' });
    const send = el('button', { type: 'submit', class: 'danger' }, asked.button);
    const form = el(
      'form',
      {},
      el('p', { class: 'about' }, asked.about),
      ...[...asked.fields, reason, token].map(({ element }) => element),
      answer,
      send,
    );
    // A second try that says the same must not be carried out twice.
    let [sent, nonce] = ['', ''];
    const run = async (): Promise<void> => {
      const given = known ?? token.value();
      if (given === '') {
        askToken(true);
        answer.textContent = WRONG_TOKEN;
        return;
      }
      const next = { ...asked.body(), reason: reason.value() };
      const text = JSON.stringify(next);
      if (text !== sent) [sent, nonce] = [text, ports.nonce()];
      send.disabled = true;
      answer.textContent = 'The bot carries it out …';
      const result = await client.post<CommandAnswer>(asked.path, { ...next, nonce }, given);
      send.disabled = false;
      const isShown = turn.isShown();
      const report = (text: string): void => late.report(`${asked.title}: ${text}`);
      if (result.ok) {
        known = given;
        if (isShown) dialog.open(asked.title, showOutcome(result.value));
        else report(outcomeText(result.value));
        return;
      }
      const why = result.status === 401 ? WRONG_TOKEN : result.message;
      answer.textContent = why;
      if (result.status === 401) {
        known = null;
        if (isShown) askToken(true);
      }
      if (!isShown) report(why);
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void run();
    });
    const turn = dialog.open(asked.title, form);
  };
}
