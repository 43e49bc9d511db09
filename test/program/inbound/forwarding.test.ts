// Tests that an inbox forwards its mail to an address whose owner has agreed, byte for byte below the trace fields and an ARC
// set. Refusals, bounces and loops end it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ForwardingRig, startForwardingRig } from '../../support/forwarding-rig.js';
import { deliveryReport, headerOf } from '../../support/returned-mail.js';
import { waitFor } from '../../support/wait.js';

/** Addresses that their server no longer knows. */
const gone = new Set<string>();
/** Addresses whose server defers their mail. */
const busy = new Set<string>();
let rig: ForwardingRig;
let inbox: { id: string; address: string };

beforeAll(async () => {
  rig = await startForwardingRig({
    ...{ process: 'shared', env: { MAILKEEL_PUBLIC_URL: 'http://127.0.0.1' } },
    sink: {
      onRcpt: (address) =>
        gone.has(address) ? '550 5.1.1 No such user' : busy.has(address) ? '451 4.2.1 Try later' : null,
    },
  });
  inbox = await rig.newInbox('help');
});
afterAll(() => rig.close());

const stateOf = async (address: string, of = inbox): Promise<[string, boolean] | undefined> => {
  const found = (await rig.forwardsOf(of.id)).find((forward) => forward.address === address);
  return found && [found.state, found.reason !== null];
};

describe('a forwarding address', () => {
  it('gets mail once its owner has agreed, unchanged, with the signature of the author and a valid ARC set', async () => {
    const address = 'ann@receiver.example';
    await rig.ask('POST', `/v1/inboxes/${inbox.id}/forwards`, { address });
    await rig.write(inbox.address, 'too early');
    expect((await rig.received(inbox.id, 'too early')).received.forwards).toEqual([]);
    expect(await stateOf(address)).toEqual(['pending', true]);
    const link = await rig.linkTo(address);
    // Scanners open links.
    expect(await (await fetch(link)).text()).toContain(address);
    expect(await stateOf(address)).toEqual(['pending', true]);
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    expect(await stateOf(address)).toEqual(['active', false]);

    const sent = await rig.write(inbox.address, 'hello');
    const mail = await rig.waitForMail(address, 'hello');
    expect(mail.raw.toString('latin1').endsWith(sent)).toBe(true);
    const trace = mail.raw.toString('latin1').slice(0, -sent.length);
    expect(trace.match(/^[\w-]+(?=:)/gm)).toEqual([
      ...['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results', 'Received', 'Delivered-To'],
    ]);
    expect(trace).toMatch(/dkim=pass header\.d=author\.example/);
    expect(mail.mailFrom).toMatch(/^b-.+@bounce\.shop\.example$/);
    expect(await rig.judge(mail)).toEqual({ dkim: [['author.example', 'pass']], arc: 'pass', arcSets: 1 });

    const received = await rig.received(inbox.id, 'hello');
    const [copy] = received.received.forwards;
    expect(copy).toMatchObject({ not_forwarded: null, message_id: expect.stringMatching(/^msg_/) as string });
    const forwarded = await rig.reached(copy?.message_id ?? '', 'delivered');
    expect(forwarded).toMatchObject({
      ...{ to: address, forwarded_from: received.id, direction: 'outbound', type: 'transactional' },
      ...{ track_opens: false, track_clicks: false },
    });
    const raw = await rig.appliance.api('GET', `/v1/messages/${copy?.message_id}/raw`);
    expect(raw.text).toBe(mail.raw.toString());
  });

  it('gets a chain of ARC sets of mail that another server has forwarded', async () => {
    const first = (await rig.waitForMail('ann@receiver.example', 'hello')).raw.toString('latin1');
    const again = first.replace(/^Delivered-To: .*\r\n/m, '');
    const second = await rig.newInbox('second');
    await rig.addForward(second.id, 'bob@receiver.example');
    await rig.postRaw(second.address, again);
    const mail = await rig.waitForMail('bob@receiver.example', 'hello');
    expect(await rig.judge(mail)).toEqual({ dkim: [['author.example', 'pass']], arc: 'pass', arcSets: 2 });
  });

  it('gets reports with the null sender, and no mail that fails a DMARC policy of reject or is in a loop', async () => {
    await rig.write(inbox.address, 'from a daemon', { from: '' });
    expect((await rig.waitForMail('ann@receiver.example', 'from a daemon')).mailFrom).toBe('');
    const reasonOf = async (subject: string) =>
      (await rig.received(inbox.id, subject)).received.forwards.map(({ not_forwarded: reason }) => reason);
    await rig.write(inbox.address, 'forged', { forged: true });
    expect(await reasonOf('forged')).toEqual(['dmarc']);
    // DMARC has no result for several authors, or for an endless header.
    const author = 'From: Eve <eve@author.example>';
    await rig.write(inbox.address, 'twice', { forged: true, headers: [author] });
    expect(await reasonOf('twice')).toEqual(['malformed']);
    const many = Array.from({ length: 1000 }, (_, at) => `X-${at}: 1`);
    await rig.write(inbox.address, 'many', { forged: true, headers: many });
    expect(await reasonOf('many')).toEqual(['malformed']);
    await rig.write(inbox.address, 'again', { headers: [`Delivered-To: ${inbox.address}`] });
    expect(await reasonOf('again')).toEqual(['loop']);
    const hops = Array.from(
      { length: 25 },
      (_, hop) => `Received: from a by b${hop}; Fri, 27 Nov 2026 10:00:00 +0000`,
    );
    await rig.write(inbox.address, 'far', { headers: hops });
    expect(await reasonOf('far')).toEqual(['loop']);
  });

  it('is suspended when it bounces, at the dialogue or by a report, until the suppression is lifted', async () => {
    const other = await rig.newInbox('bouncing');
    const address = 'late@receiver.example';
    await rig.addForward(other.id, address);
    await rig.write(other.address, 'one');
    const mail = await rig.waitForMail(address, 'one');
    const report = deliveryReport(
      mail.mailFrom,
      { recipient: address, action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 No such user' },
      { original: headerOf(mail) },
    );
    expect(await rig.comesBack(report, mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
    expect(await stateOf(address, other)).toEqual(['suspended', true]);
    await rig.write(other.address, 'two');
    const [copy] = (await rig.received(other.id, 'two')).received.forwards;
    expect(copy).toMatchObject({ message_id: null, not_forwarded: 'suppressed' });
    const { data } = await rig.ask<{ data: { id: string }[] }>('GET', `/v1/suppressions?q=${address}`);
    for (const { id } of data) await rig.ask('DELETE', `/v1/suppressions/${id}`);
    expect(await stateOf(address, other)).toEqual(['active', false]);
    gone.add(address);
    await rig.write(other.address, 'three');
    const [third] = (await rig.received(other.id, 'three')).received.forwards;
    await rig.reached(third?.message_id ?? '', 'bounced');
    expect(await stateOf(address, other)).toEqual(['suspended', true]);
  });

  it('can be stopped by its owner later, without an account', async () => {
    const other = await rig.newInbox('other');
    const address = 'carol@receiver.example';
    const { id } = await rig.addForward(other.id, address);
    const link = await rig.linkTo(address);
    expect(await (await fetch(link)).text()).toContain('Stop forwarding');
    expect((await fetch(`${link}/stop`, { method: 'POST' })).status).toBe(200);
    expect(await stateOf(address, other)).toEqual(['stopped', true]);
    expect((await fetch(link, { method: 'POST' })).status).toBe(404);
    const again = await rig.appliance.api('POST', `/v1/inboxes/${other.id}/forwards/${id}/confirm-mail`);
    expect(again.status).toBe(409);
    await rig.write(other.address, 'after the end');
    expect((await rig.received(other.id, 'after the end')).received.forwards).toEqual([]);
  });

  describe('that ends', () => {
    /** Sends mail to a forwarding inbox; returns the ID of the forwarded message. */
    async function forwarded(of: typeof inbox, subject: string): Promise<string> {
      await rig.write(of.address, subject);
      const [copy] = (await rig.received(of.id, subject)).received.forwards;
      return copy?.message_id ?? '';
    }
    /** A message that waits for its second attempt, and the forwarding that it belongs to. */
    async function deferred(name: string) {
      const of = await rig.newInbox(name);
      const address = `${name}@receiver.example`;
      const forward = await rig.addForward(of.id, address);
      busy.add(address);
      const id = await forwarded(of, name);
      await waitFor(
        'the first attempt',
        () => rig.appliance.query('SELECT event FROM events WHERE subject_id = ?', id),
        (events) => events.some(({ event }) => event === 'deferred'),
      );
      return { id, of, forward, address };
    }
    const endOf = async (id: string) => {
      const { status } = await rig.reached(id, 'canceled');
      const { trail } = await rig.ask<{ trail: { event: string; actor: string; metadata: object }[] }>(
        ...(['GET', `/v1/messages/${id}/audit`] as const),
      );
      const { code } = await rig.ask<{ code: string }>('GET', `/v1/messages/${id}/explain`);
      const { actor, metadata } = trail.find(({ event }) => event === 'canceled') ?? {};
      return { status, actor, metadata, code };
    };

    it('cancels queued messages when its owner stops it', async () => {
      const { id, address } = await deferred('erin');
      await fetch(`${await rig.linkTo(address)}/stop`, { method: 'POST' });
      expect(await rig.appliance.query('SELECT message_id FROM queue')).toEqual([]);
      expect(await endOf(id)).toEqual({
        ...{ status: 'canceled', actor: 'recipient', metadata: { reason: 'forwarding_stopped' } },
        code: 'canceled_forwarding_stopped',
      });
    });

    it('cancels queued messages when it or its inbox is removed, but not those of another inbox', async () => {
      const { id, of, forward, address } = await deferred('frank');
      const other = await rig.newInbox('franks-other');
      await rig.ask('POST', `/v1/inboxes/${other.id}/forwards`, { address });
      await rig.appliance.query('UPDATE inbox_forwards SET confirmed_at = 1 WHERE inbox_id = ?', other.id);
      const otherId = await forwarded(other, 'other');
      await rig.ask('DELETE', `/v1/inboxes/${of.id}/forwards/${forward.id}`);
      const removed = {
        ...{ status: 'canceled', actor: 'api', metadata: { reason: 'forwarding_removed' } },
        code: 'canceled_forwarding_removed',
      };
      expect(await endOf(id)).toEqual(removed);
      const { status } = await rig.ask<{ status: string }>('GET', `/v1/messages/${otherId}`);
      expect(status).not.toBe('canceled');
      await rig.ask('DELETE', `/v1/inboxes/${other.id}`);
      // A worker may have it just then.
      expect(await endOf(otherId)).toMatchObject({ code: removed.code, metadata: removed.metadata });
    });

    it('cancels a message before its next attempt if it was in delivery meanwhile', async () => {
      const { id, forward } = await deferred('grace');
      await rig.appliance.query('UPDATE inbox_forwards SET stopped_at = 1 WHERE id = ?', forward.id);
      busy.delete('grace@receiver.example');
      await rig.appliance.query('UPDATE queue SET due_at = 1');
      expect(await endOf(id)).toMatchObject({ actor: 'system', code: 'canceled_forwarding_stopped' });
      expect(
        rig.mailsTo('grace@receiver.example').filter(({ raw }) => raw.includes('Subject: grace')),
      ).toEqual([]);
    });
  });

  it('leaves no signature on what others wrote once its owner is erased', async () => {
    const other = await rig.newInbox('oracle');
    const address = 'dora@receiver.example';
    await rig.addForward(other.id, address);
    // The platform's domain, whose keys sign all forwarded mail.
    const raw = `From: Boss <boss@post.example>\r\nTo: ${other.address}\r\nSubject: oracle\r\n\r\nPay now\r\n`;
    await rig.postRaw(other.address, raw);
    const [copy] = (await rig.received(other.id, 'oracle')).received.forwards;
    await rig.reached(copy?.message_id ?? '', 'delivered');
    await rig.ask('POST', `/v1/contacts/${address}/erase`);
    const { text } = await rig.appliance.api('GET', `/v1/messages/${copy?.message_id}/raw`);
    expect(text).toContain('Pay now');
    expect(text).not.toMatch(/^(?:DKIM-Signature|ARC-Seal):/m);
  });

  it('refuses a forged return path at RCPT', async () => {
    const forged = 'b-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@bounce.shop.example';
    await expect(rig.comesBack('Subject: x\r\n\r\nx\r\n', forged)).rejects.toThrow('550');
  });

  it('ends with its inbox', async () => {
    await rig.ask('DELETE', `/v1/inboxes/${inbox.id}`);
    const rows = await rig.appliance.query('SELECT id FROM inbox_forwards WHERE inbox_id = ?', inbox.id);
    expect(rows).toEqual([]);
    await rig.write(inbox.address, 'without an inbox');
    const [{ forwards } = { forwards: '' }] = await waitFor(
      'the mail to be received',
      () =>
        rig.appliance.query(
          'SELECT r.forwards FROM received_messages r JOIN messages m ON m.id = r.message_id WHERE m.subject = ?',
          'without an inbox',
        ),
      ({ length }) => length === 1,
    );
    expect(forwards).toBeNull();
  });
});
