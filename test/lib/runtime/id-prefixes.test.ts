// Tests the prefixes of public IDs, and the kind of object for each.
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const KINDS: Readonly<Record<string, string>> = {
  aim: 'account import',
  apr: 'approval',
  aud: 'audit entry',
  blk: 'bulk action',
  cmp: 'campaign',
  cnt: 'contact',
  enr: 'enrollment',
  exp: 'export',
  drf: 'draft',
  fwd: 'forwarding address',
  ibx: 'inbox',
  imp: 'import',
  inc: 'incident',
  inv: 'invitation',
  key: 'API key, or DKIM key inside the server',
  lgo: 'logo',
  lst: 'list',
  msg: 'message',
  nod: 'node',
  ntc: 'notice',
  ocl: 'OAuth client',
  org: 'organization',
  ovr: 'override',
  rlg: 'entry of the request log',
  rpt: 'report',
  rte: 'route',
  sbk: 'saved block',
  seq: 'sequence',
  ses: 'sign-in, or the run of a scheduler inside the server',
  shr: 'share link',
  snd: 'sender',
  ssn: 'delivery session',
  sup: 'suppression',
  thr: 'thread',
  tnt: 'sub-tenant',
  tpl: 'template',
  usr: 'person',
  whd: 'webhook delivery',
  whe: 'webhook endpoint',
  whr: 'webhook replay',
  ws: 'workspace',
};

it('each prefix of an id is listed with its kind', () => {
  const files = globSync('src/**/*.ts', { cwd: new URL('../../../', import.meta.url) });
  const used = files.flatMap((file) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    return [...text.matchAll(/newId\('(\w+)'/g)].map(([, prefix = '']) => prefix);
  });
  expect([...new Set(used)].sort()).toEqual(Object.keys(KINDS).sort());
});
