// Tests imports of Brevo accounts, from a server that responds as Brevo does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { translateBrevoTemplate } from '../../src/account-imports/dialects/brevo-templates.rules.js';
import { templateProblem } from '../../src/lib/templating/index.js';
import { countOf, startAccountImportRig, type AccountImportRig } from '../support/account-import-rig.js';
import { startBrevo } from '../support/brevo-account.js';
import { API_KEY, json } from '../support/vendor-accounts.js';

const brevo = { source: 'brevo', connection: { api_key: API_KEY } };
const people = Array.from({ length: 600 }, (_, i) => ({ email: `p${i}@x.example`, lists: [2] }));

let rig: AccountImportRig;
beforeEach(async () => {
  rig = await startAccountImportRig(
    await startBrevo({
      contacts: [
        {
          ...{ email: 'ann@x.example', lists: [2], left: [3] },
          attributes: {
            VORNAME: 'Ann',
            NACHNAME: 'Miller',
            SMS: '49421555',
            CITY: 'Bremen',
            AGE: 30,
            NONE: '',
          },
        },
        { email: 'bob@x.example', blocked: true, lists: [3] },
        { attributes: { SMS: '49421556' } },
        ...people,
      ],
      lists: [
        { id: 2, name: 'News' },
        { id: 3, name: 'Offers' },
      ],
      blocked: [
        { email: 'dead@x.example', code: 'hardBounce' },
        { email: 'angry@x.example', code: 'contactFlaggedAsSpam' },
        { email: 'left@x.example', code: 'unsubscribedViaEmail' },
        { email: 'admin@x.example', code: 'adminBlocked' },
      ],
      templates: [
        {
          ...{ name: 'Welcome', subject: 'Hi {{ contact.FIRSTNAME|default:"there" }}' },
          html: '<p>{{params.city}} <a href="{{ unsubscribe }}">x</a></p>',
        },
        { name: 'Hard', subject: 'x', html: '<p>\n{% if contact.AGE > 20 %}x{% endif %}</p>' },
        { name: 'Old', subject: 'x', html: 'x', active: false },
      ],
      domains: ['customer.example'],
      senders: [{ email: 'hello@other.example', name: 'Shop' }],
      webhooks: [
        {
          url: 'https://hooks.example/t',
          type: 'transactional',
          events: ['delivered', 'hardBounce', 'deferred'],
        },
        { url: 'https://hooks.example/m', type: 'marketing', events: ['listAddition'] },
      ],
    }),
  );
});
afterEach(() => rig.close());

const whole = [
  countOf('suppressions', 4, { created: 4 }),
  countOf('lists', 2, { created: 2 }),
  countOf('contacts', 603, { created: 602, left_out: 1 }),
  countOf('templates', 3, { created: 1, left_out: 2 }),
  countOf('domains', 2, { created: 2 }),
  countOf('webhooks', 2, { created: 1, left_out: 1 }),
];

describe('an import from Brevo', () => {
  it('takes over the account, and changes nothing a second time', async () => {
    const id = await rig.begin(brevo);
    const job = await rig.ended(id);
    expect(job).toMatchObject({ status: 'completed', error: null, counts: whole });
    expect(await rig.all('/v1/contacts?q=ann')).toMatchObject([
      {
        ...{ name: 'Ann Miller', phone: '49421555', status: 'active' },
        metadata: { CITY: 'Bremen', AGE: 30 },
      },
    ]);
    expect(await rig.all('/v1/contacts?q=bob')).toMatchObject([{ status: 'unsubscribed' }]);
    const lists = await rig.all('/v1/lists');
    expect(lists.find(({ name }) => name === 'News')).toMatchObject({ contacts: 601 });
    const suppressed = new Map(
      (await rig.all('/v1/suppressions')).map((one) => [one['email'], one['reason']]),
    );
    expect(Object.fromEntries(suppressed)).toEqual({
      ...{ 'dead@x.example': 'bounce', 'angry@x.example': 'complaint', 'left@x.example': 'unsubscribe' },
      ...{ 'admin@x.example': 'manual', 'bob@x.example': 'unsubscribe' },
    });
    const [template] = await rig.all('/v1/templates');
    expect((await rig.ask('GET', `/v1/templates/${String(template?.['id'])}`)).json).toMatchObject({
      subject: 'Hi {{default first_name "there"}}',
      html: '<p>{{city}} <a href="{{unsubscribe_url}}">x</a></p>',
    });
    expect(await rig.all('/v1/webhook-endpoints')).toMatchObject([
      {
        ...{ url: 'https://hooks.example/t', format: 'service', status: 'disabled' },
        events: ['message.delivered', 'message.bounced', 'message.deferred'],
      },
    ]);
    const report = await rig.report(id);
    expect(report).toContain(
      'templates,2,Hard,2,The condition is not a single field: {% if contact.AGE > 20 %}.',
    );
    expect(report).toContain('The contact has no email address.');
    expect(rig.vendor.receiver.requests.every(({ method }) => method === 'GET')).toBe(true);
    const again = await rig.imported(brevo);
    expect(again.counts.map(({ created, updated }) => [created, updated])).toEqual(whole.map(() => [0, 0]));
  });

  it('only checks in a dry run', async () => {
    expect((await rig.imported({ ...brevo, dry_run: true })).counts).toEqual(whole);
    for (const path of ['/v1/contacts', '/v1/lists', '/v1/senders']) expect(await rig.all(path)).toEqual([]);
  });

  it('continues after a restart', async () => {
    rig.vendor.disturb('/contacts?limit=500&offset=500&sort=asc', json({}, 503));
    const id = await rig.begin(brevo);
    await rig.paused(id, (reason) => reason.includes('503'));
    await rig.program.restart();
    rig.vendor.disturb('/contacts?limit=500&offset=500&sort=asc', null);
    const before = rig.vendor.asked().length;
    rig.work();
    expect(await rig.ended(id)).toMatchObject({ status: 'completed', counts: whole });
    expect(rig.vendor.asked().slice(before)[0]).toBe('/contacts?limit=500&offset=500&sort=asc');
  });

  it('waits as long as Brevo requests', async () => {
    rig.vendor.disturb('/contacts/lists', {
      ...{ status: 429, body: '{}', headers: { 'x-sib-ratelimit-reset': '300' } },
    });
    const id = await rig.begin(brevo);
    await rig.paused(id, (reason) => reason === 'Brevo limits the rate of requests.');
    const [row] = await rig.program.raw('SELECT resume_at - updated_at AS ms FROM account_imports');
    expect(row).toEqual({ ms: 300_000 });
  });

  it('ends for a wrong key and for an API that has changed, and leaves out what the key may not read', async () => {
    const wrong = await rig.imported({ ...brevo, connection: { api_key: 'other' } });
    expect(wrong).toMatchObject({ status: 'failed', error: 'Brevo rejected the credentials.' });
    rig.vendor.disturb('/webhooks', json({ code: 'permission_denied' }, 403));
    expect((await rig.imported(brevo)).counts.at(-1)).toMatchObject({ kind: 'webhooks', left_out: 1 });
    rig.vendor.disturb('/smtp/templates', json({ templates: [{ id: 'x' }] }));
    expect(await rig.imported({ ...brevo, kinds: ['templates'] })).toMatchObject({
      status: 'failed',
      error: 'Brevo answered /smtp/templates in a format that Mailkeel does not recognize.',
    });
  });

  it('refuses a connection without a key, and fields of other sources', async () => {
    const answer = await rig.ask('POST', '/v1/account-imports', {
      body: { source: 'brevo', connection: { url: 'https://x.example' } },
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('connection.api_key');
    expect(answer.text).toContain('connection.url');
  });
});

describe('a template of Brevo', () => {
  it.each([
    ['{{ contact.EMAIL }} {{contact.CITY}} {{params.a.b}}', '{{email}} {{CITY}} {{a.b}}'],
    [`{{ contact.CITY | default : 'x' }}{{params.html|safe}}`, '{{default CITY "x"}}{{{html}}}'],
    [
      '{% if contact.A %}x{% elif params.b %}y{% else %}z{% endif %}{# note #}',
      '{{#if A}}x{{else if b}}y{{else}}z{{/if}}',
    ],
    ['{%- if not contact.A -%}x{%- endif -%}', '{{#unless A}}x{{/unless}}'],
    [
      '{% for item in params.items %}{{ item.name }} {{item}} {{ contact.CITY }}{% endfor %}',
      '{{#each items}}{{this.name}} {{this}} {{@root.CITY}}{{/each}}',
    ],
    [
      '{% for a in params.x %}{% for b in a.y %}{{a.name}}{{b}}{% endfor %}{% endfor %}',
      '{{#each x}}{{#each this.y}}{{../name}}{{this}}{{/each}}{{/each}}',
    ],
  ])('%s becomes %s', (source, wanted) => {
    expect(translateBrevoTemplate(source)).toEqual({ text: wanted, problems: [] });
    expect(templateProblem(wanted, 'html')).toBeNull();
  });

  it('reports the line of each part that cannot be translated', () => {
    const { problems } = translateBrevoTemplate(
      '{{ mirror }}\n{{ contact.A|upper }}\n{% if contact.A == "x" %}y{% endif %}\n{% autoescape off %}',
    );
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });
});
