// Tests the classic checks for open relays: none of them makes the server accept mail for others, on the public port or on the
// relay's ports.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { tuned } from '../../support/tuning.js';

const VICTIM = 'victim@elsewhere.example';
const PROBES = [
  VICTIM,
  'victim%elsewhere.example@mta.platform.example',
  'victim%elsewhere.example@reply.shop.example.elsewhere.example',
  'victim%elsewhere.example@[127.0.0.1]',
  '@mta.platform.example:victim@elsewhere.example',
  '@reply.shop.example,@mta.platform.example:victim@elsewhere.example',
  '"victim@elsewhere.example"@mta.platform.example',
  '"victim@elsewhere.example"',
  'elsewhere.example!victim',
  'elsewhere.example!victim@mta.platform.example',
  'victim@elsewhere.example@mta.platform.example',
  'victim@reply.shop.example@elsewhere.example',
  'victim@[127.0.0.1]',
  'root',
  'root@mta.platform.example',
  'reply+aaaa@mta.platform.example',
  'unsubscribe+aaaa@mta.platform.example',
  'b-aaaa@mta.platform.example',
];

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({ process: 'shared', env: tuned({ inboundWrongRecipients: 1000 }) });
});

afterAll(() => rig.close());

it.each([
  '',
  'ann@receiver.example',
  'orders@shop.example',
  'root@mta.platform.example',
  'postmaster@[127.0.0.1]',
])('strangers with the sender <%s> cannot relay mail', async (sender) => {
  const client = await rig.client();
  for (const probe of PROBES) {
    expect(await client.say('RSET', `MAIL FROM:<${sender}>`), probe).toMatch(/^250 /);
    expect(await client.say(`RCPT TO:<${probe}>`), probe).toMatch(/^5\d\d (?:5\.1\.[13]|5\.7\.1) /);
    expect(await client.say('DATA'), probe).toMatch(/^503 /);
  }
  client.hangUp();
});

it('the relay accepts nothing before AUTH, and no AUTH without TLS', async () => {
  for (const port of ['Relay', 'Relay, TLS'] as const) {
    const client = await rig.client(undefined, port);
    expect(await client.say('MAIL FROM:<orders@shop.example>'), port).toMatch(/^530 5\.7\.0 /);
    expect(await client.say(`RCPT TO:<${VICTIM}>`), port).toMatch(/^5\d\d /);
    expect(await client.say('DATA'), port).toMatch(/^5\d\d /);
    client.hangUp();
  }
  const client = await rig.client(undefined, 'Relay');
  const key = Buffer.from(`\0key\0${rig.appliance.keys.live_key}`).toString('base64');
  expect(await client.say(`AUTH PLAIN ${key}`)).toMatch(/^538 5\.7\.11 /);
  client.hangUp();
});

it('no mail was relayed', async () => {
  const { json } = await rig.appliance.api('GET', '/v1/messages');
  expect((json as { data: unknown[] }).data).toEqual([]);
});
