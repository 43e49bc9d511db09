// Tests the store's operations for TLS reports on every engine.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/tls-policy/index.js';
import { createCommitter } from '../../src/database/committer.js';
import {
  createTlsReportStore,
  type TlsReportStore,
} from '../../src/operations/tls-reports/tls-reports.store.js';
import { createTlsResultStore, type TlsResult } from '../../src/outbound/outcome/tls-results.store.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import type { TlsReportRow } from '../../src/operations/tls-reports/tls-reports.tables.js';

const STS = { strings: ['version: STSv1', 'mode: enforce', 'mx: mx.there.test'], mx: ['mx.there.test'] };

describe.each(engineKinds())('TLS reports in the store on $name', (kind) => {
  let opened: OpenEngine | undefined;
  let store: TlsReportStore;
  let add: (results: readonly TlsResult[]) => Promise<void>;
  /** Each test uses different days. */
  let day = 20_000;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    const committer = createCommitter(opened.engine, { maxGroup: 50 });
    store = createTlsReportStore(opened.engine, committer);
    const results = createTlsResultStore(committer);
    add = (added) => results.add(added);
  }, 120_000);

  afterAll(async () => {
    await opened?.close();
  });

  const nextDay = (): number => (day += 100);
  const result = (fields: Partial<TlsResult>): TlsResult => ({
    at: day * DAY_MS,
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
  const failure = (fields: Partial<TlsResult>): TlsResult =>
    result({ resultType: 'certificate-expired', detail: 'expired in May', ...fields });
  const report = (fields: Partial<TlsReportRow>): TlsReportRow => ({
    day,
    domain: 'there.test',
    report_id: 'a@b',
    status: 'pending',
    attempts: 0,
    due_at: 0,
    detail: '',
    created_at: 0,
    sent_at: null,
    ...fields,
  });

  it('equal sessions are summed within and across batches', async () => {
    nextDay();
    await add([result({}), result({ sessions: 4, mxHost: 'mx2.there.test' }), failure({})]);
    await add([result({ domain: 'There.Test' }), failure({ detail: 'other words', sessions: 2 })]);
    expect(await store.resultsOf(day, 'there.test')).toEqual([
      {
        policyType: 'sts',
        policy: STS,
        resultType: 'certificate-expired',
        mxHost: 'mx.there.test',
        sendingIp: '198.51.100.1',
        receivingIp: '203.0.113.1',
        detail: 'expired in May',
        sessions: 3,
      },
      {
        policyType: 'sts',
        policy: STS,
        resultType: 'success',
        mxHost: '',
        sendingIp: '',
        receivingIp: '',
        detail: '',
        sessions: 6,
      },
    ]);
  });

  it('a result belongs to the UTC day of its time', async () => {
    nextDay();
    await add([result({ at: (day + 1) * DAY_MS - 1 }), result({ at: (day + 1) * DAY_MS, sessions: 5 })]);
    expect((await store.resultsOf(day, 'there.test'))[0]?.sessions).toBe(1);
    expect((await store.resultsOf(day + 1, 'there.test'))[0]?.sessions).toBe(5);
  });

  it('the order of TLSA records is ignored', async () => {
    nextDay();
    const tlsa = (...strings: string[]) =>
      result({ policyType: 'tlsa', policy: { strings, mx: ['mx.there.test'] } });
    await add([tlsa('3 1 1 AA', '3 1 1 BB'), tlsa('3 1 1 BB', '3 1 1 AA')]);
    expect(await store.resultsOf(day, 'there.test')).toMatchObject([{ sessions: 2 }]);
  });

  it('after a thousand rows of a domain only the type is stored, and no session is lost', async () => {
    nextDay();
    const many = Array.from({ length: 1_200 }, (_, i) => failure({ mxHost: `mx${i}.there.test` }));
    await add(many.slice(0, 700));
    await add([...many.slice(700), failure({ domain: 'other.test' })]);
    await add(many);
    const rows = await store.resultsOf(day, 'there.test');
    expect(rows).toHaveLength(1_001);
    expect(rows.filter((row) => row.mxHost === '')).toMatchObject([
      { policy: null, resultType: 'certificate-expired', sendingIp: '', detail: '', sessions: 400 },
    ]);
    expect(rows.reduce((sum, row) => sum + row.sessions, 0)).toBe(2_400);
    expect(await store.resultsOf(day, 'other.test')).toMatchObject([{ mxHost: 'mx.there.test' }]);
  }, 30_000);

  it('the longest texts of a peer are truncated', async () => {
    nextDay();
    // Incompressible, because index entries have a size limit.
    const digests = Array.from({ length: 200 }, (_, i) =>
      createHash('sha256').update(String(i)).digest('base64url'),
    );
    const noise = digests.join('').toLowerCase();
    const lines = Array.from({ length: 300 }, (_, i) => noise.slice(i, i + 2_000));
    await add([
      failure({
        domain: `${noise.slice(0, 240)}.test`,
        policy: { strings: [...lines, 'a\0\r\nb'], mx: lines },
        mxHost: noise,
        sendingIp: noise,
        receivingIp: `\0${noise}`,
        detail: `554 \u001b[31m${noise}\ud800`,
      }),
    ]);
    const [row] = await store.resultsOf(day, `${noise.slice(0, 240)}.test`);
    expect(row?.sessions).toBe(1);
    expect(row?.mxHost.length).toBe(253);
    expect(row?.detail.length).toBeLessThanOrEqual(200);
    expect(row?.policy?.strings.length).toBeGreaterThan(0);
    expect(JSON.stringify(row?.policy).length).toBeLessThanOrEqual(1_500);
  });

  it('a domain is due until a report is planned, and a second plan changes nothing', async () => {
    nextDay();
    await add(['c.test', 'a.test', 'b.test'].map((domain) => result({ domain })));
    expect(await store.domainsToReport(day, 2)).toEqual(['a.test', 'b.test']);
    await store.plan([report({ domain: 'a.test' }), report({ domain: 'b.test', report_id: 'first' })]);
    await store.plan([report({ domain: 'b.test', report_id: 'second' })]);
    expect(await store.domainsToReport(day, 9)).toEqual(['c.test']);
    expect(await store.report(day, 'b.test')).toMatchObject({ report_id: 'first' });
  });

  it('a claimed report belongs to one claimant until its lease ends or it is saved', async () => {
    nextDay();
    const now = day * DAY_MS;
    await store.plan([
      report({ domain: 'later.test', due_at: now + 1 }),
      report({ domain: 'due.test', due_at: now - 5 }),
      report({ domain: 'done.test', due_at: now - 5, status: 'sent' }),
    ]);
    const claim = async (at: number) =>
      (await store.claimDue(at, at + 100, 9)).filter((row) => row.day === day).map((row) => row.domain);
    expect(await claim(now)).toEqual(['due.test']);
    expect(await claim(now)).toEqual([]);
    expect(await claim(now + 100)).toEqual(['later.test', 'due.test']);
    await store.save(report({ domain: 'due.test', status: 'sent', sent_at: now, attempts: 1 }));
    expect(await store.report(day, 'due.test')).toMatchObject({ status: 'sent', attempts: 1, sent_at: now });
    expect(await claim(now + 1_000)).toEqual(['later.test']);
  });

  it('old results and reports are deleted in batches', async () => {
    nextDay();
    await store.prune(day, 1_000);
    const old = { at: day * DAY_MS };
    await add([result({ ...old, domain: 'a.test' }), failure({ ...old, domain: 'a.test' })]);
    await add([result({ ...old, domain: 'b.test' }), result({ at: (day + 1) * DAY_MS })]);
    await store.plan([report({ domain: 'b.test' }), report({ domain: 'c.test' })]);
    expect(await store.prune(day + 1, 2)).toBe(false);
    expect(await store.prune(day + 1, 2)).toBe(true);
    for (const domain of ['a.test', 'b.test', 'c.test']) {
      expect(await store.resultsOf(day, domain)).toEqual([]);
      expect(await store.report(day, domain)).toBeNull();
    }
    expect(await store.resultsOf(day + 1, 'there.test')).toHaveLength(1);
  });
});
