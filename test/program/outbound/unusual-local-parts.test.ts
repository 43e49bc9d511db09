// Tests local parts that strict parsers refuse but real mailboxes have: dots at an end or in a row, and quoted strings (RFC 5321
// section 4.1.2). The API, contacts, suppressions and the relay accept them; the envelope and header fields have the quoted form.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIELD_ADDRESSES } from '../../support/field-mail.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { openRawClient } from '../../support/raw-client.js';
import { lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import type { ScriptedPeer } from '../../support/scripted-peer.js';
import { waitFor } from '../../support/wait.js';

const ADDRESSES = FIELD_ADDRESSES.api_to_and_relay_rcpt;
/** The written forms. */
const WRITTEN: Record<string, string> = {
  'a..b@docomo.example': '"a..b"@docomo.example',
  'abc.@docomo.example': '"abc."@docomo.example',
  '.abc@mail.example': '".abc"@mail.example',
};
const TRANSACTION = '< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken';

let peers: PeersByAddress;
let relay: SinkRig;

beforeAll(async () => {
  peers = await openPeers();
  relay = await startMailRigWithSink({
    process: 'shared',
    env: { MAILKEEL_MX_PORT: String(peers.port), MAILKEEL_DESTINATION_CONNECTIONS: '1' },
  });
});

afterAll(async () => {
  await relay.close();
  await peers.close();
});

const servers = new Map<string, ScriptedPeer>();

/** The mail server of a domain, which shows what was sent to it. */
async function serverOf(domain: string): Promise<ScriptedPeer> {
  const known = servers.get(domain);
  if (known) return known;
  const peer = await peers.scripted(`> 220 peer\n< EHLO\n> 250 peer\n${`${TRANSACTION}\n`.repeat(20)}stall`);
  servers.set(domain, peer);
  peers.serve(relay.dns, domain, peer);
  return peer;
}

/** Everything that its connections received. */
const heardBy = (peer: ScriptedPeer): string => peer.connections.map(({ received }) => received).join('');

it.each(ADDRESSES)('%s receives mail from the API and the relay', async (address) => {
  const written = WRITTEN[address] ?? address;
  const peer = await serverOf(address.slice(address.lastIndexOf('@') + 1));
  const count = (text: string): number => heardBy(peer).split(text).length - 1;
  const before = count(`RCPT TO:<${written}>\r\n`);
  await relay.reached(await relay.send(address), 'delivered');
  expect(count(`RCPT TO:<${written}>\r\n`)).toBe(before + 1);
  expect(heardBy(peer)).toContain(`\r\nTo: ${written}\r\n`);

  const raw = lines('From: orders@shop.example', `To: ${written}`, '', 'Hi');
  const { reply, ids } = await relay.submit({ to: address, raw });
  expect(reply).toMatch(/^250 /);
  const shown = await relay.reached(ids[0] ?? '', 'delivered');
  expect(shown['recipient_role']).toBe('to');
  expect(count(`RCPT TO:<${written}>\r\n`)).toBe(before + 2);
});

it('each spelling is the same contact and suppression', async () => {
  const { api } = relay.appliance;
  for (const address of [...ADDRESSES, 'abc@docomo.example']) {
    const at = address.lastIndexOf('@');
    const local = address.slice(0, at);
    const other = `${local.startsWith('"') ? local.toUpperCase() : `"${local.toUpperCase()}"`}${address.slice(at)}`;
    const made = await api('POST', '/v1/contacts', { body: { email: address } });
    expect([200, 201], made.text).toContain(made.status);
    const again = await api('POST', '/v1/contacts', { body: { email: other } });
    expect((again.json as { id: string }).id).toBe((made.json as { id: string }).id);
    await api('POST', '/v1/suppressions', { body: { email: other, reason: 'manual' } });
    await relay.reached(await relay.send(address), 'suppressed');
  }
});

it('a reply from such an address, or from a host without a domain, becomes a message', async () => {
  const peer = await serverOf('answers.example');
  const sent = await relay.reached(await relay.send('x@answers.example'), 'delivered');
  const [, replyTo = ''] = /\r\nReply-To: (\S+)/.exec(heardBy(peer)) ?? [];
  const senders = [...FIELD_ADDRESSES.inbound_mail_from, '<"john doe"@example.test>'];
  for (const [i, path] of senders.entries()) {
    const client = await openRawClient({ port: relay.appliance.mailPort('Inbound'), tls: false });
    await client.reply();
    await client.say('EHLO my_host.example');
    await client.say(`MAIL FROM:${path}`, `RCPT TO:<${replyTo}>`, 'DATA');
    const from = path.includes('@') ? path : '<root@my_host.example>';
    client.write(lines(`From: ${from}`, `Subject: Re: ${i}`, '', 'Thanks!', '.'));
    expect(await client.reply(), path).toMatch(/^250 /);
    client.hangUp();
  }
  const threadId = await waitFor(
    'the thread',
    async () => (await relay.message(String(sent['id'])))['thread_id'],
    (id) => typeof id === 'string',
  );
  const messages = await waitFor(
    'all replies',
    async () => {
      const path = `/v1/messages?thread_id=${String(threadId)}&status=received`;
      return (await relay.appliance.api('GET', path)).json.data as { from: { email: string } }[];
    },
    (found) => found.length === senders.length,
  );
  expect(messages.map(({ from }) => from.email).sort()).toEqual([
    '"a..b"@docomo.example',
    '"john doe"@example.test',
    'a..b@docomo.example',
    'root@my_host.example',
    'user@my_host.example',
  ]);
});
