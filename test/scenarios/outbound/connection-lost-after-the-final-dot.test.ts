// Tests a peer that has received the whole message and whose reply never arrives: no one knows whether it was accepted
// (architecture: durability).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { tuned } from '../../support/tuning.js';

const UP_TO_THE_DOT = `
  > 220 peer ESMTP
  < EHLO
  > 250 peer
  < MAIL FROM
  > 250 ok
  < RCPT TO
  > 250 ok
  < DATA
  > 354 go ahead
  body`;
const TAKEN_AND_LOST = `${UP_TO_THE_DOT}
  reset`;
const TAKEN = `${UP_TO_THE_DOT}
  > 250 2.0.0 queued
  < QUIT
  > 221 bye
  close`;

let peer: ScriptedPeer;
let rig: MailRig;

async function close(): Promise<void> {
  await rig.close();
  await peer.close();
}

/** Of the mail to this mailbox. */
const copies = (mailbox: string) =>
  peer.connections.filter(
    ({ received }) => received.includes(`<${mailbox}@`) && received.includes('\r\n.\r\n'),
  ).length;
const messageIds = () =>
  new Set(peer.connections.map(({ received }) => /^Message-ID: (.*)$/im.exec(received)?.[1]));

// In CI, test/outbound/outbound.test.ts covers it.
it.runIf(isFullSize)(
  'a transactional message is held, flagged in the trail, and sent once more',
  async () => {
    peer = await startScriptedPeer([TAKEN_AND_LOST, TAKEN]);
    rig = await startMailRig({ process: 'shared', mxPort: peer.port });
    const id = await rig.send('anna');
    await rig.reached(id, 'delivered');
    const trail = await rig.trail(id);
    expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
    const [, , , doubtful, delivered] = trail;
    expect(doubtful?.metadata).toMatchObject({ ambiguous: true, category: 'ambiguous', attempt: 1 });
    const waitedMs = Date.parse(delivered?.timestamp ?? '') - Date.parse(doubtful?.timestamp ?? '');
    expect(waitedMs).toBeGreaterThanOrEqual(400);
    expect(copies('anna')).toBe(2);
    expect(messageIds().size).toBe(1);
    await close();
  },
);

describe('a peer that always loses the connection', () => {
  /** A retried test gets new mailboxes. */
  let tries = 0;
  beforeAll(async () => {
    peer = await startScriptedPeer(TAKEN_AND_LOST);
    rig = await startMailRig({
      process: 'shared',
      mxPort: peer.port,
      env: tuned({ ambiguousRetryLimit: 2 }),
    });
  });
  afterAll(close);

  it('gets no more copies than configured, and the message stays sent', async () => {
    tries += 1;
    const [first, second] = [`anna${tries}`, `bert${tries}`];
    const id = await rig.send(first);
    const trail = await rig.logged(id, 'deferred', 3);
    expect(trail.filter(({ metadata }) => metadata['ambiguous'] === true)).toHaveLength(3);
    expect(trail.at(-1)?.metadata['next_attempt_at']).toBeNull();
    // Another message behind it shows that the queue has moved on.
    const next = await rig.send(second);
    await rig.logged(next, 'deferred', 3);
    expect((await rig.message(id))['status']).toBe('sent');
    expect([copies(first), copies(second)]).toEqual([3, 3]);
  });

  it('gets a marketing message once', async () => {
    const { api } = rig.appliance;
    await api('PATCH', '/v1/organization', { body: { postal_address: '1 Main Street, Springfield' } });
    await api('POST', '/v1/contacts', {
      body: { email: 'carl@receiver.example', sub_tenant_id: rig.tenantId },
    });
    const id = await rig.send('carl', { type: 'marketing' });
    const trail = await rig.logged(id, 'sent');
    expect(trail.at(-1)?.metadata).toMatchObject({ ambiguous: true, next_attempt_at: null });
    const transactional = await rig.send('dora');
    await rig.logged(transactional, 'deferred', 2);
    expect((await rig.message(id))['status']).toBe('sent');
    expect(peer.connections.filter(({ received }) => received.includes('<carl@'))).toHaveLength(1);
  });
});
