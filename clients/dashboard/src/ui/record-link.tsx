// An id as a link to the page of its record, by its prefix; ids without a page are only shown.
import { PageLink } from './links.js';

const PAGES: Record<string, (id: string) => string> = {
  msg: (id) => `/messages/${id}`,
  thr: (id) => `/threads/${id}`,
  cnt: (id) => `/contacts/${id}`,
  lst: (id) => `/lists/${id}`,
  cmp: (id) => `/campaigns/${id}`,
  seq: (id) => `/sequences/${id}`,
  tnt: (id) => `/sub-tenants/${id}`,
  snd: (id) => `/senders/${id}`,
  tpl: (id) => `/templates/${id}`,
  whe: (id) => `/webhooks/${id}`,
  imp: (id) => `/imports/${id}`,
  exp: () => '/exports',
  blk: () => '/bulk-actions',
  key: () => '/api-keys',
  usr: () => '/people',
  inv: () => '/people',
  ses: () => '/account',
  ws: () => '/settings',
  org: () => '/settings',
  sup: () => '/suppressions',
};

export function RecordLink({ id }: { id: string }) {
  const page = PAGES[id.split('_', 1)[0] ?? ''];
  if (page === undefined) return <span className="ph-clip">{id}</span>;
  return (
    <PageLink to={page(id)} className="ph-clip">
      {id}
    </PageLink>
  );
}
