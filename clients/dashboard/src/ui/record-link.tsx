// A link to the page of a record, by its id alone: ids begin with what they are of.
import { PageLink } from './links.js';

const PATHS: Readonly<Record<string, (id: string) => string>> = {
  msg: (id) => `/messages/${id}`,
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

/** The path of its page; null for what has none. */
function recordPath(id: string): string | null {
  const [prefix = ''] = id.split('_', 1);
  return PATHS[prefix]?.(id) ?? null;
}

/** The id, as a link where it leads somewhere. */
export function RecordLink({ id }: { id: string }) {
  const path = recordPath(id);
  if (path === null) return <span className="ph-mono ph-clip">{id}</span>;
  return (
    <PageLink to={path} className="ph-mono ph-clip">
      {id}
    </PageLink>
  );
}
