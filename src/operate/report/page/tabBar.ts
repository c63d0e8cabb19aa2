import { el } from './format.ts';
import { selectTab } from './selectTab.ts';

/** One of several views; its panel is drawn when it is selected. */
export interface Tab {
  name: string;
  /** Absent: the name. */
  label?: string;
}

/** Tabs that the arrow keys walk, as a screen reader expects of them; the first is selected. */
export function tabBar(
  { label, tabs, panel }: { label: string; tabs: readonly Tab[]; panel: string },
  onSelect: (name: string) => void,
): HTMLElement {
  const bar = el('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
  const select = (name: string): void => {
    selectTab(bar, (tab) => tab.dataset.tab === name);
    for (const tab of bar.children as HTMLCollectionOf<HTMLElement>) {
      tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
    }
    onSelect(name);
  };
  const step = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const all = [...bar.children] as HTMLElement[];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = all[(at + move + all.length) % all.length]!;
    next.focus();
    select(next.dataset.tab!);
  };
  bar.addEventListener('keydown', step);
  for (const { name, label: text = name } of tabs) {
    bar.append(
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          'data-tab': name,
          'aria-controls': panel,
          click: () => select(name),
        },
        text,
      ),
    );
  }
  const [first] = tabs;
  if (first !== undefined) select(first.name);
  return bar;
}

/** Where the selected tab's content is. */
export const tabPanel = (id: string, label: string): HTMLElement =>
  el('div', { id, role: 'tabpanel', 'aria-label': label });
