// Accepts a whole MIME message: its octets are stored unchanged, the envelope has the recipients, and control fields in its header
// set tags, times and other options. SMTP and POST /v1/messages/raw submit through it.
import { invalidFields, Refusal } from '../contract/refusal.js';
import {
  envelopeAddress,
  formatDate,
  isQuick,
  MAIL_LIMITS,
  type MailContent,
  plainContent,
} from '../lib/mime/index.js';
import { fieldTexts, type SubmittedMail } from '../messages/relayed/submitted-mail.rules.js';
import type { Envelope, EnvelopeRecipient } from '../lib/smtp-server/index.js';
import { readRelayHeaders } from './relay-headers.rules.js';
import type { Requested } from './requested.rules.js';
import { senderCheck } from '../domains/senders/sender.rules.js';
import type { Scope } from '../database/scope.js';
import type { RelayStores } from './stores.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import type { RelayContext } from './context.js';
import { createFacts, type Facts } from '../messages/accept/facts.js';
import { scopeOfSender } from '../messages/accept/sender.js';
import type { Accepted, SubmissionContext } from '../messages/accept/accept.js';
import type { DsnOptions } from '../lib/dsn/index.js';
import { filesOfMail } from '../messages/accept/mail-files.js';
import type { RelayedMail } from '../messages/relayed/relayed.js';

export type AcceptanceContext = Pick<RelayContext, 'store' | 'config' | 'submission' | 'parse' | 'clock'>;

export interface MimeSubmission {
  raw: Buffer;
  /** The header and body of `raw`. */
  mail: SubmittedMail;
  envelope: Pick<Envelope<null>, 'mailFrom' | 'recipients' | 'requireTls' | 'ret' | 'envid'>;
  /** Options that the request sets outside the message. */
  given: Partial<Omit<Requested, 'idempotencyKey'>>;
  scope: Scope;
  context: SubmissionContext;
  /** Protocol and id of the transaction, for the Received field. */
  via: { protocol: string; id: string };
}

type Acceptance = AcceptanceContext & { facts: Facts };

/** Returns a function that stores a message for each recipient of the envelope. It refuses like `Submission.accept`. */
export function createMimeAcceptance(context: AcceptanceContext) {
  const parts: Acceptance = { ...context, facts: createFacts(context.store) };
  return async (submission: MimeSubmission): Promise<Accepted> => {
    const { raw, mail, envelope, given } = submission;
    const reading = readRelayHeaders(fieldTexts(mail.fields), given);
    if (reading.kind === 'refused') throw invalidFields(reading.problems);
    const { values: requested } = reading;
    const scope = await narrowedScope(parts.store, submission.scope, requested.subTenant);
    await checkSender(parts, scope, envelope.mailFrom);
    const content = await readContent(parts, raw, {
      mail,
      owner: submission.context.keyId ?? scope.workspaceId,
    });
    const relayed = relayedMail({ submission, content, requested, config: parts.config, now: parts.clock() });
    return parts.submission.relay(scope, relayed, submission.context);
  };
}

/**
 * Reads text, HTML and files: plain mail directly, and other mail in a thread. Refuses with `unavailable` if too much mail waits
 * for a thread.
 */
async function readContent(
  { parse }: Acceptance,
  raw: Buffer,
  { mail, owner }: { mail: SubmittedMail; owner: string },
): Promise<MailContent> {
  const plain = isQuick(raw) ? plainContent(mail.fields, mail.body, MAIL_LIMITS, []) : null;
  if (plain !== null) return plain;
  const read = await parse(raw, owner);
  if (read.kind === 'busy') throw new Refusal('unavailable');
  return read.mail;
}

/** Narrows the scope to the sub-tenant that the mail names by ID or external ID. Refuses with `sub_tenant_not_found`. */
async function narrowedScope(
  store: Pick<RelayStores, 'tenants'>,
  scope: Scope,
  named: string | null,
): Promise<Scope> {
  if (named === null || named === scope.subTenantId) return scope;
  const tenant = await findTenant(store, scope, named);
  if (tenant === null) throw new Refusal('sub_tenant_not_found');
  return { ...scope, subTenantId: tenant.id };
}

async function findTenant(
  { tenants }: Pick<RelayStores, 'tenants'>,
  scope: Scope,
  named: string,
): Promise<SubTenant | null> {
  const id = await tenants.subTenantIdOf(scope, named);
  const byId = id === null ? null : await tenants.subTenant(scope, id);
  if (byId) return byId;
  const { rows } = await tenants.subTenants(scope, { limit: 1, after: null }, { externalId: named });
  return rows[0] ?? null;
}

/**
 * Checks the envelope sender. It receives delivery reports, so it must belong to the submitter; the null sender gets none.
 * Refused with `sender_not_verified` or `tenant_suspended`.
 */
async function checkSender(
  { store, config, facts }: Acceptance,
  given: Scope,
  mailFrom: string,
): Promise<void> {
  if (mailFrom === '' || !config.relayChecksSender || given.mode === 'test') return;
  const scope = await scopeOfSender({ store, facts }, given, mailFrom);
  const { tenant, senders } = await facts.senderSide(scope);
  const { mode } = scope;
  const result = senderCheck({ mode, fromEmail: envelopeAddress(mailFrom), tenant, senders });
  if (result.isAllowed) return;
  const text = `${mailFrom} is not a verified sender or on a verified domain`;
  throw new Refusal(result.code, result.code === 'sender_not_verified' ? text : undefined);
}

/** A submission with its content and the options that its control fields set. */
interface RelayedFacts {
  submission: MimeSubmission;
  content: MailContent;
  requested: Requested;
  config: Pick<RelayContext['config'], 'hostname' | 'relayDsn'>;
  now: number;
}

function relayedMail(facts: RelayedFacts): RelayedMail {
  const { content, requested } = facts;
  const { raw, mail, envelope, given } = facts.submission;
  return {
    raw,
    recipients: envelope.recipients.map((recipient) => ({
      email: recipient.address,
      dsn: dsnOptions(recipient, facts),
    })),
    from: mail.from,
    otherOriginators: mail.otherOriginators,
    replyTo: mail.replyTo.slice(0, 1),
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    html: content.html,
    text: content.text,
    attachments: filesOfMail(content.parts),
    rfcMessageId: mail.messageId,
    type: requested.type ?? 'transactional',
    priority: requested.priority ?? 'normal',
    tags: requested.tags,
    metadata: JSON.stringify(requested.metadata),
    // The scope is already narrowed.
    subTenantId: null,
    idempotencyKey: requested.idempotencyKey,
    options: given,
    sendAt: requested.sendAt,
    expiresAt: requested.expiresAt,
    tlsTerms: tlsTerms(facts),
    received: receivedValue(facts),
    trackOpens: content.html !== null && requested.trackOpens === true,
    trackClicks: content.html !== null && requested.trackClicks === true,
  };
}

function tlsTerms({ requested, submission: { envelope, mail } }: RelayedFacts): RelayedMail['tlsTerms'] {
  // RFC 8689 section 4.1: the parameter wins over the field.
  if (requested.requireTls === true || envelope.requireTls) return 'required';
  return mail.waivesTls ? 'waived' : 'policy';
}

/** Omits the client's address, because receivers distrust private addresses. */
function receivedValue({ submission: { via }, config, now }: RelayedFacts): string {
  return `by ${config.hostname} with ${via.protocol} id ${via.id}; ${formatDate(now)}`;
}

function dsnOptions(
  { notify, orcpt }: EnvelopeRecipient<null>,
  { submission: { envelope }, config }: RelayedFacts,
): DsnOptions | null {
  const { mailFrom: sender, ret, envid } = envelope;
  if (sender === '' || config.relayDsn === 'never') return null;
  if (notify === null && config.relayDsn === 'asked') return null;
  return { sender, notify, ret, envid, orcpt };
}
