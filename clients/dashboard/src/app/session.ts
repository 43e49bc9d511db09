// The session of the person in front of the page.
import { useQuery } from '@tanstack/react-query';
import { readSession } from '../data/client.js';

export const SESSION_KEY = ['session'] as const;

export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 5 * 60_000 });
}
