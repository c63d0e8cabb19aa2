/** Marks one of the tabs as selected, and no other. */
export function selectTab(tabs: HTMLElement, isSelected: (tab: HTMLElement) => boolean): void {
  for (const tab of tabs.children as HTMLCollectionOf<HTMLElement>) {
    tab.setAttribute('aria-selected', String(isSelected(tab)));
  }
}
