// Tests events that an endpoint gets only if it names them: about contacts, suppressions, campaigns, imports and exports, as a
// receiver sees them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../src/webhooks/signature.rules.js';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../../support/http-receiver.js';
import { waitFor } from '../../support/wait.js';

interface Body {
  event: string;
  occurred_at: string;
  data: { id: string; event: string; occurred_at: string; object?: Record<string, unknown> | null };
}

interface Endpoint {
  id: string;
  secret: string;
}

const bodyOf = ({ rawBody }: ReceivedRequest): Body => JSON.parse(rawBody.toString()) as Body;

describe('events about records', () => {
  let appliance: Appliance;
  let receiver: HttpReceiver;
  let key: string;

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    appliance = await createAppliance({
      process: 'shared',
      env: { MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    await appliance.start();
    key = appliance.keys.test_key;
  });
  afterAll(async () => {
    await appliance.close();
    await receiver.close();
  });

  // the tests read many shapes; each says what it expects
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<any> {
    const answer = await appliance.api(method, path, {
      key,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  const endpoint = (path: string, wish: object): Promise<Endpoint> =>
    ask('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/${path}`, ...wish });

  const at = (path: string): ReceivedRequest[] => receiver.requests.filter(({ url }) => url === `/${path}`);

  const arrived = (path: string, ...events: string[]): Promise<ReceivedRequest[]> =>
    waitFor(
      `${events.join()} at ${path}`,
      () => at(path),
      (found) => events.every((event) => found.some((one) => bodyOf(one).event === event)),
    );

  it('reach endpoints that select them, thin and signed, and no others', async () => {
    const named = await endpoint('named', {
      events: ['contact.created', 'contact.updated', 'contact.deleted'],
    });
    await endpoint('usual', {});
    const { id } = await ask('POST', '/v1/contacts', { email: 'ann@shop.example', name: 'Ann' });
    await ask('PATCH', `/v1/contacts/${id}`, { name: 'Anna' });
    await ask('DELETE', `/v1/contacts/${id}`);
    const { id: sent } = await ask('POST', '/v1/messages', {
      from: 'shop@example.com',
      to: 'delivered@example.com',
      subject: 'Hello',
      text: 'Hi.',
    });
    await arrived('usual', 'message.delivered');
    const requests = await arrived('named', 'contact.created', 'contact.updated', 'contact.deleted');
    for (const { headers, rawBody } of requests) {
      const header = String(headers['service-signature']);
      expect(verifyWebhook({ secret: named.secret, header, rawBody, now: Date.now() / 1000 })).toBe(true);
    }
    const bodies = requests.map(bodyOf);
    expect(bodies.map(({ event }) => event)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.deleted',
    ]);
    expect(bodies.map(({ data }) => data)).toEqual(
      bodies.map(({ event, occurred_at }) => ({ id, event, occurred_at })),
    );
    const usual = at('usual').map(bodyOf);
    expect(new Set(usual.map(({ data }) => data.id))).toEqual(new Set([sent]));
    const feed = await ask('GET', '/v1/events?limit=100');
    expect(feed.data.filter((one: Body) => one.event.startsWith('contact.'))).toEqual([]);
    const asked = await ask('GET', '/v1/events?events=contact.created,contact.updated&order=asc');
    expect(asked.data).toMatchObject([
      { event: 'contact.created', actor: 'api', data: { id, metadata: {} }, tags: [], sub_tenant_id: null },
      {
        event: 'contact.updated',
        actor: 'api',
        data: { id, metadata: { changed: ['name'] } },
        sandbox: true,
      },
    ]);
  });

  it('contain the record on request, and suppression entries', async () => {
    const events = ['suppression.created', 'suppression.deleted'];
    const { secret } = await endpoint('full', { events, payload: 'full', format: 'standard' });
    const made = await ask('POST', '/v1/suppressions', { email: 'bob@shop.example' });
    const [created] = await arrived('full', 'suppression.created');
    if (!created) throw new Error('It did not arrive.');
    const verified = new Webhook(secret).verify(
      created.rawBody.toString(),
      created.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ event: 'suppression.created', data: { id: made.id, object: made } });
    await ask('DELETE', `/v1/suppressions/${made.id}`);
    const [, deleted] = await arrived('full', ...events);
    expect(deleted && bodyOf(deleted).data).toMatchObject({ id: made.id, object: null });
  });

  it('report an import as a whole, and an export', async () => {
    const events = ['contact.created', 'import.completed', 'export.completed', 'export.canceled'];
    await endpoint('transfers', { events, payload: 'full' });
    const answer = await fetch(`${appliance.url}/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      body: 'email\nc1@shop.example\nc2@shop.example\n',
    });
    const { id: imported } = (await answer.json()) as { id: string };
    await arrived('transfers', 'import.completed');
    const { id: exported } = await ask('POST', '/v1/exports', { kind: 'contacts' });
    const bodies = (await arrived('transfers', 'import.completed', 'export.completed')).map(bodyOf);
    expect(bodies.map(({ event, data }) => [event, data.id])).toEqual([
      ['import.completed', imported],
      ['export.completed', exported],
    ]);
    expect(bodies[0]?.data.object).toEqual(await ask('GET', `/v1/imports/${imported}`));
    expect(bodies[1]?.data.object).toMatchObject({ object: 'export', status: 'completed', processed: 2 });
  });

  it('report a bulk action as a whole', async () => {
    const events = ['contact.updated', 'contact.deleted', 'suppression.created', 'bulk_action.completed'];
    await endpoint('bulk', { events, payload: 'full' });
    await ask('POST', '/v1/contacts', { email: 'many@shop.example', tags: ['many'] });
    const asked = { action: 'delete', filter: { tag: 'many' } };
    const { id } = await ask('POST', '/v1/bulk-actions/contacts', asked);
    const bodies = (await arrived('bulk', 'bulk_action.completed')).map(bodyOf);
    expect(bodies.map(({ event, data }) => [event, data.id])).toEqual([['bulk_action.completed', id]]);
    expect(bodies[0]?.data.object).toEqual(await ask('GET', `/v1/bulk-actions/${id}`));
    expect(bodies[0]?.data.object).toMatchObject({ status: 'completed', done: 1 });
  });

  it('follow a campaign from start to end', async () => {
    const events = ['campaign.scheduled', 'campaign.started', 'campaign.sent', 'campaign.canceled'];
    await endpoint('campaigns', { events, payload: 'full' });
    await ask(
      'PATCH',
      '/v1/organization',
      { postal_address: 'Ring 1, 50667 Köln' },
      { authorization: `Bearer ${appliance.keys.live_key}` },
    );
    const template = await ask('POST', '/v1/templates', {
      name: 'News',
      subject: 'News',
      html: '<html><body><p>Hi</p></body></html>',
    });
    const list = await ask('POST', '/v1/lists', { name: 'Readers' });
    await ask('POST', `/v1/lists/${list.id}/contacts`, { email: 'delivered@reader.example' });
    const campaign = await ask('POST', '/v1/campaigns', {
      name: 'Spring',
      type: 'marketing',
      list_id: list.id,
      template_id: template.id,
      from: 'shop@example.com',
    });
    await ask('POST', `/v1/campaigns/${campaign.id}/send`, {});
    const bodies = (await arrived('campaigns', 'campaign.started', 'campaign.sent')).map(bodyOf);
    expect(bodies.map(({ event, data }) => [event, data.id])).toEqual([
      ['campaign.started', campaign.id],
      ['campaign.sent', campaign.id],
    ]);
    expect(bodies[1]?.data.object).toMatchObject({
      id: campaign.id,
      status: 'sent',
      stats: { recipients: 1 },
    });
    const feed = await ask('GET', '/v1/events?events=campaign.started');
    expect(feed.data).toMatchObject([{ actor: 'api', data: { id: campaign.id } }]);
  });

  it("of a sub-tenant reach its own endpoints, and those of the workspace don't", async () => {
    const tenant = await ask('POST', '/v1/sub-tenants', { name: 'Ann', sending_domain: 'ann.example' });
    await endpoint('pinned', { events: ['contact.created'], sub_tenant_id: tenant.id });
    await ask('POST', '/v1/contacts', { email: 'own@shop.example' });
    const theirs = await ask('POST', '/v1/contacts', {
      email: 'theirs@shop.example',
      sub_tenant_id: tenant.id,
    });
    await arrived('pinned', 'contact.created');
    expect(at('pinned').map((one) => bodyOf(one).data.id)).toEqual([theirs.id]);
  });

  it('can be replayed, and tested with an id of their type', async () => {
    const { id } = await endpoint('again', { events: ['campaign.sent'] });
    await ask('POST', `/v1/webhook-endpoints/${id}/test`);
    const [tried] = await arrived('again', 'campaign.sent');
    expect(tried && bodyOf(tried).data.id).toMatch(/^cmp_test_/);
    await ask('POST', `/v1/webhook-endpoints/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    const sent = await waitFor(
      'the replay',
      () => at('again'),
      (found) => found.length === 2,
    );
    expect(sent.map((one) => bodyOf(one).data.id)[1]).toMatch(/^cmp_0/);
  });

  it('lose the record of an erased person, like events about messages', async () => {
    const events = ['contact.created', 'contact.erased', 'suppression.created', 'message.delivered'];
    const { id: endpointId } = await endpoint('erased', { events, payload: 'full' });
    const { id } = await ask('POST', '/v1/contacts', { email: 'gone@shop.example' });
    const mail = { from: 'shop@example.com', to: 'gone@shop.example', subject: 'To gone', text: 'Hi.' };
    await ask('POST', '/v1/messages', mail);
    await arrived('erased', 'contact.created', 'message.delivered');
    await ask('POST', '/v1/suppressions', { email: 'gone@shop.example' });
    await arrived('erased', 'suppression.created');
    const records = at('erased').map((one) => bodyOf(one).data.object);
    expect(records.every((record) => JSON.stringify(record).includes('gone@shop.example'))).toBe(true);
    await ask('POST', `/v1/contacts/${id}/erase`);
    await arrived('erased', 'contact.erased');
    const log = await ask('GET', `/v1/webhook-endpoints/${endpointId}/deliveries`);
    expect(JSON.stringify(log)).not.toContain('gone@shop.example');
    expect(log.data.map(({ event }: Body) => event)).toEqual([
      'contact.erased',
      'suppression.created',
      'message.delivered',
      'contact.created',
    ]);
  });
});
