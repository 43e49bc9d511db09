// Sends delivery reports to the submitters of relayed mail (RFC 3461, RFC 3464). Each due report becomes a message, in the same
// commit that marks the report as sent.
import { Refusal } from '../../contract/refusal.js';
import {
  addressKey,
  addressProblem,
  addressDomain,
  envelopeAddress,
  isSevenBit,
  joinMessage,
  type Mailbox,
  splitHeaderBlock,
  toSevenBit,
  withinLineLength,
} from '../../lib/mime/index.js';
import { composeDsn, type DsnOptions, readDsnOptions } from '../../lib/dsn/index.js';
import type { DueReport } from '../../messages/relayed/reports-due.rules.js';
import type { Lifetimes } from '../../messages/lifetime.rules.js';
import { createLoop, createWakeUp, type Loop, type Room } from '../../lib/concurrency/index.js';
import type { Config } from '../../settings/settings.js';
import { createLruCache, newId } from '../../lib/runtime/index.js';
import { setReport, type WaitingReport } from './delivery-reports.store.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import type { Draft } from '../../messages/accept/draft.js';
import { planMessages } from '../../messages/accept/plan-message.js';
import { gcraCapacity, gcraNextAt, gcraTake, type RateLimit } from '../../lib/rate-limits/index.js';
import type { Mode } from '../../contract/names.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import { createHash } from 'node:crypto';
import { systemDraft } from '../../messages/system-mail/system-mail.js';
import type { RelayContext } from '../context.js';
import type { RelayStores } from '../stores.js';

// Builds the mail that reports the outcome of a message to its submitter: an ordinary message of the same environment, with the
// null sender.
/** A longer message goes back as its header. */
const FULL_LIMIT_BYTES = 256 * 1024;

interface ReportFacts {
  publicId: string;
  /** Host name of this server. */
  hostname: string;
  from: Mailbox;
  options: DsnOptions;
  due: DueReport;
  /** When delivery attempts end, in epoch ms; null if they have ended. */
  retryUntil: number | null;
  reported: Deliverable;
}

function reportDraft({ publicId, hostname, from, options, due, retryUntil, reported }: ReportFacts): Draft {
  const { message, raw } = reported;
  // A message that required verified TLS is not returned in clear (RFC 8689 section 5).
  const ret = message.require_tls === 1 ? 'HDRS' : options.ret;
  const dsn = composeDsn({
    reportingMta: hostname,
    from,
    to: options.sender,
    envelopeId: options.envid,
    arrivedAt: message.created_at,
    recipients: [
      {
        ...due,
        originalRecipient: options.orcpt,
        finalRecipient: envelopeAddress(message.to_email),
        retryUntil,
      },
    ],
    original: raw === null ? null : returnable(raw, ret === 'FULL'),
    ret,
    fullLimitBytes: FULL_LIMIT_BYTES,
  });
  return systemDraft({
    publicId,
    to: dsn.to,
    from: dsn.from,
    priority: 'normal',
    subject: dsn.subject,
    text: dsn.text,
    headers: dsn.headers,
    attachments: dsn.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      cid: null,
      sha256: createHash('sha256').update(content).digest('hex'),
      content,
    })),
    nullSender: true,
  });
}

/** Only with lines that fit, in its 7-bit form, can a message go back whole. */
function returnable(raw: Uint8Array, isWhole: boolean): Uint8Array {
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (!isWhole || octets.length > FULL_LIMIT_BYTES || isSevenBit(octets)) return octets;
  const block = splitHeaderBlock(octets);
  const whole = block && { headerLines: block.fields.map(({ line }) => line), body: block.body };
  const fitting = whole && withinLineLength(whole);
  const form = fitting && toSevenBit(fitting);
  return form ? joinMessage(form.headerLines, form.body) : octets;
}

// Rate limit of delivery reports per envelope sender, because a client that sends much mail requests as many reports.
const MAX_SENDERS = 10_000;
const HOUR_MS = 3_600_000;

interface Used {
  tat: number | undefined;
  /** The last time that was given to a report which had to wait. */
  lastSlot: number;
}

interface ReportPace {
  /** `now` if the report may be sent, which counts it; otherwise the individual time for its next try. */
  timeFor(senderKey: string, now: number): number;
}

/** `perMinute` 0 means no limit. A burst of one minute's amount is allowed, and a restart resets the count. */
function createReportPace(perMinute: number): ReportPace {
  if (perMinute === 0) return { timeFor: (_, now) => now };
  const count = Math.max(1, Math.round(perMinute * 60));
  const limit: RateLimit = { count, perMs: HOUR_MS, burst: Math.max(1, Math.floor(perMinute)) };
  const intervalMs = Math.ceil(HOUR_MS / count);
  const senders = createLruCache<string, Used>(MAX_SENDERS);
  return {
    timeFor(senderKey, now) {
      const used = senders.get(senderKey) ?? { tat: undefined, lastSlot: 0 };
      const mayGo = gcraCapacity(used.tat, limit, now) > 0;
      const slot = mayGo ? now : Math.max(gcraNextAt(used.tat, limit, now), used.lastSlot + intervalMs);
      const tat = mayGo ? gcraTake(used.tat, limit, now) : used.tat;
      senders.set(senderKey, { tat, lastSlot: mayGo ? used.lastSlot : slot });
      return slot;
    },
  };
}

const BATCH = 100;
/** The store is polled this often without a wake-up. */
const IDLE_MS = 5_000;
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3_600_000;

const NO_SENDER =
  'no domain to sign it with: verify a sender domain, or set MAILKEEL_PLATFORM_DOMAIN and publish its DKIM record';

export type ReportsContext = Pick<RelayContext, 'wakeUps' | 'clock' | 'log'> & {
  store: Pick<RelayStores, 'deliveryReports' | 'domains' | 'commit'> & {
    messages: Pick<RelayStores['messages'], 'deliverables' | 'forToken'>;
  };
  config: Lifetimes & Pick<Config, 'hostname' | 'platformDomain' | 'relayDsn' | 'relayDsnRate'>;
};

export class DeliveryReports {
  readonly #context: ReportsContext;
  readonly #wakeUp = createWakeUp();
  readonly #pace: ReportPace;
  readonly #loop: Loop;

  /** `room`: of several nodes one writes the reports. */
  constructor(context: ReportsContext, room?: Room) {
    const { store, config, clock, log } = context;
    this.#context = context;
    this.#pace = createReportPace(config.relayDsnRate);
    this.#loop = createLoop({
      name: 'delivery reports',
      log,
      wakeUp: this.#wakeUp,
      room,
      intervalMs: IDLE_MS,
      run: async (signal) => {
        const rows = await store.deliveryReports.due(clock(), BATCH);
        for (const row of rows) if (!signal.aborted) await this.#work(row);
        return rows.length === BATCH;
      },
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Reports became due. */
  ring(): void {
    this.#wakeUp.notify();
  }

  async #tell(row: WaitingReport): Promise<void> {
    const { store, config, wakeUps, clock, log } = this.#context;
    const options = readDsnOptions(row.dsn);
    // The operator has disabled reports, the message was deleted, or it was finished before it could be reported as late.
    const isStale = row.action === 'delayed' && row.retry_until === null;
    if (config.relayDsn === 'never' || options === null || isStale) return this.#end(row);
    const problem = addressProblem(options.sender);
    if (problem !== null) return this.#giveUp(row, problem);
    const now = clock();
    const at = this.#pace.timeFor(addressKey(options.sender), now);
    if (at > now) {
      await store.commit([setReport(row, { due_at: at })]);
      return;
    }
    const reported = (await store.messages.deliverables([row.message_id])).get(row.message_id);
    const target = reported ? await store.messages.forToken(reported.message.public_id) : null;
    if (!reported || !target) return this.#end(row);
    if (isTenantGone(reported)) return this.#giveUp(row, 'the sub-tenant was deleted');
    const { scope } = target;
    const from = await findReportSender(this.#context, reported, scope.mode);
    if (from === null) return this.#giveUp(row, NO_SENDER);
    const publicId = newId('msg', now);
    const draft = reportDraft({
      publicId,
      hostname: config.hostname,
      from,
      options,
      due: JSON.parse(row.detail) as DueReport,
      retryUntil: row.retry_until,
      reported,
    });
    const { plan } = planMessages(draft, {
      scope,
      actor: 'system',
      now,
      idempotency: null,
      lifetimes: config,
    });
    const { queueIds } = await store.commit([setReport(row, { due_at: null }), ...plan]);
    wakeUps.queue(queueIds);
    wakeUps.events();
    log.info(
      { message_id: reported.message.public_id, action: row.action, report_id: publicId },
      'delivery report queued',
    );
  }

  async #end(row: WaitingReport): Promise<void> {
    await this.#context.store.commit([setReport(row, { due_at: null })]);
  }

  async #giveUp(row: WaitingReport, why: string): Promise<void> {
    this.#context.log.warn({ message: row.message_id, action: row.action, why }, 'delivery report dropped');
    await this.#end(row);
  }

  async #failed(row: WaitingReport, error: unknown): Promise<void> {
    const { store, clock, log } = this.#context;
    const attempts = row.attempts + 1;
    log.error(
      { err: error, message: row.message_id, action: row.action, attempts },
      'delivery report failed',
    );
    if (attempts >= MAX_ATTEMPTS) return this.#giveUp(row, 'too many failures');
    const waitMs = Math.min(FIRST_RETRY_MS * 4 ** row.attempts, LONGEST_RETRY_MS);
    await store.commit([setReport(row, { due_at: clock() + waitMs, attempts })]);
  }

  async #work(row: WaitingReport): Promise<void> {
    try {
      await this.#tell(row).catch((error: unknown) => {
        if (isTaken(error)) throw error;
        return this.#failed(row, error);
      });
    } catch (error) {
      // Another process was first.
      if (!isTaken(error)) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'conflict';
}

function isTenantGone({ message, tenant }: Deliverable): boolean {
  return message.sub_tenant_id !== null && (tenant === null || tenant.deleted_at !== null);
}

/**
 * Returns the sender of a report: at the domain of the message's sender if it can be signed, or else at the platform's. Null if no
 * domain has an active key, because an unsigned report would never be sent.
 */
async function findReportSender(
  context: Pick<ReportsContext, 'store' | 'config'>,
  deliverable: Deliverable,
  mode: Mode,
): Promise<Mailbox | null> {
  const domain = mode === 'test' ? ownDomain(deliverable) : await findSignedDomain(context, deliverable);
  return domain === null ? null : { email: `mailer-daemon@${domain}`, name: 'Mail Delivery System' };
}

/** The sandbox accepts any sender and signs nothing. */
function ownDomain({ message, tenant }: Deliverable): string {
  return tenant?.sending_domain ?? addressDomain(message.from_email);
}

async function findSignedDomain(
  { store, config: { platformDomain } }: Pick<ReportsContext, 'store' | 'config'>,
  { message, tenant, workspaceId }: Deliverable,
): Promise<string | null> {
  const { sub_tenant_id: subTenantId } = message;
  const fromDomain = addressDomain(message.from_email);
  const senders = await store.domains.verifiedSenders({ workspaceId, subTenantId });
  const domains = senders.filter(
    ({ kind, identity }) =>
      kind === 'domain' && (fromDomain === identity || fromDomain.endsWith(`.${identity}`)),
  );
  // The nearest domain first, as when messages are signed.
  domains.sort((a, b) => b.identity.length - a.identity.length);
  const candidates = [
    ...(tenant && subTenantId !== null ? [{ owner: subTenantId, domain: tenant.sending_domain }] : []),
    ...domains.map(({ id, identity }) => ({ owner: id, domain: identity })),
    ...(platformDomain === null ? [] : [{ owner: PLATFORM_OWNER, domain: platformDomain }]),
  ];
  const keys = await store.domains.dkimKeys(candidates.map(({ owner }) => owner));
  const signed = candidates.find(({ owner, domain }) =>
    keys.some((key) => key.owner_id === owner && key.domain === domain && key.state === 'active'),
  );
  return signed?.domain ?? null;
}
