// Tests daily TLS reports with a real HTTPS receiver and a real DNS server, on a clock that the test moves.
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { DAY_MS, type TlsReport, type TlsReportMail } from '../../src/lib/tls-policy/index.js';
import { createPoster, guardedLookup, type Poster, resolveByDns } from '../../src/lib/http/index.js';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { createCommitter } from '../../src/database/committer.js';
import {
  createTlsReportStore,
  type TlsReportStore,
} from '../../src/operations/tls-reports/tls-reports.store.js';
import { createTlsResultStore, type TlsResult } from '../../src/outbound/outcome/tls-results.store.js';
import { readProgress, type TlsReportContext } from '../../src/operations/tls-reports/send-report.js';
import { nextReportAttemptAt, reportDueAt } from '../../src/operations/tls-reports/schedule.js';
import { TlsReports } from '../../src/operations/tls-reports/tls-reports.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { openMigratedFile, temporaryFolder } from '../support/open-engines.js';
import { selfSignedCertificate, type TestCertificate } from '../support/test-certificate.js';
import { type Change, applyPlan } from '../../src/database/change.js';

const HOUR = 3_600_000;
/** 2026-01-02 */
const DAY = 20_455;
const STS = {
  strings: ['version: STSv1', 'mode: enforce', 'mx: mx.there.test', 'max_age: 86400'],
  mx: ['mx.there.test'],
};

let certificate: TestCertificate;
let receiver: HttpReceiver;
let dns: TestDnsServer;
let clock: FixedClock;
let resolver: DnsResolver;
let poster: Poster;
let store: TlsReportStore;
let add: (results: readonly TlsResult[]) => Promise<void>;
let commit: (change: Change) => Promise<void>;
let mails: { mail: TlsReportMail; lifeMs: number }[];
let closing: (() => unknown)[];

beforeAll(() => {
  certificate = selfSignedCertificate('reports.there.test');
});

function posterOf(allowPrivate: boolean): Poster {
  const made = createPoster({
    allowPrivate,
    timeoutMs: 2_000,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: [certificate.cert],
  });
  closing.push(() => made.close());
  return made;
}

beforeEach(async () => {
  closing = [];
  mails = [];
  receiver = await startHttpReceiver({ tls: certificate });
  dns = await startDnsServer({ zones: { 'reports.there.test': { A: ['127.0.0.1'] } } });
  clock = fixedClock(DAY * DAY_MS + 12 * HOUR);
  resolver = createResolver({ servers: [dns.address], timeoutMs: 300, tries: 1, clock: clock.now });
  const folder = temporaryFolder();
  const opened = await openMigratedFile(`${folder.path}/mail.db`);
  const committer = createCommitter(opened.engine, { maxGroup: 50 });
  store = createTlsReportStore(opened.engine, committer);
  const results = createTlsResultStore(committer);
  add = (added) => results.add(added);
  commit = async (change) => {
    await committer.commit((writing) => applyPlan(writing, [change]));
  };
  poster = posterOf(true);
  closing.push(
    () => opened.close(),
    () => folder.remove(),
    () => resolver.close(),
    () => dns.close(),
    () => receiver.close(),
  );
});

afterEach(async () => {
  for (const close of closing) await close();
});

const https = (): string => `https://reports.there.test:${receiver.port}/tls?x=1`;
const ask = (domain: string, ...rua: string[]): void =>
  dns.set(`_smtp._tls.${domain}`, 'TXT', [`v=TLSRPTv1; rua=${rua.join(',')}`]);

const result = (fields: Partial<TlsResult> = {}): TlsResult => ({
  at: clock.now(),
  domain: 'there.test',
  policyType: 'sts',
  policy: STS,
  resultType: 'success',
  mxHost: 'mx.there.test',
  sendingIp: '198.51.100.1',
  receivingIp: '203.0.113.1',
  detail: '',
  sessions: 1,
  ...fields,
});

const room = (
  context: Partial<TlsReportContext> = {},
  { isEnabled = true, ...settings }: Partial<TlsReportContext['settings']> & { isEnabled?: boolean } = {},
) =>
  new TlsReports(
    {
      store: { tlsReports: store },
      resolver,
      submit: async (mail, { lifeMs, recorded }) => {
        await commit(recorded);
        mails.push({ mail, lifeMs });
      },
      poster,
      clock: clock.now,
      log: createLog('silent'),
      settings: {
        organization: 'Here Ltd',
        contact: 'tls@here.test',
        submitter: 'here.test',
        platformDomain: 'here.test',
        ...settings,
      },
      ...context,
    },
    { isEnabled },
  );

/** To the day after, when every report is due. */
const toMorning = (): number => clock.advance(17 * HOUR);
const progressOf = async (domain = 'there.test') => {
  const row = await store.report(DAY, domain);
  return { row, progress: readProgress(row?.detail ?? '') };
};
const statesOf = async (domain = 'there.test'): Promise<string[]> =>
  (await progressOf(domain)).progress.destinations.map((one) => one.state);
const reportIn = (gzip: Buffer): TlsReport => JSON.parse(gunzipSync(gzip).toString('utf8')) as TlsReport;

describe('the schedule', () => {
  it('spreads reports over four hours after midnight, at a fixed time per domain', () => {
    const minutes = Array.from({ length: 500 }, (_, i) => reportDueAt(DAY, `d${i}.test`)).map(
      (at) => (at - (DAY + 1) * DAY_MS) / 60_000,
    );
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...minutes)).toBeLessThan(250);
    expect(new Set(minutes.map((minute) => Math.floor(minute / 30))).size).toBeGreaterThanOrEqual(8);
    expect(reportDueAt(DAY + 1, 'a.test') - reportDueAt(DAY, 'a.test')).toBe(DAY_MS);
  });

  it.each([0, 0.5, 0.999])('waits longer after each attempt, and ends within a day (jitter %d)', (jitter) => {
    const times = [0];
    for (let attempt = 1; attempt < 50; attempt++) {
      const at = nextReportAttemptAt({ attempt, firstAt: 0, now: times.at(-1) ?? 0, jitter });
      if (at === null) break;
      times.push(at);
    }
    expect(times.length).toBeGreaterThan(6);
    expect(times.length).toBeLessThan(12);
    expect(times.at(-1)).toBeLessThanOrEqual(DAY_MS);
    expect(times.at(-1)).toBeGreaterThan(DAY_MS / 2);
  });
});

describe('a day’s report', () => {
  it('is sent compressed to every destination of the record, with the results of that day', async () => {
    ask('there.test', https(), 'mailto:tls@there.test');
    await add([
      result({ sessions: 40 }),
      result({ resultType: 'certificate-host-mismatch', detail: 'wrong name', sessions: 3 }),
      result({ policyType: 'no-policy-found', policy: null, sessions: 2 }),
      result({ at: clock.now() - DAY_MS, sessions: 99, domain: 'silent.test' }),
      result({ at: clock.now() + DAY_MS, sessions: 77 }),
    ]);
    const reports = room();
    await reports.run();
    expect(receiver.requests).toHaveLength(0);
    toMorning();
    await reports.run();

    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/tls?x=1' });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/tlsrpt+gzip' });
    expect(request?.headers['user-agent']).toMatch(/^Mailkeel\//);
    const { row } = await progressOf();
    expect(row?.report_id).toMatch(/^[0-9a-f]{20}@here\.test$/);
    expect(reportIn(request?.rawBody ?? Buffer.alloc(0))).toEqual({
      'organization-name': 'Here Ltd',
      'date-range': { 'start-datetime': '2026-01-02T00:00:00Z', 'end-datetime': '2026-01-02T23:59:59Z' },
      'contact-info': 'tls@here.test',
      'report-id': row?.report_id,
      policies: [
        {
          policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'there.test' },
          summary: { 'total-successful-session-count': 2, 'total-failure-session-count': 0 },
        },
        {
          policy: {
            'policy-type': 'sts',
            'policy-string': STS.strings,
            'policy-domain': 'there.test',
            'mx-host': ['mx.there.test'],
          },
          summary: { 'total-successful-session-count': 40, 'total-failure-session-count': 3 },
          'failure-details': [
            {
              'result-type': 'certificate-host-mismatch',
              'sending-mta-ip': '198.51.100.1',
              'receiving-mx-hostname': 'mx.there.test',
              'receiving-ip': '203.0.113.1',
              'failed-session-count': 3,
              'failure-reason-code': 'wrong name',
            },
          ],
        },
      ],
    });
    const [sent] = mails;
    expect(sent?.lifeMs).toBe(DAY_MS);
    expect(sent?.mail).toMatchObject({ from: 'postmaster@here.test', to: 'tls@there.test' });
    expect(sent?.mail.subject).toBe(
      `Report Domain: there.test Submitter: here.test Report-ID: <${row?.report_id ?? ''}>`,
    );
    expect(sent?.mail.attachment.content.equals(request?.rawBody ?? Buffer.alloc(0))).toBe(true);
    expect(row).toMatchObject({ status: 'sent', attempts: 1, sent_at: clock.now() });

    // Neither a second look, nor another process, nor the next day sends it again.
    await reports.run();
    await room().run();
    expect(receiver.requests).toHaveLength(1);
    expect(mails).toHaveLength(1);
    expect((await progressOf('silent.test')).row).toBeNull();
    clock.advance(DAY_MS);
    await reports.run();
    expect(receiver.requests).toHaveLength(2);
    const next = reportIn(receiver.requests[1]?.rawBody ?? Buffer.alloc(0));
    expect(next.policies[0]?.summary['total-successful-session-count']).toBe(77);
  });

  it('is not created before the day has settled, and not sent before its time', async () => {
    ask('there.test', https());
    await add([result()]);
    const reports = room();
    clock.advance(12 * HOUR + 9 * 60_000);
    await reports.run();
    expect(await store.report(DAY, 'there.test')).toBeNull();
    clock.advance(60_000);
    await reports.run();
    const row = await store.report(DAY, 'there.test');
    expect(row).toMatchObject({ status: 'pending', attempts: 0, due_at: reportDueAt(DAY, 'there.test') });
    expect(dns.queries).toEqual([]);
    clock.advance(reportDueAt(DAY, 'there.test') - clock.now() - 1);
    await reports.run();
    expect(receiver.requests).toHaveLength(0);
    clock.advance(1);
    await reports.run();
    expect(receiver.requests).toHaveLength(1);
  });

  it('is created late after an outage, within a limit', async () => {
    ask('there.test', https());
    await add([result()]);
    clock.advance(3 * DAY_MS);
    await room().run();
    expect(receiver.requests).toHaveLength(1);
    await add([result({ domain: 'late.test', at: DAY * DAY_MS - 1 })]);
    await room().run();
    expect(await store.domainsToReport(DAY - 1, 9)).toEqual(['late.test']);
  });

  it('is not sent without a record that requests it', async () => {
    await add([result(), result({ domain: 'two.test' })]);
    dns.set('_smtp._tls.two.test', 'TXT', [
      'v=TLSRPTv1;rua=mailto:a@two.test',
      'v=TLSRPTv1;rua=mailto:b@two.test',
    ]);
    toMorning();
    await room().run();
    expect(mails).toEqual([]);
    expect(await progressOf()).toMatchObject({
      row: { status: 'none' },
      progress: { reason: 'there is no TLSRPTv1 record' },
    });
    expect((await progressOf('two.test')).row?.status).toBe('none');
  });

  it('is not created if reports are off, and old results are deleted anyway', async () => {
    ask('there.test', https());
    await add([result(), result({ at: clock.now() - 40 * DAY_MS })]);
    toMorning();
    await room({}, { isEnabled: false }).run();
    expect(await store.resultsOf(DAY - 40, 'there.test')).toEqual([]);
    expect(await store.resultsOf(DAY, 'there.test')).toHaveLength(1);
    expect(await store.report(DAY, 'there.test')).toBeNull();
  });
});

describe('without a signing domain', () => {
  it('reports are sent only by HTTPS', async () => {
    ask('there.test', 'mailto:tls@there.test', https());
    ask('mail.test', 'mailto:tls@mail.test');
    await add([result(), result({ domain: 'mail.test' })]);
    toMorning();
    await room({}, { platformDomain: null, submitter: 'mta.here.test' }).run();
    expect(mails).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
    expect(await statesOf()).toEqual(['skipped', 'sent']);
    expect((await progressOf()).row?.status).toBe('sent');
    expect((await progressOf('mail.test')).row?.status).toBe('none');
  });
});

describe('a failing destination', () => {
  it('is retried alone until it has its report', async () => {
    ask('there.test', https(), 'mailto:tls@there.test');
    await add([result()]);
    receiver.script({ status: 503 }, { redirectTo: 'https://elsewhere.test/' }, { status: 201 });
    toMorning();
    const reports = room();
    await reports.run();
    expect(await statesOf()).toEqual(['waiting', 'sent']);
    const { row, progress } = await progressOf();
    expect(row).toMatchObject({ status: 'pending', attempts: 1 });
    expect(progress.destinations[0]?.error).toBe('HTTP status 503');
    await reports.run();
    expect(receiver.requests).toHaveLength(1);
    clock.advance(HOUR);
    await room().run();
    expect((await progressOf()).progress.destinations[0]?.error).toBe('HTTP status 302');
    clock.advance(HOUR);
    await room().run();
    expect((await progressOf()).row).toMatchObject({ status: 'sent', attempts: 3 });
    expect(mails).toHaveLength(1);
    const ids = receiver.requests.map((request) => reportIn(request.rawBody)['report-id']);
    expect(ids).toEqual([row?.report_id, row?.report_id, row?.report_id]);
  });

  it('is given up a day after the first attempt', async () => {
    ask('there.test', https());
    await add([result()]);
    receiver.setDefault({ status: 500 });
    toMorning();
    const firstAt = clock.now();
    let lastAt = firstAt;
    for (let i = 0; i < 60; i++) {
      const before = receiver.requests.length;
      await room().run();
      if (receiver.requests.length > before) lastAt = clock.now();
      clock.advance(HOUR);
    }
    expect((await progressOf()).row).toMatchObject({ status: 'failed', sent_at: null });
    expect(await statesOf()).toEqual(['failed']);
    expect(lastAt - firstAt).toBeLessThanOrEqual(25 * HOUR);
    expect(receiver.requests.length).toBeGreaterThan(4);
    expect(receiver.requests.length).toBeLessThan(12);
  });

  it('on a private address is never connected to', async () => {
    poster = posterOf(false);
    ask('there.test', https(), `https://127.0.0.1:${receiver.port}/`);
    await add([result()]);
    toMorning();
    await room().run();
    expect(receiver.requests).toHaveLength(0);
    const { progress } = await progressOf();
    expect(progress.destinations.map((one) => one.error)).toEqual([
      expect.stringContaining('refused'),
      expect.stringContaining('must resolve to a public address'),
    ]);
  });

  it('waits while the record cannot be looked up', async () => {
    ask('there.test', https());
    dns.fault('_smtp._tls.there.test', 'servfail');
    await add([result()]);
    toMorning();
    await room().run();
    expect(await progressOf()).toMatchObject({ row: { status: 'pending', attempts: 1 } });
    dns.fault('_smtp._tls.there.test', null);
    clock.advance(HOUR);
    await room().run();
    expect((await progressOf()).row).toMatchObject({ status: 'sent', attempts: 2 });
  });
});

describe('a restart or an error', () => {
  it('between two destinations repeats neither', async () => {
    ask('there.test', https(), 'mailto:tls@there.test');
    await add([result()]);
    toMorning();
    const submit = (): Promise<void> => Promise.reject(new Error('the process dies here'));
    await expect(room({ submit }).run()).rejects.toThrow('1 TLS reports met faults');
    expect(await statesOf()).toEqual(['sent', 'waiting']);
    await room().run();
    expect(mails).toHaveLength(0);
    clock.advance(HOUR);
    await room().run();
    expect(mails).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
    expect((await progressOf()).row?.status).toBe('sent');
  });

  it('right after the mail was queued does not queue it again', async () => {
    ask('there.test', 'mailto:tls@there.test');
    await add([result()]);
    toMorning();
    let queued = 0;
    const submit: TlsReportContext['submit'] = async (_mail, { recorded }) => {
      await commit(recorded);
      queued += 1;
      throw new Error('the process dies here');
    };
    await expect(room({ submit }).run()).rejects.toThrow();
    clock.advance(HOUR);
    await room({ submit }).run();
    expect(queued).toBe(1);
    expect((await progressOf()).row?.status).toBe('sent');
  });

  it('of one report does not stop the others', async () => {
    ask('bad.test', 'mailto:tls@bad.test');
    ask('there.test', https());
    await add([result(), result({ domain: 'bad.test' })]);
    toMorning();
    const submit = (): Promise<void> => Promise.reject(new Error('broken'));
    await expect(room({ submit }).run()).rejects.toThrow();
    expect((await progressOf()).row?.status).toBe('sent');
  });

  it('that is a refusal is retried later', async () => {
    ask('there.test', 'mailto:tls@there.test');
    await add([result()]);
    toMorning();
    const submit = (): Promise<void> => Promise.reject(new Refusal('conflict', 'No key signs yet.'));
    await room({ submit }).run();
    expect((await progressOf()).progress.destinations[0]).toMatchObject({
      state: 'waiting',
      error: 'No key signs yet.',
    });
    clock.advance(HOUR);
    await room().run();
    expect(mails.map((one) => one.lifeMs)).toEqual([DAY_MS - HOUR]);
  });
});

it('many domains are reported in one tick, and a stopped room starts none', async () => {
  const domains = Array.from({ length: 80 }, (_, i) => `d${i}.test`);
  for (const domain of domains) ask(domain, `mailto:tls@${domain}`);
  await add(domains.map((domain) => result({ domain })));
  toMorning();
  const stopped = room();
  stopped.stop();
  await stopped.run();
  expect(mails).toHaveLength(0);
  await room().run();
  expect(mails.map(({ mail }) => mail.to).sort()).toEqual(domains.map((domain) => `tls@${domain}`).sort());
});
