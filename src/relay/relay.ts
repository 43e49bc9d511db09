// The relay accepts mail that programs submit by SMTP with an API key. The envelope has the recipients, and the octets are stored
// unchanged. It answers 250 when everything is durable.
import { Refusal, type RefusalCode } from '../contract/refusal.js';
import type { Caller } from '../http/access/caller.js';
import {
  addressProblem,
  envelopeAddress,
  formatDate,
  isQuick,
  MAIL_LIMITS,
  type Mailbox,
  type MailContent,
  plainContent,
} from '../lib/mime/index.js';
import {
  asMessage,
  fieldTexts,
  otherOriginators,
  readSubmitted,
  type SubmittedMail,
} from '../messages/relayed/submitted-mail.rules.js';
import type {
  Envelope,
  EnvelopeRecipient,
  ListenerHooks,
  ListenerSession,
  ServerReply,
} from '../lib/smtp-server/index.js';
import { readRelayHeaders } from './relay-headers.rules.js';
import type { RelayHeaders } from './requested.rules.js';
import { senderCheck } from '../domains/senders/sender.rules.js';
import type { Scope } from '../database/scope.js';
import type { RelayStores } from './stores.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import type { RelayContext } from './context.js';
import { createFacts, type Facts } from '../messages/accept/facts.js';
import { scopeOfSender } from '../messages/accept/sender.js';
import type { DsnOptions } from '../lib/dsn/index.js';
import { filesOfMail } from '../messages/accept/mail-files.js';
import type { RelayedMail } from '../messages/relayed/relayed.js';

// SMTP replies for the refusals of the API. RFC 3463.
const PERMANENT = { code: 550, enhanced: '5.7.1' } as const;

/** Temporary refusals are 4xx, so that the client's own queue keeps the mail. */
const REPLIES: Partial<Record<RefusalCode, Pick<ServerReply, 'code' | 'enhanced'>>> = {
  quota_exceeded: { code: 452, enhanced: '4.7.1' },
  rate_limited: { code: 451, enhanced: '4.7.1' },
  unavailable: { code: 451, enhanced: '4.3.2' },
  internal_error: { code: 451, enhanced: '4.3.0' },
  validation_error: { code: 550, enhanced: '5.6.0' },
  content_required: { code: 550, enhanced: '5.6.0' },
  idempotency_key_reused: { code: 550, enhanced: '5.5.4' },
  payload_too_large: { code: 552, enhanced: '5.3.4' },
};

/** Header fields, by the field of the API. */
const FIELDS: Partial<Record<string, string>> = {
  send_at: 'X-Service-Send-At',
  expires_at: 'X-Service-Expires-At',
};

function smtpRefusal(refusal: Refusal): ServerReply {
  const { details } = refusal;
  const fields = details?.['fields'];
  const text = Array.isArray(fields)
    ? (fields as { path: string; message: string }[])
        .map(({ path, message }) => `${FIELDS[path] ?? path} ${message}`)
        .join('; ')
    : refusal.message;
  return { ...(REPLIES[refusal.code] ?? PERMANENT), text: text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 400) };
}

export interface RelayAccount {
  keyId: string;
  scope: Scope;
  /** Whether the key is still valid. It may be revoked or expire during the session. */
  isStillValid: () => Promise<boolean>;
}

type RelaySession = ListenerSession<RelayAccount>;
type RelayParts = RelayContext & { facts: Facts };

export function relayHooks(context: RelayContext): ListenerHooks<RelayAccount, null> {
  const parts: RelayParts = { ...context, facts: createFacts(context.store) };
  return {
    storageIsFull: context.isStorageFull,

    async authenticate({ password }, session) {
      const { address } = session.client;
      const found = await findCaller(context, password, address);
      if (found === null || 'refusal' in found) return found;
      const isStillValid = async (): Promise<boolean> => {
        const again = await findCaller(context, password, address);
        return again !== null && 'actor' in again;
      };
      return {
        account: { keyId: found.actor.id, scope: found.scope, isStillValid },
        owner: found.scope.workspaceId,
      };
    },

    async mailFrom(_sender, _parameters, { account }) {
      return (await account?.isStillValid()) === true ? null : KEY_ENDED;
    },

    rcptTo(address) {
      // The listener takes an address beyond ASCII only with SMTPUTF8.
      const problem = addressProblem(address, { utf8Local: true });
      return problem === null
        ? { target: null }
        : {
            refusal: { code: 553, enhanced: '5.1.3', text: `Recipient address not allowed. ${problem}` },
          };
    },

    async data(raw, envelope, session) {
      try {
        return await submit(parts, asMessage(raw), envelope, session);
      } catch (error) {
        if (error instanceof Refusal) return smtpRefusal(error);
        throw error;
      }
    },
  };
}

const KEY_ENDED: ServerReply = { code: 530, enhanced: '5.7.0', text: 'The API key is no longer valid' };

/** Finds the caller with the secret, or the reason why it cannot be used here. */
async function findCaller(
  { credentials, clock }: Pick<RelayContext, 'credentials' | 'clock'>,
  secret: string,
  clientAddress: string,
): Promise<Caller | { refusal: ServerReply } | null> {
  const key = await credentials.find(secret);
  if (key === null || (key.expiresAt !== null && key.expiresAt <= clock())) return null;
  const refusal = (text: string) => ({ refusal: { code: 535, enhanced: '5.7.1', text } });
  if (key.allowsAddress?.(clientAddress) === false)
    return refusal("The API key can't be used from this IP address");
  if (key.caller.permission === 'read') return refusal('The API key does not have permission to send');
  credentials.noteUse(key.caller.actor.id);
  return key.caller;
}

async function submit(
  parts: RelayParts,
  raw: Buffer,
  envelope: Envelope<null>,
  session: RelaySession,
): Promise<ServerReply> {
  const { account } = session;
  if (account === null || !(await account.isStillValid())) return KEY_ENDED;
  const submitted = readSubmitted(raw);
  if (submitted.kind === 'refused') return submitted.problem;
  const originators = otherOriginators(submitted.mail);
  if (originators === null) {
    return { code: 554, enhanced: '5.6.0', text: 'A Resent-From or Resent-Sender field has no address' };
  }
  const requested = readRelayHeaders(fieldTexts(submitted.mail.fields));
  if (requested.kind === 'refused') {
    const text = requested.problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    return { code: 550, enhanced: '5.6.0', text: text.slice(0, 400) };
  }
  const scope = await narrowedScope(parts.store, account.scope, requested.values.subTenant);
  if (scope === null) return { code: 550, enhanced: '5.7.1', text: 'Sub-tenant not found for this API key' };
  await checkSender(parts, scope, envelope.mailFrom);
  const content = await readContent(parts, raw, { mail: submitted.mail, owner: account.keyId });
  if (content === null) return { code: 451, enhanced: '4.3.2', text: 'Rate limit exceeded; try again later' };
  const mail = relayedMail({
    raw,
    submitted: submitted.mail,
    otherOriginators: originators,
    parsed: content,
    requested: requested.values,
    envelope,
    session,
    config: parts.config,
    now: parts.clock(),
  });
  const { message, copies } = await parts.submission.relay(scope, mail, {
    actor: 'api_key',
    keyId: account.keyId,
    idempotencyHeader: null,
  });
  const ids = [message, ...copies].map(({ public_id: id }) => id);
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return { code: 250, enhanced: '2.0.0', text: `Queued as ${ids.slice(0, 3).join(', ')}${more}` };
}

/** Reads text, HTML and files: plain mail at once, and other mail in a thread. Returns `null` if too much mail waits for that. */
async function readContent(
  { parse }: Pick<RelayContext, 'parse'>,
  raw: Buffer,
  { mail, owner }: { mail: SubmittedMail; owner: string },
): Promise<MailContent | null> {
  const plain = isQuick(raw) ? plainContent(mail.fields, mail.body, MAIL_LIMITS, []) : null;
  if (plain !== null) return plain;
  const read = await parse(raw, owner);
  return read.kind === 'busy' ? null : read.mail;
}

/** Narrows the key's scope to the sub-tenant that the mail names by ID or external ID. Returns `null` if the key may not use it. */
async function narrowedScope(
  store: Pick<RelayStores, 'tenants'>,
  scope: Scope,
  named: string | null,
): Promise<Scope | null> {
  if (named === null || named === scope.subTenantId) return scope;
  const tenant = await findTenant(store, scope, named);
  return tenant && { ...scope, subTenantId: tenant.id };
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
  { store, config, facts }: RelayParts,
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

/** Facts about a submitted mail: header, X-Service fields, envelope and DSN options. */
interface RelayedFacts {
  raw: Buffer;
  submitted: SubmittedMail;
  otherOriginators: readonly Mailbox[];
  parsed: MailContent;
  requested: RelayHeaders;
  envelope: Envelope<null>;
  session: Pick<ListenerSession<unknown>, 'protocol' | 'id'>;
  config: Pick<RelayContext['config'], 'hostname' | 'relayDsn'>;
  now: number;
}

function relayedMail(facts: RelayedFacts): RelayedMail {
  const { raw, submitted, parsed, requested, envelope } = facts;
  return {
    raw,
    recipients: envelope.recipients.map((recipient) => ({
      email: recipient.address,
      dsn: dsnOptions(recipient, facts),
    })),
    from: submitted.from,
    otherOriginators: facts.otherOriginators,
    replyTo: submitted.replyTo.slice(0, 1),
    to: submitted.to,
    cc: submitted.cc,
    subject: submitted.subject,
    html: parsed.html,
    text: parsed.text,
    attachments: filesOfMail(parsed.parts),
    rfcMessageId: submitted.messageId,
    type: requested.type ?? 'transactional',
    priority: requested.priority ?? 'normal',
    tags: requested.tags,
    metadata: JSON.stringify(requested.metadata),
    // The scope is already narrowed.
    subTenantId: null,
    idempotencyKey: requested.idempotencyKey,
    sendAt: requested.sendAt,
    expiresAt: requested.expiresAt,
    tlsTerms: tlsTerms(facts),
    received: receivedValue(facts),
    trackOpens: parsed.html !== null && requested.trackOpens === true,
    trackClicks: parsed.html !== null && requested.trackClicks === true,
  };
}

function tlsTerms({ requested, envelope, submitted }: RelayedFacts): RelayedMail['tlsTerms'] {
  // RFC 8689 section 4.1: the parameter wins over the field.
  if (requested.requireTls === true || envelope.requireTls) return 'required';
  return submitted.waivesTls ? 'waived' : 'policy';
}

/** Omits the client's address, because receivers distrust private addresses. */
function receivedValue({ session, config, now }: RelayedFacts): string {
  return `by ${config.hostname} with ${session.protocol} id ${session.id}; ${formatDate(now)}`;
}

function dsnOptions(
  { notify, orcpt }: EnvelopeRecipient<null>,
  { envelope, config }: RelayedFacts,
): DsnOptions | null {
  const { mailFrom: sender, ret, envid } = envelope;
  if (sender === '' || config.relayDsn === 'never') return null;
  if (notify === null && config.relayDsn === 'asked') return null;
  return { sender, notify, ret, envid, orcpt };
}
