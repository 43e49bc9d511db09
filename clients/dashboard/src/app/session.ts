// The session of the person in front of the page, and its end.
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { readSession } from '../data/client.js';

export const SESSION_KEY = ['session'] as const;
/** True if the session has ended while a page is open. The page stays, so that no input is lost. */
export const ENDED_KEY = ['session-ended'] as const;

/** Tabs notify each other of a sign-out, because the next person must not see their content. */
const TABS = 'mailkeel.session';

export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 5 * 60_000 });
}

export function useHasEnded(): boolean {
  return useQuery({ queryKey: ENDED_KEY, queryFn: () => false, staleTime: Infinity }).data === true;
}

/** Forgets everything that was read. */
function forgetSession(client: QueryClient): void {
  client.setQueryData(SESSION_KEY, null);
  client.setQueryData(ENDED_KEY, false);
  client.removeQueries({ predicate: ({ queryKey }) => !String(queryKey[0]).startsWith('session') });
}

/** In every tab, this one too. */
export function signedOut(client: QueryClient): void {
  forgetSession(client);
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage('signed out');
  tabs.close();
}

/** Follows the other tabs, for as long as this one is open. */
export function followTabs(client: QueryClient): void {
  new BroadcastChannel(TABS).onmessage = () => forgetSession(client);
}
