// A submitted mail as submission takes it: what its header shows, what its X-Posthorn fields ask for, whom the
// envelope names, and what the submitter is to be told.
import type { Mailbox } from '../lib/mime/address.js';
import { formatDate } from '../lib/mime/header-values.js';
import type { ParsedMail } from '../lib/mime/parsed-mail.js';
import type { SubmittedMail } from './submitted-mail.rules.js';
import type { Envelope, EnvelopeRecipient, ListenerSession } from '../lib/smtp-server/hooks.js';
import type { DsnWish } from '../lib/dsn/dsn-options.js';
import type { RelayHeaders } from './relay-headers.rules.js';
import { filesOfMail } from '../messages/accept/mail-files.js';
import type { RelayedMail } from '../messages/accept/relayed.js';

export interface RelayedFacts {
  raw: Buffer;
  submitted: SubmittedMail;
  otherOriginators: readonly Mailbox[];
  parsed: ParsedMail;
  wishes: RelayHeaders;
  envelope: Envelope<null>;
  session: Pick<ListenerSession<unknown>, 'protocol' | 'id'>;
  settings: { hostname: string; reportMode: 'asked' | 'failure' | 'never' };
  now: number;
}

export function relayedMail(facts: RelayedFacts): RelayedMail {
  const { raw, submitted, parsed, wishes, envelope } = facts;
  return {
    raw,
    recipients: envelope.recipients.map((recipient) => ({
      email: recipient.address,
      dsn: wishOf(recipient, facts),
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
    type: wishes.type ?? 'transactional',
    priority: wishes.priority ?? 'normal',
    tags: wishes.tags,
    metadata: JSON.stringify(wishes.metadata),
    // The scope is narrowed already.
    subTenantId: null,
    idempotencyKey: wishes.idempotencyKey,
    sendAt: wishes.sendAt,
    expiresAt: wishes.expiresAt,
    tlsTerms: tlsTerms(facts),
    received: receivedValue(facts),
    trackOpens: parsed.html !== null && wishes.trackOpens === true,
    trackClicks: parsed.html !== null && wishes.trackClicks === true,
  };
}

function tlsTerms({ wishes, envelope, submitted }: RelayedFacts): RelayedMail['tlsTerms'] {
  // RFC 8689 section 4.1: the parameter wins over the field.
  if (wishes.requireTls === true || envelope.requireTls) return 'required';
  return submitted.waivesTls ? 'waived' : 'policy';
}

/** Where it came from stays the submitter's affair: a private address says nothing and is blamed for much. */
function receivedValue({ session, settings, now }: RelayedFacts): string {
  return `by ${settings.hostname} with ${session.protocol} id ${session.id}; ${formatDate(now)}`;
}

function wishOf(
  { notify, orcpt }: EnvelopeRecipient<null>,
  { envelope, settings }: RelayedFacts,
): DsnWish | null {
  const { mailFrom: sender, ret, envid } = envelope;
  if (sender === '' || settings.reportMode === 'never') return null;
  if (notify === null && settings.reportMode === 'asked') return null;
  return { sender, notify, ret, envid, orcpt };
}
