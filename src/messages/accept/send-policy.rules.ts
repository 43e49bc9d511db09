// Decides whether the send policy of an API key allows a message.
import type { PolicyField, SendPolicy } from '../../contract/send-policy.js';
import { addressDomain, addressKey } from '../../lib/mime/index.js';

/** The field of the policy that does not allow the message. */
export interface PolicyProblem {
  field: PolicyField;
  /** The field of the request at fault. */
  param: string;
  /** A sentence. */
  message: string;
}

/** A message as its policy sees it. */
export interface PolicyFacts {
  senders: readonly { email: string; param: 'from' | 'reply_to' }[];
  recipients: readonly { email: string; key: string; role: 'to' | 'cc' | 'bcc'; path: string }[];
  hasTemplate: boolean;
  attachments: number;
  /** The links of the content, without those to Mailkeel's own pages; empty if the policy allows all. */
  links: readonly { url: string; host: string | null }[];
  /** Part of the content is too long to be read. */
  isCut: boolean;
  /** Keys of the recipients in the groups that the policy names: contacts, list members, participants of the thread. */
  inGroups: ReadonlySet<string>;
}

/** Returns the first problem; null if the policy allows the message. */
export function policyProblem(policy: SendPolicy, facts: PolicyFacts): PolicyProblem | null {
  return (
    senderProblem(policy, facts) ?? recipientProblem(policy, facts) ?? contentProblem(policy.content, facts)
  );
}

/** Returns whether an entry of the policy, an address or a domain, names the address. */
export function isAddressListed(entries: readonly string[], email: string): boolean {
  const key = addressKey(email);
  const domain = addressDomain(email);
  return entries.some((entry) => (entry.includes('@') ? entry === key : matchesDomain(entry, domain)));
}

function matchesDomain(entry: string, domain: string): boolean {
  return entry.startsWith('*.') ? domain.endsWith(entry.slice(1)) : domain === entry;
}

function senderProblem({ allowed_senders: allowed }: SendPolicy, facts: PolicyFacts): PolicyProblem | null {
  const wrong = allowed && facts.senders.find(({ email }) => !isAddressListed(allowed, email));
  if (!wrong) return null;
  return {
    field: 'allowed_senders',
    param: wrong.param,
    message: `The send policy of the API key does not allow the sender ${wrong.email}.`,
  };
}

function recipientProblem(policy: SendPolicy, { recipients, inGroups }: PolicyFacts): PolicyProblem | null {
  const { allowed_recipients: allowed, max_recipients: most, allow_bcc: allowsBcc } = policy;
  if (most !== null && recipients.length > most) {
    return {
      field: 'max_recipients',
      param: 'to',
      message: `The send policy of the API key allows ${most} recipients per message, and this one has ${recipients.length}.`,
    };
  }
  const blind = allowsBcc ? undefined : recipients.find(({ role }) => role === 'bcc');
  if (blind !== undefined) {
    return {
      field: 'allow_bcc',
      param: blind.path,
      message: 'The send policy of the API key does not allow blind copies.',
    };
  }
  const wrong =
    allowed && recipients.find(({ email, key }) => !inGroups.has(key) && !isAddressListed(allowed, email));
  if (!wrong) return null;
  return {
    field: 'allowed_recipients',
    param: wrong.path,
    message: `The send policy of the API key does not allow the recipient ${wrong.email}.`,
  };
}

function contentProblem(
  {
    templates_only: onlyTemplates,
    no_attachments: noFiles,
    allowed_link_domains: hosts,
  }: SendPolicy['content'],
  { hasTemplate, attachments, links, isCut }: PolicyFacts,
): PolicyProblem | null {
  if (onlyTemplates && !hasTemplate) {
    return {
      field: 'content.templates_only',
      param: 'template_id',
      message: 'The send policy of the API key allows only messages with a template.',
    };
  }
  if (noFiles && attachments > 0) {
    return {
      field: 'content.no_attachments',
      param: 'attachments',
      message: 'The send policy of the API key does not allow attachments.',
    };
  }
  if (hosts !== null && isCut) {
    return {
      field: 'content.allowed_link_domains',
      param: 'html',
      message: 'The message is too long to check its links, which the send policy of the API key restricts.',
    };
  }
  const wrong =
    hosts && links.find(({ host }) => host === null || !hosts.some((entry) => matchesDomain(entry, host)));
  if (!wrong) return null;
  return {
    field: 'content.allowed_link_domains',
    param: 'html',
    message: `The send policy of the API key does not allow links to ${wrong.host ?? wrong.url.slice(0, 100)}.`,
  };
}
