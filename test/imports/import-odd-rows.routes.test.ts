// Tests that odd rows only fail themselves: nested too deeply to be written, or for contacts of another owner.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { CONSENT } from '../support/consent.js';
import { joinList } from '../../src/contacts/contact-changes.store.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

it('refuses only the row with metadata that is nested too deep or has no UTF-8 form', async () => {
  const rows = [
    '{"email":"a@x.example"}',
    `{"email":"deep@x.example","metadata":{"x":${nested(20_000)}}}`,
    `{"email":"deeper@x.example","x":${nested(40)}}`,
    String.raw`{"email":"half@x.example","x":"\ud800"}`,
    '{"email":"b@x.example","metadata":{"x":[[1]]}}',
  ];
  const done = await rig.importFile(rows.join('\n'), { type: 'application/x-ndjson' });
  expect(done).toMatchObject({ status: 'completed', processed: 5, created: 2, failed: 3, error: null });
  const { text } = await rig.download(`/v1/imports/${String(done.id)}/rejected`);
  expect(text.match(/ is nested more than (?:32|100) levels deep\./g)).toHaveLength(2);
  expect(text).toContain('half of a surrogate pair');
});

it('treats columns and fields named like object members as metadata', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  await rig.importFile(`email,${names.join(',')}\na@x.example,1,2,3,4\n`);
  await rig.importFile('{"email":"b@x.example","constructor":"1","__proto__":"3"}', {
    type: 'application/x-ndjson',
  });
  const of = async (email: string) => (await rig.program.ask('GET', `/v1/contacts/${email}`)).text;
  for (const name of names) expect(await of('a@x.example')).toContain(`"${name}":"`);
  expect(await of('b@x.example')).toContain('"constructor":"1"');
  expect(await of('b@x.example')).toContain('"__proto__":"3"');
});

it("does not add a sub-tenant's contact to a list of the workspace", async () => {
  const tenant = await rig.program.addTenant('acme');
  const list = await rig.addList({ name: 'Ours' });
  const done = await rig.importFile(`email,sub_tenant_id\nours@x.example,\ntheirs@x.example,${tenant}\n`, {
    query: `?list_id=${list}`,
  });
  expect(done).toMatchObject({ created: 1, failed: 1 });
  const found = await rig.program.store.lists.list(await rig.program.scopeOf('live'), list);
  expect(found?.contacts).toBe(1);
  // The change itself does nothing if called in another way.
  await rig.importFile(`email,sub_tenant_id\ntheirs@x.example,${tenant}\n`);
  const environment = await rig.program.store.accounts.environmentOf(rig.program.workspaceId, 'live');
  const theirs = { ...environment, subTenantId: tenant };
  const [contact] = await rig.program.store.contacts.contactsOfAddress(theirs, 'theirs@x.example');
  if (!found || !contact) throw new Error('not there');
  await rig.program.store.commit([
    joinList({
      listNumber: found.number,
      contactId: contact.id,
      state: 'subscribed',
      returned: false,
      consent: CONSENT,
      at: 1,
    }),
  ]);
  expect((await rig.program.store.lists.memberships(found.number, [contact.number])).size).toBe(0);
});
