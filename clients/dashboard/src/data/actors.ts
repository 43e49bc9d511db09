// Names of people and keys, for logs that know their ids.
import { useRole } from './place.js';
import { useRead } from './read.js';

const MOST = 100;

/** The name of an id; the id itself where nobody is known by it any more. */
export function useActorNames(): (id: string) => string {
  const isAdmin = useRole('admin');
  const members = useRead(['members', 'names'], (api, signal) => api.members.list({ limit: MOST }, { signal }), {
    isOff: !isAdmin,
  });
  const keys = useRead(['api-keys', 'names'], (api, signal) => api.apiKeys.list({ limit: MOST }, { signal }), {
    isOff: !isAdmin,
  });
  const names = new Map<string, string>();
  for (const { id, name, email } of members.data?.data ?? []) names.set(id, name ?? email);
  for (const { id, name } of keys.data?.data ?? []) names.set(id, name);
  return (id) => names.get(id) ?? id;
}
