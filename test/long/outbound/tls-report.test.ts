// Tests the daily TLS report from end to end: results of sessions are counted, and the report is sent the next day as the
// receiver requests, by mail and by HTTPS. The mail is sent even if the reported TLS problem still exists.
import { gunzipSync } from 'node:zlib';
import { simpleParser, type ParsedMail } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, type TlsReport } from '../../../src/lib/tls-policy/index.js';
import { createPoster, guardedLookup, type Poster, resolveByDns } from '../../../src/lib/http/index.js';
import { createLog, systemClock } from '../../../src/lib/runtime/index.js';
import { ensurePlatformKey } from '../../../src/domains/platform.js';
import { createSystemMail } from '../../../src/messages/system-mail/system-mail.js';
import { submitReport } from '../../../src/operations/tls-reports/report-mail.js';
import { TlsReports } from '../../../src/operations/tls-reports/tls-reports.js';
import { readProgress } from '../../../src/operations/tls-reports/send-report.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import type { SinkMessage, SmtpSink } from '../../support/smtp-sink.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';
import { dkimKeys } from '../../../src/domains/domains.tables.js';
import { update } from '../../../src/database/rows.js';

const PLATFORM = 'platform.test';
const DOMAIN = 'there.test';

let world: TlsWorld;
let rig: OutboundRig;
let receiver: HttpReceiver;
let poster: Poster;
let sink: SmtpSink;
let today: number;
let raw: SinkMessage;
let mail: ParsedMail;
let refused: number;

const reportIn = (gzip: Buffer): TlsReport => JSON.parse(gunzipSync(gzip).toString('utf8')) as TlsReport;

beforeAll(async () => {
  world = await startTlsWorld();
  rig = await startOutboundRig({ ...world.env, MAILKEEL_PLATFORM_DOMAIN: PLATFORM });
  const { store, keys, resolver, outbound } = rig;
  await rig.addSenderDomain('sender.test');
  const platformKeys = await ensurePlatformKey({
    store,
    masterKey: keys.masterKey,
    clock: systemClock,
    platformDomain: PLATFORM,
  });
  // As after the check that finds their records in DNS.
  for (const { id } of platformKeys) {
    await store.commit([update(dkimKeys, { set: { state: 'active' }, where: { id } })]);
  }
  await outbound.start();

  world.mail(DOMAIN, { 'mx.there.test': '127.0.6.1' });
  world.announce(DOMAIN, { mode: 'enforce', mx: ['mx.there.test'] });
  const expired = world.certificate({ names: ['mx.there.test'], from: -9, to: -8 });
  sink = await world.sink({ host: '127.0.6.1', starttls: expired });
  const reports = world.certificate({ names: ['reports.there.test'] });
  receiver = await startHttpReceiver({ tls: reports });
  world.dns.set('reports.there.test', 'A', ['127.0.0.1']);
  const https = `https://reports.there.test:${receiver.port}/tls`;
  world.dns.set(`_smtp._tls.${DOMAIN}`, 'TXT', [`v=TLSRPTv1; rua=mailto:tls@${DOMAIN},${https}`]);

  today = Math.floor(Date.now() / DAY_MS);
  refused = await rig.send({ to: `ann@${DOMAIN}` });
  await waitFor('the session is counted', async () => {
    return (await store.tlsReports.resultsOf(today, DOMAIN)).length > 0;
  });
  poster = createPoster({
    allowPrivate: true,
    lookup: guardedLookup({ allowPrivate: true, resolve: resolveByDns(resolver) }),
    extraCa: [world.authority],
  });
  const mailContext = {
    store,
    systemMail: createSystemMail({ store, platformDomain: PLATFORM }),
    clock: systemClock,
    wakeUps: { queue: (queueIds: readonly number[]) => outbound.notify(queueIds), events: () => undefined },
  };
  await new TlsReports(
    {
      store,
      resolver,
      submit: (report, options) => submitReport(mailContext, report, options),
      poster,
      // Tomorrow at five, when every report is due.
      clock: () => (today + 1) * DAY_MS + 5 * 3_600_000,
      log: createLog('error'),
      settings: {
        organization: 'Platform',
        contact: `postmaster@${PLATFORM}`,
        submitter: PLATFORM,
        platformDomain: PLATFORM,
      },
    },
    { isEnabled: true },
  ).run();
  await waitFor('the report is there', () => sink.messages.length > 0);
  [raw = raw] = sink.messages;
  mail = await simpleParser(raw.raw);
});

afterAll(async () => {
  await poster.close();
  await receiver.close();
  await rig.close();
  await world.close();
});

it('contains the session results under the applied policy', () => {
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'POST', url: '/tls' });
  expect(request?.headers['content-type']).toBe('application/tlsrpt+gzip');
  const report = reportIn(request?.rawBody ?? Buffer.alloc(0));
  expect(report).toMatchObject({
    'organization-name': 'Platform',
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-domain': DOMAIN,
          'policy-string': ['version: STSv1', 'mode: enforce', 'mx: mx.there.test', 'max_age: 86400'],
          'mx-host': ['mx.there.test'],
        },
        summary: { 'total-successful-session-count': 0 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '127.0.0.1',
            'receiving-mx-hostname': 'mx.there.test',
            'receiving-ip': '127.0.6.1',
            'failure-reason-code': 'certificate not verified: CERT_HAS_EXPIRED',
          },
        ],
      },
    ],
  });
  expect(report.policies[0]?.summary['total-failure-session-count']).toBeGreaterThan(0);
});

it('arrives by mail as a multipart/report with the same content', () => {
  expect(mail.headers.get('content-type')).toMatchObject({
    value: 'multipart/report',
    params: { 'report-type': 'tlsrpt' },
  });
  expect(mail.subject).toMatch(/^Report Domain: there\.test Submitter: platform\.test Report-ID: <\S+>$/);
  expect(mail.headers.get('tls-report-domain')).toBe(DOMAIN);
  expect(mail.headers.get('tls-report-submitter')).toBe(PLATFORM);
  expect(mail.attachments).toHaveLength(1);
  const [attachment] = mail.attachments;
  expect(attachment?.contentType).toBe('application/tlsrpt+gzip');
  expect(attachment?.filename).toMatch(/^platform\.test!there\.test!\d+!\d+!\w+\.json\.gz$/);
  const posted = reportIn(receiver.requests[0]?.rawBody ?? Buffer.alloc(0));
  expect(reportIn(attachment?.content ?? Buffer.alloc(0))).toEqual(posted);
});

it('is signed by its domain, including the fields of the report', () => {
  const signatures = mail.headerLines
    .filter(({ key }) => key === 'dkim-signature')
    .map(({ line }) => line.replace(/\s+/g, ' '));
  expect(signatures.length).toBeGreaterThan(0);
  for (const signature of signatures) {
    expect(signature).toContain(`d=${PLATFORM};`);
    expect(signature.toLowerCase()).toMatch(/h=[^;]*tls-report-domain:tls-report-submitter/);
  }
});

it('is sent over TLS that other mail must not use, and its header marks it', async () => {
  expect(mail.headers.get('tls-required')).toBe('No');
  expect(raw).toMatchObject({ rcptTo: [`tls@${DOMAIN}`], tls: 'TLSv1.3' });
  expect(sink.messages).toHaveLength(1);
  expect(await rig.entries(refused, 'deferred')).not.toEqual([]);
});

it('is finished, and the next report excludes its session', async () => {
  const report = await rig.store.tlsReports.report(today, DOMAIN);
  expect(report).toMatchObject({ status: 'sent', attempts: 1 });
  const { destinations } = readProgress(report?.detail ?? '');
  expect(destinations.map(({ state }) => state)).toEqual(['sent', 'sent']);
  await rig.outbound.stop();
  for (const { resultType } of await rig.store.tlsReports.resultsOf(today, DOMAIN)) {
    expect(resultType).toBe('certificate-expired');
  }
});
