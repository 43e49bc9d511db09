// The session of the person in front of the page.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readSession } from '../data/client.js';

export const SESSION_KEY = ['session'] as const;

export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 5 * 60_000 });
}

/** Makes who is signed in be read anew, as after a change of one's name or of the workspaces. */
export function useSessionRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => client.invalidateQueries({ queryKey: SESSION_KEY });
}
