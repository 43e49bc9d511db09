// Keys that act on the page, unless the person is typing or a dialog is open.
import { useEffect } from 'react';

const OVERLAYS = '[role="dialog"], [role="menu"]';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="combobox"]') !== null)
  );
}

/** Whether a key is meant for the page. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false;
  return document.querySelector(OVERLAYS) === null;
}

/** Actions by key. An action that is null is disabled. */
export function useShortcuts(actions: Readonly<Record<string, (() => unknown) | null>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = actions[event.key] ?? null;
      if (act === null || event.repeat || !isForPage(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [actions]);
}
