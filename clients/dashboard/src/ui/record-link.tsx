// A link to the page of a record by its id: ids begin with the kind of the record.
import { useRecordName } from '../data/names.js';
import { PageLink } from './links.js';

const PATHS: Readonly<Record<string, (id: string) => string>> = {
  msg: (id) => `/messages/${id}`,
  apr: (id) => `/approvals/${id}`,
  thr: (id) => `/threads/${id}`,
  tpl: (id) => `/templates/${id}`,
  cnt: (id) => `/contacts/${id}`,
  lst: (id) => `/lists/${id}`,
  imp: (id) => `/imports/${id}`,
  exp: () => '/exports',
  blk: () => '/bulk-actions',
  cmp: (id) => `/campaigns/${id}`,
  seq: (id) => `/sequences/${id}`,
  sup: () => '/suppressions',
  tnt: (id) => `/sub-tenants/${id}`,
  snd: (id) => `/senders/${id}`,
  whe: (id) => `/webhooks/${id}`,
  key: () => '/api-keys',
  usr: () => '/people',
  inv: () => '/people',
  ws: () => '/settings',
  org: () => '/settings',
  ses: () => '/account',
};

/** Returns the path of a record's page; null if it has none. */
function recordPath(id: string): string | null {
  const [prefix = ''] = id.split('_', 1);
  return PATHS[prefix]?.(id) ?? null;
}

/** The name of a record, or its id if it has none, as a link to its page. */
export function RecordLink({ id }: { id: string }) {
  const name = useRecordName(id);
  const path = recordPath(id);
  const look = name === null ? 'mk-mono mk-clip' : 'mk-clip';
  if (path === null) return <span className={look}>{name ?? id}</span>;
  return (
    <PageLink to={path} className={look}>
      {name ?? id}
    </PageLink>
  );
}
