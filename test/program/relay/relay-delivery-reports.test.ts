// Tests which delivery reports a submitter gets by mail, and their content: NOTIFY, RET, ENVID and ORCPT (RFC 3461).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileDsnRules, readBounceReport } from '../../../src/lib/dsn/index.js';
import { parseMail } from '../../../src/lib/mail-parser/index.js';
import { readShipped } from '../../../src/settings/shipped.js';
import { receives, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { fieldOf, lines } from '../../support/raw-mail.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const RULES = compileDsnRules(readShipped('dsn-rules'));
const LONG_BODY = `Secret body ${'word '.repeat(400)}`;
let relay: SinkRig;
let modern: SmtpSink;
let slow = true;
/** Reports are written every few seconds, so the tests wait for all of them together. */
let failed: string, handedOver: string, passedOn: string, delayed: string, suppressed: string;
let unsupported: string[];
beforeAll(async () => {
  relay = await startMailRigWithSink({
    process: 'shared',
    env: tuned({ delayWarningMs: 100 }),
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
  await submitAll();
});
afterAll(async () => {
  await modern.close();
  await relay.close();
});

interface Asked {
  to: string;
  /** The envelope sender, unique for each case, so that its reports can be identified. */
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

async function submitAll(): Promise<void> {
  failed = await submit({
    to: 'gone@receiver.example',
    from: 'failure@shop.example',
    mail: 'RET=HDRS ENVID=QQ+3D314',
    rcpt: 'NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;Ann+2Btag@old.example',
  });
  handedOver = await submit({
    to: 'ann@receiver.example',
    from: 'success@shop.example',
    rcpt: 'NOTIFY=SUCCESS',
  });
  passedOn = await submit({
    to: 'ann@modern.example',
    from: 'passed@shop.example',
    mail: 'RET=FULL ENVID=e1',
    rcpt: 'NOTIFY=SUCCESS ORCPT=rfc822;ann@first.example',
  });
  delayed = await submit({ to: 'slow@receiver.example', from: 'delay@shop.example', rcpt: 'NOTIFY=DELAY' });
  await submit({
    to: 'gone.full@receiver.example',
    from: 'full@shop.example',
    mail: 'RET=FULL',
    rcpt: 'NOTIFY=FAILURE',
    body: LONG_BODY,
  });
  unsupported = [
    await submit({
      to: 'gone.1@receiver.example',
      from: 'never@shop.example',
      rcpt: 'NOTIFY=NEVER',
    }),
    await submit({ to: 'gone.2@receiver.example', from: 'unsaid@shop.example' }),
    await submit({
      to: 'gone.3@receiver.example',
      from: 'only-success@shop.example',
      rcpt: 'NOTIFY=SUCCESS',
    }),
    await submit({ to: 'gone.4@receiver.example', from: '', rcpt: 'NOTIFY=FAILURE' }),
  ];
  await submit({
    to: 'gone.6@receiver.example',
    from: 'gone@shop.example',
    rcpt: 'NOTIFY=FAILURE',
  });
  await relay.reached(failed, 'bounced');
  suppressed = await submit({
    to: 'gone@receiver.example',
    from: 'suppressed@shop.example',
    rcpt: 'NOTIFY=FAILURE',
  });
  for (const id of unsupported) await relay.reached(id, 'bounced');
  await submit({ to: 'gone.5@receiver.example', from: 'last@shop.example', rcpt: 'NOTIFY=FAILURE' });
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

it("reports a failure with the peer's reply, the identifiers of the mail, and its header", async () => {
  const from = 'failure@shop.example';
  await relay.reached(failed, 'bounced');
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

it('returns the whole mail for RET=FULL, with encoded long lines', async () => {
  const from = 'full@shop.example';
  const { raw, text } = await reportTo(from);
  expect(text).toMatch(/^Content-Type: message\/rfc822\r$/m);
  expect(text).toContain('Secret body word');
  const [whole] = (await parseMail(raw)).parts.filter(({ type }) => type === 'message/rfc822');
  expect((await parseMail(Buffer.from(whole?.content ?? []))).text?.trim()).toBe(LONG_BODY.trim());
});

it('reports that a mail was relayed, unless the peer reports delivery itself', async () => {
  await relay.reached(handedOver, 'delivered');
  const { report } = await reportTo('success@shop.example');
  expect(report?.recipients).toMatchObject([{ action: 'relayed', finalRecipient: 'ann@receiver.example' }]);

  await relay.reached(passedOn, 'delivered');
  const { json } = await relay.appliance.api('GET', `/v1/messages/${passedOn}/attempts`);
  const said = JSON.stringify(json);
  expect(said).toMatch(/MAIL FROM:<b-[^>]+>[^"]* RET=FULL ENVID=e1/);
  expect(said).toContain(
    'RCPT TO:<ann@modern.example> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;ann@first.example',
  );
  expect(reportsTo('passed@shop.example')).toEqual([]);
});

it('reports a delay once, and nothing else that was not requested', async () => {
  const from = 'delay@shop.example';
  const { report, text } = await reportTo(from);
  expect(report?.recipients).toMatchObject([{ action: 'delayed', finalRecipient: 'slow@receiver.example' }]);
  expect(text).toMatch(/^Will-Retry-Until: /m);
  await relay.logged(delayed, 'deferred', 3);
  slow = false;
  await relay.reached(delayed, 'delivered');
  expect(reportsTo(from)).toHaveLength(1);
});

it('reports nothing against NOTIFY, by default, or to the null sender', async () => {
  for (const id of unsupported) await relay.reached(id, 'bounced');
  // A report that is sent arrives after all of them.
  await reportTo('last@shop.example');
  for (const address of ['never@shop.example', 'unsaid@shop.example', 'only-success@shop.example']) {
    expect(reportsTo(address), address).toEqual([]);
  }
});

it('reports a suppressed recipient', async () => {
  const from = 'suppressed@shop.example';
  await relay.reached(suppressed, 'suppressed');
  const { report } = await reportTo(from);
  expect(report?.recipients).toMatchObject([{ action: 'failed', finalRecipient: 'gone@receiver.example' }]);
});

it('a bounced report causes no mail', async () => {
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
  const check = await relay.appliance.api(
    'GET',
    `/v1/suppressions/check?email=gone@shop.example&sub_tenant_id=${relay.tenantId}`,
  );
  expect(check.json).toMatchObject({ suppressed: false });
});

it('refuses invalid parameters', async () => {
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
