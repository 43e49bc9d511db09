// Tests the mail of the vendors' interfaces as the recipient's server receives it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { sendBy, VENDOR_NAMES, type VendorMail, type VendorName } from '../support/vendor-senders.js';
import { waitFor } from '../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;
let receiver: HttpReceiver;
let count = 0;

interface Json {
  data?: { message_id: string };
  InternetMessageID?: string;
  'smtp-id'?: string;
  'event-data'?: { message: { headers: Record<string, string> } };
}

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  receiver = await startHttpReceiver();
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  for (const format of VENDOR_NAMES) {
    const body = { url: `${receiver.url}/${format}`, format, events: ['message.delivered'] };
    await rig.appliance.api('POST', '/v1/webhook-endpoints', { body });
  }
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
  await sink.close();
});

const FROM = 'orders@shop.example';
const HTML = '<p><a href="https://shop.example/orders">Your order</a></p>';
const newMailbox = (): string => `reader${++count}@receiver.example`;

/** Waits for the mail to this mailbox; returns its bytes as text. */
async function arrived(mailbox: string): Promise<string> {
  const found = await waitFor(
    `the mail to ${mailbox}`,
    () => sink.messages.find(({ rcptTo }) => rcptTo.includes(mailbox)),
    (one) => one !== undefined,
  );
  return found?.raw.toString('latin1') ?? '';
}

/** Sends the mail to a unique mailbox; returns its bytes as they arrive. */
async function onTheWire(vendor: VendorName, mail: Partial<VendorMail>): Promise<string> {
  const to = newMailbox();
  const answer = await sendBy(rig.appliance, vendor, { from: FROM, to, ...mail });
  expect(answer.json).not.toHaveProperty('errors');
  expect(answer.status).toBeLessThan(300);
  return arrived(to);
}

/** The webhook about the delivery to this mailbox, in the format of the vendor. */
async function webhookTo(vendor: VendorName, mailbox: string): Promise<Json> {
  const found = await waitFor(
    `the ${vendor} webhook about ${mailbox}`,
    () => receiver.requests.find(({ url, rawBody }) => url === `/${vendor}` && rawBody.includes(mailbox)),
    (one) => one !== undefined,
  );
  return JSON.parse(found?.rawBody.toString() ?? '') as Json;
}

/** The place of the Message-ID in each format. */
const WEBHOOK_IDS: Readonly<Record<VendorName, (body: Json) => string>> = {
  resend: ({ data }) => String(data?.message_id),
  postmark: ({ InternetMessageID: id }) => String(id),
  sendgrid: (body) => String((body as unknown as Json[])[0]?.['smtp-id']),
  mailgun: ({ 'event-data': data }) => `<${String(data?.message.headers['message-id'])}>`,
};

/** Values of the header fields of this name, unfolded. */
function fieldsOf(octets: string, name: string): string[] {
  const [header = ''] = octets.split('\r\n\r\n', 1);
  const lines = header.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const start = `${name.toLowerCase()}:`;
  return lines.flatMap((line) =>
    line.toLowerCase().startsWith(start) ? [line.slice(start.length).trim()] : [],
  );
}

describe('mail of a vendor API', () => {
  it.each(VENDOR_NAMES)('has no Reply-To unless the request of %s sets one', async (vendor) => {
    expect(fieldsOf(await onTheWire(vendor, { text: 'Hello.' }), 'Reply-To')).toEqual([]);
    const asked = await onTheWire(vendor, { text: 'Hello.', replyTo: 'help@shop.example' });
    expect(fieldsOf(asked, 'Reply-To')).toEqual(['help@shop.example']);
  });

  it('has no Reply-To in a batch, or when it is resent', async () => {
    const [to, again] = [newMailbox(), newMailbox()];
    const answer = await fetch(`${rig.appliance.url}/compat/resend/emails/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${rig.appliance.keys.live_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([to, again].map((one) => ({ from: FROM, to: one, subject: 's', text: 'x' }))),
    });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    expect(fieldsOf(await arrived(to), 'Reply-To')).toEqual([]);
    expect(fieldsOf(await arrived(again), 'Reply-To')).toEqual([]);
    const resent = await rig.appliance.api('POST', `/v1/messages/${data[0]?.id ?? ''}/resend`);
    expect(resent.status).toBe(202);
    const copies = await waitFor(
      'the second copy',
      () => sink.messages.filter(({ rcptTo }) => rcptTo.includes(to)),
      (found) => found.length === 2,
    );
    for (const { raw } of copies) expect(fieldsOf(raw.toString('latin1'), 'Reply-To')).toEqual([]);
  });

  it('keeps the signed reply address in mail of /v1', async () => {
    const to = newMailbox();
    await rig.send(to);
    expect(fieldsOf(await arrived(to), 'Reply-To')).toEqual([expect.stringMatching(/^reply\+/)]);
  });

  it.each(['resend', 'postmark'] as const)('is not tracked unless %s requests it', async (vendor) => {
    const octets = await onTheWire(vendor, { html: HTML });
    expect(octets).toContain('href="https://shop.example/orders"');
    expect(octets).not.toContain('<img');
  });

  it.each(['sendgrid', 'mailgun'] as const)(
    'is tracked according to the organization for %s',
    async (vendor) => {
      const octets = await onTheWire(vendor, { html: HTML });
      expect(octets).not.toContain('href="https://shop.example/orders"');
      expect(octets).toContain('<img');
    },
  );

  it.each(VENDOR_NAMES)('keeps the Message-ID and List-Unsubscribe of %s, signed', async (vendor) => {
    const own = {
      'Message-ID': `<${vendor}.4711@shop.example>`,
      'List-Unsubscribe': '<https://shop.example/leave>, <mailto:leave@shop.example>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-Order': '4711',
      Solicitation: 'none',
    };
    const octets = await onTheWire(vendor, { text: 'Hello.', headers: own });
    for (const [name, value] of Object.entries(own)) {
      expect(fieldsOf(octets, name), name).toEqual([value]);
    }
    const [signature = ''] = fieldsOf(octets, 'DKIM-Signature');
    const signed = /h=([^;]+)/.exec(signature.replace(/\s/g, ''))?.[1]?.split(':');
    expect(signed).toEqual(
      expect.arrayContaining(['message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
  });

  it.each(VENDOR_NAMES)('has one Message-ID on the wire and in all responses of %s', async (vendor) => {
    const to = newMailbox();
    const answer = await sendBy(rig.appliance, vendor, { from: FROM, to, text: 'Hello.' });
    const [messageId = ''] = fieldsOf(await arrived(to), 'Message-ID');
    const { data } = (await rig.appliance.api('GET', `/v1/messages?to=${to}`)).json as {
      data: { id: string; internet_message_id: string }[];
    };
    const [listed] = data;
    expect(listed?.internet_message_id).toBe(messageId);
    expect(await rig.message(listed?.id ?? '')).toMatchObject({ internet_message_id: messageId });
    const answered = {
      resend: null,
      postmark: answer.json['InternetMessageID'],
      sendgrid: answer.headers.get('X-Internet-Message-Id'),
      mailgun: answer.json['id'],
    };
    if (vendor === 'resend') {
      const headers = { Authorization: `Bearer ${rig.appliance.keys.live_key}` };
      const path = `${rig.appliance.url}/compat/resend/emails/${String(answer.json['id'])}`;
      expect(await (await fetch(path, { headers })).json()).toMatchObject({ message_id: messageId });
    } else expect(answered[vendor]).toBe(messageId);
    const told = await webhookTo(vendor, to);
    expect(WEBHOOK_IDS[vendor](told)).toBe(messageId);
  });

  it('gives all recipients of a message, and a replay of its request, the same Message-ID', async () => {
    const [to, cc] = [newMailbox(), newMailbox()];
    const body = rig.draft(to, { cc, idempotency_key: 'one-message-id' });
    const made = await rig.appliance.api('POST', '/v1/messages', { body });
    const { internet_message_id: id } = made.json as { internet_message_id: string };
    expect(fieldsOf(await arrived(to), 'Message-ID')).toEqual([id]);
    expect(fieldsOf(await arrived(cc), 'Message-ID')).toEqual([id]);
    const replayed = await rig.appliance.api('POST', '/v1/messages', { body });
    expect(replayed.json).toMatchObject({ internet_message_id: id });
  });

  it.each(VENDOR_NAMES)('may set any Reply-To in %s, also when it is resent', async (vendor) => {
    const to = newMailbox();
    const answer = await sendBy(rig.appliance, vendor, {
      ...{ from: FROM, to, text: 'Hello.', replyTo: 'visitor@gmail.example' },
    });
    expect(answer.status).toBeLessThan(300);
    expect(fieldsOf(await arrived(to), 'Reply-To')).toEqual(['visitor@gmail.example']);
    const { json } = await rig.appliance.api('GET', `/v1/messages?to=${to}`);
    const [{ id } = { id: '' }] = (json as { data: { id: string }[] }).data;
    expect((await rig.appliance.api('POST', `/v1/messages/${id}/resend`)).status).toBe(202);
  });

  it.each(VENDOR_NAMES)(
    'shows a file of %s inline only if the HTML refers to its content id',
    async (vendor) => {
      const files = [{ filename: 'invoice.pdf', content: 'aGk=', contentId: 'invoice.pdf' }];
      const attached = await onTheWire(vendor, { html: '<p>x</p>', attachments: files });
      expect(attached).toMatch(/Content-Disposition: attachment;\s+filename=/);
      expect(attached).not.toContain('multipart/related');
      const html = '<img src="cid:invoice.pdf">';
      expect(await onTheWire(vendor, { html, attachments: files })).toContain('Content-Disposition: inline');
    },
  );
});

describe('reply_to of /v1', () => {
  it('must be a verified sender, unless the organization allows any', async () => {
    const body = rig.draft(newMailbox(), { reply_to: 'visitor@gmail.example' });
    const refused = await rig.appliance.api('POST', '/v1/messages', { body });
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/reply_to_policy/)]);
    const policy = (value: 'verified' | 'any') =>
      rig.appliance.query(`UPDATE organizations SET reply_to_policy = '${value}'`);
    await policy('any');
    try {
      const taken = await rig.appliance.api('POST', '/v1/messages', { body });
      expect(taken.status).toBe(202);
      expect(fieldsOf(await arrived(String(body['to'])), 'Reply-To')).toEqual(['visitor@gmail.example']);
    } finally {
      await policy('verified');
    }
  });
});
