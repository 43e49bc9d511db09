// The mail that asks the owner of an address whether it may be used as a sender.
import { addressKey, domainOf } from '../../mail/address.js';
import { contentHash } from '../../rules/content-hash.js';
import { newId } from '../../runtime/ids.js';
import type { EnvironmentRef } from '../../store/accounts.js';
import type { Accept } from '../../store/plan.js';

const MAX_NAME = 80;

export interface ConfirmationMail {
  /** Whose wish it is. */
  organizationName: string;
  email: string;
  link: string;
  platformDomain: string;
  expiresAt: number;
  now: number;
}

/** Queued in the appliance's own workspace, from `postmaster@` its domain; counted against nobody's plan. */
export function confirmationMail(environment: EnvironmentRef, mail: ConfirmationMail): Accept {
  const { email, platformDomain, now, expiresAt } = mail;
  const publicId = newId('msg', now);
  const from = { email: `postmaster@${platformDomain}`, name: null };
  const to = { email, name: null };
  const subject = `Confirm ${email} as a sender`;
  const text = textOf(mail);
  return {
    kind: 'accept',
    message: {
      row: {
        public_id: publicId,
        environment_id: environment.environmentId,
        sub_tenant_id: null,
        type: 'transactional',
        status: 'queued',
        recipient_role: 'to',
        to_email: email,
        to_name: null,
        to_key: addressKey(email),
        from_email: from.email,
        from_name: from.name,
        reply_to_email: null,
        reply_to_name: null,
        subject,
        template_id: null,
        template_version: null,
        priority: 'high',
        tags: '[]',
        metadata: '{}',
        idempotency_key: null,
        content_hash: contentHash({ subject, from, to, html: null, text, attachments: [] }),
        track_opens: 0,
        track_clicks: 0,
        provider: null,
        provider_message_id: null,
        signed_at: null,
        error: null,
        scheduled_at: null,
        opened_at: null,
        clicked_at: null,
        created_at: now,
        updated_at: now,
      },
      workspaceId: environment.workspaceId,
      content: {
        kind: 'new',
        row: {
          rfc_message_id: `${publicId.slice('msg_'.length)}@${platformDomain}`,
          to_list: JSON.stringify([to]),
          cc_list: '[]',
          headers: JSON.stringify([['Auto-Submitted', 'auto-generated']]),
          html: null,
          text,
        },
        attachments: [],
      },
      tags: [],
      idempotency: null,
      queue: { domain: domainOf(email), rank: 0, dueAt: now, expiresAt },
      usageDay: null,
      events: [
        {
          environmentId: environment.environmentId,
          workspaceNumber: environment.workspaceNumber,
          subjectId: publicId,
          event: 'queued',
          actor: 'system',
          occurredAt: now,
        },
      ],
    },
  };
}

function textOf({ organizationName, email, link, expiresAt }: ConfirmationMail): string {
  // The name is theirs, and this goes to strangers: no line of its own, no link, no essay.
  const name = organizationName
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return [
    `"${name}" wants to send mail in the name of ${email}.`,
    '',
    'If you agree, open this page and confirm:',
    link,
    '',
    `The link works until ${new Date(expiresAt).toUTCString()}.`,
    'If you do not know what this is about, do nothing: without your confirmation no mail is sent in your name.',
    '',
  ].join('\n');
}
