import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor, MessageStatus } from '../../src/contract/names.js';
import { auditTrailEntry } from '../../src/events/audit-trail-entry.store.js';
import { openLineFile } from '../../src/lib/files/index.js';
import { readTraceparent, writeTraceparent } from '../../src/lib/tokens/index.js';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import {
  attemptLine,
  endedLine,
  gapLine,
  inboundLine,
} from '../../src/operations/telemetry/delivery-line.rules.js';
import { endedMessages } from '../../src/operations/telemetry/ended-messages.js';
import { Meters } from '../../src/operations/telemetry/meters.js';
import { readOtlpHeaders } from '../../src/operations/telemetry/otlp-headers.rules.js';
import { MetricsRegistry } from '../../src/operations/telemetry/registry.js';
import { MAX_LABEL_SETS, SERIES } from '../../src/operations/telemetry/series.rules.js';
import { SpanExport } from '../../src/operations/telemetry/span-export.js';
import { recordedTrace, spanJson, type SpanFacts } from '../../src/operations/telemetry/spans.rules.js';
import { startHttpReceiver } from '../support/http-receiver.js';
import type { Plan } from '../../src/database/change.js';
import { advanceMessage, recordAttempt } from '../../src/messages/message-changes.store.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = (name: string): string => readFileSync(`${ROOT}docs/monitoring/${name}`, 'utf8');

describe('metrics', () => {
  it('are listed in docs/monitoring/metrics.md with kind, labels and meaning', () => {
    const listed = page('metrics.md')
      .split('\n')
      .filter((line) => line.startsWith('| `mailkeel_'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const inDocs = listed.map(([, name = '', kind, labels, help]) => [name.slice(1, -1), kind, labels, help]);
    const inCode = Object.entries(SERIES).map(([name, { kind, labels, help }]) => [
      name,
      kind,
      labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expect(inDocs).toEqual(inCode);
  });

  it('are the only series in the dashboards and alert rules', () => {
    const asked =
      `${page('grafana-board.json')} ${page('mailkeel.rules.yaml')}`.match(/mailkeel_[a-z_]+/g) ?? [];
    const unknown = asked.filter((name) => !Object.hasOwn(SERIES, name.replace(/_(bucket|sum|count)$/, '')));
    expect(asked.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  it('have counted values, and current gauges', async () => {
    const meters = new Meters();
    const registry = new MetricsRegistry();
    meters.count('mailkeel_worker_ends_total', ['reader']);
    meters.count('mailkeel_worker_ends_total', ['reader'], 2);
    meters.observe('mailkeel_delivery_duration_seconds', ['delivered'], 0.2);
    meters.gauge('mailkeel_tenants', [
      [['verified'], 3],
      [['suspended'], 1],
    ]);
    registry.apply(meters.drain());
    meters.gauge('mailkeel_tenants', [[['verified'], 4]]);
    registry.apply(meters.drain());
    const text = await registry.text();
    expect(text).toContain('mailkeel_worker_ends_total{kind="reader"} 3\n');
    expect(text).toContain('mailkeel_delivery_duration_seconds_bucket{le="0.1",result="delivered"} 0\n');
    expect(text).toContain('mailkeel_delivery_duration_seconds_bucket{le="0.25",result="delivered"} 1\n');
    expect(text).toContain('mailkeel_tenants{state="verified"} 4\n');
    expect(text).not.toContain('suspended');
  });

  it('have no value while it is unknown, because alerts would use 0', async () => {
    const meters = new Meters();
    const registry = new MetricsRegistry();
    const values = async (): Promise<string[]> =>
      (await registry.text())
        .split('\n')
        .filter((line) => line.startsWith('mailkeel_disk_full_timestamp_seconds'));
    expect(await values()).toEqual([]);
    meters.gauge('mailkeel_disk_full_timestamp_seconds', [[[], 1_800_000_000]]);
    registry.apply(meters.drain());
    expect(await values()).toEqual(['mailkeel_disk_full_timestamp_seconds 1800000000']);
    meters.gauge('mailkeel_disk_full_timestamp_seconds', []);
    registry.apply(meters.drain());
    expect(await values()).toEqual([]);
  });

  it('omit label sets beyond the limit, and count them', () => {
    const meters = new Meters();
    for (let i = 0; i < MAX_LABEL_SETS + 5; i++) meters.count('mailkeel_worker_ends_total', [`kind ${i}`]);
    const { counts } = meters.drain();
    const found = new Map(counts);
    expect(found.get('mailkeel_worker_ends_total')).toHaveLength(MAX_LABEL_SETS);
    expect(found.get('mailkeel_telemetry_dropped_total')).toEqual([[['labels'], 5]]);
  });
});

describe('lines of the delivery log', () => {
  const attempt = {
    about: {
      publicId: 'msg_1',
      subTenantId: 'tnt_1',
      mode: 'live',
      toEmail: 'jane@receiver.example',
      toKey: 'jane@receiver.example',
      campaignId: null,
      domain: 'receiver.example',
      provider: 'google',
      sizeBytes: 900,
      traceparent: null,
    },
    at: Date.UTC(2026, 0, 1),
    number: 2,
    sessionId: 'ssn_1',
    recipientHash: null,
  } as const;
  const detail: AttemptDetail = {
    outcome: 'deferred',
    via: 'mta',
    ...{ phase: 'rcpt', code: 451, enhanced_code: '4.7.1', category: 'greylist' },
    ...{
      reply: 'Come back, jane@receiver.example',
      source: 'default',

      host: 'mx',
      address: '192.0.2.1',
    },
    ...{ local_address: null, tls: null, tls_policy: 'opportunistic', times: null, duration_ms: 12 },
    next_attempt_at: '2026-01-01T00:05:00.000Z',
  };
  const inbound = {
    ...{
      at: 0,
      id: 7,
      kind: 'return_path',
      outcome: 'bounce',
      mailFrom: '',
      rcptTo: 'b+token@bounce.example',
    },
    client: { address: '192.0.2.1', helo: 'mx', tls: 'TLSv1.3' },
    ...{ sizeBytes: 100, durationMs: 5, messageId: 'msg_1' },
  };

  it('have the fields in docs/monitoring/logs-and-traces.md', () => {
    const [, ofAttempts = '', ofEnds = '', ofInbound = '', ofGaps = ''] =
      page('logs-and-traces.md').split(/^### /m);
    const fields = (text: string): string[] =>
      [...(text.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z_]+)`/gm)].map((match) => match[1] ?? '');
    const keys = (line: string): string[] => Object.keys(JSON.parse(line) as object);
    expect(keys(attemptLine(attempt, detail, { hasAddresses: true }))).toEqual(fields(ofAttempts));
    expect(keys(inboundLine(inbound, { hasAddresses: true }))).toEqual(fields(ofInbound));
    expect(keys(endedLine({ publicId: 'msg_1', outcome: 'canceled', actor: 'api', at: 0 }))).toEqual(
      fields(ofEnds),
    );
    expect(keys(gapLine(1, 0))).toEqual(fields(ofGaps));
  });

  it('include messages that end without an attempt', () => {
    const end = (messageId: number, to: MessageStatus, actor: Actor = 'system'): Plan => {
      const subject = { messageId, publicId: `msg_${messageId}`, environmentId: 1, workspaceNumber: 1 };
      return [
        advanceMessage({ messageId, to, from: ['queued'] }),
        auditTrailEntry(subject, { event: to, actor, at: 5 }),
      ];
    };
    const attempted: Plan = [
      recordAttempt({ messageId: 9, number: 1, at: 5, sessionId: null, detail: '{}', conversation: null }),
    ];
    // Added manually or after a complaint, when the message already had its final status.
    const suppressedLater = end(10, 'suppressed').slice(1);
    const plan: Plan = [
      ...[...end(1, 'canceled', 'user'), ...end(2, 'bounced'), ...end(3, 'failed'), ...end(4, 'suppressed')],
      ...[...end(5, 'delivered'), ...end(6, 'bounced', 'provider'), ...end(9, 'bounced'), ...attempted],
      ...suppressedLater,
    ];
    expect(endedMessages(plan)).toEqual([
      { publicId: 'msg_1', outcome: 'canceled', actor: 'user', at: 5 },
      { publicId: 'msg_2', outcome: 'expired', actor: 'system', at: 5 },
      { publicId: 'msg_3', outcome: 'failed', actor: 'system', at: 5 },
      { publicId: 'msg_4', outcome: 'suppressed', actor: 'system', at: 5 },
    ]);
  });

  it('have no address by default', () => {
    expect(attemptLine(attempt, detail, { hasAddresses: false })).not.toContain('jane');
    expect(inboundLine(inbound, { hasAddresses: false })).not.toContain('token');
    expect(attemptLine(attempt, detail, { hasAddresses: true })).toContain('"to":"jane@receiver.example"');
  });
});

describe('the delivery log file', () => {
  let folder = '';
  const named = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(named(name), 'utf8');
  const open = (maxBytes: number, files: number) => openLineFile({ path: named('log'), maxBytes, files });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailkeel-lines-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is rotated by size, with a limited number of files', async () => {
    const file = open(10, 3);
    for (let i = 0; i < 5; i++) await file.append([`line number ${i}`]);
    await file.append(['short']);
    await file.close();
    expect(readdirSync(folder).toSorted()).toEqual(['log', 'log.1', 'log.2']);
    expect([read('log'), read('log.1'), read('log.2')]).toEqual([
      'short\n',
      'line number 4\n',
      'line number 3\n',
    ]);
  });

  it('is reopened after another program has moved it', async () => {
    const file = open(1_000, 3);
    await file.append(['one']);
    renameSync(named('log'), named('moved'));
    await file.append(['two']);
    await file.close();
    expect([read('moved'), read('log')]).toEqual(['one\n', 'two\n']);
  });

  it('continues after a truncated line on a new line', async () => {
    appendFileSync(named('log'), 'whole\nhal');
    const file = open(1_000, 3);
    await file.append(['next']);
    await file.close();
    expect(read('log')).toBe('whole\nhal\nnext\n');
  });

  it('rejects while it cannot be written, and recovers', async () => {
    const file = openLineFile({ path: join(folder, 'missing', 'log'), maxBytes: 1_000, files: 2 });
    await expect(file.append(['lost'])).rejects.toThrow(/ENOENT/);
    mkdirSync(join(folder, 'missing'));
    await file.append(['kept']);
    await file.close();
    expect(read('missing/log')).toBe('kept\n');
  });
});

describe('traceparent', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const span = '00f067aa0ba902b7';

  it.each([
    [`00-${trace}-${span}-01`, { traceId: trace, spanId: span, isSampled: true }],
    [`00-${trace}-${span}-00`, { traceId: trace, spanId: span, isSampled: false }],
    [`00-${trace}-${span}-03`, { traceId: trace, spanId: span, isSampled: true }],
    [`cc-${trace}-${span}-01-what-comes-later`, { traceId: trace, spanId: span, isSampled: true }],
    [`00-${trace}-${span}-01-more`, null],
    [`ff-${trace}-${span}-01`, null],
    [`00-${'0'.repeat(32)}-${span}-01`, null],
    [`00-${trace}-${'0'.repeat(16)}-01`, null],
    [`00-${trace.toUpperCase()}-${span}-01`, null],
    [`00-${trace}-${span}`, null],
    [`00-${trace}-${span}-01\n`, null],
    ['', null],
    [undefined, null],
    [['a', 'b'], null],
  ])('parses %j according to W3C Trace Context', (field, expected) => {
    expect(readTraceparent(field)).toEqual(expected);
  });

  it('is written in version 00', () => {
    const field = `00-${trace}-${span}-01`;
    expect(writeTraceparent({ traceId: trace, spanId: span, isSampled: true })).toBe(field);
    expect(recordedTrace(field)).toEqual({ traceId: trace, parentId: span });
    expect(recordedTrace(`00-${trace}-${span}-00`)).toBeNull();
    expect(recordedTrace(null)).toBeNull();
  });
});

const SOURCE = { version: '1.2.3', instanceId: 'nod_1' };

describe('spans', () => {
  const FIELDS = { authorization: 'Bearer x', a: 'b' };
  const facts: SpanFacts = {
    kind: 'client',
    ...{ name: 'deliver message', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
    ...{ parentId: null, startAt: 1_000.5, endAt: 2_000, isError: true },
    attributes: { 'mailkeel.attempt': 1, 'mailkeel.share': 0.5, 'server.address': null, ok: true },
  };

  it('are OTLP JSON', () => {
    expect(JSON.parse(spanJson(facts))).toEqual({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      name: 'deliver message',
      kind: 3,
      startTimeUnixNano: '1000500000',
      endTimeUnixNano: '2000000000',
      attributes: [
        { key: 'mailkeel.attempt', value: { intValue: '1' } },
        { key: 'mailkeel.share', value: { doubleValue: 0.5 } },
        { key: 'ok', value: { boolValue: true } },
      ],
      status: { code: 2 },
    });
  });

  it('are sent to the collector with its header fields, and wait while it is busy', async () => {
    const collector = await startHttpReceiver();
    collector.script({ status: 503 });
    let dropped = 0;
    const spans = new SpanExport({ url: `${collector.url}/v1/traces`, headers: FIELDS }, SOURCE, {
      onDropped: (count) => (dropped += count),
      onProblem: () => undefined,
    });
    spans.add([spanJson(facts)]);
    const [first, second] = await collector.waitFor(2);
    await spans.end();
    await collector.close();
    expect(first?.headers).toMatchObject({
      ...FIELDS,
      'content-type': 'application/json',
    });
    expect(second?.rawBody.toString()).toBe(first?.rawBody.toString());
    expect(JSON.parse(second?.rawBody.toString() ?? '')).toMatchObject({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'mailkeel' } },
              { key: 'service.version', value: { stringValue: SOURCE.version } },
              { key: 'service.instance.id', value: { stringValue: SOURCE.instanceId } },
            ],
          },
          scopeSpans: [{ spans: [{ name: 'deliver message' }] }],
        },
      ],
    });
    expect(dropped).toBe(0);
  });

  it('are dropped and counted beyond the queue while the collector is unavailable', async () => {
    let dropped = 0;
    const spans = new SpanExport({ url: 'http://127.0.0.1:9/v1/traces', headers: {} }, SOURCE, {
      onDropped: (count) => (dropped += count),
      onProblem: () => undefined,
    });
    spans.add(Array.from({ length: 5_010 }, () => '{}'));
    await spans.end();
    expect(dropped).toBe(10);
  });

  it('accept header fields, and name an invalid part', () => {
    expect(readOtlpHeaders(null)).toEqual({ ok: true, headers: {} });
    expect(readOtlpHeaders('Authorization=Bearer x, a=b')).toEqual({ ok: true, headers: FIELDS });
    expect(readOtlpHeaders('novalue')).toEqual({ ok: false, badPart: 1 });
    expect(readOtlpHeaders('a=b,bad name=c')).toEqual({ ok: false, badPart: 2 });
    expect(readOtlpHeaders('a=b\r\nx: y')).toEqual({ ok: false, badPart: 1 });
  });
});
