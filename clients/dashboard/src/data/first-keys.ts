// The keys that setting up has made, handed over by the set-up page in this tab. They are shown once: reading them takes them away.

export interface FirstKeys {
  test_key: string;
  live_key: string;
}

const KEPT_AS = 'mailkeel.first-keys';

/** In memory, so that the page shows them until it is left or reloaded. */
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
