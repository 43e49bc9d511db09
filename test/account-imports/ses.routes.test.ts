// Tests imports of Amazon SES accounts, from a server that checks signatures and responds as the API v2 does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOf, startAccountImportRig, type AccountImportRig } from '../support/account-import-rig.js';
import { startSes } from '../support/ses-account.js';
import { ACCESS_KEY } from '../support/vendor-accounts.js';

let rig: AccountImportRig;
afterEach(() => rig.close());
beforeEach(async () => {
  rig = await startAccountImportRig(
    await startSes({
      suppressed: [
        { email: 'dead@x.example', reason: 'BOUNCE' },
        { email: 'angry@x.example', reason: 'COMPLAINT' },
      ],
      lists: {
        Customers: {
          topics: [
            { name: 'news', default: 'OPT_IN' },
            { name: 'offers', default: 'OPT_OUT' },
          ],
          contacts: [
            { email: 'ann+a@x.example', topics: { offers: 'OPT_IN' }, attributes: '{"city":"Bremen"}' },
            { email: 'bob@x.example', topics: { news: 'OPT_OUT' }, attributes: 'free text' },
            { email: 'gone@x.example', hasLeft: true },
            ...Array.from({ length: 41 }, (_, i) => ({ email: `p${i}@x.example` })),
          ],
        },
      },
      templates: [
        {
          name: 'Welcome',
          subject: 'Hi {{name}}',
          html: '<p>{{bio}}{{#if a}}x{{/if}}</p>',
          text: '{{name}}',
        },
        { name: 'Broken', subject: 'x', html: '<p>\n{{#nope a}}x{{/nope}}</p>' },
      ],
      identities: [
        { name: 'customer.example', type: 'DOMAIN' },
        { name: 'ann@other.example', type: 'EMAIL_ADDRESS' },
        { name: 'managed.example', type: 'MANAGED_DOMAIN' },
      ],
    }),
  );
});

const ses = { source: 'ses', connection: ACCESS_KEY };
const WHOLE = [
  countOf('suppressions', 2, { created: 2 }),
  countOf('lists', 3, { created: 3 }),
  countOf('contacts', 44, { created: 44 }),
  countOf('templates', 2, { created: 1, left_out: 1 }),
  countOf('domains', 3, { created: 2, left_out: 1 }),
];

describe('an import from Amazon SES', () => {
  it('takes over the account with signed requests, and changes nothing a second time', async () => {
    const id = await rig.begin(ses);
    const job = await rig.ended(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.counts).toEqual(WHOLE);
    const lists = await rig.all('/v1/lists');
    const sizes = Object.fromEntries(lists.map(({ name, contacts }) => [name, contacts]));
    expect(sizes).toEqual({ Customers: 44, 'The news': 43, 'The offers': 1 });
    const [ann] = await rig.all('/v1/contacts?q=ann');
    expect(ann).toMatchObject({ email: 'ann+a@x.example', metadata: { city: 'Bremen' }, status: 'active' });
    expect(await rig.all('/v1/contacts?q=bob')).toMatchObject([{ metadata: { attributes: 'free text' } }]);
    expect(await rig.all('/v1/contacts?q=gone')).toMatchObject([{ status: 'unsubscribed' }]);
    expect((await rig.ask('GET', '/v1/templates/welcome')).json).toMatchObject({
      ...{ subject: 'Hi {{name}}', text: '{{name}}', html: '<p>{{{bio}}}{{#if a}}x{{/if}}</p>' },
    });
    expect(await rig.report(id)).toMatch(/templates,Broken,Broken,2,/);
    const reads = rig.vendor.receiver.requests.filter(({ method }) => method !== 'GET');
    expect(reads.every(({ url }) => url.endsWith('/contacts/list'))).toBe(true);
    const again = await rig.imported(ses);
    expect(again.counts.map(({ created, updated }) => [created, updated])).toEqual(WHOLE.map(() => [0, 0]));
  });

  it('ends with a sentence when the key is wrong', async () => {
    const connection = { ...ACCESS_KEY, secret_access_key: 'other' };
    expect(await rig.imported({ source: 'ses', connection })).toMatchObject({
      status: 'failed',
      error: 'Amazon SES rejected the credentials.',
    });
  });

  it('continues after a restart', async () => {
    const path = '/v2/email/contact-lists/Customers/contacts/p30%40x.example';
    rig.vendor.disturb(path, { status: 429, headers: { 'retry-after': '600' }, body: '' });
    const id = await rig.begin(ses);
    await rig.paused(id, (reason) => reason === 'Amazon SES limits the rate of requests.');
    rig.vendor.disturb(path, null);
    await rig.program.raw('UPDATE account_imports SET resume_at = NULL');
    await rig.program.restart();
    rig.work();
    expect((await rig.ended(id)).counts).toEqual(WHOLE);
  });

  it.each([
    [{ aws_region: 'evil.example/' }, 'connection.aws_region'],
    [{ aws_region: undefined }, 'connection.aws_region'],
    [{ api_key: 'x' }, 'connection.api_key'],
  ])('refuses %j', async (change, field) => {
    const body = { source: 'ses', connection: { ...ACCESS_KEY, ...change } };
    const answer = await rig.ask('POST', '/v1/account-imports', { body });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(field)]);
  });
});
