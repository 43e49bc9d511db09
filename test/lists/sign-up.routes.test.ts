// Tests signing up through the API and on the page of a list, and confirming by mail.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { leaveList } from '../../src/contacts/contact-changes.store.js';
import { templates } from '../../src/templates/templates.tables.js';
import { update } from '../../src/database/rows.js';

const HOUR = 3_600_000;

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ settings: { signUpRate: 5 } });
});
afterAll(() => shared.close());
beforeEach(async () => {
  // None of the five is used up.
  shared.clock.advance(60_000);
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const pathOf = (url: string): string => new URL(url).pathname;

async function pageOf(listId: string, key?: string): Promise<string> {
  const answer = await rig.ask('GET', `/v1/lists/${listId}`, key === undefined ? {} : { key });
  return pathOf(String(answer.json.sign_up_url));
}

const submit = (page: string, fields: Record<string, string>, ip?: string) =>
  rig.ask('POST', page, { key: '', form: fields, ...(ip === undefined ? {} : { ip }) });

/** The server's own mails, oldest first. */
async function mails(): Promise<{ to_email: string; text: string; subject: string }[]> {
  const rows = await rig.raw(
    'SELECT m.to_email, m.subject, c.text FROM messages m JOIN contents c ON c.id = m.content_id ORDER BY m.id',
  );
  const kept = rows as unknown as { to_email: string; text: string; subject: string }[];
  return kept.map((mail) => ({ ...mail, text: rig.opened(mail.text, mail.to_email) }));
}

async function confirmationLink(): Promise<string> {
  const last = (await mails()).at(-1);
  return pathOf(/https:\S+\/s\/confirm\/\S+/.exec(last?.text ?? '')?.[0] ?? '');
}

const contactsOf = async (listId: string): Promise<string[]> =>
  ((await rig.ask('GET', `/v1/lists/${listId}/contacts`)).json.data as { email: string }[]).map(
    (one) => one.email,
  );

const statusOf = async (email: string): Promise<string> =>
  (await rig.ask('GET', `/v1/contacts/${email}`)).json.status as string;

describe('POST /v1/subscribe', () => {
  it('adds a contact immediately, with a sending key', async () => {
    const id = await rig.addList();
    const tenant = await rig.addTenant();
    const theirs = await rig.addList({ sub_tenant_id: tenant });
    const body = { list_id: id, email: 'ann@example.com', name: 'Ann', tags: ['web'] };
    const answer = await rig.ask('POST', '/v1/subscribe', { body });
    expect(answer).toMatchObject({
      status: 200,
      json: { object: 'subscription', list_id: id, email: 'ann@example.com', status: 'subscribed' },
    });
    expect(await contactsOf(id)).toEqual(['ann@example.com']);
    const key = await rig.addKey('live', tenant);
    expect((await rig.ask('POST', '/v1/subscribe', { key, body })).json.error.code).toBe('list_not_found');
    expect(
      (await rig.ask('POST', '/v1/subscribe', { key, body: { ...body, list_id: theirs } })).json.status,
    ).toBe('subscribed');
    expect(await mails()).toEqual([]);
  });

  it('with double opt-in subscribes only contacts who confirm', async () => {
    const id = await rig.addList({ double_opt_in: true });
    const body = { list_id: id, email: 'ann@example.com', name: 'Ann' };
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('pending');
    expect(await contactsOf(id)).toEqual([]);
    expect(await statusOf('ann@example.com')).toBe('unsubscribed');
    const pending = await rig.ask('GET', `/v1/lists/${id}/contacts?list_state=pending`);
    expect(pending.json.data).toMatchObject([{ email: 'ann@example.com', list_state: 'pending' }]);
    expect(await mails()).toMatchObject([
      { to_email: 'ann@example.com', subject: 'Confirm your subscription: News' },
    ]);

    const link = await confirmationLink();
    for (const method of ['GET', 'HEAD']) {
      expect((await rig.ask(method, link, { key: '' })).status).toBe(200);
      expect(await contactsOf(id)).toEqual([]);
    }
    for (let i = 0; i < 2; i++) {
      expect((await submit(link, {})).text).toContain('Subscription confirmed');
      expect(await contactsOf(id)).toEqual(['ann@example.com']);
    }
    expect(await statusOf('ann@example.com')).toBe('active');
    expect((await rig.ask('GET', `/v1/lists/${id}/growth?window_days=1`)).json.joined).toBe(1);
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('subscribed');
    expect(await mails()).toHaveLength(1);
  });

  it('is refused without storing anything while no confirmation can be sent', async () => {
    const id = await rig.addList({ double_opt_in: true });
    await rig.raw('UPDATE senders SET is_default = 0', []);
    const body = { list_id: id, email: 'ann@example.com' };
    const refused = await rig.ask('POST', '/v1/subscribe', { body });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'sender_required']);
    expect(refused.json.error.message).toContain('default sender');
    expect((await rig.ask('GET', '/v1/contacts/ann@example.com')).status).toBe(404);
  });

  it('sends one confirmation mail per hour, however often it is called', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = await rig.addList({ double_opt_in: true });
    const body = { list_id: id, email: 'ann@example.com' };
    for (let i = 0; i < 3; i++) await rig.ask('POST', '/v1/subscribe', { body });
    await rig.ask('PATCH', `/v1/lists/${id}`, { body: { name: 'Other' } });
    expect((await rig.ask('POST', '/v1/subscribe', { body })).status).toBe(200);
    expect(await mails()).toHaveLength(1);
    rig.clock.advance(HOUR);
    await rig.ask('POST', '/v1/subscribe', { body });
    expect(await mails()).toHaveLength(2);
  });

  it('requires confirmation from contacts who left the list, even if the list does not', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = await rig.addList();
    const list = await rig.store.lists.listOf(id);
    await rig.addContact('ann@example.com');
    await rig.commit(
      leaveList({
        listNumber: list?.number ?? 0,
        emailKey: 'ann@example.com',
        contactId: null,
        unsubscribed: true,
        at: rig.clock.now(),
      }),
    );
    const body = { list_id: id, email: 'ann@example.com' };
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('pending');
    expect(await contactsOf(id)).toEqual([]);
    await submit(await confirmationLink(), {});
    expect(await contactsOf(id)).toEqual(['ann@example.com']);
  });

  it.each([
    ['with double opt-in', true],
    ['without double opt-in', false],
  ])('lets contacts who unsubscribed from all mail return by confirming, %s', async (_name, doubleOptIn) => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = await rig.addList({ double_opt_in: doubleOptIn });
    await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'ann@example.com' } });
    await rig.ask('POST', '/v1/suppressions', { body: { email: 'ann@example.com', reason: 'unsubscribe' } });
    expect(await statusOf('ann@example.com')).toBe('unsubscribed');
    rig.clock.advance(HOUR);
    const body = { list_id: id, email: 'ann@example.com' };
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('pending');
    expect((await rig.raw('SELECT status FROM messages')).map((row) => row['status'])).toEqual(['queued']);
    expect(await statusOf('ann@example.com')).toBe('unsubscribed');
    expect((await submit(await confirmationLink(), {})).text).toContain('Subscription confirmed');
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toEqual([]);
    expect(await statusOf('ann@example.com')).toBe('active');
    const activity = await rig.ask('GET', '/v1/contacts/ann@example.com/activity');
    expect(activity.json.data).toContainEqual(
      expect.objectContaining({ metadata: expect.objectContaining({ confirmed: true }) }),
    );
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('subscribed');
  });

  it.each(['bounce', 'complaint', 'manual'])(
    'is refused for an address that is suppressed for the reason %s',
    async (reason) => {
      const id = await rig.addList({ double_opt_in: true });
      await rig.ask('POST', '/v1/suppressions', { body: { email: 'ann@example.com', reason } });
      const body = { list_id: id, email: 'ann@example.com' };
      const refused = await rig.ask('POST', '/v1/subscribe', { body });
      expect([refused.status, refused.json.error.code]).toEqual([409, 'recipient_suppressed']);
      expect(refused.json.error.message).toContain(reason);
      expect((await rig.ask('GET', '/v1/contacts/ann@example.com')).status).toBe(404);
      expect((await rig.ask('GET', '/v1/suppressions')).json.data).toHaveLength(1);
    },
  );

  it('for a sub-tenant lifts its own suppression, and is refused for one of the workspace', async () => {
    const tenant = await rig.addTenant();
    await rig.addSender({ identity: 'hi@tenant.example', is_default: 1, sub_tenant_id: tenant });
    const id = await rig.addList({ sub_tenant_id: tenant });
    const suppression = { email: 'ann@example.com', reason: 'unsubscribe', sub_tenant_id: tenant };
    await rig.ask('POST', '/v1/suppressions', { body: suppression });
    const body = { list_id: id, email: 'ann@example.com' };
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.status).toBe('pending');
    await rig.ask('POST', '/v1/suppressions', { body: { ...suppression, sub_tenant_id: null } });
    expect((await rig.ask('POST', '/v1/subscribe', { body })).json.error.code).toBe('recipient_suppressed');
    expect((await submit(await confirmationLink(), {})).status).toBe(404);
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toHaveLength(2);
  });

  it("uses the list's template, and a plain mail if that was deleted", async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const template = await rig.addTemplate('confirm', {
      subject: 'Join {{list_name}}?',
      text: 'Open {{confirmation_url}}',
    });
    const id = await rig.addList({ double_opt_in: true, confirmation_template_id: template });
    await rig.ask('POST', '/v1/subscribe', { body: { list_id: id, email: 'ann@example.com' } });
    expect((await mails()).at(-1)).toMatchObject({ subject: 'Join News?' });
    expect((await submit(await confirmationLink(), {})).status).toBe(200);
    await rig.commit(update(templates, { set: { deleted_at: 1 }, where: { id: template } }));
    await rig.ask('POST', '/v1/subscribe', { body: { list_id: id, email: 'bob@example.com' } });
    expect((await mails()).at(-1)).toMatchObject({
      to_email: 'bob@example.com',
      subject: 'Confirm your subscription: News',
    });
  });
});

it('sends the confirmation in the language and name of the organization', async () => {
  const branding = { name: 'Praxis Ölsner', language: 'de', color: '#0b6e4f' };
  await rig.ask('PATCH', '/v1/organization', { body: { branding } });
  const id = await rig.addList({ double_opt_in: true });
  await rig.ask('POST', '/v1/subscribe', { body: { list_id: id, email: 'ann@example.com' } });
  const mail = (await mails()).at(-1);
  expect(mail?.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung: News');
  expect(mail?.text).toContain('Wir haben eine Anmeldung von');
  expect(mail?.text).toContain('Praxis Ölsner');
  const [kept] = await rig.raw('SELECT html FROM contents ORDER BY id DESC LIMIT 1');
  expect(String(kept?.['html'])).toContain('color:#0b6e4f');
  expect((await submit(await confirmationLink(), {})).status).toBe(200);
  await rig.ask('PATCH', '/v1/organization', {
    body: { branding: { name: null, language: null, color: null } },
  });
});

it('sends the confirmation in the language of the page or form, unless the branding has one', async () => {
  const id = await rig.addList({ double_opt_in: true });
  const page = await pageOf(id);
  const inGerman = { key: '', headers: { 'accept-language': 'de-AT,en;q=0.5' } };
  await rig.ask('POST', page, { ...inGerman, form: { email: 'ann@example.com' } });
  expect((await mails()).at(-1)?.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung: News');
  const { json } = await rig.ask('POST', `/v1/lists/${id}/publishable-key`);
  const form = { email: 'bea@example.com', list_key: String(json.publishable_key) };
  await rig.ask('POST', '/v1/subscribe', { ...inGerman, form });
  expect((await mails()).at(-1)).toMatchObject({
    to_email: 'bea@example.com',
    subject: 'Bitte bestätigen Sie Ihre Anmeldung: News',
  });
  await rig.ask('PATCH', '/v1/organization', { body: { branding: { language: 'en' } } });
  await rig.ask('POST', page, { ...inGerman, form: { email: 'cid@example.com' } });
  expect((await mails()).at(-1)?.subject).toBe('Confirm your subscription: News');
  await rig.ask('PATCH', '/v1/organization', { body: { branding: { language: null } } });
});

describe('a confirmation link', () => {
  async function pendingLink(): Promise<{ id: string; link: string }> {
    const id = await rig.addList({ double_opt_in: true });
    await rig.ask('POST', '/v1/subscribe', { body: { list_id: id, email: 'ann@example.com' } });
    return { id, link: await confirmationLink() };
  }

  it('expires', async () => {
    const { id, link } = await pendingLink();
    rig.clock.advance(7 * 24 * HOUR + HOUR);
    expect((await submit(link, {})).status).toBe(404);
    expect((await rig.ask('GET', link, { key: '' })).status).toBe(404);
    expect(await contactsOf(id)).toEqual([]);
  });

  it('is invalid after leaving the list', async () => {
    const { id, link } = await pendingLink();
    await submit(link, {});
    const message = await rig.campaignMessage(id, 'ann@example.com');
    await rig.leave(message.id);
    expect((await submit(link, {})).status).toBe(404);
    expect(await contactsOf(id)).toEqual([]);
  });

  it('is invalid after unsubscribing from all mail', async () => {
    const { id, link } = await pendingLink();
    await submit(link, {});
    rig.clock.advance(HOUR);
    await rig.ask('POST', '/v1/suppressions', { body: { email: 'ann@example.com', reason: 'unsubscribe' } });
    expect((await submit(link, {})).status).toBe(404);
    expect(await statusOf('ann@example.com')).toBe('unsubscribed');
    expect(await contactsOf(id)).toEqual(['ann@example.com']);
  });

  it('is invalid if the list or the contact was deleted, or a character is changed', async () => {
    const { id, link } = await pendingLink();
    const other = `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`;
    expect((await submit(other, {})).status).toBe(404);
    await rig.ask('DELETE', `/v1/lists/${id}`);
    expect((await submit(link, {})).status).toBe(404);
  });
});

describe('the sign-up page', () => {
  it('has a form without scripts, and changes nothing before it is submitted', async () => {
    const id = await rig.addList({ description: 'Once a <month>' });
    const page = await rig.ask('GET', await pageOf(id), { key: '' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Once a &lt;month&gt;');
    expect(page.text).toContain('name="email"');
    expect(page.text).not.toContain('<script');
    expect((await rig.ask('GET', '/v1/contacts')).json.data).toEqual([]);
    await submit(await pageOf(id), { email: 'ann@example.com', name: 'Ann' });
    expect(await contactsOf(id)).toEqual(['ann@example.com']);
  });

  it('responds in the same way for every address, and does not change known contacts', async () => {
    const id = await rig.addList({ double_opt_in: true });
    const page = await pageOf(id);
    await rig.addContact('known@example.com', { name: 'Known' });
    await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'member@example.com' } });
    await rig.suppress('live', 'gone@example.com', 'unsubscribe');
    const texts = [];
    for (const name of ['new', 'known', 'member', 'gone']) {
      const answer = await submit(
        page,
        { email: `${name}@example.com`, name: 'Mallory' },
        `192.0.2.${texts.length}`,
      );
      expect(answer.status).toBe(200);
      texts.push(answer.text.replaceAll(`${name}@example.com`, '…'));
    }
    expect(new Set(texts).size).toBe(1);
    expect((await rig.ask('GET', '/v1/contacts/known@example.com')).json.name).toBe('Known');
    expect(await contactsOf(id)).toEqual(['member@example.com']);
  });

  it('is refused for every address while no confirmation can be sent', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = await rig.addList({ double_opt_in: true });
    await rig.raw('UPDATE senders SET is_default = 0');
    const answer = await submit(await pageOf(id), { email: 'ann@example.com' });
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain('Thank you');
    expect(await mails()).toEqual([]);
  });

  it.each([
    ['a trap that was filled in', { email: 'ann@example.com', website: 'x' }, 200],
    ['no address', { email: 'nobody' }, 422],
    ['nothing', {}, 422],
  ])('stores nothing of %s', async (_name, fields, status) => {
    const id = await rig.addList();
    expect((await submit(await pageOf(id), fields as Record<string, string>)).status).toBe(status);
    expect((await rig.ask('GET', '/v1/contacts')).json.data).toEqual([]);
  });

  it.each(['Visit http://x.example', 'buy@x.example', 'win.example', 'www.x', '<b>'])(
    'stores no name like %j',
    async (name) => {
      const id = await rig.addList();
      await submit(await pageOf(id), { email: 'ann@example.com', name });
      expect((await rig.ask('GET', '/v1/contacts/ann@example.com')).json.name).toBeNull();
    },
  );

  it('limits the sign-ups of a client per minute', async () => {
    const id = await rig.addList();
    const page = await pageOf(id);
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await submit(page, { email: `a${i}@example.com` })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await submit(page, { email: 'b@example.com' }, '192.0.2.9')).status).toBe(200);
    rig.clock.advance(60_000);
    expect((await submit(page, { email: 'c@example.com' })).status).toBe(200);
  });

  it('counts a sign-up before reading its body, and confirmation links separately', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const page = await pageOf(await rig.addList());
    const big = { email: 'a@example.com', more: 'x'.repeat(20_000) };
    for (let i = 0; i < 5; i++) expect((await submit(page, big)).status).toBe(413);
    expect((await submit(page, big)).status).toBe(429);
    const open = async () => (await rig.ask('GET', '/s/confirm/nothing', { key: '' })).status;
    for (let i = 0; i < 120; i++) expect(await open()).toBe(404);
    expect(await open()).toBe(429);
  });

  it('of the test environment sends test mail', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = (
      await rig.ask('POST', '/v1/lists', { key: rig.keys.test, body: { name: 'News', double_opt_in: true } })
    ).json.id;
    await submit(await pageOf(id, rig.keys.test), { email: 'ann@example.com' });
    const { environmentId } = await rig.scopeOf('test');
    const rows = await rig.raw('SELECT environment_id FROM messages');
    expect(rows).toEqual([{ environment_id: environmentId }]);
  });

  it('does not exist for a forged link', async () => {
    const page = await pageOf(await rig.addList());
    expect(
      (await rig.ask('GET', `${page.slice(0, -2)}${page.endsWith('00') ? '11' : '00'}`, { key: '' })).status,
    ).toBe(404);
    expect((await rig.ask('GET', '/s/x', { key: '' })).status).toBe(404);
  });
});

describe('the consent of a new member', () => {
  interface Kept {
    event: string;
    occurred_at: string;
    actor: string;
    actor_id: string | null;
    source: string;
    ip: string;
    user_agent: string | null;
    list_id: string;
  }
  const keptOf = async (email: string): Promise<Kept[]> => {
    const { environmentId } = await rig.scopeOf('live');
    const contact = await rig.store.contacts.contactByAddress({ ...(await rig.scopeOf('live')) }, email);
    expect(contact?.environment_id).toBe(environmentId);
    const number = contact?.number ?? 0;
    return ((await rig.store.consents.consentsOf([number])).get(number) ?? []) as unknown as Kept[];
  };

  it('names the call and the key, with address and user agent', async () => {
    const id = await rig.addList();
    await rig.ask('POST', '/v1/subscribe', {
      body: { list_id: id, email: 'ann@example.com' },
      headers: { 'user-agent': 'Shop/2' },
      ip: '192.0.2.44',
    });
    await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'bob@example.com' } });
    const [ann, ...others] = await keptOf('ann@example.com');
    expect(others).toEqual([]);
    expect(ann).toMatchObject({ event: 'joined', actor: 'api', source: 'POST /v1/subscribe', list_id: id });
    expect(ann).toMatchObject({ ip: '192.0.2.44', user_agent: 'Shop/2' });
    expect(ann?.actor_id).toMatch(/^key_/);
    expect(await keptOf('bob@example.com')).toMatchObject([{ source: 'POST /v1/lists/:id/contacts' }]);
  });

  it('has the request and the confirmation, each with time and address', async () => {
    const id = await rig.addList({ double_opt_in: true });
    const page = await pageOf(id);
    await submit(page, { email: 'ann@example.com' }, '192.0.2.7');
    rig.clock.advance(60_000);
    const link = await confirmationLink();
    await submit(link, {}, '198.51.100.9');
    await submit(link, {}, '198.51.100.10');
    const kept = await keptOf('ann@example.com');
    expect(kept).toMatchObject([
      { event: 'requested', actor: 'recipient', actor_id: null, source: page, ip: '192.0.2.7' },
      { event: 'confirmed', actor: 'recipient', source: '/s/confirm', ip: '198.51.100.9' },
    ]);
    expect(Number(kept[1]?.occurred_at) - Number(kept[0]?.occurred_at)).toBe(60_000);
    expect(JSON.stringify(kept)).not.toContain(link);
  });

  it('is deleted with the contact', async () => {
    rig = await startAudienceRig({ settings: { signUpRate: 5 } });
    const id = await rig.addList();
    await rig.ask('POST', '/v1/subscribe', { body: { list_id: id, email: 'ann@example.com' } });
    expect(await rig.raw('SELECT number FROM consents')).toHaveLength(1);
    expect((await rig.ask('DELETE', '/v1/contacts/ann@example.com')).status).toBe(200);
    expect(await rig.raw('SELECT number FROM consents')).toEqual([]);
  });
});
