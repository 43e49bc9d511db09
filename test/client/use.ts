// Uses the API as a customer does, with a client whose types are generated from the OpenAPI document, in strict TypeScript.
// test/long/generated-client.test.ts generates `openapi.d.ts` next to a copy of this file, checks the types and runs it.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../src/http/openapi/openapi.js';

type Schemas = components['schemas'];
type Message = Schemas['Message'];
type Contact = Schemas['Contact'];
type Campaign = Schemas['Campaign'];

/** Returns the data of a response; throws its error. */
function taken<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function equal(
  actual: string | number | boolean | null | undefined,
  expected: string | number | boolean | null,
): void {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`);
}

/** Words are literal types: a misspelt one does not compile. */
function isOver(status: Message['status']): boolean {
  // @ts-expect-error -- no status of a message
  if (status === 'deliverd') return true;
  return status === 'delivered' || status === 'bounced';
}

/** A union is distinguished by its constant. */
function hoursOf(step: Schemas['SequenceStep']): number {
  return step.type === 'wait' ? step.hours : 0;
}

/** Calls the twenty most used operations; returns how many it called. `from`: a verified address. */
export async function useApi({
  baseUrl,
  key,
  from,
}: {
  baseUrl: string;
  key: string;
  from: string;
}): Promise<number> {
  let asked = 0;
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  client.use({
    onRequest: () => {
      asked += 1;
    },
  });

  const contact: Contact = taken(
    await client.POST('/v1/contacts', {
      body: { email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'] },
    }),
  );
  equal(contact.object, 'contact');
  const path = { id: contact.id };
  equal(taken(await client.GET('/v1/contacts/{id}', { params: { path } })).name, 'Ann Smith');
  const body = { metadata: { city: 'Bremen' } };
  equal(taken(await client.PATCH('/v1/contacts/{id}', { params: { path }, body })).status, 'active');
  equal(taken(await client.GET('/v1/contacts', { params: { query: { limit: 5 } } })).total, 1);

  const list = taken(await client.POST('/v1/lists', { body: { name: 'Newsletter' } }));
  taken(
    await client.POST('/v1/lists/{id}/contacts', {
      params: { path: { id: list.id } },
      body: { contact_id: contact.id },
    }),
  );
  const template = taken(
    await client.POST('/v1/templates', {
      body: { name: 'Welcome', subject: 'Hello {{first_name}}', text: 'Hello' },
    }),
  );
  const rendered = taken(
    await client.POST('/v1/templates/{id}/render', {
      params: { path: { id: template.slug } },
      body: { variables: { first_name: 'Ann' } },
    }),
  );
  equal(rendered.subject, 'Hello Ann');
  await useMessages(client, from);
  await useCampaign(client, { listId: list.id, templateId: template.id, from });

  const sequence = taken(
    await client.POST('/v1/sequences', {
      body: {
        name: 'Welcome',
        trigger: { type: 'manual' },
        steps: [{ type: 'wait', hours: 2 }, { type: 'exit' }],
      },
    }),
  );
  equal(
    sequence.steps.reduce((sum, step) => sum + hoursOf(step), 0),
    2,
  );
  taken(await client.POST('/v1/suppressions', { body: { email: 'gone@example.com' } }));
  const query = { email: 'gone@example.com' };
  equal(taken(await client.GET('/v1/suppressions/check', { params: { query } })).suppressed, true);
  const endpoint = taken(
    await client.POST('/v1/webhook-endpoints', {
      body: { url: 'https://hooks.example.com/', events: ['message.delivered'] },
    }),
  );
  equal(endpoint.secret.startsWith('whsec_'), true);
  const tenant = taken(
    await client.POST('/v1/sub-tenants', { body: { name: 'Shop', sending_domain: 'shop.example' } }),
  );
  equal(tenant.dns_records[0]?.status, 'pending');
  taken(await client.GET('/v1/events', { params: { query: { order: 'asc' } } }));
  taken(await client.GET('/v1/usage'));
  taken(await client.GET('/v1/analytics', { params: { query: { window_days: 7 } } }));
  return asked;
}

type Api = ReturnType<typeof createClient<paths>>;

async function useMessages(client: Api, from: string): Promise<void> {
  const send = { from, subject: 'Hello', text: 'Hello' };
  const message: Message = taken(
    await client.POST('/v1/messages', {
      params: { header: { 'Idempotency-Key': 'once' } },
      body: { to: { email: 'ann@example.com', name: 'Ann' }, ...send },
    }),
  );
  equal(message.status, 'queued');
  equal(isOver(message.status), false);
  const path = { id: message.id };
  const batch = taken(
    await client.POST('/v1/messages/batch', {
      body: {
        messages: [
          { to: 'two@example.com', template: 'welcome', from },
          { to: 'nobody', ...send },
        ],
      },
    }),
  );
  const refused = batch.data.flatMap((item) => ('object' in item ? [] : [item.error.code]));
  equal(refused[0], 'validation_error');
  const shown: Message = taken(await client.GET('/v1/messages/{id}', { params: { path } }));
  equal(shown.template_id, null);
  equal(taken(await client.GET('/v1/messages', { params: { query: { limit: 1 } } })).has_more, true);
  equal(taken(await client.GET('/v1/messages/{id}/audit', { params: { path } })).trail[0]?.event, 'queued');
  equal(taken(await client.POST('/v1/messages/{id}/cancel', { params: { path } })).status, 'canceled');
  const { error } = await client.GET('/v1/messages/{id}', { params: { path: { id: 'msg_none' } } });
  const code: Schemas['ErrorCode'] | undefined = error?.error.code;
  equal(code, 'not_found');
}

async function useCampaign(
  client: Api,
  { listId, templateId, from }: { listId: string; templateId: string; from: string },
): Promise<void> {
  const made: Campaign = taken(
    await client.POST('/v1/campaigns', {
      body: { name: 'News', list_id: listId, template_id: templateId, from },
    }),
  );
  const path = { id: made.id };
  equal(taken(await client.GET('/v1/campaigns/{id}', { params: { path } })).stats.recipients, 0);
  equal(
    taken(await client.GET('/v1/campaigns/{id}/preview', { params: { path } })).data[0]?.subject,
    'Hello Ann',
  );
}
