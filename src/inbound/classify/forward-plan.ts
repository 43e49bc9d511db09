// Plans the messages that forward a received one, which share its content.
import type { Change } from '../../database/change.js';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { newId } from '../../lib/runtime/index.js';
import { type Draft, toOne } from '../../messages/accept/draft.js';
import { planForwarded } from '../../messages/accept/plan-message.js';
import { authenticationResults, chainOf, receivedField } from '../../messages/inboxes/forward-trace.js';
import type { ForwardRecord, InboxForward, NotForwarded } from '../../messages/inboxes/forwards.tables.js';
import type { Lifetimes } from '../../messages/lifetime.rules.js';
import { readClient } from '../inbound.store.js';
import type { InboundMail } from '../inbound.tables.js';
import type { Place } from './place-reply.js';

/** A forwarding address, and why the message is not forwarded to it. `null` if it is. */
export interface ForwardDecision {
  forward: InboxForward;
  refusal: NotForwarded | null;
}

export interface ForwardTerms {
  hostname: string;
  lifetimes: Lifetimes;
}

interface ForwardedFacts {
  mail: InboundMail;
  place: Place;
  authentication: MailAuthentication | null;
  forwards: readonly ForwardDecision[];
  forwarding: ForwardTerms;
}

/** Returns the column `forwards` of the received message, and the changes that follow the message in its plan. */
export function planForwards(
  facts: ForwardedFacts,
  received: Draft,
): { record: string | null; changes: Change[] } {
  const at = facts.mail.received_at;
  const context = {
    ...({ scope: facts.place.scope, actor: 'system', now: at } as const),
    lifetimes: facts.forwarding.lifetimes,
  };
  const records: ForwardRecord[] = [];
  const changes: Change[] = [];
  for (const { forward, refusal } of facts.forwards) {
    const publicId = refusal === null ? newId('msg', at) : null;
    records.push({ forward_id: forward.id, message_id: publicId, not_forwarded: refusal });
    if (publicId === null) continue;
    changes.push(planForwarded(forwardedDraft(facts, { received, forward, publicId }), context));
  }
  return { record: records.length === 0 ? null : JSON.stringify(records), changes };
}

/** Its content and its author stay the same. */
function forwardedDraft(
  { mail, authentication, forwarding: { hostname } }: ForwardedFacts,
  { received, forward, publicId }: { received: Draft; forward: InboxForward; publicId: string },
): Draft {
  const address = mail.rcpt_to;
  const arrival = { client: readClient(mail), hostname, address, at: mail.received_at };
  return {
    ...received,
    ...toOne(publicId, { email: forward.address, name: null }, forward.address_key),
    threadId: null,
    // The owner has agreed to forwarding, regardless of other mail of the workspace that they do not want.
    askedFor: true,
    // A report about a report would have nowhere to go (RFC 5321 section 6.1).
    nullSender: mail.mail_from === '',
    forward: {
      forward_id: forward.id,
      message_id: received.publicIds[0] ?? '',
      address,
      received: receivedField(arrival),
      results: authenticationResults(authentication, { hostname, mailFrom: mail.mail_from }),
      chain: chainOf(authentication),
    },
  };
}
