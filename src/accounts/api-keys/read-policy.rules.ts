// Reads the send policy of a request: addresses and domains in the form in which they are compared.
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import type { SendPolicy, SendPolicyInput } from '../../contract/send-policy.js';
import { addressDomain, addressKey, addressProblem, domainProblem } from '../../lib/mime/index.js';

const LIST = /^list:lst_[0-9a-z]{26}$/;
const GROUPS: readonly string[] = ['contacts', 'thread_participants'];
const WILDCARD = '*.';

/** Refuses with `validation_error`, which names each entry at fault by its path below `policy`. */
export function readPolicy(input: SendPolicyInput): SendPolicy {
  const problems: FieldProblem[] = [];
  const readList = (
    entries: readonly string[] | null | undefined,
    path: string,
    read: (entry: string) => Entry,
  ): string[] | null => {
    if (entries === null || entries === undefined) return null;
    const values = entries.map((entry, at) => {
      const { value, problem } = read(entry.trim());
      if (problem !== null) problems.push({ path: `policy.${path}.${at}`, message: problem });
      return value;
    });
    return [...new Set(values)];
  };
  const { content } = input;
  const policy: SendPolicy = {
    allowed_senders: readList(input.allowed_senders, 'allowed_senders', readMailboxEntry),
    allowed_recipients: readList(input.allowed_recipients, 'allowed_recipients', readRecipientEntry),
    max_per_hour: input.max_per_hour ?? null,
    max_per_day: input.max_per_day ?? null,
    max_recipients: input.max_recipients ?? null,
    allow_bcc: input.allow_bcc ?? true,
    approval: input.approval ?? 'never',
    content: {
      templates_only: content?.templates_only ?? false,
      no_attachments: content?.no_attachments ?? false,
      allowed_link_domains: readList(
        content?.allowed_link_domains,
        'content.allowed_link_domains',
        readDomainEntry,
      ),
    },
  };
  if (problems.length > 0) throw invalidFields(problems);
  return policy;
}

/** An entry in its stored form, or the reason why it is not valid. */
interface Entry {
  value: string;
  problem: string | null;
}

function readRecipientEntry(entry: string): Entry {
  if (GROUPS.includes(entry)) return { value: entry, problem: null };
  if (!entry.startsWith('list:')) return readMailboxEntry(entry);
  const problem = LIST.test(entry) ? null : 'must be list: and the ID of a list';
  return { value: entry, problem };
}

function readMailboxEntry(entry: string): Entry {
  if (!entry.includes('@')) return readDomainEntry(entry);
  return { value: addressKey(entry), problem: addressProblem(entry, { utf8Local: true }) };
}

function readDomainEntry(entry: string): Entry {
  const prefix = entry.startsWith(WILDCARD) ? WILDCARD : '';
  const domain = entry.slice(prefix.length);
  return {
    value: prefix + addressDomain(`x@${domain}`),
    problem: domain.includes('@')
      ? 'must be a domain, such as example.com'
      : domainProblem(domain, { underscore: true }),
  };
}
