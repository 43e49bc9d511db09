// The keys created during setup, passed by the setup page in this tab. They are shown once, because reading removes them.

export interface FirstKeys {
  test_key: string;
  live_key: string;
}

const KEPT_AS = 'mailkeel.first-keys';

/** Kept in memory, so the page shows them until it is left or reloaded. */
let taken: FirstKeys | null = null;

export function takeFirstKeys(): FirstKeys | null {
  const text = sessionStorage.getItem(KEPT_AS);
  if (text === null) return taken;
  sessionStorage.removeItem(KEPT_AS);
  taken = JSON.parse(text) as FirstKeys;
  return taken;
}

/** Whether the set-up page has just handed keys over. */
export function hasFirstKeys(): boolean {
  return sessionStorage.getItem(KEPT_AS) !== null;
}
