// Tests webhooks created with the clients of Resend, Postmark and Mailgun, against the running program.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Mailgun from 'mailgun.js';
import { ServerClient } from 'postmark';
import { Resend } from 'resend';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '../support/http-receiver.js';
import { QUICK } from '../support/mail-rig.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let receiver: HttpReceiver;
let key: string;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  appliance = await createAppliance({
    process: 'shared',
    env: { ...QUICK, MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  await appliance.start();
  key = appliance.keys.test_key;
});
afterAll(async () => {
  await appliance.close();
  await receiver.close();
});

const arrived = async (path: string): Promise<ReceivedRequest> => {
  const found = await waitFor(
    `a webhook at ${path}`,
    () => receiver.requests.find((one) => one.url === path),
    (one) => one !== undefined,
  );
  if (!found) throw new Error('It did not arrive.');
  return found;
};

async function stored(): Promise<{ id: string; url: string; format: string; events: string[] }[]> {
  const { json } = await appliance.api('GET', '/v1/webhook-endpoints', { key });
  return (json as { data: { id: string; url: string; format: string; events: string[] }[] }).data;
}

/** Creates an endpoint of another format, which the vendors' clients must not see. */
async function makeOther(): Promise<string> {
  const body = { url: `${receiver.url}/other` };
  const { json } = await appliance.api('POST', '/v1/webhook-endpoints', { key, body });
  return (json as { id: string }).id;
}

describe('with the client of Resend', () => {
  it('are created, listed, read, changed, rotated and removed, and verify', async () => {
    const resend = new Resend(key, { baseUrl: `${appliance.url}/compat/resend` });
    const other = await makeOther();
    const url = `${receiver.url}/resend`;
    const made = await resend.webhooks.create({ endpoint: url, events: ['email.delivered'] });
    const { id = '', signing_secret: secret = '' } = made.data ?? {};
    await resend.emails.send({
      from: 'news@shop.example',
      to: 'delivered@simulator.example',
      subject: 'Hello',
      text: 'Hello',
    });
    const request = await arrived('/resend');
    const [svixId, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`svix-${name}`]),
    );
    const told = resend.webhooks.verify({
      payload: request.rawBody.toString(),
      headers: { id: svixId ?? '', timestamp: timestamp ?? '', signature: signature ?? '' },
      webhookSecret: secret,
    });
    expect(told).toMatchObject({ type: 'email.delivered', data: { subject: 'Hello' } });

    const shown = { id, endpoint: url, status: 'enabled', events: ['email.delivered'] };
    expect((await resend.webhooks.list()).data?.data).toMatchObject([shown]);
    expect((await resend.webhooks.get(id)).data).toMatchObject({ object: 'webhook', ...shown });
    const patch = { events: ['email.bounced' as const], status: 'disabled' as const };
    expect((await resend.webhooks.update(id, patch)).data).toEqual({ object: 'webhook', id });
    expect((await resend.webhooks.get(id)).data).toMatchObject(patch);
    expect((await resend.webhooks.rotateSigningSecret(id)).data?.signing_secret).toMatch(/^whsec_/);
    const refused = await resend.webhooks.create({ endpoint: url, events: ['contact.created'] });
    expect(refused.error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect((await resend.webhooks.get(other)).error?.name).toBe('not_found');
    expect((await resend.webhooks.remove(other)).error?.name).toBe('not_found');
    expect((await resend.webhooks.remove(id)).data).toEqual({ object: 'webhook', id, deleted: true });
  });
});

describe('with the client of Postmark', () => {
  it('are created, listed, read, changed and removed', async () => {
    const { host } = new URL(appliance.url);
    const postmark = new ServerClient(key, {
      requestHost: `${host}/compat/postmark`,
      useHttps: false,
    });
    const url = `${receiver.url}/postmark`;
    const made = await postmark.createWebhook({
      Url: url,
      Triggers: { Delivery: { Enabled: true }, Bounce: { Enabled: true, IncludeContent: false } },
    });
    expect(made).toMatchObject({
      Url: url,
      Triggers: { Delivery: { Enabled: true }, Open: { Enabled: false } },
    });
    const id = made.ID;
    await postmark.sendEmail({
      ...{
        From: 'news@shop.example',
        To: 'delivered@simulator.example',
        Subject: 'Hello',
        TextBody: 'Hello',
      },
    });
    expect(JSON.parse((await arrived('/postmark')).rawBody.toString())).toMatchObject({
      RecordType: 'Delivery',
      Recipient: 'delivered@simulator.example',
    });
    expect((await postmark.getWebhooks()).Webhooks).toEqual([made]);
    expect(await postmark.getWebhook(id)).toEqual(made);
    const changed = await postmark.editWebhook(id, { Triggers: { Delivery: { Enabled: false } } });
    expect(changed.Triggers).toMatchObject({ Delivery: { Enabled: false }, Bounce: { Enabled: true } });
    await expect(
      postmark.createWebhook({ Url: url, Triggers: { Open: { Enabled: false } } }),
    ).rejects.toThrow(/must enable at least one/);
    expect(await postmark.deleteWebhook(id)).toMatchObject({ ErrorCode: 0 });
    await expect(postmark.getWebhook(id)).rejects.toThrow();
  });
});

it('Postmark webhooks send HttpAuth, show it masked, and keep it when the path changes', async () => {
  const postmark = new ServerClient(key, {
    requestHost: `${appliance.url.slice('http://'.length)}/compat/postmark`,
    useHttps: false,
  });
  const send = () =>
    postmark.sendEmail({
      ...{
        From: 'news@shop.example',
        To: 'delivered@simulator.example',
        Subject: 'Hello',
        TextBody: 'Hello',
      },
    });
  const authorizationAt = async (path: string) => (await arrived(path)).headers['authorization'];
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const made = await postmark.createWebhook({
    Url: `${receiver.url}/locked`,
    HttpAuth: { Username: 'ann', Password: 'p@ss:w%rd' },
    Triggers: { Delivery: { Enabled: true } },
  });
  const masked = { Username: '***', Password: '***' };
  expect(made).toMatchObject({ Url: `${receiver.url}/locked`, HttpAuth: masked });
  await send();
  expect(await authorizationAt('/locked')).toBe(basic('ann:p@ss:w%rd'));
  const moved = await postmark.editWebhook(made.ID, { Url: `${receiver.url}/moved` });
  expect(moved).toMatchObject({ Url: `${receiver.url}/moved`, HttpAuth: masked });
  await send();
  expect(await authorizationAt('/moved')).toBe(basic('ann:p@ss:w%rd'));
  await postmark.editWebhook(made.ID, { Url: `${receiver.url}/back`, HttpAuth: masked });
  await send();
  expect(await authorizationAt('/back')).toBe(basic('ann:p@ss:w%rd'));
  await postmark.editWebhook(made.ID, { HttpAuth: { Username: 'bob', Password: 'x' } });
  await postmark.editWebhook(made.ID, { Url: `${receiver.url}/again` });
  await send();
  expect(await authorizationAt('/again')).toBe(basic('bob:x'));
  const elsewhere = postmark.editWebhook(made.ID, { Url: 'https://elsewhere.example/hook' });
  await expect(elsewhere).rejects.toThrow(/but the address has changed/);
  await postmark.deleteWebhook(made.ID);
});

describe('with the client of Mailgun', () => {
  const domain = 'shop.example';

  it('are one endpoint per URL with a password, whose secret stays', async () => {
    const url = `${appliance.url}/compat/mailgun`;
    const mailgun = new Mailgun(globalThis.FormData).client({ username: 'api', key, url });
    const urlWith = (password: string) => `${receiver.url}/sealed`.replace('://', `://ann:${password}@`);
    const shown = `${receiver.url}/sealed`.replace('://', '://***@');
    const idsOf = async () => (await stored()).flatMap((one) => (one.url === shown ? [one.id] : []));
    expect(await mailgun.webhooks.create(domain, 'opened', urlWith('a'), false)).toMatchObject({
      urls: [shown],
    });
    await mailgun.webhooks.create(domain, 'delivered', urlWith('a'), false);
    const ids = await idsOf();
    expect(ids).toHaveLength(1);
    await mailgun.webhooks.update(domain, 'delivered', urlWith('b'));
    expect(await idsOf()).toEqual(ids);
    await mailgun.messages.create(domain, {
      ...{ from: `news@${domain}`, to: 'delivered@simulator.example', subject: 'Hi', text: 'Hi' },
    });
    const basic = `Basic ${Buffer.from('ann:b').toString('base64')}`;
    expect((await arrived('/sealed')).headers['authorization']).toBe(basic);
    await mailgun.webhooks.destroy(domain, 'opened');
    await mailgun.webhooks.destroy(domain, 'delivered');
  });

  it('are created, listed, read, changed and removed, with an endpoint for each URL', async () => {
    const url = `${appliance.url}/compat/mailgun`;
    const mailgun = new Mailgun(globalThis.FormData).client({ username: 'api', key, url });
    const [one, two] = [`${receiver.url}/mailgun`, `${receiver.url}/second`];
    expect(await mailgun.webhooks.create(domain, 'delivered', one, false)).toMatchObject({ urls: [one] });
    await mailgun.webhooks.create(domain, 'permanent_fail', one, false);
    const [endpoint] = (await stored()).filter(({ format }) => format === 'mailgun');
    expect(endpoint?.events).toEqual([
      ...['message.delivered', 'message.bounced', 'message.failed', 'message.suppressed'],
    ]);

    // The secret is had at /v1 alone.
    const path = `/v1/webhook-endpoints/${endpoint?.id ?? ''}/rotate-secret`;
    const { secret } = (await appliance.api('POST', path, { key })).json as { secret: string };
    const mail = { from: `news@${domain}`, to: 'delivered@simulator.example', subject: 'Hi', text: 'Hi' };
    const { id = '' } = await mailgun.messages.create(domain, mail);
    const { signature, 'event-data': data } = JSON.parse((await arrived('/mailgun')).rawBody.toString()) as {
      signature: { timestamp: string; token: string; signature: string };
      'event-data': { event: string; message: { headers: { 'message-id': string } } };
    };
    const hmac = createHmac('sha256', secret).update(signature.timestamp + signature.token);
    expect(signature.signature).toBe(hmac.digest('hex'));
    expect([data.event, `<${data.message.headers['message-id']}>`]).toEqual(['delivered', id]);

    expect(await mailgun.webhooks.list(domain, {})).toEqual({
      delivered: { urls: [one] },
      permanent_fail: { urls: [one] },
    });
    expect(await mailgun.webhooks.update(domain, 'delivered', [one, two])).toMatchObject({
      urls: [one, two],
    });
    expect((await mailgun.webhooks.get(domain, 'delivered' as never)).urls.toSorted()).toEqual(
      [one, two].toSorted(),
    );
    await mailgun.webhooks.destroy(domain, 'delivered');
    expect(await mailgun.webhooks.list(domain, {})).toEqual({ permanent_fail: { urls: [one] } });
    await expect(mailgun.webhooks.get(domain, 'delivered' as never)).rejects.toMatchObject({ status: 404 });
    await expect(mailgun.webhooks.create(domain, 'stored', one, false)).rejects.toMatchObject({
      status: 400,
    });
    await expect(mailgun.webhooks.create(domain, 'permanent_fail', two, false)).rejects.toMatchObject({
      status: 400,
    });
    const before = await stored();
    const bad = mailgun.webhooks.update(domain, 'permanent_fail', [two, 'ftp://example.com/']);
    await expect(bad).rejects.toMatchObject({ status: 400 });
    expect(await stored()).toEqual(before);
  });
});
