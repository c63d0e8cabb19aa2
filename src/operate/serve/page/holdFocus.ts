// Where the focus goes when what had it is gone: for who reads by keyboard, the body is the top of the page.

/** An element and all that hold it, innermost first. */
export function wayOf(element: Element | null): readonly Element[] {
  const way: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) way.push(at);
  return way;
}

/** If nothing has the focus, the innermost part of the way that is still shown gets it. */
export function holdFocus(way: readonly Element[]): void {
  const { activeElement } = document;
  // A closed dialog has it until the page is drawn again.
  if (activeElement !== null && activeElement !== document.body && activeElement.checkVisibility())
    return;
  const there = way.find((one): one is HTMLElement => one instanceof HTMLElement && isShown(one));
  if (there === undefined) return;
  // What is no control takes it only so, and the tab key does not stop there.
  if (there.tabIndex < 0) there.setAttribute('tabindex', '-1');
  there.focus({ preventScroll: true });
}

const isShown = (element: HTMLElement): boolean => element.isConnected && element.checkVisibility();
