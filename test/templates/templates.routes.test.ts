import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { templateRoutes } from '../../src/templates/templates.routes.js';
import { sampleUnsubscribeUrl } from '../../src/contacts/unsubscribe.rules.js';
import { newId } from '../../src/lib/runtime/index.js';
import { createRenderer, type Renderer } from '../../src/templates/rendering/renderer.js';
import { TemplateSources } from '../../src/templates/sources.js';
import { fixedClock } from '../support/fixed-clock.js';
import { sharedRenderer } from '../support/shared-renderer.js';
import type { ProgramRequest } from '../support/program.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { contacts } from '../../src/contacts/contacts.tables.js';
import { insert } from '../../src/database/rows.js';

const clock = fixedClock();
let api: StartedApi;
let renderer: Renderer;
/** The renderer that checks saved templates. */
let checking: Renderer;
let tenantKey: string;
let siblingKey: string;
let tenantId: string;

beforeAll(async () => {
  renderer = sharedRenderer();
  checking = renderer;
  const saving: Renderer = { ...renderer, check: (template) => checking.check(template) };
  const publicUrl = 'https://mail.example.test';
  // Only a test of a template sends mail, which test/http/dashboard.test.ts covers with the whole program.
  const submission = { accept: () => Promise.reject(new Error('Nothing is sent here.')) };
  const senders = { campaigns: () => Promise.resolve([]), sequences: () => Promise.resolve([]) };
  api = await startApi({
    clock: clock.now,
    routes: (store) => [
      (app) =>
        templateRoutes(app, {
          store,
          senders,
          sources: new TemplateSources(saving),
          renderer: saving,
          testMail: submission,
          clock: clock.now,
          publicUrl,
        }),
    ],
  });
  tenantId = await api.addTenant('acme');
  tenantKey = await api.addKey({ subTenantId: tenantId });
  siblingKey = await api.addKey({ subTenantId: await api.addTenant('sibling') });
});

afterAll(async () => {
  await api.close();
});

const ask = (method: string, path: string, request: ProgramRequest = {}) =>
  api.ask(method, `/v1/templates${path}`, request);

const create = (body: object, key?: string) =>
  ask('POST', '', { body: { html: '<p>x</p>', ...body }, ...(key === undefined ? {} : { key }) });

describe('creating', () => {
  test('returns 201 with slug from the name, version 1 and the variables', async () => {
    const { status, json } = await create({
      name: 'Wélcome, friend!',
      subject: 'Hi {{first_name}}',
      html: '<p>{{company}} {{first_name}}</p>',
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      object: 'template',
      slug: 'welcome-friend',
      type: 'any',
      version: 1,
      text: null,
      sub_tenant_id: null,
    });
    expect([...json.variables].sort()).toEqual(['company', 'first_name']);
  });

  test('refuses a taken slug, and derives another one if none is given', async () => {
    await create({ name: 'Receipt' });
    const refused = await create({ name: 'Other', slug: 'receipt' });
    expect(refused.status).toBe(409);
    expect(refused.json.error.code).toBe('slug_taken');
    expect((await create({ name: 'Receipt' })).json.slug).toMatch(/^receipt-[0-9a-z]{6}$/);
    expect((await create({ name: '日本語' })).json.slug).toMatch(/^template-[0-9a-z]{6}$/);
  });

  test.each(['Upper', 'with space', 'ü', 'a'.repeat(101)])('refuses the slug %j', async (slug) => {
    const { status, json } = await create({ name: 'N', slug });
    expect(status).toBe(422);
    expect(json.error.param).toBe('slug');
  });

  test('reports part and line of a syntax error', async () => {
    const { status, json } = await create({ name: 'Broken', html: '<p>\n{{#if a}}\n</p>' });
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ code: 'template_invalid', param: 'html', details: { part: 'html' } });
    expect(json.error.details.line).toBeGreaterThan(0);
  });

  test('refuses a template without html and text', async () => {
    const { json } = await ask('POST', '', { body: { name: 'Empty', subject: 'x' } });
    expect(json.error.code).toBe('content_required');
  });

  test('refuses sources beyond the size limit', async () => {
    const { json } = await create({ name: 'Big', html: 'x'.repeat(300 * 1024) });
    expect([json.error.code, json.error.param]).toEqual(['validation_error', 'html']);
  });
});

describe('changing', () => {
  test('creates a new version, and the old one remains readable', async () => {
    const { id } = (await create({ name: 'Versioned', html: 'one {{a}}' })).json;
    const changed = await ask('PATCH', '/versioned', { body: { html: 'two {{b}}' } });
    expect(changed.json).toMatchObject({ id, version: 2, html: 'two {{b}}', variables: ['b'] });
    expect((await ask('PATCH', `/${id}`, { body: { name: 'Renamed' } })).json).toMatchObject({
      version: 2,
      name: 'Renamed',
      slug: 'versioned',
    });
    const { json } = await ask('GET', `/${id}/versions`);
    expect(json.data.map((row: { version: number; html: string }) => [row.version, row.html])).toEqual([
      [2, 'two {{b}}'],
      [1, 'one {{a}}'],
    ]);
    const page = (await ask('GET', `/${id}/versions?limit=1`)).json;
    const next = (await ask('GET', `/${id}/versions?limit=1&cursor=${page.next_cursor}`)).json;
    expect(next.data[0].version).toBe(1);
  });

  test('refuses invalid syntax without a change', async () => {
    const { id } = (await create({ name: 'Kept' })).json;
    expect((await ask('PATCH', `/${id}`, { body: { html: '{{/if}}' } })).status).toBe(422);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({ version: 1, html: '<p>x</p>' });
  });

  test('simultaneous changes create different versions', async () => {
    const { id } = (await create({ name: 'Raced' })).json;
    const answers = await Promise.all(['a', 'b'].map((html) => ask('PATCH', `/${id}`, { body: { html } })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await ask('GET', `/${id}`)).json.version).toBe(2);
  });

  test('frees the slug of a deleted template', async () => {
    const { id } = (await create({ name: 'Gone' })).json;
    expect((await ask('DELETE', '/gone')).json).toEqual({ id, object: 'template', deleted: true });
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect((await create({ name: 'Gone' })).json.slug).toBe('gone');
  });
});

describe('rendering', () => {
  test('fills variables, a saved contact and the sample link, and escapes in HTML only', async () => {
    const now = clock.now();
    const { environmentId } = await api.scopeOf('live');
    await api.store.commit([
      insert(contacts, {
        row: {
          id: newId('cnt', now),
          environment_id: environmentId,
          sub_tenant_id: null,
          email: 'ann@example.com',
          email_key: 'ann@example.com',
          name: 'Ann Lee',
          phone: null,
          tags: '[]',
          metadata: '{"plan":"gold"}',
          status: 'active',
          created_at: now,
          updated_at: now,
        },
      }),
    ]);
    await create({
      name: 'Rendered',
      subject: '{{first_name}} & {{item}}',
      html: '<p>{{item}} {{plan}}</p><a href="{{unsubscribe_url}}">off</a>',
    });
    const { status, json } = await ask('POST', '/rendered/render', {
      body: { variables: { item: '<Tea>' }, contact: 'Ann@example.com' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'rendered_template',
      version: 1,
      subject: 'Ann & <Tea>',
      html: `<p>&lt;Tea&gt; gold</p><a href="${sampleUnsubscribeUrl('https://mail.example.test')}">off</a>`,
    });
    expect(json.text).toContain('<Tea> gold');
  });

  test('refuses an unknown contact', async () => {
    await create({ name: 'Nobody' });
    const { json } = await ask('POST', '/nobody/render', { body: { contact: 'x@example.com' } });
    expect(json.error).toMatchObject({ code: 'recipient_not_a_contact', param: 'contact' });
  });
});

describe('a sub-tenant', () => {
  test("uses the workspace's template, unless it has one with the same slug", async () => {
    await create({ name: 'Shared', html: 'workspace' });
    expect((await ask('GET', '/shared', { key: tenantKey })).json.html).toBe('workspace');
    const own = (await create({ name: 'Shared', html: 'own' }, tenantKey)).json;
    expect(own).toMatchObject({ slug: 'shared', sub_tenant_id: tenantId });
    expect((await ask('GET', '/shared', { key: tenantKey })).json.html).toBe('own');
    expect((await ask('GET', '/shared')).json.html).toBe('workspace');
    expect((await ask('GET', '/shared', { key: siblingKey })).json.html).toBe('workspace');
    expect((await ask('GET', `/${own.id}`, { key: siblingKey })).status).toBe(404);
    expect((await ask('PATCH', '/shared', { key: tenantKey, body: { html: 'newer' } })).json.id).toBe(own.id);
  });

  test("cannot change or delete the workspace's templates", async () => {
    const { id } = (await create({ name: 'Fixed' })).json;
    expect((await ask('PATCH', `/${id}`, { key: tenantKey, body: { name: 'X' } })).status).toBe(403);
    expect((await ask('DELETE', `/${id}`, { key: tenantKey })).status).toBe(403);
  });

  test("never sees another sub-tenant's in the list", async () => {
    await create({ name: 'Secret of acme' }, tenantKey);
    const { data } = (await ask('GET', '?limit=100', { key: siblingKey })).json;
    expect(data.some((row: { sub_tenant_id: string | null }) => row.sub_tenant_id === tenantId)).toBe(false);
  });
});

describe('versions', () => {
  const path = '/v-mail';
  beforeAll(async () => {
    await create({ name: 'V mail', subject: 'One', html: '<p>a</p>\n<p>b</p>\n<p>c</p>\n' });
    await ask('PATCH', path, { body: { html: '<p>a</p>\n<p>B</p>\n<p>c</p>\n', text: 'T' } });
    await ask('PATCH', path, { body: { inline_css: true } });
  });

  test('are read individually with their CSS setting', async () => {
    const versions = [1, 2, 3].map((version) => ask('GET', `${path}/versions/${version}`));
    const shown = (await Promise.all(versions)).map(({ json }) => [json.version, json.text, json.inline_css]);
    expect(shown).toEqual([
      [1, null, false],
      [2, 'T', false],
      [3, 'T', true],
    ]);
    expect((await ask('GET', path)).json).toMatchObject({ version: 3, inline_css: true });
    expect((await ask('GET', `${path}/versions/4`)).status).toBe(404);
    expect((await ask('GET', `${path}/versions/0`)).status).toBe(422);
  });

  test('are compared part by part', async () => {
    const { status, json } = await ask('GET', `${path}/diff?from=1&to=3`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'template_diff', from: 1, to: 3 });
    expect(json.parts).toEqual({
      subject: { diff: '', added: 0, removed: 0 },
      html: {
        diff: '@@ -1,3 +1,3 @@\n <p>a</p>\n-<p>b</p>\n+<p>B</p>\n <p>c</p>\n',
        added: 1,
        removed: 1,
      },
      text: { diff: '@@ -0,0 +1,1 @@\n+T\n\\ No newline at end of file\n', added: 1, removed: 0 },
      inline_css: {
        diff: '@@ -1,1 +1,1 @@\n-false\n\\ No newline at end of file\n+true\n\\ No newline at end of file\n',
        added: 1,
        removed: 1,
      },
    });
    const last = (await ask('GET', `${path}/diff`)).json;
    expect([last.from, last.to, last.parts.html.diff, last.parts.inline_css.added]).toEqual([2, 3, '', 1]);
    expect((await ask('GET', `${path}/diff?from=9`)).json.error).toMatchObject({
      code: 'not_found',
      param: 'from',
    });
  });

  test('are restored as new ones', async () => {
    const restored = await ask('POST', `${path}/restore`, { body: { version: 1 } });
    expect(restored.json).toMatchObject({ version: 4, subject: 'One', text: null, inline_css: false });
    const again = await ask('POST', `${path}/restore`, { body: { version: 1 } });
    expect(again.json).toMatchObject({ version: 4 });
    const previous = await ask('POST', `${path}/restore`, { body: {} });
    expect(previous.json).toMatchObject({ version: 5, text: 'T', inline_css: true });
    expect((await ask('POST', `${path}/restore`, { body: { version: 77 } })).status).toBe(404);
    const refused = await ask('POST', `${path}/restore`, { body: {}, key: tenantKey });
    expect(refused.json.error.code).toBe('forbidden');
  });

  test('are hidden from other sub-tenants', async () => {
    await create({ name: 'Own', slug: 'own-versions' }, tenantKey);
    for (const rest of ['/versions/1', '/diff']) {
      expect((await ask('GET', `/own-versions${rest}`, { key: tenantKey })).status).toBe(200);
      expect((await ask('GET', `/own-versions${rest}`, { key: siblingKey })).status).toBe(404);
    }
  });
});

describe('designs', () => {
  const design = { blocks: [{ type: 'heading', text: 'Hello {{first_name}}' }] };

  test('are stored and restored with each version, and removed when other HTML is written', async () => {
    const made = await create({ name: 'Blocks', subject: 'B', html: '<h1>Hello</h1>', design });
    expect(made.json).toMatchObject({ version: 1, design });
    const path = `/${made.json.id}`;
    const listed = await ask('GET', '?q=blocks');
    expect(listed.json.data.map((one: { design: unknown }) => one.design)).toEqual([design]);
    const renamed = await ask('PATCH', path, { body: { name: 'Blocks 2', subject: 'C' } });
    expect(renamed.json).toMatchObject({ version: 2, design });
    const other = { blocks: [] };
    expect((await ask('PATCH', path, { body: { design: other } })).json).toMatchObject({
      version: 3,
      design: other,
      html: '<h1>Hello</h1>',
    });
    expect((await ask('PATCH', path, { body: { design: other } })).json.version).toBe(3);
    expect((await ask('PATCH', path, { body: { html: '<h1>Own</h1>' } })).json).toMatchObject({
      version: 4,
      design: null,
    });
    expect((await ask('GET', `${path}/versions/2`)).json.design).toEqual(design);
    expect((await ask('POST', `${path}/restore`, { body: { version: 1 } })).json).toMatchObject({
      version: 5,
      html: '<h1>Hello</h1>',
      design,
    });
    expect((await ask('GET', path)).json.design).toEqual(design);
  });

  test('are limited in size, and objects', async () => {
    const body = { name: 'Long', subject: 'L', html: 'x' };
    const long = await create({ ...body, design: { text: 'x'.repeat(262_144) } });
    expect([long.status, long.json.error.param]).toEqual([422, 'design']);
    expect((await create({ ...body, design: ['x'] })).status).toBe(422);
    expect((await ask('GET', '?q=long')).json.data).toEqual([]);
  });
});

describe('a preview', () => {
  test('reports missing values, except intentionally empty ones', async () => {
    await create({
      name: 'Gaps',
      subject: '{{greeting}} {{first_name}}',
      html: '{{#if vip}}{{vip}}{{/if}}{{#each items}}{{name}}{{/each}}{{unsubscribe_url}}{{#each none}}x{{/each}}',
    });
    const variables = { greeting: '', items: [{ name: 'x' }, {}] };
    const { json } = await ask('POST', '/gaps/render', { body: { variables } });
    expect(json.missing.sort()).toEqual(['first_name', 'items.name', 'none']);
  });

  test('shows an older version, with inlined CSS and the footer of campaigns', async () => {
    const html = '<style>p{color:red}</style><p>{{who}}</p>';
    await create({ name: 'Styled', subject: 'S', html, inline_css: true });
    await ask('PATCH', '/styled', { body: { html: 'new' } });
    const body = { version: 1, variables: { who: '<b>' } };
    const { json } = await ask('POST', '/styled/render', { body });
    expect(json).toMatchObject({
      version: 1,
      html: '<p style="color: red;">&lt;b&gt;</p>',
      text: '<b>',
      missing: [],
    });
    const unfooted = await ask('POST', '/styled/render', { body: { ...body, footer: true } });
    expect(unfooted.json.error.code).toBe('postal_address_required');
    expect((await ask('POST', '/styled/render', { body: { version: 3 } })).status).toBe(404);
  });

  test('refuses CSS that takes too long when it is saved', async () => {
    const html = '<style>p{--a:var(--a);color:var(--a)}</style><p>{{who}}</p>';
    checking = createRenderer({ threads: 1, wallLimitMs: 150 });
    expect((await create({ name: 'Good', html: '<p>{{who}}</p>', inline_css: true })).status).toBe(201);
    const { status, json } = await create({ name: 'Endless', html, inline_css: true });
    await checking.close();
    checking = renderer;
    expect([status, json.error.code]).toEqual([422, 'template_invalid']);
    expect(JSON.stringify(json)).toContain('takes longer than');
  });
});

describe('pinned versions', () => {
  test('are read together, including changed and deleted templates', async () => {
    const first = (await create({ name: 'Pinned', subject: 'old' })).json;
    await ask('PATCH', `/${first.id}`, { body: { subject: 'new' } });
    const second = (await create({ name: 'Gone', subject: 'gone', inline_css: true })).json;
    await ask('DELETE', `/${second.id}`);
    const pins = [
      { template_id: first.id, version: 1 },
      { template_id: second.id, version: 1 },
      { template_id: first.id, version: 1 },
      { template_id: first.id, version: 3 },
    ];
    const found = await api.store.templates.versionsOf(pins);
    const shown = found.map(({ name, version, subject, inline_css }) => [name, version, subject, inline_css]);
    expect(shown.sort()).toEqual([
      ['Gone', 1, 'gone', 1],
      ['Pinned', 1, 'old', 0],
    ]);
    expect(await api.store.templates.versionsOf([])).toEqual([]);
  });
});

describe('the size of a template', () => {
  const LIMIT = 262_144;

  test.each(['html', 'text'] as const)('is limited in its %s, which the refusal names', async (field) => {
    const body = { name: 'Long', [field]: 'x'.repeat(LIMIT) };
    const made = await api.ask('POST', '/v1/templates', { body });
    expect(made.status).toBe(201);
    const over = { [field]: 'x'.repeat(LIMIT + 1) };
    for (const refused of [
      await api.ask('POST', '/v1/templates', { body: { name: 'Longer', ...over } }),
      await api.ask('PATCH', `/v1/templates/${String(made.json.id)}`, { body: over }),
    ]) {
      expect([refused.status, refused.json.error.type, refused.json.error.param]).toEqual([
        422,
        'validation_error',
        field,
      ]);
      expect(refused.json.error.details.fields).toEqual([
        { path: field, message: expect.stringContaining(String(LIMIT)) as unknown },
      ]);
    }
  });
});

test('a large response without changes is not stored for its Idempotency-Key, but created again', async () => {
  const { id } = (await create({ name: 'Filled', subject: 's', html: '<p>{{x}}</p>' })).json as {
    id: string;
  };
  for (const [key, length, replayed] of [
    ['small', 100, 'true'],
    ['large', 20_000, undefined],
  ] as const) {
    const request = {
      body: { variables: { x: 'y'.repeat(length) } },
      headers: { 'idempotency-key': key },
    };
    const first = await ask('POST', `/${id}/render`, request);
    const again = await ask('POST', `/${id}/render`, request);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, replayed]);
    expect(again.json).toEqual(first.json);
  }
});
