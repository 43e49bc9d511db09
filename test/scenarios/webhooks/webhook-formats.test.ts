// Tests endpoints with Standard Webhooks, or with the object in the event. Third-party libraries verify the requests.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../src/webhooks/signature.rules.js';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../../support/http-receiver.js';
import { waitFor } from '../../support/wait.js';

interface Endpoint {
  id: string;
  secret: string;
  format: string;
  payload: string;
}

interface Body {
  event: string;
  occurred_at: string;
  data: { id: string; event: string; occurred_at: string; object?: Record<string, unknown> | null };
}

const bodyOf = ({ rawBody }: ReceivedRequest): Body => JSON.parse(rawBody.toString()) as Body;
const headersOf = ({ headers }: ReceivedRequest): Record<string, string> => headers as Record<string, string>;

describe('webhook endpoints', () => {
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

  async function endpoint(path: string, wish: object): Promise<Endpoint> {
    const body = { url: `${receiver.url}/${path}`, ...wish };
    const answer = await appliance.api('POST', '/v1/webhook-endpoints', { key, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.json as Endpoint;
  }

  async function send(to: string): Promise<string> {
    const body = {
      from: 'shop@example.com',
      to,
      subject: 'Hello',
      text: 'Hi.',
      tags: ['a'],
      metadata: { n: 1 },
    };
    const answer = await appliance.api('POST', '/v1/messages', { key, body });
    expect(answer.status, answer.text).toBe(202);
    return (answer.json as { id: string }).id;
  }

  const arrived = (path: string, event: string): Promise<ReceivedRequest> =>
    waitFor(
      `${event} at ${path}`,
      () => receiver.requests.find((one) => one.url === `/${path}` && bodyOf(one).event === event),
      (found) => found !== undefined,
    ).then((found) => {
      if (!found) throw new Error('It did not arrive.');
      return found;
    });

  it("are thin and use Mailkeel's signature by default", async () => {
    const made = await endpoint('plain', { events: ['message.delivered'] });
    expect(made).toMatchObject({ format: 'service', payload: 'thin' });
    const id = await send('delivered@example.com');
    const request = await arrived('plain', 'message.delivered');
    const { occurred_at } = bodyOf(request);
    expect(bodyOf(request)).toEqual({
      event: 'message.delivered',
      occurred_at,
      data: { id, event: 'message.delivered', occurred_at },
    });
    expect(Object.keys(request.headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });

  it("are signed as Standard Webhooks on request, in addition to Mailkeel's header", async () => {
    const { secret } = await endpoint('standard', { events: ['message.delivered'], format: 'standard' });
    await send('delivered@example.com');
    const request = await arrived('standard', 'message.delivered');
    const raw = request.rawBody.toString();
    expect(new StandardWebhook(secret).verify(raw, headersOf(request))).toEqual(bodyOf(request));
    new SvixWebhook(secret).verify(raw, headersOf(request));
    expect(() => new StandardWebhook(secret).verify(`${raw} `, headersOf(request))).toThrow();
    expect(request.headers['webhook-id']).toBe(request.headers['service-delivery']);
    const header = headersOf(request)['service-signature'] ?? '';
    expect(verifyWebhook({ secret, header, rawBody: request.rawBody, now: Date.now() / 1000 })).toBe(true);
  });

  it('verify with either secret during a rotation', async () => {
    const before = await endpoint('rotated', { events: ['message.delivered'], format: 'standard' });
    const rotated = await appliance.api('POST', `/v1/webhook-endpoints/${before.id}/rotate-secret`, { key });
    const { secret } = rotated.json as Endpoint;
    await send('delivered@example.com');
    const request = await arrived('rotated', 'message.delivered');
    for (const one of [secret, before.secret]) {
      expect(new StandardWebhook(one).verify(request.rawBody.toString(), headersOf(request))).toBeTruthy();
    }
  });

  it('with full payloads get the message as in the API', async () => {
    await endpoint('full', { payload: 'full' });
    const id = await send('bounced@example.com');
    const request = await arrived('full', 'message.bounced');
    const { json } = await appliance.api('GET', `/v1/messages/${id}`, { key });
    expect(bodyOf(request).data.object).toEqual(json);
    expect(bodyOf(request).data.object).toMatchObject({ id, status: 'bounced', sandbox: true, tags: ['a'] });
  });

  it('with full payloads get the text of a reply', async () => {
    await send('replied@example.com');
    const request = await arrived('full', 'message.received');
    const { id } = bodyOf(request).data;
    const { json } = await appliance.api('GET', `/v1/messages/${id}`, { key });
    expect(bodyOf(request).data.object).toEqual(json);
    expect((json as { received: { visible_text: string } }).received.visible_text).not.toBe('');
  });

  it('have `null` for a missing record, as in a test', async () => {
    const { id } = await endpoint('tried', { payload: 'full', format: 'standard' });
    await appliance.api('POST', `/v1/webhook-endpoints/${id}/test`, { key, body: {} });
    expect(bodyOf(await arrived('tried', 'message.delivered')).data.object).toBeNull();
  });

  it('can be changed later', async () => {
    const { id, secret } = await endpoint('changed', { events: ['message.delivered'] });
    const patch = { format: 'standard', payload: 'full' };
    const changed = await appliance.api('PATCH', `/v1/webhook-endpoints/${id}`, { key, body: patch });
    expect(changed.json).toMatchObject(patch);
    await send('delivered@example.com');
    const request = await arrived('changed', 'message.delivered');
    new SvixWebhook(secret).verify(request.rawBody.toString(), headersOf(request));
    expect(bodyOf(request).data.object).toMatchObject({ object: 'message' });
  });

  it('refuse unknown formats and payloads', async () => {
    const body = { url: `${receiver.url}/x`, format: 'svix', payload: 'fat' };
    const { status, json } = await appliance.api('POST', '/v1/webhook-endpoints', { key, body });
    expect(status).toBe(422);
    const { fields } = (json as { error: { details: { fields: { path: string; message: string }[] } } }).error
      .details;
    expect(fields).toEqual([
      {
        path: 'format',
        message: 'must be one of service, standard, resend, postmark, sendgrid, mailgun, ses',
      },
      { path: 'payload', message: 'must be one of thin, full' },
    ]);
  });
});
