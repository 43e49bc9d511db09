// Tests delivery reports that arrive by mail long after the peer's 250: the effect of each kind on the message, its trail and the
// address.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { returnPathLocal } from '../../../src/messages/verp.rules.js';
import { openKeyFiles } from '../../../src/lib/secrets/index.js';
import {
  events,
  receives,
  type AuditTrailEntry,
  startMailRigWithSink,
  type SinkRig,
} from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { deliveryReport, headerOf } from '../../support/returned-mail.js';
import { fieldOf } from '../../support/raw-mail.js';

let rig: SinkRig;

beforeAll(async () => {
  rig = await startMailRigWithSink({ process: 'shared' });
});

afterAll(() => rig.close());

/** A mail of the corpus, changed to be about this recipient. */
function fromCorpus(file: string, recipient: string, returnPath: string): string {
  return readFileSync(new URL(`../../corpus/bounces/${file}.eml`, import.meta.url), 'latin1')
    .replaceAll('bob@example.com', recipient)
    .replace(/b-[0-9a-z]{44}@bounce\.example\.org/g, returnPath);
}

it.each([
  { form: '050-exim-user-unknown', format: 'exim' },
  { form: '065-qmail-remote-refused', format: 'qmail' },
  { form: '077-exchange-2003', format: 'exchange_2003' },
])('a report without a standard part ($form) still bounces the message', async ({ form, format }) => {
  const name = `gone-${format}`;
  const { id, mail } = await rig.deliver(name);
  const raw = fromCorpus(form, `${name}@receiver.example`, mail.mailFrom);
  expect(await rig.comesBack(raw, mail.mailFrom)).toMatchObject({
    outcome: 'bounced',
    detail: { message: id, format },
  });
  expect(await rig.message(id)).toMatchObject({
    status: 'bounced',
    error: { type: 'hard', category: 'invalid_recipient', enhanced_code: '5.1.1' },
  });
  expect(await rig.suppression(`${name}@receiver.example`)).toMatchObject({ reason: 'bounce' });
});

it('a soft bounce ends the message without suppression', async () => {
  const { id, mail } = await rig.deliver('picky');
  const raw = deliveryReport(mail.mailFrom, {
    recipient: 'picky@receiver.example',
    action: 'failed',
    status: '5.7.1',
    diagnostic: '554 5.7.1 Message rejected as spam',
  });
  expect(await rig.comesBack(raw, mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.message(id)).toMatchObject({
    status: 'bounced',
    error: {
      type: 'soft',
      code: 554,
      enhanced_code: '5.7.1',
      message: expect.stringMatching(/spam/) as string,
    },
  });
  expect(events(await rig.trail(id))).toEqual(['queued', 'sending', 'sent', 'delivered', 'bounced']);
  expect(await rig.suppression('picky@receiver.example')).toMatchObject({ suppressed: false });
});

it('a delay report is recorded without changing the status', async () => {
  const { id, mail } = await rig.deliver('slow');
  const raw = deliveryReport(mail.mailFrom, {
    recipient: 'slow@receiver.example',
    action: 'delayed',
    status: '4.4.1',
    diagnostic: '451 4.4.1 Connection timed out',
    fields: ['Will-Retry-Until: Wed, 25 Nov 2026 10:00:00 +0000'],
  });
  expect(await rig.comesBack(raw, mail.mailFrom)).toMatchObject({ outcome: 'delayed' });
  expect(await rig.message(id)).toMatchObject({ status: 'delivered', error: null });
  const trail = await rig.trail(id);
  expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'delivered', 'deferred']);
  expect(trail.at(-1)).toMatchObject({
    actor: 'provider',
    metadata: { by_mail: true, delayed: true, code: 451, reporting_mta: 'mx.receiver.example' },
  });
});

it('a report with internationalized addresses (RFC 6533) is understood', async () => {
  receives(rig.dns, 'xn--bcher-kva.example');
  const address = 'gone@bücher.example';
  const id = await rig.send(address);
  await rig.reached(id, 'delivered');
  const mail = rig.sink.messages.find(({ rcptTo }) => rcptTo[0] === 'gone@xn--bcher-kva.example');
  const to = mail?.mailFrom ?? '';
  const raw = deliveryReport(
    to,
    { recipient: address, action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 kein Postfach für gone' },
    { isGlobal: true },
  );
  expect(await rig.comesBack(raw, to)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.message(id)).toMatchObject({
    error: { type: 'hard', message: expect.stringContaining('für gone') as string },
  });
  expect(await rig.suppression(address)).toMatchObject({ reason: 'bounce' });
});

it('a report to Reply-To bounces the message and is not a reply', async () => {
  const { id, mail } = await rig.deliver('gone-to-reply-to');
  const to = fieldOf(mail.raw, 'Reply-To') ?? '';
  const raw = deliveryReport(to, {
    recipient: 'gone-to-reply-to@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  });
  expect(await rig.comesBack(raw, to, 'postmaster@receiver.example')).toMatchObject({
    kind: 'reply',
    outcome: 'bounced',
  });
  expect(await rig.message(id)).toMatchObject({ status: 'bounced', thread_id: null });
});

it("a report to a customer's mailbox is matched by the returned message", async () => {
  const { id, mail } = await rig.deliver('gone-to-mailbox');
  const to = 'orders@reply.shop.example';
  const fate = {
    recipient: 'gone-to-mailbox@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  };
  const raw = deliveryReport(to, fate, { original: headerOf(mail) });
  expect(await rig.comesBack(raw, to)).toMatchObject({ kind: 'mailbox', outcome: 'bounced' });
  expect(await rig.message(id)).toMatchObject({ status: 'bounced' });
});

it('a repeated report is one bounce', async () => {
  const { id, mail } = await rig.deliver('twice');
  const raw = deliveryReport(mail.mailFrom, {
    recipient: 'twice@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  });
  expect(await rig.comesBack(raw, mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  const first = await rig.trail(id);
  expect(await rig.comesBack(raw, mail.mailFrom)).toMatchObject({ outcome: 'duplicate' });
  expect(await rig.trail(id)).toEqual(first);
});

it('two simultaneous reports are one bounce', async () => {
  const { id, mail } = await rig.deliver('at-once');
  const last = await rig.newest();
  const raw = deliveryReport(mail.mailFrom, {
    recipient: 'at-once@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  });
  const posting = { port: rig.port(), from: '', to: mail.mailFrom, raw };
  await Promise.all([postMail(posting), postMail(posting), postMail(posting)]);
  const outcomes: (string | null)[] = [];
  for (let after = last; outcomes.length < 3;) {
    const { id: row, outcome } = await rig.settled(mail.mailFrom, after);
    outcomes.push(outcome);
    after = row;
  }
  expect(outcomes.sort()).toEqual(['bounced', 'duplicate', 'duplicate']);
  expect(events(await rig.trail(id)).filter((event) => event === 'bounced')).toHaveLength(1);
});

it('a changed return path, or one at another domain, is refused during the SMTP session', async () => {
  const { id, mail } = await rig.deliver('forged');
  const [local = '', domain = ''] = mail.mailFrom.split('@');
  const other = local.endsWith('a') ? 'b' : 'a';
  for (const to of [
    `${local.slice(0, -1)}${other}@${domain}`,
    `${local}@mta.platform.example`,
    `${local.slice(0, -4)}@${domain}`,
  ]) {
    const raw = deliveryReport(to, {
      recipient: 'forged@receiver.example',
      action: 'failed',
      status: '5.1.1',
    });
    expect(await postMail({ port: rig.port(), from: '', to, raw }), to).toMatchObject({ code: 550 });
  }
  // In capitals, the token is the same, because some servers change its case.
  const upper = mail.mailFrom.toUpperCase();
  const raw = deliveryReport(upper, {
    recipient: 'forged@receiver.example',
    action: 'failed',
    status: '5.1.1',
  });
  expect(await rig.comesBack(raw, upper)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.message(id)).toMatchObject({ status: 'bounced' });
});

it('a bounced copy of an opened message is recorded without changing status or suppressions', async () => {
  const { appliance } = rig;
  const key = appliance.keys.test_key;
  const sent = await appliance.api('POST', '/v1/messages', { body: rig.draft('opened'), key });
  const { id } = sent.json as { id: string };
  const message = async () =>
    (await appliance.api('GET', `/v1/messages/${id}`, { key })).json as Record<string, unknown>;
  await expect.poll(message, { timeout: 10_000 }).toMatchObject({ status: 'opened' });
  // The sandbox sends nothing that could bounce, so uses the return path that it would have had.
  const { tokenKeys } = await openKeyFiles(appliance.dataDir, { databaseExists: true });
  const domain = 'bounce.shop.example';
  const to = `${returnPathLocal({ messageId: id, domain, key: tokenKeys.active })}@${domain}`;
  const raw = deliveryReport(to, {
    recipient: 'opened@receiver.example',
    action: 'failed',
    status: '5.1.1',
    diagnostic: '550 5.1.1 No such user',
  });
  expect(await rig.comesBack(raw, to)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.comesBack(raw, to)).toMatchObject({ outcome: 'duplicate' });
  expect(await message()).toMatchObject({ status: 'opened', error: null });
  const { json } = await appliance.api('GET', `/v1/messages/${id}/audit`, { key });
  expect(events((json as { trail: AuditTrailEntry[] }).trail).slice(-2)).toEqual(['opened', 'bounced']);
  const { json: check } = await appliance.api('GET', '/v1/suppressions/check?email=opened@receiver.example', {
    key,
  });
  expect(check).toMatchObject({ suppressed: false });
});
