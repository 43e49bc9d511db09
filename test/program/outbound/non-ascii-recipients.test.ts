// Tests recipients with a non-ASCII local part through the API (RFC 6531): delivered if the peer accepts them, otherwise bounced
// with an explanation.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({ process: 'shared', mxPort: peers.port });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

it('are delivered to a host that supports SMTPUTF8', async () => {
  const host = await peers.sink({ smtpUtf8: true });
  peers.serve(rig.dns, 'modern.example', host);
  await rig.reached(await rig.send('jürgen@modern.example'), 'delivered');
  expect(host.messages[0]?.rcptTo).toEqual(['jürgen@modern.example']);
  expect(host.messages[0]?.raw.toString()).toMatch(/^To: .*jürgen@modern\.example/m);
});

it('bounce with 5.6.7 without SMTPUTF8', async () => {
  const host = await peers.sink({ smtpUtf8: false });
  peers.serve(rig.dns, 'old.example', host);
  const message = await rig.reached(await rig.send('jürgen@old.example'), 'bounced');
  expect(message['error']).toMatchObject({ code: 550, enhanced_code: '5.6.7' });
  expect(host.count()).toBe(0);
});
