// Which delivery reports a submitter gets by mail, and what stands in them: NOTIFY, RET, ENVID and ORCPT (RFC 3461).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileDsnRules } from '../../src/mail/dsn-formats.js';
import { readBounceReport } from '../../src/mail/dsn.js';
import { parseMail } from '../../src/mail/mime-parse.js';
import { readShipped } from '../../src/runtime/config/shipped.js';
import { receives } from '../support/mail-rig.js';
import { fieldOf, lines, startRelayRig, type Relay } from '../support/relay-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const RULES = compileDsnRules(readShipped('dsn-rules'));
let relay: Relay;
let modern: SmtpSink;
let slow = true;
beforeAll(async () => {
  relay = await startRelayRig({
    env: { POSTHORN_DELAY_WARNING: '100ms' },
    sink: {
      onRcpt(address) {
        if (address.startsWith('gone')) return '550 5.1.1 No such user here';
        return address.startsWith('slow') && slow ? '450 4.2.1 Not now' : null;
      },
    },
  });
  receives(relay.dns, 'shop.example');
  modern = await startSmtpSink({ keep: true, dsn: true, host: '127.0.0.2', port: relay.sink.port });
  relay.dns.set('modern.example', 'MX', [{ preference: 10, exchange: 'mx.modern.example' }]);
  relay.dns.set('mx.modern.example', 'A', ['127.0.0.2']);
});
afterAll(async () => {
  await modern.close();
  await relay.close();
});

interface Asked {
  to: string;
  /** The envelope sender; each case has its own, so that its reports are told apart. */
  from: string;
  mail?: string;
  rcpt?: string;
  body?: string;
}

async function submit({ to, from, mail = '', rcpt = '', body = 'Secret body' }: Asked): Promise<string> {
  const raw = lines(
    'From: orders@shop.example',
    `To: ${to}`,
    'Subject: Your order',
    'Message-ID: <o-7@shop.example>',
    '',
    body,
  );
  const { reply, ids } = await relay.submit({ to, from, raw, mail, rcpt });
  expect(reply).toMatch(/^250 /);
  return ids[0] ?? '';
}

const reportsTo = (address: string): SinkMessage[] =>
  relay.sink.messages.filter(({ rcptTo, mailFrom }) => rcptTo[0] === address && mailFrom === '');

async function reportTo(address: string) {
  const [mail] = await waitFor(
    `a report to ${address}`,
    () => reportsTo(address),
    ({ length }) => length > 0,
  );
  const raw = mail?.raw ?? Buffer.alloc(0);
  return { raw, text: raw.toString(), report: readBounceReport(await parseMail(raw), RULES) };
}

it('tells of a failure, with the words of the peer, what identifies the mail, and its header', async () => {
  const from = 'failure@shop.example';
  const id = await submit({
    to: 'gone@receiver.example',
    from,
    mail: 'RET=HDRS ENVID=QQ+3D314',
    rcpt: 'NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;Ann+2Btag@old.example',
  });
  await relay.reached(id, 'bounced');
  const { raw, text, report } = await reportTo(from);
  expect(report).toMatchObject({
    originalEnvelopeId: 'QQ=314',
    recipients: [
      {
        action: 'failed',
        status: '5.1.1',
        originalRecipient: 'Ann+tag@old.example',
        finalRecipient: 'gone@receiver.example',
      },
    ],
  });
  expect(text).toContain('Original-Recipient: rfc822; Ann+tag@old.example\r\n');
  expect(text).toContain('Diagnostic-Code: smtp; 550 5.1.1 No such user here\r\n');
  expect(text).toContain('Message-ID: <o-7@shop.example>\r\n');
  expect(text).not.toContain('Secret body');
  expect(fieldOf(raw, 'Auto-Submitted')).toBe('auto-replied');
  expect(fieldOf(raw, 'In-Reply-To')).toBe('<o-7@shop.example>');
  expect(fieldOf(raw, 'To')).toContain(from);
  expect(await relay.validSignatures(raw)).toContain('shop.example');
});

it('gives the whole mail back where RET=FULL asks, with its long lines encoded', async () => {
  const from = 'full@shop.example';
  const body = `Secret body ${'word '.repeat(400)}`;
  await submit({ to: 'gone.full@receiver.example', from, mail: 'RET=FULL', rcpt: 'NOTIFY=FAILURE', body });
  const { raw, text } = await reportTo(from);
  expect(text).toMatch(/^Content-Type: message\/rfc822\r$/m);
  expect(text).toContain('Secret body word');
  const [whole] = (await parseMail(raw)).parts.filter(({ type }) => type === 'message/rfc822');
  expect((await parseMail(Buffer.from(whole?.content ?? []))).text?.trim()).toBe(body.trim());
});

it('says that a mail was handed on where the peer reports nothing, and leaves it to a peer that does', async () => {
  const id = await submit({
    to: 'ann@receiver.example',
    from: 'success@shop.example',
    rcpt: 'NOTIFY=SUCCESS',
  });
  await relay.reached(id, 'delivered');
  const { report } = await reportTo('success@shop.example');
  expect(report?.recipients).toMatchObject([{ action: 'relayed', finalRecipient: 'ann@receiver.example' }]);

  const passed = await submit({
    to: 'ann@modern.example',
    from: 'passed@shop.example',
    mail: 'RET=FULL ENVID=e1',
    rcpt: 'NOTIFY=SUCCESS ORCPT=rfc822;ann@first.example',
  });
  await relay.reached(passed, 'delivered');
  const { json } = await relay.appliance.api('GET', `/v1/messages/${passed}/attempts`);
  const said = JSON.stringify(json);
  expect(said).toMatch(/MAIL FROM:<b-[^>]+>[^"]* RET=FULL ENVID=e1/);
  expect(said).toContain(
    'RCPT TO:<ann@modern.example> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;ann@first.example',
  );
  expect(reportsTo('passed@shop.example')).toEqual([]);
});

it('tells once of a delay, then of nothing more than was asked', async () => {
  const from = 'delay@shop.example';
  const id = await submit({ to: 'slow@receiver.example', from, rcpt: 'NOTIFY=DELAY' });
  const { report, text } = await reportTo(from);
  expect(report?.recipients).toMatchObject([{ action: 'delayed', finalRecipient: 'slow@receiver.example' }]);
  expect(text).toMatch(/^Will-Retry-Until: /m);
  await relay.logged(id, 'deferred', 3);
  slow = false;
  await relay.reached(id, 'delivered');
  expect(reportsTo(from)).toHaveLength(1);
});

it('tells nothing to those who want nothing, or did not say, or are nobody', async () => {
  const silent = await submit({
    to: 'gone.1@receiver.example',
    from: 'never@shop.example',
    rcpt: 'NOTIFY=NEVER',
  });
  const unsaid = await submit({ to: 'gone.2@receiver.example', from: 'unsaid@shop.example' });
  const onlySuccess = await submit({
    to: 'gone.3@receiver.example',
    from: 'only-success@shop.example',
    rcpt: 'NOTIFY=SUCCESS',
  });
  const nobody = await submit({ to: 'gone.4@receiver.example', from: '', rcpt: 'NOTIFY=FAILURE' });
  for (const id of [silent, unsaid, onlySuccess, nobody]) await relay.reached(id, 'bounced');
  // One that is told comes after all of them.
  await submit({ to: 'gone.5@receiver.example', from: 'last@shop.example', rcpt: 'NOTIFY=FAILURE' });
  await reportTo('last@shop.example');
  for (const address of ['never@shop.example', 'unsaid@shop.example', 'only-success@shop.example']) {
    expect(reportsTo(address), address).toEqual([]);
  }
});

it('tells of a recipient that is suppressed', async () => {
  const from = 'suppressed@shop.example';
  const id = await submit({ to: 'gone@receiver.example', from, rcpt: 'NOTIFY=FAILURE' });
  await relay.reached(id, 'suppressed');
  const { report } = await reportTo(from);
  expect(report?.recipients).toMatchObject([{ action: 'failed', finalRecipient: 'gone@receiver.example' }]);
});

it('causes no mail by a report that bounces', async () => {
  const id = await submit({
    to: 'gone.6@receiver.example',
    from: 'gone@shop.example',
    rcpt: 'NOTIFY=FAILURE',
  });
  await relay.reached(id, 'bounced');
  const reports = await waitFor(
    'the report to bounce',
    async () =>
      (await relay.appliance.api('GET', '/v1/messages?to=gone@shop.example')).json.data as Record<
        string,
        unknown
      >[],
    ([first]) => first?.['status'] === 'bounced',
  );
  expect(reports).toHaveLength(1);
  const check = await relay.appliance.api('GET', '/v1/suppressions/check?email=gone@shop.example');
  expect(check.json).toMatchObject({ suppressed: false });
});

it('refuses parameters that are none', async () => {
  const raw = lines('From: orders@shop.example', '', 'Hi');
  const to = 'ann@receiver.example';
  for (const given of [
    { mail: 'RET=ALL' },
    { mail: 'ENVID=a=b' },
    { rcpt: 'NOTIFY=NEVER,SUCCESS' },
    { rcpt: 'NOTIFY=SOMETIMES' },
    { rcpt: 'ORCPT=ann@old.example' },
  ]) {
    const { reply } = await relay.submit({ to, raw, ...given });
    expect(reply, JSON.stringify(given)).toMatch(/^501 5\.5\.4 /);
  }
});

it('tells of failures without being asked where the operator wants it so', async () => {
  await relay.appliance.end();
  await relay.appliance.start({ POSTHORN_RELAY_DSN: 'failure' });
  await submit({ to: 'gone.7@receiver.example', from: 'default@shop.example' });
  const { report } = await reportTo('default@shop.example');
  expect(report?.recipients).toMatchObject([{ action: 'failed', finalRecipient: 'gone.7@receiver.example' }]);
});
