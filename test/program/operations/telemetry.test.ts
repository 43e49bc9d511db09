// Tests metrics, delivery log and traces of the whole program: the records of a delivery, a webhook, a stall and a kill.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

function metricsUrl(rig: MailRig): string {
  const [, url = ''] = /Metrics +(http:\S+)/.exec(rig.appliance.output()) ?? [];
  return url;
}

async function scrape(rig: MailRig): Promise<string> {
  return (await fetch(metricsUrl(rig))).text();
}

function linesOf(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function spansOf({ requests }: HttpReceiver): Span[] {
  interface Export {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
  }
  return requests.flatMap(({ rawBody }) =>
    (JSON.parse(rawBody.toString()) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

/** Requests `url` from another thread repeatedly until `stop`; returns the time of each response. */
function askFromAnotherThread(url: string) {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     let isOver = false;
     parentPort.on('message', () => { isOver = true; });
     (async () => {
       const answers = [];
       while (!isOver) {
         const text = await (await fetch(workerData)).text();
         answers.push({ at: Date.now(), text });
         if (answers.length === 1) parentPort.postMessage(null);
         await new Promise((resolve) => setTimeout(resolve, 50));
       }
       parentPort.postMessage(answers);
       process.exit();
     })();`,
    { eval: true, workerData: url },
  );
  return {
    /** Resolves after the first response. */
    begun: new Promise((resolve) => worker.once('message', resolve)),
    stop: () =>
      new Promise<{ at: number; text: string }[]>((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('stop');
      }),
  };
}

describe('a program with metrics, delivery log and a collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailkeel-telemetry-'));
  const log = join(folder, 'delivery.log');
  let sink: SmtpSink;
  let collector: HttpReceiver;
  let hooks: HttpReceiver;
  let rig: MailRig;

  beforeAll(async () => {
    sink = await startSmtpSink({
      keep: true,
      onRcpt: (address) => (address.startsWith('gone') ? '550 5.1.1 No such user' : null),
    });
    collector = await startHttpReceiver();
    hooks = await startHttpReceiver();
    rig = await startMailRig({
      process: 'shared',
      mxPort: sink.port,
      env: {
        MAILKEEL_METRICS: 'true',
        MAILKEEL_METRICS_PORT: '0',
        MAILKEEL_METRICS_PER_TENANT: 'true',
        MAILKEEL_DELIVERY_LOG: log,
        MAILKEEL_OTLP_URL: `${collector.url}/v1/traces`,
        MAILKEEL_OTLP_SHARE: '0%',
      },
    });
    const hook = { url: `${hooks.url}/hook`, events: ['message.delivered'] };
    await rig.appliance.api('POST', '/v1/webhook-endpoints', { body: hook });
  });

  afterAll(async () => {
    await rig.close();
    await Promise.all([sink.close(), collector.close(), hooks.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows a delivery in metrics, log, webhook and trace', async () => {
    const answer = await rig.appliance.api('POST', '/v1/messages', {
      body: rig.draft('anna'),
      headers: { traceparent: TRACEPARENT },
    });
    const { id } = answer.json as { id: string };
    await rig.reached(id, 'delivered');
    const bounced = await rig.send('gone');
    await rig.reached(bounced, 'bounced');

    const lines = await waitFor(
      'two lines',
      () => linesOf(log),
      (found) => found.length === 2,
    );
    expect(lines[0]).toMatchObject({
      event: 'attempt',
      message_id: id,
      tenant_id: rig.tenantId,
      mode: 'live',
      destination: 'receiver.example',
      attempt: 1,
      outcome: 'delivered',
      host: 'mx.receiver.example',
      address: '127.0.0.1',
      tls_version: null,
      code: 250,
      retry_at: null,
    });
    expect(lines[0]?.['size_bytes']).toBe(sink.messages[0]?.raw.length);
    expect(lines[0]?.['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(lines[1]).toMatchObject({
      message_id: bounced,
      outcome: 'bounced',
      code: 550,
      enhanced_code: '5.1.1',
    });
    expect(lines[1]?.['traceparent']).toBeNull();
    expect(readFileSync(log, 'utf8')).not.toContain('anna@');

    const [hook] = await hooks.waitFor(1);
    expect(hook?.headers['traceparent']).toBe(lines[0]?.['traceparent']);

    const text = await scrape(rig);
    expect(text).toContain('mailkeel_messages_accepted_total{type="transactional",mode="live"} 2\n');
    expect(text).toMatch(
      /mailkeel_delivery_attempts_total{result="delivered",provider="other",source="[^"]+"} 1\n/,
    );
    expect(text).toMatch(
      /mailkeel_delivery_attempts_total{result="bounced",provider="other",source="[^"]+"} 1\n/,
    );
    expect(text).toContain('mailkeel_delivery_duration_seconds_count{result="delivered"} 1\n');
    expect(text).toMatch(
      /mailkeel_http_requests_total{method="POST",route="\/v1\/messages",status="202"} 2\n/,
    );
    expect(text).toContain(
      `mailkeel_tenant_delivery_attempts_total{tenant="${rig.tenantId}",result="delivered"} 1\n`,
    );
    expect(text).toContain('mailkeel_webhook_attempts_total{result="succeeded"} 1\n');
    expect(text).toContain('mailkeel_tenants{state="verified"} 1\n');
    expect(text).toMatch(/mailkeel_dkim_keys{state="active"} [12]\n/);

    const spans = await waitFor(
      'spans',
      () => spansOf(collector),
      (found) => found.length >= 4,
    );
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const request = spans.find(({ name }) => name === 'POST /v1/messages');
    expect(request?.parentSpanId).toBe('00f067aa0ba902b7');
    const children = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(children.map(({ name }) => name).toSorted()).toEqual([
      'accept message',
      'deliver message',
      'webhook delivery',
    ]);
  });

  it('logs messages that were canceled or purged before an attempt', async () => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { json } = await rig.appliance.api('POST', '/v1/messages', {
        body: { ...rig.draft('anna'), send_at },
      });
      ids.push((json as { id: string }).id);
    }
    const [canceled = '', ...purged] = ids;
    await rig.appliance.api('POST', `/v1/messages/${canceled}/cancel`);
    const purge = { action: 'bounce', all: true, dry_run: false, reason: 'a test' };
    expect((await rig.appliance.api('POST', '/v1/queue/purge', { body: purge })).json).toMatchObject({
      bounced: 2,
    });
    const lines = await waitFor(
      'the lines',
      () => linesOf(log).filter(({ event }) => event === 'ended'),
      (found) => found.length >= 3,
    );
    const words = Object.fromEntries(lines.map((line) => [line['message_id'], line['outcome']]));
    expect(words).toEqual({
      [canceled]: 'canceled',
      ...Object.fromEntries(purged.map((id) => [id, 'expired'])),
    });
    expect(lines).toHaveLength(3);
  });

  it('logs inbound mail', async () => {
    const returnPath = sink.messages[0]?.mailFrom ?? '';
    const raw = 'From: anna@receiver.example\r\nSubject: Re: Your order\r\n\r\nThanks.\r\n';
    await postMail({ port: rig.appliance.mailPort('Inbound'), from: '', to: returnPath, raw });
    const isInbound = (line: Record<string, unknown>): boolean => line['event'] === 'inbound';
    const [line] = await waitFor(
      'a line',
      () => linesOf(log).filter(isInbound),
      (found) => found.length > 0,
    );
    expect(line).toMatchObject({
      kind: 'return_path',
      sender_domain: null,
      destination: 'bounce.shop.example',
      address: '127.0.0.1',
      size_bytes: expect.any(Number) as number,
    });
    expect(JSON.stringify(line)).not.toContain(returnPath);
    expect(await scrape(rig)).toMatch(
      /mailkeel_inbound_messages_total{kind="return_path",outcome="[a-z_]+"} 1\n/,
    );
  });

  it('ignores an invalid traceparent', async () => {
    const before = linesOf(log).length;
    const { json } = await rig.appliance.api('POST', '/v1/messages', {
      body: rig.draft('anna'),
      headers: { traceparent: '00-zz-zz-01' },
    });
    await rig.reached((json as { id: string }).id, 'delivered');
    const lines = await waitFor(
      'a line',
      () => linesOf(log),
      (found) => found.length > before,
    );
    expect(lines.at(-1)?.['traceparent']).toBeNull();
  });

  it('responds to scrapes while the main thread is blocked, and reports for how long', async () => {
    const asking = askFromAnotherThread(metricsUrl(rig));
    await asking.begun;
    const stalledFrom = Date.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    const stalledUntil = Date.now();
    const answers = await asking.stop();
    const during = answers.filter(({ at }) => at > stalledFrom && at < stalledUntil);
    const stalls = during.map(({ text }) =>
      Number(/^mailkeel_event_loop_stalled_seconds (\S+)$/m.exec(text)?.[1]),
    );
    expect(during.length).toBeGreaterThan(1);
    expect(Math.max(...stalls)).toBeGreaterThan(0.7);
    expect(during.at(-1)?.text).toContain('mailkeel_messages_accepted_total');
    const health = await fetch(metricsUrl(rig).replace('/metrics', '/healthz'));
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: 'ok', stalled_seconds: expect.any(Number) as number },
    ]);
  });
});

it('delivers mail while the delivery log cannot be written, and writes the lines later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailkeel-telemetry-'));
  const log = join(folder, 'missing', 'delivery.log');
  const sink = await startSmtpSink({ keep: false });
  const env = { MAILKEEL_METRICS: 'true', MAILKEEL_METRICS_PORT: '0', MAILKEEL_DELIVERY_LOG: log };
  const rig = await startMailRig({ process: 'shared', mxPort: sink.port, env });
  try {
    await rig.reached(await rig.send('anna'), 'delivered');
    await waitFor(
      'the failure to be counted',
      () => scrape(rig),
      (text) => /mailkeel_delivery_log_failures_total [1-9]/.test(text),
    );
    mkdirSync(join(folder, 'missing'));
    await waitFor(
      'the line',
      () => linesOf(log),
      (lines) => lines.length === 1,
    );
  } finally {
    await rig.close();
    await sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it.runIf(isFullSize)('continues metrics and log after a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailkeel-telemetry-'));
  const log = join(folder, 'delivery.log');
  const sink = await startSmtpSink({ keep: false });
  const env = { MAILKEEL_METRICS: 'true', MAILKEEL_METRICS_PORT: '0', MAILKEEL_DELIVERY_LOG: log };
  const rig = await startMailRig({ mxPort: sink.port, env });
  try {
    const first = await rig.send('anna');
    await waitFor(
      'the first line',
      () => linesOf(log),
      (lines) => lines.length === 1,
    );
    await rig.appliance.end('SIGKILL');
    await rig.appliance.startHere();
    const second = await rig.send('bert');
    const lines = await waitFor(
      'the second line',
      () => linesOf(log),
      (found) => found.length >= 3,
    );
    // Lines that the killed program had not written may be missing.
    expect(lines.map((line) => line['message_id'] ?? line['event'])).toEqual([first, 'gap', second]);
    expect(await scrape(rig)).toContain('mailkeel_build_info');
  } finally {
    await rig.close();
    await sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
