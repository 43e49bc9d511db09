// Who acts in the organization: people and API keys by their ids, for logs that name them by id alone.
import { useRole } from './place.js';
import { useRead } from './read.js';

/** As many as a page of the API has; who is further back is shown by the id. */
const MOST = 100;

export interface Actors {
  /** The name of a person or a key; the id where it is not known, as of a revoked key, and of keys for who is no admin. */
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
