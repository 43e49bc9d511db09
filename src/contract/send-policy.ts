// The send policy of an API key: what the key may send, to whom, and how much.
import { Type, type Static } from 'typebox';
import { closed, KEEPS_EMPTY, nameEnums, nullable, oneOf } from './schema.js';

/** Limits the entries of each list of a policy. */
const MAX_POLICY_ENTRIES = 100;

/** Limits the characters of an entry: an address with a long domain. */
const MAX_ENTRY = 320;

/** Fields of a policy that can refuse a message, as errors and metrics name them. */
export const POLICY_FIELDS = [
  'allowed_senders',
  'allowed_recipients',
  'max_per_hour',
  'max_per_day',
  'max_recipients',
  'allow_bcc',
  'content.templates_only',
  'content.no_attachments',
  'content.allowed_link_domains',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

/** When a message waits for a person's approval: a message outside the lists of the policy, or every message. */
const APPROVAL_MODES = ['never', 'outside_allowlist', 'always'] as const;

const entry = Type.String({ minLength: 1, maxLength: MAX_ENTRY });
const DOMAINS = '`example.com` matches this domain only, and `*.example.com` matches its subdomains.';

const TEXTS = {
  allowed_senders: `Addresses and domains allowed in From, Sender and Reply-To. ${DOMAINS} \`null\` allows every verified sender.`,
  allowed_recipients: `Allowed recipients: addresses, domains, \`contacts\` (saved contacts), \`list:<id>\` (subscribed members of a list) and \`thread_participants\` (addresses that have written or been written to in the thread of the message). ${DOMAINS} \`null\` allows every recipient.`,
  max_per_hour: 'Messages accepted per clock hour (UTC), one for each recipient. Sandbox messages count.',
  max_per_day: 'Messages accepted per day (UTC), one for each recipient. Sandbox messages count.',
  max_recipients: 'Recipients per message, including cc and bcc.',
  allow_bcc: 'Whether messages may have blind copies.',
  approval:
    'Which messages wait for the approval of a person: none, those that `allowed_senders`, `allowed_recipients` or `content.allowed_link_domains` do not allow, or all. Other fields refuse messages regardless.',
  content: 'Restrictions on the content.',
  templates_only: 'Whether every message must use a saved template.',
  no_attachments: 'Whether attachments and inline images are refused.',
  allowed_link_domains: `Host names allowed in links of the rendered message. ${DOMAINS} An empty array allows no links, and \`null\` allows all. Mailkeel's own unsubscribe link is always allowed.`,
} as const;

const limit = (maximum: number, description: string) => Type.Integer({ minimum: 1, maximum, description });
const LIMITS = { max_per_hour: 1_000_000, max_per_day: 10_000_000, max_recipients: 1_000 } as const;

export const sendPolicy = Type.Object({
  allowed_senders: nullable(Type.Array(Type.String(), { description: TEXTS.allowed_senders })),
  allowed_recipients: nullable(Type.Array(Type.String(), { description: TEXTS.allowed_recipients })),
  max_per_hour: nullable(Type.Integer({ description: TEXTS.max_per_hour })),
  max_per_day: nullable(Type.Integer({ description: TEXTS.max_per_day })),
  max_recipients: nullable(Type.Integer({ description: TEXTS.max_recipients })),
  allow_bcc: Type.Boolean({ description: TEXTS.allow_bcc }),
  approval: oneOf(APPROVAL_MODES, { description: TEXTS.approval }),
  content: Type.Object(
    {
      templates_only: Type.Boolean({ description: TEXTS.templates_only }),
      no_attachments: Type.Boolean({ description: TEXTS.no_attachments }),
      allowed_link_domains: nullable(Type.Array(Type.String(), { description: TEXTS.allowed_link_domains })),
    },
    { description: TEXTS.content },
  ),
});
export type SendPolicy = Static<typeof sendPolicy>;

/** Reads the policy of a key's row. Policies of earlier releases have no `approval`. */
export function readStoredPolicy(stored: string | null): SendPolicy | null {
  if (stored === null) return null;
  return { approval: 'never', ...(JSON.parse(stored) as Omit<SendPolicy, 'approval'>) };
}

/** A list that must not be empty, because an empty one would refuse every message. */
function filled(description: string) {
  return Type.Optional(
    nullable(Type.Array(entry, { minItems: 1, maxItems: MAX_POLICY_ENTRIES, description })),
  );
}

const contentInput = closed(
  {
    templates_only: Type.Optional(Type.Boolean({ default: false, description: TEXTS.templates_only })),
    no_attachments: Type.Optional(Type.Boolean({ default: false, description: TEXTS.no_attachments })),
    allowed_link_domains: Type.Optional(
      nullable(Type.Array(entry, { maxItems: MAX_POLICY_ENTRIES, description: TEXTS.allowed_link_domains })),
    ),
  },
  { [KEEPS_EMPTY]: true, description: TEXTS.content },
);

export const sendPolicyInput = closed(
  {
    allowed_senders: filled(TEXTS.allowed_senders),
    allowed_recipients: filled(TEXTS.allowed_recipients),
    max_per_hour: Type.Optional(nullable(limit(LIMITS.max_per_hour, TEXTS.max_per_hour))),
    max_per_day: Type.Optional(nullable(limit(LIMITS.max_per_day, TEXTS.max_per_day))),
    max_recipients: Type.Optional(nullable(limit(LIMITS.max_recipients, TEXTS.max_recipients))),
    allow_bcc: Type.Optional(Type.Boolean({ default: true, description: TEXTS.allow_bcc })),
    approval: Type.Optional(oneOf(APPROVAL_MODES, { default: 'never', description: TEXTS.approval })),
    content: Type.Optional(contentInput),
  },
  // An empty list must not count as one without restrictions.
  { [KEEPS_EMPTY]: true },
);
export type SendPolicyInput = Static<typeof sendPolicyInput>;

nameEnums({ ApprovalMode: APPROVAL_MODES });
