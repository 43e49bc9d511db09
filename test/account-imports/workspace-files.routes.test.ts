// Tests imports of workspace exports: a filled workspace moves to an empty server, which exports it again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaveList } from '../../src/contacts/contact-changes.store.js';
import { assembleProgram, type ProgramRequest, type TestProgram } from '../support/program.js';
import { waitFor } from '../support/wait.js';

let source: TestProgram;
let target: TestProgram;
const ENV = { MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' };
beforeEach(async () => {
  [source, target] = await Promise.all([assembleProgram({ env: ENV }), assembleProgram({ env: ENV })]);
  for (const program of [source, target]) {
    program.parts.api.audience.transfers.start();
    program.parts.api.audience.accountImports.start();
  }
});
afterEach(() => Promise.all([source.close(), target.close()]));

type Line = Record<string, unknown> & { object: string };

interface Job {
  id: string;
  status: string;
  counts: Record<string, unknown>[];
  error: string | null;
}

async function make(program: TestProgram, path: string, body: object): Promise<string> {
  const answer = await program.ask('POST', path, { body });
  expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
  return answer.json.id as string;
}

function ended(program: TestProgram, path: string): Promise<Job> {
  return waitFor(
    'the end of the transfer',
    async () => (await program.ask('GET', path)).json as Job,
    ({ status }) => !['queued', 'running'].includes(status),
    20_000,
  );
}

async function exported(program: TestProgram, key?: string): Promise<string> {
  const as = key === undefined ? {} : { key };
  const made = await program.ask('POST', '/v1/exports', { body: { kind: 'workspace' }, ...as });
  const id = made.json.id as string;
  expect(await ended(program, `/v1/exports/${id}`)).toMatchObject({ status: 'completed' });
  return (await program.ask('GET', `/v1/exports/${id}/file`, as)).text;
}

function upload(file: string, query = '', request: ProgramRequest = {}) {
  const headers = { 'content-type': 'application/x-ndjson' };
  return target.ask('POST', `/v1/account-imports/upload?source=mailkeel${query}`, {
    ...{ body: file, headers },
    ...request,
  });
}

async function imported(file: string, query?: string, request?: ProgramRequest): Promise<Job> {
  const answer = await upload(file, query, request);
  expect(answer.status, answer.text).toBe(202);
  return ended(target, `/v1/account-imports/${String(answer.json.id)}`);
}

const all = async (path: string) => (await target.ask('GET', path)).json.data as Record<string, unknown>[];
const filesOfTarget = () => target.raw('SELECT COALESCE(SUM(stored_bytes), 0) AS n FROM account_imports');

/** Fills the workspace with an object of each kind. */
async function fill(): Promise<void> {
  const tenant = await make(source, '/v1/sub-tenants', {
    ...{ name: 'Acme', sending_domain: 'acme.example', external_id: '4711' },
  });
  await make(source, '/v1/senders', { domain: 'customer.example' });
  await make(source, '/v1/senders', { domain: 'news.acme.example', sub_tenant_id: tenant });
  await make(source, '/v1/webhook-endpoints', {
    ...{ url: 'https://u:p@127.0.0.1/hook', events: ['message.bounced'], description: 'Ours' },
  });
  const template = await make(source, '/v1/templates', {
    ...{
      name: 'Order',
      slug: 'order',
      subject: 'Hi {{name}}',
      html: '<p>{{name}}</p>',
      type: 'transactional',
    },
  });
  await make(source, '/v1/templates', { name: 'Theirs', slug: 'order', text: 'x', sub_tenant_id: tenant });
  const confirmation = await make(source, '/v1/templates', { name: 'Confirm', text: '{{confirmation_url}}' });
  const news = await make(source, '/v1/lists', {
    ...{ name: 'News', description: 'Monthly', double_opt_in: true, confirmation_template_id: confirmation },
    form_origins: ['https://www.example.com'],
  });
  await make(source, '/v1/lists', {
    name: 'Vips',
    filter: {
      any: [
        { field: 'list', op: 'in', value: [news] },
        { field: 'tag', op: 'has', value: 'vip' },
      ],
    },
  });
  const theirs = await make(source, '/v1/lists', { name: 'Theirs', sub_tenant_id: tenant });
  const ann = await make(source, '/v1/contacts', {
    ...{ email: 'Ann@x.example', name: 'Ann', phone: '+49 421 1', tags: ['vip'], metadata: { a: { b: 1 } } },
  });
  const bob = await make(source, '/v1/contacts', { email: 'bob@x.example', sub_tenant_id: tenant });
  await make(source, '/v1/contacts', { email: 'ann@x.example', sub_tenant_id: tenant });
  await make(source, `/v1/lists/${news}/contacts`, { contact_ids: [ann] });
  await make(source, `/v1/lists/${theirs}/contacts`, { contact_ids: [bob] });
  await make(source, '/v1/suppressions', { email: 'gone@x.example', reason: 'complaint' });
  await make(source, '/v1/suppressions', {
    email: 'gone@x.example',
    reason: 'manual',
    sub_tenant_id: tenant,
  });
  const scope = await source.scopeOf('live');
  const list = await source.store.lists.list(scope, news);
  const leave = { listNumber: list?.number ?? 0, contactId: null, unsubscribed: true, at: Date.now() };
  await source.store.commit([leaveList({ ...leave, emailKey: 'left@x.example' })]);
  const promo = await make(source, '/v1/templates', { name: 'Promo', subject: 'Now', html: '<p>Now</p>' });
  await make(source, '/v1/saved-blocks', { name: 'Footer', block: { id: '1', type: 'footer', text: 'Ltd' } });
  await make(source, '/v1/saved-blocks', { name: 'Theirs', block: { id: '2' }, sub_tenant_id: tenant });
  await make(source, '/v1/sequences', {
    ...{ name: 'Welcome', type: 'transactional', exit_on: ['replied'], goal: { event: 'clicked' } },
    trigger: { type: 'list_joined', list_id: news },
    steps: [
      { id: 'hello', type: 'send', template: 'order', subject: 'Hi', variables: { a: { b: 1 } } },
      { id: 'read', type: 'branch', event: 'opened', within_hours: 2, next_step_id: 'end' },
      { type: 'wait', hours: 24 },
      { type: 'send', template },
      { id: 'end', type: 'exit' },
    ],
    ...{ from: 'Ann <ann@customer.example>', reply_to: 'help@customer.example', status: 'paused' },
  });
  await make(source, '/v1/sequences', {
    ...{ name: 'Theirs', type: 'transactional', trigger: { type: 'contact_created' }, status: 'paused' },
    ...{ steps: [{ type: 'send', template: 'order' }], sub_tenant_id: tenant },
  });
  await make(source, '/v1/campaigns', {
    ...{ name: 'Spring', list_id: news, template_id: promo, subject: 'Spring', segment_tag: 'vip' },
    variants: [{ tag: 'vip', template_id: promo, subject: 'For you' }],
    split: {
      variants: [
        { key: 'a', template_id: promo },
        { key: 'b', subject: 'B' },
      ],
      test_percent: 20,
    },
    ...{ track_opens: false, utm: { source: 'mail' }, from: 'Ann <ann@customer.example>' },
  });
  await make(source, '/v1/campaigns', { name: 'Idea', type: 'sales', sub_tenant_id: tenant });
}

const CREATED = {
  ...{ sub_tenants: 1, suppressions: 2, templates: 4, lists: 3, contacts: 3 },
  ...{ domains: 2, webhooks: 1, saved_blocks: 2, sequences: 2, campaigns: 2 },
};
const countsOf = ({ counts }: Job, field: string) =>
  Object.fromEntries(counts.map((one) => [one['kind'], one[field]]));

/** Objects created in the same millisecond have no defined order, so they are sorted by a field. */
function ordered(file: string): string {
  const lines = file.split('\n');
  for (const [object, field] of [
    ['suppression', 'email'],
    ['saved_block', 'name'],
    ['campaign', 'name'],
  ]) {
    const isOf = (line: string): boolean => line.includes(`"object":"${object}"`);
    const placeOf = (line: string): string => line.slice(line.indexOf(`"${field}"`));
    const first = lines.findIndex(isOf);
    const sorted = lines.filter(isOf).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    lines.splice(first, sorted.length, ...sorted);
  }
  return lines.join('\n');
}

const OF_THE_SERVER = ['dns_records', 'dns', 'dkim', 'sign_up_url', 'counted_at'];

/**
 * Replaces values that differ between servers (IDs, times, secrets and signing keys) by their order of appearance, or removes
 * them.
 */
function comparable(file: string): Line[] {
  const ids = new Map<string, string>();
  const text = ordered(file)
    .replace(/\b(?:tnt|sup|tpl|lst|cnt|snd|whe|key|sbk|seq|cmp)_[0-9a-z]{26}\b/g, (id) => {
      const known = ids.get(id) ?? `${id.slice(0, 3)} ${ids.size}`;
      ids.set(id, known);
      return known;
    })
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return lines.map((line) => {
    const isWebhook = line.object === 'webhook_endpoint';
    const url = isWebhook ? { url: String(line['url']).replace('***@', '') } : {};
    const left = [...OF_THE_SERVER, ...(isWebhook ? ['status', 'disabled_reason'] : [])];
    const entries = Object.entries(line).filter(([name]) => !left.includes(name));
    return { ...(Object.fromEntries(entries) as Line), ...url }; // `object` is not left out
  });
}

describe('a workspace export on another server', () => {
  it('becomes the same workspace, but for IDs, times and keys, and changes nothing a second time', async () => {
    await fill();
    const file = await exported(source);
    const job = await imported(file);
    expect(job).toMatchObject({ source: 'mailkeel', status: 'completed', error: null });
    const report = (await target.ask('GET', `/v1/account-imports/${job.id}/report`)).text;
    expect(countsOf(job, 'created'), report).toEqual(CREATED);
    expect(countsOf(job, 'left_out')).toEqual(countsOf(job, 'updated'));
    expect(comparable(await exported(target))).toEqual(comparable(file));
    expect(report).toContain('imported disabled and with a new secret');
    expect(await all('/v1/webhook-endpoints')).toMatchObject([
      {
        status: 'disabled',
        url: 'https://127.0.0.1/hook',
        disabled_reason: expect.stringContaining('Imported'),
      },
    ]);
    expect(await all('/v1/senders')).toMatchObject([
      { status: 'pending_verification' },
      { status: 'pending_verification' },
    ]);
    const [consent] = await target.raw('SELECT actor, source, occurred_at FROM consents ORDER BY number');
    expect(consent).toEqual(
      (await source.raw('SELECT actor, source, occurred_at FROM consents ORDER BY number'))[0],
    );

    const again = await imported(file);
    expect(countsOf(again, 'unchanged')).toEqual(CREATED);
    expect(countsOf(again, 'created')).toEqual(countsOf(job, 'left_out'));
    expect(await filesOfTarget()).toEqual([{ n: 0 }]);
  });

  it('is only read and counted in a dry run, and by the chosen kinds', async () => {
    await fill();
    const file = await exported(source);
    const checked = await imported(file, '&dry_run=true');
    expect(countsOf(checked, 'created')).toEqual(CREATED);
    for (const path of ['sub-tenants', 'suppressions', 'templates', 'lists', 'contacts', 'senders']) {
      expect(await all(`/v1/${path}`), path).toEqual([]);
    }
    const some = await imported(file, '&kinds=suppressions,contacts');
    expect(countsOf(some, 'created')).toEqual({ suppressions: 1, contacts: 1 });
    expect(countsOf(some, 'left_out')).toEqual({ suppressions: 1, contacts: 2 });
    const report = (await target.ask('GET', `/v1/account-imports/${some.id}/report`)).text;
    expect(report).toContain('The sub-tenant of this object was not imported.');
  });

  it("joins a sub-tenant that has the customer's own ID already", async () => {
    await fill();
    const own = await make(target, '/v1/sub-tenants', {
      ...{ name: 'Acme here', sending_domain: 'other.example', external_id: '4711' },
    });
    const job = await imported(await exported(source));
    expect(countsOf(job, 'created')).toEqual({ ...CREATED, sub_tenants: 0 });
    const contacts = await all('/v1/contacts');
    expect(contacts.find(({ email }) => email === 'bob@x.example')).toMatchObject({ sub_tenant_id: own });
  });

  it("moves a sub-tenant's export into the sub-tenant of the key", async () => {
    await fill();
    const tenant = String((await source.raw('SELECT id FROM sub_tenants'))[0]?.['id']);
    const file = await exported(source, await source.addKey({ subTenantId: tenant }));
    const own = await target.addTenant('acme');
    const job = await imported(file, `&sub_tenant_id=${own}&kinds=suppressions,contacts,lists`);
    expect(countsOf(job, 'created')).toEqual({ suppressions: 1, lists: 1, contacts: 2 });
    expect((await all('/v1/contacts')).map((one) => one['sub_tenant_id'])).toEqual([own, own]);
  });
});

describe('sequences and campaigns of a workspace export', () => {
  it('do not send automatically, and name the imported template if its slug is taken', async () => {
    const taken = await make(target, '/v1/templates', { name: 'Ours', slug: 'hello', text: 'Ours' });
    const hello = await make(source, '/v1/templates', { name: 'Hello', slug: 'hello', text: 'Theirs' });
    await make(source, '/v1/sequences', {
      ...{ name: 'Welcome', type: 'transactional', trigger: { type: 'contact_created' } },
      steps: [{ type: 'send', template: 'hello' }],
    });
    const list = await make(source, '/v1/lists', { name: 'News' });
    await make(source, '/v1/campaigns', { name: 'Later', list_id: list, template_id: hello });
    await source.raw(`UPDATE campaigns SET status = 'scheduled', scheduled_at = ${Date.now() + 86_400_000}`);
    await make(source, '/v1/contacts', { email: 'ann@x.example' });
    const job = await imported(await exported(source));
    expect(countsOf(job, 'created')).toMatchObject({ contacts: 1, sequences: 1, campaigns: 1 });
    const [template] = (await all('/v1/templates')).filter(({ id }) => id !== taken);
    expect(await all('/v1/sequences')).toMatchObject([
      { status: 'paused', steps: [{ template: template?.['id'] }] },
    ]);
    expect(await all('/v1/campaigns')).toMatchObject([
      { status: 'draft', scheduled_at: null, template_id: template?.['id'] },
    ]);
    expect(await all('/v1/messages')).toEqual([]);
    const report = (await target.ask('GET', `/v1/account-imports/${job.id}/report`)).text;
    expect(report).toContain('The sequence was imported paused.');
    expect(report).toContain('The campaign was scheduled and was imported as a draft.');
  });

  it('are left out with the list or template that was not imported', async () => {
    const list = await make(source, '/v1/lists', { name: 'News' });
    const template = await make(source, '/v1/templates', { name: 'Hello', text: 'Hello' });
    const steps = [{ type: 'send', template }];
    const welcome = { name: 'Welcome', type: 'transactional', status: 'paused' };
    await make(source, '/v1/sequences', { ...welcome, steps, trigger: { type: 'manual' } });
    await make(source, '/v1/sequences', {
      ...{ ...welcome, steps: [{ type: 'exit' }], trigger: { type: 'list_joined', list_id: list } },
    });
    await make(source, '/v1/campaigns', { name: 'Spring', list_id: list });
    await make(source, '/v1/campaigns', { name: 'Summer', template_id: template });
    await make(source, '/v1/campaigns', { name: 'Idea' });
    const job = await imported(await exported(source), '&kinds=sequences,campaigns');
    expect(countsOf(job, 'created')).toEqual({ sequences: 0, campaigns: 1 });
    expect(countsOf(job, 'left_out')).toEqual({ sequences: 2, campaigns: 2 });
    const report = (await target.ask('GET', `/v1/account-imports/${job.id}/report`)).text;
    expect(report.split(`The list ${list} was not imported.`)).toHaveLength(3);
    expect(report.split(`The template ${template} was not imported.`)).toHaveLength(3);
  });
});

describe('an interrupted import', () => {
  it('continues where it was after a restart, and creates nothing twice', async () => {
    for (let i = 0; i < 450; i++) {
      await source.ask('POST', '/v1/suppressions', { body: { email: `p${i}@x.example`, reason: 'manual' } });
    }
    const people = Array.from({ length: 450 }, (_, i) => ({ email: `p${i}@y.example` }));
    const made = await source.ask('POST', '/v1/imports', { body: people });
    await ended(source, `/v1/imports/${String(made.json.id)}`);
    const file = await exported(source);
    await target.parts.api.audience.accountImports.stop();
    const answer = await upload(file);
    const id = String(answer.json.id);
    await target.restart();
    target.parts.api.audience.accountImports.start();
    await waitFor(
      'the first contacts',
      async () => (await target.raw('SELECT COUNT(*) AS n FROM contacts'))[0]?.['n'] as number,
      (n) => n > 0,
      20_000,
    );
    await target.restart();
    target.parts.api.audience.accountImports.start();
    const job = await ended(target, `/v1/account-imports/${id}`);
    expect(job).toMatchObject({ status: 'completed' });
    expect(countsOf(job, 'created')).toMatchObject({ suppressions: 450, contacts: 450 });
    expect(await filesOfTarget()).toEqual([{ n: 0 }]);
  });
});

describe('a file that is not a whole workspace export', () => {
  it.each([
    ['another file', () => 'email,name\nann@x.example,Ann\n', 'is not a workspace export'],
    ['an empty file', () => '', 'is not a workspace export'],
    ['a newer format', (file: string) => file.replace('"format":1', '"format":2'), 'has the format 2'],
    ['a file without its end', (file: string) => file.slice(0, -40), 'is incomplete'],
    [
      'a file without a line in the middle',
      (file: string) => file.replace(/^\{"id":"lst.*\n/m, ''),
      'but its trailer counts',
    ],
  ])('refuses %s', async (_name, change, problem) => {
    await make(source, '/v1/lists', { name: 'News' });
    const answer = await upload(change(await exported(source)));
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(problem);
    expect(await target.raw('SELECT id FROM account_imports')).toEqual([]);
  });

  it('names a changed line, and keeps the objects imported before it', async () => {
    await make(source, '/v1/lists', { name: 'News' });
    await make(source, '/v1/contacts', { email: 'ann@x.example' });
    const file = await exported(source);
    const number = file.split('\n').findIndex((line) => line.includes('ann@x.example')) + 1;
    const job = await imported(file.replace('"ann@x.example"', '7'));
    expect(job).toMatchObject({
      status: 'failed',
      error: `Line ${number} of the file is not a valid object of the type contact.`,
    });
    expect(countsOf(job, 'created')).toMatchObject({ lists: 1, contacts: 0 });
    expect(await filesOfTarget()).toEqual([{ n: 0 }]);
  });

  it('refuses kinds and sub-tenants that do not exist', async () => {
    await make(source, '/v1/lists', { name: 'News' });
    const file = await exported(source);
    expect((await upload(file, '&kinds=lists,cats')).status).toBe(422);
    expect((await upload(file, '&sub_tenant_id=tnt_x')).text).toContain('sub_tenant_not_found');
  });
});
