// Tests incoming DMARC and TLS reports from SMTP to the API: a report is compared with the mail that was sent, and read by the
// owners of the domain.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dmarcXml, gzipped, reportMail, tlsJson, zipped } from '../../support/mailed-reports.js';
import { fieldOf } from '../../support/raw-mail.js';
import { signerOf } from '../../support/returned-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

const TO = 'dmarc@mta.platform.example';
const TLS_TO = 'TLS-RPT@mta.platform.example';
const OWN = '192.0.2.80';
const REPORTER = 'reports@provider.example';
const DAY_MS = 86_400_000;

let rig: SinkRig;
let signed: (raw: string) => string;
let selector = '';

beforeAll(async () => {
  rig = await startMailRigWithSink({ process: 'shared', env: { MAILKEEL_DNS_ADDRESSES: OWN } });
  signed = signerOf(rig.dns, 'provider.example');
  const { mail } = await rig.deliver('ann');
  selector = / s=([^;]+);/.exec(fieldOf(mail.raw, 'DKIM-Signature') ?? '')?.[1] ?? '';
});
afterAll(() => rig.close());

/** The day before today. */
const from = (): number => (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS;
const day = (): string => new Date(from()).toISOString().slice(0, 10);

function xml(reportId: string): string {
  const ours = { domain: 'shop.example', selector };
  return dmarcXml({
    ...{ domain: 'shop.example', from: from(), reportId },
    rows: [
      { ip: OWN, count: 40_000, dkim: 'pass', authDkim: [{ ...ours, result: 'pass' }] },
      { ip: OWN, count: 3, authDkim: [{ ...ours, result: 'fail' }] },
      { ip: '198.51.100.20', count: 20, dkim: 'pass', authDkim: [{ ...ours, result: 'pass' }] },
      { ip: '203.0.113.7', count: 37, disposition: 'quarantine', headerFrom: 'news.shop.example' },
      { ip: '203.0.113.8', count: 5, headerFrom: 'elsewhere.example' },
    ],
  });
}

type Json = Record<string, unknown>;
const ask = async (path: string): Promise<{ status: number; json: Json }> => {
  const { status, json } = await rig.appliance.api('GET', path);
  return { status, json: json as Json };
};
const summary = async (query = ''): Promise<Json> => (await ask(`/v1/dmarc-reports/summary${query}`)).json;

it('a signed report is counted once, for the owner of the mail', async () => {
  const raw = signed(reportMail(TO, gzipped(xml('a-1')), REPORTER));
  expect(await rig.comesBack(raw, TO, REPORTER)).toMatchObject({
    kind: 'report',
    state: 'done',
    outcome: 'dmarc_report',
    detail: { authenticated: true, reporter: 'provider.example', reports: 1 },
  });
  const again = signed(reportMail(TO, zipped(xml('a-1')), REPORTER));
  expect(await rig.comesBack(again, TO, REPORTER)).toMatchObject({ outcome: 'duplicate' });
  expect(await summary('?domain=shop.example')).toMatchObject({
    object: 'dmarc_summary',
    messages: 40_060,
    classes: { ours_aligned: 40_000, ours_not_aligned: 3, forwarded: 20, foreign: 37 },
    dispositions: { none: 40_023, quarantine: 37, reject: 0 },
  });
});

it('is summarized in sentences, and by source, reporter and day', async () => {
  const query = `?domain=shop.example&from=${day()}&to=${new Date(from() + DAY_MS).toISOString().slice(0, 10)}`;
  const { sentences } = await summary(query);
  expect(sentences).toContainEqual(
    expect.stringContaining(
      `37 of 40,060 messages from shop.example on ${day()} were not sent by this server: 203.0.113.7 (37).`,
    ),
  );
  expect((await summary(`${query}&group_by=source`))['groups']).toMatchObject([
    { key: OWN, messages: 40_003, reasons: ['dkim_failed'] },
    { key: '203.0.113.7', messages: 37 },
    { key: '198.51.100.20', messages: 20, classes: { forwarded: 20 }, reasons: ['signature_intact'] },
  ]);
  expect((await summary(`${query}&group_by=reporter`))['groups']).toMatchObject([
    { key: 'provider.example', messages: 40_060 },
  ]);
  expect((await summary(`${query}&group_by=day`))['groups']).toMatchObject([
    { key: day(), messages: 40_060 },
  ]);
});

it('is listed, and can be read with its records', async () => {
  const { data } = (await ask('/v1/dmarc-reports?domain=shop.example')).json as { data: Json[] };
  expect(data).toMatchObject([
    {
      object: 'dmarc_report',
      domain: 'shop.example',
      reporter: 'provider.example',
      authenticated: true,
      messages: 40_060,
      not_ours: 60,
      sub_tenant_id: rig.tenantId,
    },
  ]);
  const { json } = await ask(`/v1/dmarc-reports/${String(data[0]?.['id'])}`);
  expect((json as { records: Json[] }).records[0]).toMatchObject({
    source_ip: OWN,
    count: 40_000,
    class: 'ours_aligned',
    reason: null,
  });
  expect((await ask(`/v1/tls-reports/${String(data[0]?.['id'])}`)).status).toBe(404);
});

it('an unsigned report is stored but not counted', async () => {
  const raw = reportMail(TO, gzipped(xml('forged')), REPORTER);
  expect(await rig.comesBack(raw, TO, 'x@elsewhere.example')).toMatchObject({
    outcome: 'dmarc_report',
    detail: { authenticated: false },
  });
  expect(await summary()).toMatchObject({ messages: 40_060 });
  expect(await summary('?include_unauthenticated=true')).toMatchObject({ messages: 80_120 });
  const { data } = (await ask('/v1/dmarc-reports?limit=1')).json as { data: Json[] };
  expect(data).toMatchObject([{ report_id: 'forged', authenticated: false }]);
});

it.each([
  ['of long ago', dmarcXml({ domain: 'other.example', from: Date.UTC(2020), rows: [] }), 'period'],
  [
    'about a stranger',
    dmarcXml({ domain: 'other.example', from: Date.now() - DAY_MS, rows: [{ ip: OWN, count: 1 }] }),
    'unknown_domain',
  ],
  ['that is broken', '<feedback><report', 'malformed'],
  ['with entities', '<!DOCTYPE feedback [<!ENTITY a "b">]><feedback>&a;</feedback>', 'document_type'],
])('a report %s is refused with the reason and needs no attention', async (_name, text, refusal) => {
  const raw = signed(reportMail(TO, gzipped(text), REPORTER));
  expect(await rig.comesBack(raw, TO, REPORTER)).toMatchObject({
    state: 'done',
    outcome: 'report_refused',
    detail: { refusal },
  });
});

it("a TLS report about the platform's domain is the operator’s", async () => {
  const json = tlsJson({
    domain: 'mta.platform.example',
    from: from(),
    successes: 900,
    failures: [{ type: 'certificate-expired', sessions: 12 }],
  });
  const report = {
    ...gzipped(json, 'provider.example!mta.platform.example!1!2.json'),
    type: 'application/tlsrpt+gzip',
  };
  const raw = signed(reportMail(TLS_TO, report, REPORTER));
  expect(await rig.comesBack(raw, TLS_TO, REPORTER)).toMatchObject({ outcome: 'tls_report' });
  expect((await ask('/v1/tls-reports/summary?group_by=result')).json).toMatchObject({
    sessions: 912,
    failures: 12,
    groups: [
      { key: 'certificate-expired', sessions: 12, failures: 12 },
      { key: 'success', sessions: 900, failures: 0 },
    ],
  });
});

it('is deleted with its sub-tenant', async () => {
  const { status } = await rig.appliance.api('DELETE', `/v1/sub-tenants/${rig.tenantId}`);
  expect(status).toBe(200);
  expect(await summary('?include_unauthenticated=true')).toMatchObject({ messages: 0 });
  expect((await ask('/v1/dmarc-reports')).json).toMatchObject({ data: [] });
});
