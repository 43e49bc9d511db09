// Mail of the vendors' interfaces as the recipient's server gets it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { sendBy, VENDOR_NAMES, type VendorMail, type VendorName } from '../support/vendor-senders.js';
import { waitFor } from '../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;
let count = 0;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

const FROM = 'orders@shop.example';
const HTML = '<p><a href="https://shop.example/orders">Your order</a></p>';
const newMailbox = (): string => `reader${++count}@receiver.example`;

/** Waits for the mail to this mailbox; its octets as text. */
async function arrived(mailbox: string): Promise<string> {
  const found = await waitFor(
    `the mail to ${mailbox}`,
    () => sink.messages.find(({ rcptTo }) => rcptTo.includes(mailbox)),
    (one) => one !== undefined,
  );
  return found?.raw.toString('latin1') ?? '';
}

/** Sends the mail to a mailbox of its own; its octets as they arrive. */
async function onTheWire(vendor: VendorName, mail: Partial<VendorMail>): Promise<string> {
  const to = newMailbox();
  const answer = await sendBy(rig.appliance, vendor, { from: FROM, to, ...mail });
  expect(answer.json).not.toHaveProperty('errors');
  expect(answer.status).toBeLessThan(300);
  return arrived(to);
}

/** Values of the header fields of this name, unfolded. */
function fieldsOf(octets: string, name: string): string[] {
  const [header = ''] = octets.split('\r\n\r\n', 1);
  const lines = header.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const start = `${name.toLowerCase()}:`;
  return lines.flatMap((line) =>
    line.toLowerCase().startsWith(start) ? [line.slice(start.length).trim()] : [],
  );
}

describe('mail of a vendor interface', () => {
  it.each(VENDOR_NAMES)('has no Reply-To unless the request of %s names one', async (vendor) => {
    expect(fieldsOf(await onTheWire(vendor, { text: 'Hello.' }), 'Reply-To')).toEqual([]);
    const asked = await onTheWire(vendor, { text: 'Hello.', replyTo: 'help@shop.example' });
    expect(fieldsOf(asked, 'Reply-To')).toEqual(['help@shop.example']);
  });

  it('has no Reply-To in a batch, and when it is sent again', async () => {
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

  it.each(['resend', 'postmark'] as const)('is not tracked unless %s asks for it', async (vendor) => {
    const octets = await onTheWire(vendor, { html: HTML });
    expect(octets).toContain('href="https://shop.example/orders"');
    expect(octets).not.toContain('<img');
  });

  it.each(['sendgrid', 'mailgun'] as const)(
    'is tracked as the organization sets it for %s',
    async (vendor) => {
      const octets = await onTheWire(vendor, { html: HTML });
      expect(octets).not.toContain('href="https://shop.example/orders"');
      expect(octets).toContain('<img');
    },
  );
});
