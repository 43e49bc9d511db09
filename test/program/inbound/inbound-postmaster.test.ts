// Tests that postmaster is accepted at every domain of the server and without a domain, and abuse where complaints are accepted
// (RFC 5321 section 4.5.1).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({
    process: 'shared',
    env: {
      MAILKEEL_BOUNCE_DOMAIN: 'bounces.platform.example',
      MAILKEEL_INBOUND_DOMAIN: 'replies.platform.example',
    },
  });
});

afterAll(() => rig.close());

async function answers(addresses: readonly string[]): Promise<string[]> {
  const client = await rig.client();
  const replies: string[] = [];
  await client.say('MAIL FROM:<bob@receiver.example>');
  for (const address of addresses) replies.push((await client.say(`RCPT TO:<${address}>`)).slice(0, 9));
  client.hangUp();
  return replies;
}

it("accepts mail to the platform's, a sub-tenant's and the host's postmaster", async () => {
  const domains = [
    'mta.platform.example',
    'bounces.platform.example',
    'replies.platform.example',
    'bounce.shop.example',
    'reply.shop.example',
  ];
  const addresses = domains.flatMap((domain) => [`postmaster@${domain}`, `Abuse@${domain}`]);
  expect(await answers(['postmaster', 'Postmaster', ...addresses])).toEqual(
    Array.from({ length: addresses.length + 2 }, () => '250 2.1.5'),
  );
});

it('accepts it if the settings name other complaint addresses, without revealing other addresses', async () => {
  await rig.appliance.end();
  await rig.appliance.start({ MAILKEEL_FEEDBACK_ADDRESSES: 'fbl' });
  expect(
    await answers(['postmaster@replies.platform.example', 'fbl@replies.platform.example', 'postmaster']),
  ).toEqual(['250 2.1.5', '250 2.1.5', '250 2.1.5']);
  expect(
    await answers([
      'abuse@replies.platform.example',
      'postmaster@elsewhere.example',
      'postmaster@bounce.elsewhere.example',
      'abuse',
    ]),
  ).toEqual(['550 5.1.1', '550 5.7.1', '550 5.7.1', '550 5.1.1']);
});

it('accepts letters but no large files', async () => {
  const send = async (octets: number): Promise<string> => {
    const client = await rig.client();
    await client.say('MAIL FROM:<bob@receiver.example>');
    await client.say('RCPT TO:<postmaster@replies.platform.example>');
    await client.say('DATA');
    const line = `${'x'.repeat(76)}\r\n`;
    const reply = await client.say(`Subject: x\r\n\r\n${line.repeat(Math.ceil(octets / line.length))}.`);
    client.hangUp();
    return reply;
  };
  expect(await send(100_000)).toMatch(/^250 /);
  expect(await send(10 * 1024 ** 2)).toMatch(
    /^552 5\.3\.4 Message exceeds the limit of 10485760 bytes for this mailbox/,
  );
});
