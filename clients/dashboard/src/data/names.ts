// Names of records by their ids, for pages that know a record by its id alone.
import type { Mailkeel } from '@mailkeel/sdk';
import { usePlace, useRole } from './place.js';
import { useRead } from './read.js';

/** Names are read in pages, and missing ones individually. */
const AT_ONCE = 100;

interface Source {
  noun: string;
  list: (api: Mailkeel, limit: number) => PromiseLike<{ data: readonly object[]; has_more: boolean }>;
  get?: (api: Mailkeel, id: string) => PromiseLike<object>;
  /** Only admins can list them. */
  isForAdmins?: boolean;
}

/** By the prefix of the ids. */
const SOURCES: Readonly<Record<string, Source>> = {
  tnt: {
    noun: 'sub-tenants',
    list: (api, limit) => api.subTenants.list({ limit }),
    get: (api, id) => api.subTenants.get(id),
  },
  snd: { noun: 'senders', list: (api, limit) => api.senders.list({ limit }), get: (api, id) => api.senders.get(id) },
  tpl: {
    noun: 'templates',
    list: (api, limit) => api.templates.list({ limit, view: 'summary' }),
    get: (api, id) => api.templates.get(id),
  },
  lst: { noun: 'lists', list: (api, limit) => api.lists.list({ limit }), get: (api, id) => api.lists.get(id) },
  cmp: {
    noun: 'campaigns',
    list: (api, limit) => api.campaigns.list({ limit, view: 'summary' }),
    get: (api, id) => api.campaigns.get(id),
  },
  seq: {
    noun: 'sequences',
    list: (api, limit) => api.sequences.list({ limit }),
    get: (api, id) => api.sequences.get(id),
  },
  whe: {
    noun: 'webhook-endpoints',
    list: (api, limit) => api.webhookEndpoints.list({ limit }),
    get: (api, id) => api.webhookEndpoints.get(id),
  },
  ibx: { noun: 'inboxes', list: (api, limit) => api.inboxes.list({ limit }), get: (api, id) => api.inboxes.get(id) },
  cnt: {
    noun: 'contacts',
    list: (api, limit) => api.contacts.list({ limit }),
    get: (api, id) => api.contacts.get(id),
  },
  key: { noun: 'api-keys', list: (api, limit) => api.apiKeys.list({ limit }), isForAdmins: true },
  usr: { noun: 'members', list: (api, limit) => api.members.list({ limit }) },
};

/**
 * Returns the display name of a record. For a person or sender this can be the address, for an endpoint the URL, and for an inbox
 * the address.
 */
function nameIn(record: object): string | null {
  const fields = record as Record<string, unknown>;
  for (const field of ['name', 'email', 'domain', 'url', 'address']) {
    const value = fields[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Returns the name of a record; null while it is loading, and if it has none. */
export function useRecordName(id: string): string | null {
  const prefix = id.split('_', 1)[0] ?? '';
  const { session } = usePlace();
  const isAdmin = useRole('admin');
  const source = SOURCES[prefix];
  const isOff = source === undefined || (source.isForAdmins === true && !isAdmin);
  const noun = source?.noun ?? 'none';
  const listed = useRead(
    [noun, 'names-by-id'],
    async (api) => {
      const { data, has_more: hasMore } = (await source?.list(api, AT_ONCE)) ?? { data: [], has_more: false };
      const names = data.map((one) => [(one as { id: string }).id, nameIn(one)] as const);
      return { names: new Map(names), hasMore };
    },
    { isOff },
  );
  const isFurther = listed.data?.hasMore === true && !listed.data.names.has(id);
  const single = useRead(
    [noun, 'name-of', id],
    async (api) => nameIn((await source?.get?.(api, id)) ?? {}),
    { isOff: isOff || !isFurther || source.get === undefined },
  );
  if (prefix === 'ws') return session.workspaces.find((one) => one.id === id)?.name ?? null;
  return listed.data?.names.get(id) ?? single.data ?? null;
}
