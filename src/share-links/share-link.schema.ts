// Wire shapes of share links: pages that people without a key can open, about the DNS records of a domain or about one message.
import { Type } from 'typebox';
import { orderedQueryWith } from '../contract/lists.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const SHARE_TARGETS = ['message', 'sub_tenant', 'sender'] as const;
export type ShareTarget = (typeof SHARE_TARGETS)[number];

const MOST_DAYS = 90;
export const DEFAULT_SHARE_DAYS = 7;

const expiresInDays = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MOST_DAYS, default: DEFAULT_SHARE_DAYS }),
);

export const shareDns = closed({ expires_in_days: expiresInDays }, { examples: [{ expires_in_days: 14 }] });

export const shareMessage = closed(
  {
    expires_in_days: expiresInDays,
    include_content: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to show the subject and text. Attachments are never shown.',
      }),
    ),
  },
  { examples: [{ expires_in_days: 3, include_content: false }] },
);

const fields = {
  id: Type.String(),
  object: Type.Literal('share_link'),
  target: oneOf(SHARE_TARGETS),
  target_id: Type.String(),
  include_content: Type.Boolean(),
  sub_tenant_id: nullable(Type.String()),
  expires_at: timestamp,
  revoked_at: nullable(timestamp),
  created_at: timestamp,
};

export const shareLink = Type.Object(fields);

export const shareLinkMade = Type.Object({
  ...fields,
  url: Type.String({ format: 'uri', description: 'The URL of the page. Only returned in this response.' }),
});

export const shareLinkQuery = orderedQueryWith({
  target_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The ID of the message, sub-tenant or sender.' }),
  ),
});

nameSchemas({
  ShareDns: shareDns,
  ShareMessage: shareMessage,
  ShareLink: shareLink,
  ShareLinkCreated: shareLinkMade,
});
nameEnums({ ShareTarget: SHARE_TARGETS });
