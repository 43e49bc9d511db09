// Composes telemetry: published facts become metrics, lines of the delivery log and spans.
import { randomBytes } from 'node:crypto';
import { requestEnded, type EndedRequest } from '../http/server/access-log.js';
import { inboundEnded, type EndedMail } from '../inbound/classify/process.js';
import { readClient } from '../inbound/inbound.store.js';
import { type Clock, type Log, productVersion } from '../lib/runtime/index.js';
import { jobEnded } from '../lib/concurrency/index.js';
import { threadEnded } from '../lib/threads/index.js';
import type { Cluster } from '../nodes/cluster.js';
import type { AttemptDetail } from '../messages/attempt.schema.js';
import type { Certificates } from '../operations/certificates/certificates.js';
import { createRecipientHash, type RecipientHash } from '../outbound/outcome/recipient-hash.rules.js';
import { growthNow } from '../operations/growth/growth.js';
import { attemptLine, endedLine, inboundLine } from '../operations/telemetry/delivery-line.rules.js';
import { endedMessages } from '../operations/telemetry/ended-messages.js';
import { createFigures } from '../operations/telemetry/figures.js';
import { readOtlpHeaders } from '../operations/telemetry/otlp-headers.rules.js';
import { recordedTrace, spanJson, type SpanFacts } from '../operations/telemetry/spans.rules.js';
import { Telemetry } from '../operations/telemetry/telemetry.js';
import { BREAKER_RULE } from '../outbound/shape/circuit-breakers.js';
import type { TrafficView } from '../outbound/traffic-view.js';
import { ConfigProblems } from '../settings/load.js';
import type { Config } from '../settings/settings.js';
import { groupEnded, plansCommitted } from '../database/committed.js';
import type { ReplicaView } from './replica.js';
import type { Store } from './store.js';
import { webhookAttempted } from '../webhooks/deliveries/attempt.js';
import type { ApiPart } from './api.js';
import type { Plan } from '../database/change.js';
import { acceptMessage, type NewMessage } from '../messages/accept/accept.store.js';
import { decideApproval } from '../messages/approvals/approval-changes.store.js';
import { recordRefusedSend } from '../messages/accept/refused-send.store.js';
import { recordAttempt, type RecordAttempt } from '../messages/message-changes.store.js';

/** Bytes of a span id. */
const SPAN_ID_BYTES = 8;

interface TelemetryPartDeps {
  store: Store;
  config: Config;
  masterKey: Buffer;
  dataFolder: string;
  /** Null if a database server stores the rows. */
  databaseFile: string | null;
  traffic: Pick<TrafficView, 'sessions' | 'overrides'>;
  certificates: Pick<Certificates, 'current'>;
  /** Identifies this run of the server. */
  nodeId: string;
  /** This server as a node of a cluster; null if it is alone. */
  node: Pick<Cluster, 'figures'> | null;
  /** Null without a replica. */
  replica: ReplicaView | null;
  checks: ApiPart['checks'];
  clock: Clock;
  log: Log;
}

export interface TelemetryPart {
  /** Resolves to the port of the metrics; null if they are off or the port cannot be opened. */
  start(): Promise<number | null>;
  stop(): Promise<void>;
}

const OFF: TelemetryPart = { start: () => Promise.resolve(null), stop: () => Promise.resolve() };

export function createTelemetry(deps: TelemetryPartDeps): TelemetryPart {
  const { store, config, dataFolder, databaseFile, traffic, certificates, checks, clock, log } = deps;
  const { metrics, metricsPort, metricsHost, deliveryLog, otlpUrl } = config;
  if (!metrics && deliveryLog === null && otlpUrl === null) return OFF;
  const telemetry = new Telemetry({
    settings: {
      metrics: metrics ? { host: metricsHost, port: metricsPort } : null,
      deliveryLog:
        deliveryLog === null
          ? null
          : { path: deliveryLog, maxBytes: config.deliveryLogSizeBytes, files: config.deliveryLogFiles },
      otlp: otlpUrl === null ? null : { url: otlpUrl, headers: otlpHeaders(config.otlpHeaders) },
      databaseFile,
      dataFolder,
      version: productVersion(),
      instanceId: deps.nodeId,
    },
    measure: createFigures(
      { store, config, clock, log },
      {
        sessions: () => traffic.sessions(),
        overrides: () => traffic.overrides(),
        statements: () => store.statements(),
        missedConnections: () => store.missedConnections()?.count ?? 0,
        isDamaged: () => store.damage.current() !== null,
        certificateEndsAt: () => certificates.current().notAfter,
        checks: () => checks()?.results ?? null,
        growth: () => growthNow(store, config, clock()),
        node: () => deps.node?.figures() ?? null,
        replica: () => deps.replica?.facts() ?? null,
      },
      BREAKER_RULE,
    ),
    clock,
    log,
  });
  let endings: (() => void)[] = [];
  return {
    async start() {
      const port = await telemetry.start();
      endings = subscribe(telemetry, { config, clock, log, hashOf: createRecipientHash(deps.masterKey) });
      return port;
    },
    async stop() {
      for (const end of endings) end();
      await telemetry.stop();
    },
  };
}

/** Throws ConfigProblems. */
function otlpHeaders(text: string | null): Record<string, string> {
  const read = readOtlpHeaders(text);
  if (read.ok) return read.headers;
  throw new ConfigProblems([`MAILKEEL_OTLP_HEADERS: part ${read.badPart} must have the form name=value`]);
}

/** Subscribes to the facts. The returned functions end the subscriptions. */
function subscribe(
  telemetry: Telemetry,
  {
    config,
    clock,
    log,
    hashOf,
  }: Pick<TelemetryPartDeps, 'config' | 'clock' | 'log'> & { hashOf: RecipientHash },
): (() => void)[] {
  const { meters } = telemetry;
  /** Logs errors of a subscriber, which must not stop the work that it observes. */
  const safely =
    <T>(subscriber: (fact: T) => void) =>
    (fact: T): void => {
      try {
        subscriber(fact);
      } catch (error) {
        log.error({ err: error }, 'telemetry failed');
      }
    };
  const facts = new FactsOfMail(telemetry, config, { clock, hashOf });
  return [
    requestEnded.subscribe(safely((fact) => facts.request(fact))),
    plansCommitted.subscribe(safely((plans) => facts.plans(plans))),
    inboundEnded.subscribe(safely((fact) => facts.inbound(fact))),
    groupEnded.subscribe(
      safely(({ durationMs, size, isStored }) => {
        if (!isStored) {
          meters.count('mailkeel_store_unavailable_total');
          return;
        }
        meters.observe('mailkeel_commit_duration_seconds', [], durationMs / 1000);
        meters.observe('mailkeel_commit_group_size', [], size);
      }),
    ),
    webhookAttempted.subscribe(
      safely(({ delivery, finished }) => {
        const { attempt, result } = finished;
        meters.count('mailkeel_webhook_attempts_total', [result.kind]);
        meters.observe('mailkeel_webhook_attempt_duration_seconds', [], attempt.duration_ms / 1000);
        facts.span(delivery.traceparent, {
          name: 'webhook delivery',
          kind: 'client',
          startAt: attempt.at,
          endAt: attempt.at + attempt.duration_ms,
          isError: result.kind !== 'succeeded',
          attributes: {
            'http.response.status_code': attempt.response_status,
            'mailkeel.webhook.delivery_id': delivery.public_id,
            'mailkeel.webhook.event': delivery.event,
          },
        });
      }),
    ),
    jobEnded.subscribe(
      safely(({ name, isGood }) => {
        if (isGood)
          meters.set('mailkeel_job_last_success_timestamp_seconds', [name], Math.round(clock() / 1000));
        else meters.count('mailkeel_job_failures_total', [name]);
      }),
    ),
    threadEnded.subscribe(safely(({ kind }) => meters.count('mailkeel_worker_ends_total', [kind]))),
  ];
}

class FactsOfMail {
  readonly #telemetry: Telemetry;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #hashOf: RecipientHash;

  constructor(
    telemetry: Telemetry,
    config: Config,
    { clock, hashOf }: { clock: Clock; hashOf: RecipientHash },
  ) {
    this.#telemetry = telemetry;
    this.#config = config;
    this.#clock = clock;
    this.#hashOf = hashOf;
  }

  request({ method, route, status, durationMs, isStream, trace }: EndedRequest): void {
    const { meters } = this.#telemetry;
    meters.count('mailkeel_http_requests_total', [method, route, String(status)]);
    if (!isStream)
      meters.observe('mailkeel_http_request_duration_seconds', [method, route], durationMs / 1000);
    if (trace === null || !trace.isSampled || this.#config.otlpUrl === null) return;
    const endAt = this.#clock();
    const { traceId, spanId, parentId } = trace;
    const span = {
      ...{ traceId, spanId, parentId, endAt, startAt: endAt - durationMs },
      kind: 'server' as const,
      name: `${method} ${route}`,
      isError: status >= 500,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    };
    this.#telemetry.span(spanJson(span));
  }

  plans(plans: readonly Plan[]): void {
    for (const plan of plans) {
      for (const change of plan) {
        if (acceptMessage.is(change)) this.#accepted(change.message);
        else if (recordAttempt.is(change)) this.#attempted(change);
        else if (decideApproval.is(change))
          this.#telemetry.meters.count('mailkeel_approval_decisions_total', [change.status]);
        else if (recordRefusedSend.is(change))
          this.#telemetry.meters.count('mailkeel_policy_refusals_total', [change.field]);
      }
      if (this.#config.deliveryLog === null) continue;
      for (const ended of endedMessages(plan)) this.#telemetry.line(endedLine(ended));
    }
  }

  #accepted({ row, mode }: NewMessage): void {
    if (row.status !== 'queued' || mode === undefined) return;
    const { meters } = this.#telemetry;
    meters.count('mailkeel_messages_accepted_total', [row.type, mode]);
    const tenant = row.sub_tenant_id;
    if (this.#config.metricsPerTenant && typeof tenant === 'string') {
      meters.count('mailkeel_tenant_messages_accepted_total', [tenant]);
    }
    this.span(row.traceparent ?? null, {
      name: 'accept message',
      kind: 'internal',
      startAt: row.created_at,
      endAt: this.#clock(),
      isError: false,
      attributes: { 'mailkeel.message_id': row.public_id, 'mailkeel.message_type': row.type },
    });
  }

  #attempted(change: RecordAttempt): void {
    const { about, at, number, sessionId } = change;
    if (about === undefined) return;
    // The format of outcome-plan.ts and the simulator.
    const detail = JSON.parse(change.detail) as AttemptDetail;
    const { meters } = this.#telemetry;
    if (about.mode === 'live') {
      meters.count('mailkeel_delivery_attempts_total', [
        detail.outcome,
        about.provider ?? 'other',
        detail.source,
      ]);
      if (detail.duration_ms !== null) {
        meters.observe('mailkeel_delivery_duration_seconds', [detail.outcome], detail.duration_ms / 1000);
      }
      if (this.#config.metricsPerTenant && about.subTenantId !== null) {
        meters.count('mailkeel_tenant_delivery_attempts_total', [about.subTenantId, detail.outcome]);
      }
    }
    if (this.#config.deliveryLog !== null) {
      const options = { hasAddresses: this.#config.deliveryLogAddresses };
      const { campaignId, toKey } = about;
      const recipientHash = campaignId === null ? null : this.#hashOf(campaignId, toKey);
      this.#telemetry.line(attemptLine({ about, at, number, sessionId, recipientHash }, detail, options));
    }
    this.span(about.traceparent, {
      name: 'deliver message',
      kind: 'client',
      startAt: at - (detail.duration_ms ?? 0),
      endAt: at,
      isError: detail.outcome !== 'delivered',
      attributes: {
        'mailkeel.message_id': about.publicId,
        'mailkeel.outcome': detail.outcome,
        'mailkeel.destination': about.domain,
        'mailkeel.attempt': number,
        'server.address': detail.host,
        'smtp.response.code': detail.code,
      },
    });
  }

  inbound({ mail, outcome, detail, at }: EndedMail): void {
    this.#telemetry.meters.count('mailkeel_inbound_messages_total', [mail.kind, outcome]);
    if (this.#config.deliveryLog === null) return;
    const messageId = detail['message'];
    const facts = {
      ...{ at, outcome, id: mail.id, kind: mail.kind, mailFrom: mail.mail_from, rcptTo: mail.rcpt_to },
      client: readClient(mail),
      sizeBytes: mail.size_bytes,
      durationMs: Math.max(0, at - mail.received_at),
      messageId: typeof messageId === 'string' ? messageId : null,
    };
    this.#telemetry.line(inboundLine(facts, { hasAddresses: this.#config.deliveryLogAddresses }));
  }

  /** Records a span of work caused by a message's request, if its trace is recorded and spans are exported. */
  span(traceparent: string | null, facts: Omit<SpanFacts, 'traceId' | 'spanId' | 'parentId'>): void {
    if (this.#config.otlpUrl === null) return;
    const trace = recordedTrace(traceparent);
    if (trace === null) return;
    const spanId = randomBytes(SPAN_ID_BYTES).toString('hex');
    this.#telemetry.span(spanJson({ ...facts, ...trace, spanId }));
  }
}
