// Keyboard shortcuts of every page: row navigation, the list of shortcuts, and the focus after a dialog closes.
import { useEffect } from 'react';
import { isForPage } from '../ui/shortcuts.js';

/** Dialogs and menus fade out before the focus is lost, so it is checked this many times at this interval (ms). */
const LOOKS = 12;
const LOOK_MS = 150;
const KEPT = 20;
const OVERLAYS = '[role="dialog"], [role="menu"]';
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** The first link or button of each row of the page's lists. */
function rowsOfPage(): HTMLElement[] {
  const rows = document.querySelectorAll<HTMLElement>('#page .mk-table tbody tr');
  return [...rows].flatMap((row) => row.querySelector<HTMLElement>('a[href], button:not(:disabled)') ?? []);
}

/** Moves to the next or the former row. Arrows move only from a row, since they scroll the page elsewhere. */
function moveInList(key: string): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  const rows = rowsOfPage();
  const row = document.activeElement?.closest('tr') ?? null;
  const at = row === null ? -1 : rows.findIndex((one) => row.contains(one));
  if (rows.length === 0 || (at < 0 && key.startsWith('Arrow'))) return false;
  const next = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}

export function usePageKeys({ showKeys }: { showKeys: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      if (event.key === '?') showKeys();
      else if (!moveInList(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [showKeys]);
}

function isReachable(element: HTMLElement): boolean {
  return element.isConnected && element.closest(OVERLAYS) === null && element.getClientRects().length > 0;
}

/**
 * Restores the focus when a closing dialog loses it: to the last focused element that is still visible. Mantine's dialogs return it
 * to a menu item that no longer exists.
 */
export function useReturnedFocus(): void {
  useEffect(() => {
    let trail: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement)
        trail = [...trail.filter((one) => one !== target), target].slice(-KEPT);
    };
    let timer: number | undefined;
    const giveBack = (looks: number) => {
      const isClosed = document.querySelector('[role="dialog"]') === null;
      if (isClosed && document.activeElement === document.body) {
        trail.findLast(isReachable)?.focus({ preventScroll: true });
      }
      if (looks > 1) timer = window.setTimeout(() => giveBack(looks - 1), LOOK_MS);
    };
    const soon = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => giveBack(LOOKS), LOOK_MS);
    };
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') soon();
    };
    const click = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(OVERLAYS) !== null) soon();
    };
    document.addEventListener('focusin', remember);
    // Dialogs handle Escape themselves.
    document.addEventListener('keydown', press, { capture: true });
    document.addEventListener('click', click, { capture: true });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('keydown', press, { capture: true });
      document.removeEventListener('click', click, { capture: true });
      window.clearTimeout(timer);
    };
  }, []);
}
