// Who acts in the organization: people and API keys by their ids, for logs that name them by id alone.
import { useRole } from './place.js';
import { useRead } from './read.js';

/** One page of the API. People beyond it are shown by their id. */
const MOST = 100;

export interface Actors {
  /**
   * Returns the name of a person or key; the id if the name is unknown, as for a revoked key, and for keys if the user is not an
   * admin.
   */
  nameOf: (id: string) => string;
  /** For a filter. */
  people: { value: string; label: string }[];
  keys: { value: string; label: string }[];
}

export function useActors(): Actors {
  const members = useRead(['members', 'names'], (api, signal) =>
    api.members.list({ limit: MOST }, { signal }),
  );
  const seesKeys = useRole('admin');
  const apiKeys = useRead(
    ['api-keys', 'names'],
    (api, signal) => api.apiKeys.list({ limit: MOST }, { signal }),
    { isOff: !seesKeys },
  );
  const people = (members.data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: name ?? email,
  }));
  const keys = (apiKeys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const names = new Map([...people, ...keys].map(({ value, label }) => [value, label]));
  return { nameOf: (id) => names.get(id) ?? id, people, keys };
}
