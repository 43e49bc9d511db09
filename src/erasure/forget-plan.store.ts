// Changes that redact rows which stay, when a person is erased or a message's retention ends.
import { ERASED_ADDRESS } from '../contract/erased-address.js';
import type { Content } from '../messages/rows.store.js';
import type { Change } from '../database/change.js';
import { events } from '../events/events.tables.js';
import { update, remove } from '../database/rows.js';
import { approvals } from '../messages/approvals/approvals.tables.js';
import { attempts, contents } from '../messages/messages.tables.js';
import { deliveryReports } from '../messages/relayed/delivery-reports.tables.js';
import { addressRechecks } from '../outbound/outbound.tables.js';
import { receivedMessages } from '../messages/received.tables.js';

/** The redacted content columns of a message, besides sender and recipient. */
export const NO_WORDS = { subject: '', tags: '[]', metadata: '{}', dsn: null, forward: null } as const;

export const NO_RECIPIENT = { to_email: ERASED_ADDRESS, to_name: null, to_key: ERASED_ADDRESS } as const;

export const NO_CORRESPONDENT = {
  subject: '',
  subject_key: '',
  correspondent_email: ERASED_ADDRESS,
  correspondent_name: null,
  labels: '[]',
  correspondent_key: ERASED_ADDRESS,
} as const;

const NO_ENVELOPE = JSON.stringify({
  mail_from: '',
  rcpt_to: '',
  client_address: '',
  helo: '',
  tls: null,
});

/** Redacts audit trails, and deletes SMTP conversations and the content of received mail. */
export function planAuditTrails(messageIds: readonly number[]): Change[] {
  const where = { message_id: messageIds };
  return [
    update(events, { set: { detail: null, salt: null }, where }),
    remove(attempts, { where }),
    remove(deliveryReports, { where }),
    remove(addressRechecks, { where }),
    update(receivedMessages, {
      set: {
        visible_text: null,
        visible_html: null,
        quoted_text: null,
        signature: null,
        authentication: null,
        envelope: NO_ENVELOPE,
        references_list: '[]',
        problems: '[]',
        risk: null,
        forwards: null,
      },
      where,
    }),
  ];
}

export function planContent(content: Pick<Content, 'id'>): Change {
  return update(contents, {
    set: {
      rfc_message_id: `erased.${content.id}@erased.invalid`,
      to_list: '[]',
      cc_list: '[]',
      headers: '[]',
      html: null,
      text: null,
      raw_id: null,
    },
    where: { id: content.id },
  });
}

/** Redacts approvals of these contents: the addresses and links outside the policy, and the approver's note. */
export function planApprovals(contentIds: readonly number[]): Change {
  return update(approvals, { set: { differences: '[]', note: null }, where: { content_id: contentIds } });
}

/** Keeps the class of an error and removes the peer's text. */
export function withoutWords(error: string): string {
  return JSON.stringify({
    ...(JSON.parse(error) as Record<string, unknown>),
    message: '',
    remote_host: null,
  });
}
