// Tests delivery reports to submitters of relayed mail, on a real database file and to a real peer.
import { authenticate } from 'mailauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mode } from '../../src/contract/names.js';
import { addressKey, findField } from '../../src/lib/mime/index.js';
import { compileDsnRules, type DsnOptions, readBounceReport } from '../../src/lib/dsn/index.js';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import type { DueReport } from '../../src/messages/relayed/reports-due.rules.js';
import { createLog, systemClock } from '../../src/lib/runtime/index.js';
import { readShipped } from '../../src/settings/shipped.js';
import type { Message } from '../../src/messages/messages.store.js';
import { PLATFORM_OWNER } from '../../src/domains/domains.store.js';
import { DeliveryReports, type ReportsContext } from '../../src/relay/delivery-reports/delivery-reports.js';
import { planBounce } from '../../src/inbound/classify/bounce-plan.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';
import { queueDepth } from '../support/queue-depth.js';
import { keepRows } from '../support/rewind.js';
import { makeReportDue } from '../../src/messages/accept/accept.store.js';
import { dequeueMessage } from '../../src/messages/message-changes.store.js';
import { dkimKeys } from '../../src/domains/domains.tables.js';
import { insert } from '../../src/database/rows.js';

const DSN_RULES = compileDsnRules(readShipped('dsn-rules'));
const RAW = [
  'From: News <news@sender.example>',
  'To: ann@there.example',
  'Subject: Your order',
  'Message-ID: <order-1@sender.example>',
  '',
  'Thank you.',
  '',
].join('\r\n');

const wishOf = (fields: Partial<DsnOptions> = {}): DsnOptions => ({
  sender: 'robot@sender.example',
  notify: ['SUCCESS', 'FAILURE', 'DELAY'],
  ret: null,
  envid: null,
  orcpt: null,
  ...fields,
});

const FAILED: DueReport = {
  action: 'failed',
  status: '5.1.1',
  remoteMta: 'mx.there.example',
  diagnostic: { type: 'smtp', text: '550 5.1.1 No such user' },
  lastAttemptAt: Date.UTC(2026, 0, 2, 3, 4, 6),
};
const DELAYED: DueReport = { ...FAILED, action: 'delayed', status: '4.3.2' };
const RELAYED: DueReport = { ...FAILED, action: 'relayed', status: '2.0.0' };

describe('due delivery reports', () => {
  let rig: MessageRig;
  const running: DeliveryReports[] = [];

  let kept: Awaited<ReturnType<typeof keepRows>>;
  let began: number;

  beforeAll(async () => {
    rig = await startMessageRig();
    kept = await keepRows(rig.program);
    began = rig.clock.now();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((reports) => reports.stop()));
    await kept.rewind();
    rig.clock.advance(began - rig.clock.now());
  });
  afterAll(async () => {
    await rig.close();
    kept.forget();
  });

  function start(
    settings: Partial<ReportsContext['config']> = {},
    store: ReportsContext['store'] = rig.store,
  ): DeliveryReports {
    const reports = new DeliveryReports({
      store,
      config: {
        ...rig.config,
        hostname: 'mail.platform.example',
        platformDomain: null,
        relayDsn: 'asked',
        relayDsnRate: 60,
        ...settings,
      },
      clock: rig.clock.now,
      log: createLog('silent'),
      wakeUps: {
        queue: (queueIds) => void rig.woken.queueIds.push(...queueIds),
        events: () => undefined,
      },
    });
    running.push(reports);
    reports.start();
    return reports;
  }

  interface Relayed {
    wish?: Partial<DsnOptions>;
    to?: string;
    mode?: Mode;
    tenant?: string | null;
    raw?: string;
    from?: string;
    tlsTerms?: 'required' | 'policy';
  }

  /** Accepts a relayed message; returns its row id. */
  async function relay(what: Relayed = {}): Promise<number> {
    const { mode = 'live', tenant = null, to = 'ann@there.example', from = 'news@sender.example' } = what;
    const { message } = await rig.submission.relay(
      await rig.scopeOf(mode, tenant),
      {
        raw: Buffer.from(what.raw ?? RAW, 'latin1'),
        recipients: [{ email: to, dsn: wishOf(what.wish) }],
        from: { email: from, name: null },
        otherOriginators: [],
        options: {},
        replyTo: [],
        to: [{ email: to, name: null }],
        cc: [],
        subject: 'Your order',
        html: null,
        text: 'Thank you.\n',
        attachments: [],
        rfcMessageId: 'order-1@sender.example',
        type: 'transactional',
        priority: 'normal',
        tags: [],
        metadata: '{}',
        subTenantId: null,
        idempotencyKey: null,
        sendAt: null,
        expiresAt: null,
        tlsTerms: what.tlsTerms ?? 'policy',
        received: 'by mail.platform.example with ESMTPSA id 1; Fri, 02 Jan 2026 03:04:05 +0000',
        trackOpens: false,
        trackClicks: false,
      },
      { actor: 'api_key', keyId: null, policy: null, idempotencyHeader: null },
    );
    const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [message.public_id]);
    return Number(row?.['id']);
  }

  async function due(messageId: number, report: DueReport = FAILED): Promise<void> {
    const at = rig.clock.now();
    await rig.commit(makeReportDue({ messageId, action: report.action, at, detail: JSON.stringify(report) }));
  }

  const rows = () => rig.raw('SELECT * FROM delivery_reports ORDER BY message_id, action');
  const settled = () =>
    waitFor('no report is due', async () => (await rows()).every((row) => row['due_at'] === null));
  const reports = async () =>
    (await rig.raw('SELECT * FROM messages WHERE null_sender = 1 ORDER BY id')) as unknown as Message[];

  /** The report as it would leave, without its signature. */
  async function mailOf(report: Message | undefined) {
    const answer = await rig.ask('GET', `/v1/messages/${report?.public_id ?? ''}/raw`, {
      key: rig.keys.live,
    });
    expect(answer.status).toBe(200);
    return { text: answer.text, parsed: await parseMail(Buffer.from(answer.text, 'latin1')) };
  }

  it('are mailed to the envelope sender, with the null sender, and counted toward no quota', async () => {
    await signed();
    const before = await rig.raw('SELECT SUM(sends) AS n FROM usage');
    const id = await relay({ wish: { envid: 'QQ+2B7', orcpt: 'rfc822;ann+2B41@there.example' } });
    await due(id);
    start();
    await settled();
    const [report, ...others] = await reports();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      to_email: 'robot@sender.example',
      from_email: 'mailer-daemon@sender.example',
      status: 'queued',
      dsn: null,
      type: 'transactional',
      reply_to_email: null,
    });
    const counted = await rig.raw('SELECT SUM(sends) AS n FROM usage');
    expect(Number(counted[0]?.['n'])).toBe(Number(before[0]?.['n'] ?? 0) + 1);

    const { text, parsed } = await mailOf(report);
    expect(text).toMatch(/^Content-Type: multipart\/report; report-type="?delivery-status"?;/m);
    expect(text.match(/^Auto-Submitted: /gm)).toHaveLength(1);
    expect(text).not.toMatch(/^(Feedback-ID|X-Service-|List-|Reply-To)/m);
    expect(findField(parsed, 'in-reply-to')).toBe('<order-1@sender.example>');
    const read = readBounceReport(parsed, DSN_RULES);
    expect(read).toMatchObject({
      format: 'standard',
      reportingMta: 'mail.platform.example',
      originalEnvelopeId: 'QQ+7',
      recipients: [
        {
          action: 'failed',
          status: '5.1.1',
          // Decoded once: not `annA@`.
          originalRecipient: 'ann+41@there.example',
          finalRecipient: 'ann@there.example',
          remoteMta: 'mx.there.example',
        },
      ],
    });
    expect(text).toContain('Subject: Your order');
    expect(text).not.toContain('Thank you.');
  });

  it('are sent once, whichever process sends them', async () => {
    await signed();
    const ids = await Promise.all(Array.from({ length: 20 }, () => relay()));
    for (const id of ids) await due(id);
    start();
    start();
    await settled();
    expect(await reports()).toHaveLength(20);
    for (const id of ids) await due(id);
    expect((await rows()).every((row) => row['due_at'] === null)).toBe(true);
  });

  it('of several kinds are separate mails', async () => {
    await signed();
    const id = await relay();
    await due(id, DELAYED);
    await due(id, FAILED);
    start();
    await settled();
    const mails = await Promise.all((await reports()).map(mailOf));
    const actions = mails.map(({ parsed }) => readBounceReport(parsed, DSN_RULES)?.recipients[0]?.action);
    expect(actions.sort()).toEqual(['delayed', 'failed']);
    expect(mails.find(({ text }) => text.includes('Action: delayed'))?.text).toMatch(
      /^Will-Retry-Until: Sun, 04 Jan 2026/m,
    );
  });

  it('are dropped if there is no one to inform or nothing to report', async () => {
    await signed();
    const delivered = await relay();
    await due(delivered, DELAYED);
    await rig.commit(dequeueMessage({ messageId: delivered }));
    await due(4711);
    start();
    await settled();
    expect(await reports()).toEqual([]);
    await due(await relay());
    await Promise.all(running.splice(0).map((one) => one.stop()));
    start({ relayDsn: 'never' });
    await settled();
    expect(await reports()).toEqual([]);
  });

  it('to an invalid address are given up', async () => {
    await signed();
    await due(await relay({ wish: { sender: 'jörg@sender.example' } }));
    start();
    await settled();
    expect(await reports()).toEqual([]);
  });

  it('wait if one sender gets too many, without delaying others', async () => {
    await signed();
    for (let i = 0; i < 5; i++) await due(await relay());
    await due(await relay({ wish: { sender: 'other@sender.example' } }));
    const loop = start({ relayDsnRate: 2 });
    const toRobot = async () =>
      (await reports()).filter(({ to_key: key }) => key === addressKey('robot@sender.example')).length;
    await waitFor('what may go has gone', async () => (await reports()).length === 3);
    expect(await toRobot()).toBe(2);
    const begin = rig.clock.now();
    const waiting = (await rows()).flatMap(({ due_at: at }) => (at === null ? [] : [Number(at) - begin]));
    expect(waiting).toEqual([30_000, 60_000, 90_000]);
    rig.clock.advance(60_000);
    loop.ring();
    await waitFor('two more have gone', async () => (await toRobot()) === 4);
    rig.clock.advance(30_000);
    loop.ring();
    await settled();
    expect(await toRobot()).toBe(5);
  });

  it('are retried after an error with growing delays, and finally given up', async () => {
    await signed();
    await due(await relay());
    const broken = () => Promise.reject(new Error('disk I/O error'));
    const forToken = rig.store.messages.forToken.bind(rig.store.messages);
    const store = { ...rig.store, messages: { forToken, deliverables: broken } };
    const loop = start({}, store);
    const waits: number[] = [];
    for (let attempt = 1; attempt < 8; attempt++) {
      await waitFor(`attempt ${attempt}`, async () => (await rows())[0]?.['attempts'] === attempt);
      const dueAt = Number((await rows())[0]?.['due_at']);
      waits.push((dueAt - rig.clock.now()) / 1000);
      rig.clock.advance(dueAt - rig.clock.now());
      loop.ring();
    }
    await settled();
    expect(waits).toEqual([5, 20, 80, 320, 1280, 3600, 3600]);
    expect(await reports()).toEqual([]);
  });

  describe('are sent from', () => {
    const senders = async () => (await reports()).map(({ from_email: from }) => from);

    it('the domain of the sub-tenant', async () => {
      const tenant = await rig.addTenant();
      await addKey(tenant, 'tenant.example');
      await due(await relay({ tenant, from: 'me@shop.tenant.example' }));
      start({ platformDomain: 'platform.example' });
      await settled();
      expect(await reports()).toMatchObject([
        { from_email: 'mailer-daemon@tenant.example', sub_tenant_id: tenant },
      ]);
    });

    it('the closest domain of the sender', async () => {
      await rig.addSigningDomain('shop.sender.example');
      await signed();
      await due(await relay({ from: 'me@eu.shop.sender.example' }));
      start();
      await settled();
      expect(await senders()).toEqual(['mailer-daemon@shop.sender.example']);
    });

    it('the platform if the sender is only an address', async () => {
      await addKey(PLATFORM_OWNER, 'platform.example');
      await due(await relay());
      start({ platformDomain: 'platform.example' });
      await settled();
      expect(await senders()).toEqual(['mailer-daemon@platform.example']);
    });

    it('no address if no key is active', async () => {
      await addKey(PLATFORM_OWNER, 'platform.example', 'pending');
      await due(await relay());
      start({ platformDomain: 'platform.example' });
      await settled();
      expect(await senders()).toEqual([]);
    });

    it('any address in the sandbox, where they stay', async () => {
      const id = await relay({ mode: 'test', from: 'me@any.example' });
      await due(id);
      start();
      await settled();
      const { environmentId } = await rig.scopeOf('test');
      expect(await reports()).toMatchObject([
        { from_email: 'mailer-daemon@any.example', environment_id: environmentId },
      ]);
    });
  });

  describe('return', () => {
    const EIGHT_BIT = RAW.replace('Subject', 'Content-Type: text/plain; charset=utf-8\r\nSubject').replace(
      'Thank you.',
      Buffer.from('Grüße').toString('latin1'),
    );

    it.each<[string, Relayed, DueReport, string]>([
      ['the whole message of a failure', { wish: { ret: 'FULL' } }, FAILED, 'Thank you.'],
      [
        '8-bit mail in ascii',
        { wish: { ret: 'FULL' }, raw: EIGHT_BIT },
        FAILED,
        Buffer.from('Grüße\r\n').toString('base64'),
      ],
    ])('%s', async (_, what, report, body) => {
      await signed();
      await due(await relay(what), report);
      start();
      await settled();
      const { text } = await mailOf((await reports())[0]);
      expect(text).toContain('Content-Type: message/rfc822');
      expect(text).toContain(body);
    });

    it.each<[string, Relayed, DueReport]>([
      ['of a success', { wish: { ret: 'FULL' } }, RELAYED],
      ['of what is too long', { wish: { ret: 'FULL' }, raw: RAW + 'Thank you.\r\n'.repeat(30_000) }, FAILED],
      ['of what was to travel over TLS only', { wish: { ret: 'FULL' }, tlsTerms: 'required' }, FAILED],
    ])('the header only %s', async (_, what, report) => {
      await signed();
      await due(await relay(what), report);
      start();
      await settled();
      const { text } = await mailOf((await reports())[0]);
      expect(text).toContain('Content-Type: text/rfc822-headers');
      expect(text).not.toContain('Thank you.');
      expect(await rig.raw('SELECT require_tls FROM messages WHERE null_sender = 1')).toEqual([
        { require_tls: 0 },
      ]);
    });
  });

  it('are due immediately for a suppressed address', async () => {
    await signed();
    await rig.suppress('live', 'gone@there.example', 'bounce');
    const id = await relay({ to: 'gone@there.example' });
    expect(await rows()).toMatchObject([{ message_id: id, action: 'failed' }]);
    start();
    await settled();
    const { text } = await mailOf((await reports())[0]);
    expect(text).toContain('Status: 5.7.1');
    expect(text).toContain('suppression list');
  });

  /** Adds a key to the rig's sender domain. */
  async function signed(): Promise<void> {
    const [sender] = await rig.raw("SELECT id FROM senders WHERE identity = 'sender.example'");
    await addKey(String(sender?.['id']), 'sender.example');
  }

  async function addKey(ownerId: string, domain: string, state: 'active' | 'pending' = 'active') {
    await rig.commit(
      insert(dkimKeys, {
        row: {
          id: `key_${domain}`,
          owner_id: ownerId,
          domain,
          selector: 's1',
          algorithm: 'ed25519-sha256',
          private_key_sealed: '',
          record_value: '',
          state,
          created_at: rig.clock.now(),
        },
      }),
    );
  }
});

describe('on the wire', () => {
  let dns: TestDnsServer;
  let sink: SmtpSink;
  let rig: OutboundRig;
  let record: { host: string; record: string };
  let reports: DeliveryReports;

  let answer: (address: string) => string | null;
  const peer: SmtpSinkOptions = { keep: true, dsn: false, onRcpt: (address) => answer(address) };
  const mailServer = (name: string) => ({ MX: [{ preference: 10, exchange: `mx.${name}` }] });

  beforeAll(async () => {
    dns = await startDnsServer({
      zones: {
        'there.test': mailServer('there.test'),
        'reports.test': mailServer('reports.test'),
        'sender.test': mailServer('there.test'),
        'mx.there.test': { A: ['127.0.0.1'] },
        'mx.reports.test': { A: ['127.0.0.1'] },
      },
    });
    sink = await startSmtpSink(peer);
    rig = await startOutboundRig({
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_MX_PORT: String(sink.port),
    });
    record = await rig.addSenderDomain('sender.test');
    await rig.outbound.start();
  });
  function startReports(): DeliveryReports {
    const started = new DeliveryReports({
      store: rig.store,
      config: rig.config,
      clock: systemClock,
      log: createLog('silent'),
      wakeUps: { queue: (queueIds) => rig.outbound.notify(queueIds), events: () => undefined },
    });
    started.start();
    return started;
  }
  const isIdle = async (): Promise<boolean> => {
    const { waiting, leased } = await queueDepth(rig.store);
    return waiting + leased === 0;
  };

  /** A retried test gets new mailboxes. */
  let tries = 0;
  beforeEach(() => {
    tries += 1;
    answer = () => null;
    reports = startReports();
  });
  // A test's remaining rows would use the ids that the next one expects.
  afterEach(async () => {
    // Deliveries below open connections that the next test uses.
    peer.dsn = false;
    await reports.stop();
    const last = startReports();
    await waitFor('nothing is left', async () => (await dueActions()).length === 0 && (await isIdle()));
    await last.stop();
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await rig.close();
    await sink.close();
    await dns.close();
  });

  const relayed = (dsn: Partial<DsnOptions> = {}) => ({
    raw: RAW.replaceAll('sender.example', 'sender.test'),
    dsn: wishOf({ sender: 'robot@sender.test', ...dsn }),
  });
  const dueActions = async (): Promise<string[]> => {
    const due = await rig.store.deliveryReports.due(systemClock() + 1e9, 100);
    return due.map(({ action }) => action);
  };
  const settledAs = async (id: number, status: string): Promise<void> => {
    await waitFor(`it is ${status}`, async () => (await rig.status(id)) === status);
    reports.ring();
  };

  it('a bounce is reported by a signed mail with the null sender', async () => {
    answer = (address) => (address.startsWith('gone') ? '550 5.1.1 No such user' : null);
    const id = await rig.send({
      to: `gone${tries}@there.test`,
      relayed: relayed({ orcpt: 'rfc822;ann+2B41@o.test' }),
    });
    await settledAs(id, 'bounced');
    await waitFor('the report is there', () => sink.messages.length === 1);
    const [mail] = sink.messages;
    expect(mail).toMatchObject({ mailFrom: '', rcptTo: ['robot@sender.test'] });
    const raw = mail?.raw ?? Buffer.alloc(0);
    const { dkim, dmarc } = await authenticate(raw, {
      ip: '127.0.0.1',
      helo: 'mta.sender.test',
      sender: '',
      resolver: (name: string) =>
        name === record.host
          ? Promise.resolve([[record.record]])
          : name === '_dmarc.sender.test'
            ? Promise.resolve([['v=DMARC1; p=reject']])
            : Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    });
    expect(dkim.results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
      ['sender.test', 'pass'],
    ]);
    expect(dmarc).toMatchObject({ status: { result: 'pass' } });
    const read = readBounceReport(await parseMail(raw), DSN_RULES);
    expect(read?.recipients).toMatchObject([
      {
        action: 'failed',
        status: '5.1.1',
        finalRecipient: `gone${tries}@there.test`,
        originalRecipient: 'ann+41@o.test',
        remoteMta: 'mx.there.test',
        reply: { code: 550, enhanced: '5.1.1' },
      },
    ]);
  });

  it('a report that bounces causes no report', async () => {
    answer = () => '550 5.1.1 No such user';
    const to = `left${tries}@there.test`;
    const id = await rig.send({ to, relayed: relayed() });
    await settledAs(id, 'bounced');
    await waitFor('the report has bounced', async () => (await rig.status(id + 1)) === 'bounced');
    expect(await rig.trail(id)).toContain('suppressed');
    expect(await rig.trail(id + 1)).toEqual(['queued', 'sending', 'sent', 'bounced']);
    expect(await dueActions()).toEqual([]);
    expect(await rig.status(id + 2)).toBe('missing');
    const { environmentId } = rig.environments.live;
    const listed = await rig.store.suppressions.suppressionsAmong(
      [to, 'robot@sender.test'].map((emailKey) => ({ environmentId, emailKey })),
    );
    expect(listed.map(({ email_key: key }) => key)).toEqual([to]);
  });

  it('Mailkeel reports a 250 if the peer does not support DSN', async () => {
    const id = await rig.send({ to: 'ann@there.test', relayed: relayed() });
    await settledAs(id, 'delivered');
    await waitFor('the report is there', () => sink.messages.length === 2);
    const read = readBounceReport(await parseMail(sink.messages[1]?.raw ?? Buffer.alloc(0)), DSN_RULES);
    expect(read?.recipients).toMatchObject([{ action: 'relayed', finalRecipient: 'ann@there.test' }]);
  });

  it("a peer's own success report replaces Mailkeel's, and is forwarded", async () => {
    // A separate host, whose connection is opened now.
    peer.dsn = true;
    await reports.stop();
    const id = await rig.send({ to: 'ann@reports.test', relayed: relayed({ notify: ['SUCCESS'] }) });
    await settledAs(id, 'delivered');
    expect(await dueActions()).toEqual([]);
    const kept = (await rig.store.messages.deliverables([id])).get(id);
    const target = await rig.store.messages.forToken(kept?.message.public_id ?? '');
    if (!target) throw new Error('the message is gone');
    const { outcome, changes } = planBounce({
      target,
      report: {
        format: 'standard',
        isGuess: false,
        reportingMta: 'mx.there.test',
        originalEnvelopeId: null,
        recipients: [],
        words: [],
        original: [],
      },
      bounce: {
        outcome: 'delivered',
        type: null,
        category: null,
        suppress: 'never',
        code: null,
        enhanced: '2.0.0',
        message: '2.0.0 in the mailbox',
        remoteHost: 'mx.there.test',
      },
      at: systemClock(),
      happened: ['delivered'],
      earlierBounces: [],
    });
    expect(outcome).toBe('duplicate');
    await rig.store.commit(changes);
    expect(await dueActions()).toEqual(['delivered']);
  });

  it('the sandbox sends reports within the sandbox', async () => {
    const before = sink.count();
    const spool = () => rig.store.inbound.latest(100);
    const spooledBefore = (await spool()).length;
    /** Subject and end of the report about the mail to this mailbox. */
    const toldOf = async (name: string, notify?: DsnOptions['notify']): Promise<string[]> => {
      const asked = relayed({ sender: `${name}@sender.test`, ...(notify ? { notify } : {}) });
      const id = await rig.send({ to: `${name}@there.test`, mode: 'test', relayed: asked });
      await waitFor(`${name} has ended`, isIdle);
      reports.ring();
      await waitFor('nothing is due', async () => (await dueActions()).length === 0);
      await waitFor('the report has ended', isIdle);
      const report = (await rig.store.messages.deliverables([id + 1])).get(id + 1)?.message;
      return report ? [report.subject, await rig.status(report.id)] : [];
    };
    expect(await toldOf('bounced')).toEqual(['Mail not delivered', 'bounced']);
    expect(await toldOf('complained', ['FAILURE'])).toEqual([]);
    expect(await toldOf('replied')).toEqual(['Mail relayed', 'delivered']);
    expect(await toldOf('suppressed')).toEqual(['Mail not delivered', 'suppressed']);
    // The reports themselves caused no suppressions and no replies.
    const { environmentId } = rig.environments.test;
    const listed = await rig.store.suppressions.suppressionsAmong([
      { environmentId, emailKey: 'bounced@sender.test' },
      { environmentId, emailKey: 'complained@sender.test' },
    ]);
    expect(listed).toEqual([]);
    const spooled = (await spool()).slice(0, -spooledBefore || undefined);
    expect(spooled.map(({ kind, mail_from: from }) => [kind, from])).toEqual([
      ['reply', 'replied@there.test'],
    ]);
    expect(sink.count()).toBe(before);
  });
});
