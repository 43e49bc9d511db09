// Tests endpoints with the webhook format of a vendor: that vendor's own client reads and verifies the requests.
import { createHmac } from 'node:crypto';
import { EventWebhook } from '@sendgrid/eventwebhook';
import { Resend } from 'resend';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../src/webhooks/signature.rules.js';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../../support/http-receiver.js';
import { QUICK } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

interface Endpoint {
  id: string;
  secret: string;
  events: string[];
  public_key: string | null;
}
type Json = Record<string, unknown>;

let appliance: Appliance;
let receiver: HttpReceiver;
let key: string;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  const env = { ...QUICK, MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' };
  appliance = await createAppliance({ process: 'shared', env });
  await appliance.start();
  key = appliance.keys.test_key;
});
afterAll(async () => {
  await appliance.close();
  await receiver.close();
});

async function ask<T = Json>(method: string, path: string, body?: unknown, status = 200): Promise<T> {
  const answer = await appliance.api(method, path, { key, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBe(status);
  return answer.json as T;
}

const endpoint = (path: string, wish: object): Promise<Endpoint> =>
  ask('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/${path}`, ...wish }, 201);

async function send(to: string, more: object = {}): Promise<string> {
  const body = {
    ...{
      from: 'Shop <shop@example.com>',
      to,
      subject: 'Hello',
      html: '<a href="https://example.com/a">a</a>',
    },
    ...{ tags: ['kind:welcome'], metadata: { order: 7 }, track_clicks: true, track_opens: true, ...more },
  };
  return (await ask<{ id: string }>('POST', '/v1/messages', body, 202)).id;
}

const rawOf = ({ rawBody }: ReceivedRequest): string => rawBody.toString();
const headerOf = ({ headers }: ReceivedRequest, name: string): string => String(headers[name] ?? '');

async function arrived(path: string, test: (body: never) => boolean): Promise<ReceivedRequest> {
  const found = await waitFor(
    `a webhook at ${path}`,
    () => receiver.requests.find((one) => one.url === `/${path}` && test(JSON.parse(rawOf(one)) as never)),
    (one) => one !== undefined,
  );
  if (!found) throw new Error('It did not arrive.');
  return found;
}

/** The logged bytes of a received delivery. */
async function logged(id: string, request: ReceivedRequest): Promise<Json> {
  const deliveryId = headerOf(request, 'service-delivery');
  const read = async (): Promise<Json | undefined> => {
    const { data } = await ask<{ data: Json[] }>('GET', `/v1/webhook-endpoints/${id}/deliveries`);
    return data.find((one) => one['id'] === deliveryId);
  };
  const found = await waitFor('the log', read, (one) => one?.['status'] === 'succeeded');
  expect(found?.['request_body']).toBe(rawOf(request));
  return found ?? {};
}

function isOurs(secret: string, request: ReceivedRequest): boolean {
  const header = headerOf(request, 'service-signature');
  return verifyWebhook({ secret, header, rawBody: request.rawBody, now: Date.now() / 1000 });
}

describe('the format resend', () => {
  const resend = new Resend('re_unused');
  const verified = (request: ReceivedRequest, secret: string) => {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      headerOf(request, `svix-${name}`),
    );
    const headers = { id: id ?? '', timestamp: timestamp ?? '', signature: signature ?? '' };
    return resend.webhooks.verify({ payload: rawOf(request), headers, webhookSecret: secret });
  };

  it('is verified by its client and that of Svix, with either secret after a rotation', async () => {
    const made = await endpoint('resend', { format: 'resend' });
    expect(made.events).not.toContain('tenant.paused');
    const id = await send('bounced@simulator.example');
    const request = await arrived('resend', ({ type }: { type: string }) => type === 'email.bounced');
    expect(verified(request, made.secret)).toMatchObject({
      type: 'email.bounced',
      data: {
        ...{ email_id: id, from: 'Shop <shop@example.com>', to: ['bounced@simulator.example'] },
        ...{ subject: 'Hello', tags: { kind: 'welcome' }, bounce: { type: 'Permanent', subType: 'General' } },
      },
    });
    const headers = request.headers as Record<string, string>;
    new SvixWebhook(made.secret).verify(rawOf(request), headers);
    expect(isOurs(made.secret, request)).toBe(true);
    await logged(made.id, request);

    const path = `/v1/webhook-endpoints/${made.id}/rotate-secret`;
    const { secret } = await ask<Endpoint>('POST', path);
    await send('clicked@simulator.example');
    const second = await arrived('resend', ({ type }: { type: string }) => type === 'email.clicked');
    for (const one of [made.secret, secret]) {
      expect(verified(second, one)).toMatchObject({
        type: 'email.clicked',
        data: { click: { link: 'https://example.com/a', ipAddress: '127.0.0.1' } },
      });
    }
    expect(() => verified({ ...second, rawBody: Buffer.from(`${rawOf(second)} `) }, secret)).toThrow();
  });
});

describe('the format postmark', () => {
  it("has a record type for each event, and Mailkeel's signature", async () => {
    const wish = {
      format: 'postmark',
      events: ['message.opened', 'message.bounced', 'recipient.suppressed'],
    };
    const made = await endpoint('postmark', wish);
    const id = await send('bounced@simulator.example', { metadata: { order: 7, who: 'ann' } });
    const isOf = (type: string) => (body: { RecordType: string; MessageID: string }) =>
      body.RecordType === type && body.MessageID === id;
    const bounce = await arrived('postmark', isOf('Bounce'));
    expect(JSON.parse(rawOf(bounce))).toMatchObject({
      ...{ ID: id, Type: 'HardBounce', TypeCode: 1, Email: 'bounced@simulator.example', Inactive: true },
      ...{ Tag: 'kind:welcome', Metadata: { order: '7', who: 'ann' }, MessageStream: 'outbound' },
    });
    expect(isOurs(made.secret, bounce)).toBe(true);
    await logged(made.id, bounce);
    await send('opened@simulator.example');
    const opened = await arrived(
      'postmark',
      ({ RecordType }: { RecordType: string }) => RecordType === 'Open',
    );
    expect(JSON.parse(rawOf(opened))).toMatchObject({
      Recipient: 'opened@simulator.example',
      FirstOpen: true,
      Geo: { IP: '127.0.0.1' },
    });
  });
});

describe('the format sendgrid', () => {
  const verifier = new EventWebhook();
  const isGenuine = (request: ReceivedRequest, publicKey: string | null): boolean =>
    verifier.verifySignature(
      verifier.convertPublicKeyToECDSA(publicKey ?? ''),
      request.rawBody,
      headerOf(request, 'x-twilio-email-event-webhook-signature'),
      headerOf(request, 'x-twilio-email-event-webhook-timestamp'),
    );

  it('is verified by its client with the public key of the endpoint, which follows the secret', async () => {
    const made = await endpoint('sendgrid', { format: 'sendgrid', events: ['message.delivered'] });
    const id = await send('delivered@simulator.example', { metadata: { order: 7, event: 'mine' } });
    const isOf = (wanted: string) => (body: { sg_message_id: string }[]) => body[0]?.sg_message_id === wanted;
    const request = await arrived('sendgrid', isOf(id));
    expect(isGenuine(request, made.public_key)).toBe(true);
    expect(isGenuine({ ...request, rawBody: Buffer.from(`${rawOf(request)} `) }, made.public_key)).toBe(
      false,
    );
    expect(JSON.parse(rawOf(request))).toMatchObject([
      {
        ...{ event: 'delivered', email: 'delivered@simulator.example', category: ['kind:welcome'], order: 7 },
        sg_message_id: id,
      },
    ]);
    await logged(made.id, request);

    const path = `/v1/webhook-endpoints/${made.id}`;
    const rotated = await ask<Endpoint>('POST', `${path}/rotate-secret`);
    expect(rotated.public_key).not.toBe(made.public_key);
    const second = await arrived('sendgrid', isOf(await send('delivered@simulator.example')));
    expect([isGenuine(second, rotated.public_key), isGenuine(second, made.public_key)]).toEqual([
      true,
      false,
    ]);
    expect(await ask('PATCH', path, { format: 'service' })).toMatchObject({ public_key: null });
    expect(await ask('PATCH', path, { format: 'sendgrid' })).toMatchObject({
      public_key: rotated.public_key,
    });
  });
});

describe('the format mailgun', () => {
  interface Body {
    signature: { timestamp: string; token: string; signature: string };
    'event-data': { event: string; severity?: string; message: { headers: Record<string, string> } };
  }
  const bodyOf = (request: ReceivedRequest) => JSON.parse(rawOf(request)) as Body;
  const isGenuine = ({ signature: { timestamp, token, signature } }: Body, secret: string): boolean =>
    createHmac('sha256', secret)
      .update(timestamp + token)
      .digest('hex') === signature;

  it('is signed by its formula in the body, again for each attempt and replay', async () => {
    const made = await endpoint('mailgun', { format: 'mailgun', events: ['message.bounced'] });
    const id = await send('bounced@simulator.example');
    const isOf = ({ 'event-data': data }: Body) =>
      data.message.headers['message-id'] === `${id.slice(4)}@example.com`;
    const first = await arrived('mailgun', isOf);
    expect(bodyOf(first)).toMatchObject({
      'event-data': {
        ...{ event: 'failed', severity: 'permanent', recipient: 'bounced@simulator.example' },
        ...{ tags: ['kind:welcome'], 'user-variables': { order: 7 }, 'delivery-status': { code: 550 } },
      },
    });
    expect(isGenuine(bodyOf(first), made.secret)).toBe(true);
    expect(isOurs(made.secret, first)).toBe(true);
    const { id: deliveryId, payload } = await logged(made.id, first);
    expect(payload).toMatchObject({ event: 'message.bounced', data: { id, sandbox: true } });

    await ask('POST', `/v1/webhook-endpoints/${made.id}/deliveries/${String(deliveryId)}/replay`);
    const again = await arrived('mailgun', (body: Body) => isOf(body) && !isSame(body, bodyOf(first)));
    expect(bodyOf(again)['event-data']).toEqual(bodyOf(first)['event-data']);
    expect(isGenuine(bodyOf(again), made.secret)).toBe(true);
    expect(headerOf(again, 'service-replay-of')).toBe(deliveryId);
  });
  const isSame = (one: Body, other: Body): boolean => one.signature.token === other.signature.token;
});

describe('the format ses', () => {
  interface Notification {
    Type: string;
    MessageId: string;
    Message: string;
  }
  interface SesEvent {
    eventType: string;
    mail: { messageId: string; tags: Json };
  }
  const eventOf = ({ Message: text }: Notification) => JSON.parse(text) as SesEvent;
  const isOf = (id: string, type: string) => (body: Notification) =>
    eventOf(body).mail.messageId === id && eventOf(body).eventType === type;

  it("is a notification of SNS with the event, and Mailkeel's signature", async () => {
    const made = await endpoint('ses', { format: 'ses' });
    const tags = ['kind:welcome', 'kind:second', 'configuration-set:main', 'plain'];
    const id = await send('bounced@simulator.example', { tags });
    const request = await arrived('ses', isOf(id, 'Bounce'));
    expect(headerOf(request, 'content-type')).toBe('text/plain; charset=UTF-8');
    expect(headerOf(request, 'x-amz-sns-message-type')).toBe('Notification');
    const body = JSON.parse(rawOf(request)) as Notification;
    expect(body).toMatchObject({ Type: 'Notification', MessageId: expect.any(String) as string });
    expect(eventOf(body)).toMatchObject({
      eventType: 'Bounce',
      mail: {
        ...{ messageId: id, source: 'Shop <shop@example.com>', destination: ['bounced@simulator.example'] },
        commonHeaders: { subject: 'Hello' },
        tags: {
          kind: ['welcome', 'second'],
          'ses:configuration-set': ['main'],
          plain: [''],
          'ses:from-domain': ['example.com'],
        },
      },
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [
          {
            emailAddress: 'bounced@simulator.example',
            action: 'failed',
            status: expect.stringMatching(/^5\.\d+\.\d+$/) as string,
            diagnosticCode: expect.stringMatching(/^smtp; 5/) as string,
          },
        ],
      },
    });
    expect(isOurs(made.secret, request)).toBe(true);
    await logged(made.id, request);
  });

  it.each([
    ['delivered', 'Send', 'send'],
    ['delivered', 'Delivery', 'delivery'],
    ['clicked', 'Open', 'open'],
    ['clicked', 'Click', 'click'],
    ['complained', 'Complaint', 'complaint'],
  ])('tells of a message that was %s by %s', async (outcome, type, part) => {
    await endpoint(`ses-${part}`, { format: 'ses' });
    const id = await send(`${outcome}@simulator.example`);
    const request = await arrived(`ses-${part}`, isOf(id, type));
    expect(eventOf(JSON.parse(rawOf(request)) as Notification)).toHaveProperty(part);
  });

  it('reports a suppressed address as a bounce', async () => {
    await ask('POST', '/v1/suppressions', { email: 'gone@ses.example' }, 201);
    await endpoint('ses-suppressed', { format: 'ses' });
    const id = await send('gone@ses.example');
    const request = await arrived('ses-suppressed', isOf(id, 'Bounce'));
    expect(eventOf(JSON.parse(rawOf(request)) as Notification)).toMatchObject({
      bounce: { bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList' },
    });
  });
});

describe('vendor formats', () => {
  it.each(['resend', 'postmark', 'sendgrid', 'mailgun', 'ses'])('%s can be tested', async (format) => {
    const made = await endpoint(`try-${format}`, { format });
    const delivery = await ask('POST', `/v1/webhook-endpoints/${made.id}/test`, {});
    expect(delivery).toMatchObject({ event: 'message.delivered', payload: { event: 'message.delivered' } });
    const request = await arrived(`try-${format}`, () => true);
    expect(rawOf(request)).toContain('recipient@example.com');
  });

  it('refuse events without a vendor equivalent', async () => {
    const url = `${receiver.url}/none`;
    const refused = await ask<{ error: { details: { fields: Json[] } } }>(
      'POST',
      '/v1/webhook-endpoints',
      { url, format: 'resend', events: ['message.sent', 'tenant.paused', 'message.unsubscribed'] },
      422,
    );
    expect(refused.error.details.fields).toEqual([
      { path: 'events.1', message: 'tenant.paused is not available in the format resend' },
      { path: 'events.2', message: 'message.unsubscribed is not available in the format resend' },
    ]);
    const { id } = await endpoint('none', { events: ['tenant.paused', 'message.bounced'] });
    const path = `/v1/webhook-endpoints/${id}`;
    const message = 'does not have tenant.paused, which the endpoint receives. Also pass events';
    expect(await ask('PATCH', path, { format: 'mailgun' }, 422)).toMatchObject({
      error: { details: { fields: [{ path: 'format', message }] } },
    });
    const patch = { format: 'mailgun', events: ['message.bounced'] };
    expect(await ask('PATCH', path, patch)).toMatchObject(patch);
    expect(await ask('POST', `${path}/test`, { event: 'tenant.paused' }, 422)).toMatchObject({
      error: {
        details: { fields: [{ path: 'event', message: 'is not available in the format mailgun' }] },
      },
    });
  });

  it('include earlier events in a replay of a time range', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const id = await send('delivered@simulator.example');
    const isDelivered = ({ status }: { status: string }): boolean => status === 'delivered';
    await waitFor('the message', () => ask<{ status: string }>('GET', `/v1/messages/${id}`), isDelivered);
    const made = await endpoint('late', { format: 'postmark', events: ['message.delivered'] });
    await ask('POST', `/v1/webhook-endpoints/${made.id}/replay`, { since });
    const request = await arrived('late', ({ MessageID }: { MessageID: string }) => MessageID === id);
    expect(JSON.parse(rawOf(request))).toMatchObject({ RecordType: 'Delivery', Metadata: { order: '7' } });
  });
});

describe('an erased person', () => {
  it('is absent from all bodies in the log', async () => {
    const made = await endpoint('erased', { format: 'mailgun', events: ['message.delivered'] });
    const to = 'delivered+gone@simulator.example';
    await send(to);
    const request = await arrived('erased', () => true);
    await logged(made.id, request);
    await ask('POST', `/v1/contacts/${encodeURIComponent(to)}/erase`);
    const { text } = await appliance.api('GET', `/v1/webhook-endpoints/${made.id}/deliveries`, { key });
    expect(text).toContain('message.delivered');
    expect(text).not.toContain('gone');
  });
});
