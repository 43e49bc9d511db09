// Decides whether the send policy of an API key allows a message.
import type { PolicyField, SendPolicy } from '../../contract/send-policy.js';
import { addressDomain, addressKey } from '../../lib/mime/index.js';

/** A part of the message that a field of the policy does not allow. */
interface PolicyProblem {
  field: PolicyField;
  /** The field of the request at fault. */
  param: string;
  /** A sentence. */
  message: string;
  /** The address or host that a list of the policy lacks; null if the field refuses the message regardless of its approval. */
  outside: string | null;
}

/** A part of the message outside a list of the policy, which its approver sees. */
export interface PolicyDifference {
  field: PolicyField;
  value: string;
}

/** A message as its policy sees it. */
export interface PolicyFacts {
  senders: readonly { email: string; param: 'from' | 'reply_to' }[];
  recipients: readonly { email: string; key: string; role: 'to' | 'cc' | 'bcc'; path: string }[];
  hasTemplate: boolean;
  attachments: number;
  /** The links of the content, without links to Mailkeel's own pages. Empty if the policy allows all links. */
  links: readonly { url: string; host: string | null }[];
  /** Part of the content is too long to be read. */
  isCut: boolean;
  /** Keys of the recipients in the groups that the policy names: contacts, list members, participants of the thread. */
  inGroups: ReadonlySet<string>;
}

/** A message with more differences is refused, because no one could review it. */
const MOST_DIFFERENCES = 200;

type PolicyDecision =
  | { kind: 'allowed' }
  | { kind: 'refused'; problem: PolicyProblem }
  | { kind: 'held'; differences: PolicyDifference[] };

/** Decides whether the message is allowed, refused, or waits for approval. */
export function decideByPolicy(policy: SendPolicy, facts: PolicyFacts): PolicyDecision {
  const problems = [
    ...senderProblems(policy, facts),
    ...recipientProblems(policy, facts),
    ...contentProblems(policy.content, facts),
  ];
  const problem =
    policy.approval === 'never' ? problems[0] : problems.find(({ outside }) => outside === null);
  if (problem !== undefined) return { kind: 'refused', problem };
  const [first] = problems;
  if (first === undefined) {
    return policy.approval === 'always' ? { kind: 'held', differences: [] } : { kind: 'allowed' };
  }
  const differences = differencesOf(problems);
  return differences.length > MOST_DIFFERENCES
    ? { kind: 'refused', problem: first }
    : { kind: 'held', differences };
}

/** Each difference once. */
function differencesOf(problems: readonly PolicyProblem[]): PolicyDifference[] {
  const differences = problems.map(({ field, outside }) => ({ field, value: outside ?? '' }));
  return [...new Map(differences.map((one) => [`${one.field} ${one.value}`, one])).values()];
}

/** The links outside the list of the policy. */
export function linkDifferences(policy: SendPolicy, links: PolicyFacts['links']): PolicyDifference[] {
  return differencesOf(linkProblems(policy.content.allowed_link_domains, links));
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

function senderProblems({ allowed_senders: allowed }: SendPolicy, { senders }: PolicyFacts): PolicyProblem[] {
  if (allowed === null) return [];
  return senders
    .filter(({ email }) => !isAddressListed(allowed, email))
    .map(({ email, param }) => ({
      field: 'allowed_senders',
      param,
      message: `The send policy of the API key does not allow the sender ${email}.`,
      outside: email,
    }));
}

function recipientProblems(policy: SendPolicy, { recipients, inGroups }: PolicyFacts): PolicyProblem[] {
  const { allowed_recipients: allowed, max_recipients: most, allow_bcc: allowsBcc } = policy;
  const problems: PolicyProblem[] = [];
  if (most !== null && recipients.length > most) {
    problems.push({
      field: 'max_recipients',
      param: 'to',
      message: `The send policy of the API key allows ${most} recipients per message, and this one has ${recipients.length}.`,
      outside: null,
    });
  }
  const blind = allowsBcc ? undefined : recipients.find(({ role }) => role === 'bcc');
  if (blind !== undefined) {
    problems.push({
      field: 'allow_bcc',
      param: blind.path,
      message: 'The send policy of the API key does not allow blind copies.',
      outside: null,
    });
  }
  if (allowed === null) return problems;
  const outsiders = recipients.filter(
    ({ email, key }) => !inGroups.has(key) && !isAddressListed(allowed, email),
  );
  return [
    ...problems,
    ...outsiders.map(({ email, path }): PolicyProblem => ({
      field: 'allowed_recipients',
      param: path,
      message: `The send policy of the API key does not allow the recipient ${email}.`,
      outside: email,
    })),
  ];
}

function contentProblems(
  {
    templates_only: onlyTemplates,
    no_attachments: noFiles,
    allowed_link_domains: hosts,
  }: SendPolicy['content'],
  { hasTemplate, attachments, links, isCut }: PolicyFacts,
): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  if (onlyTemplates && !hasTemplate) {
    problems.push({
      field: 'content.templates_only',
      param: 'template_id',
      message: 'The send policy of the API key allows only messages with a template.',
      outside: null,
    });
  }
  if (noFiles && attachments > 0) {
    problems.push({
      field: 'content.no_attachments',
      param: 'attachments',
      message: 'The send policy of the API key does not allow attachments.',
      outside: null,
    });
  }
  if (hosts !== null && isCut) {
    problems.push({
      field: 'content.allowed_link_domains',
      param: 'html',
      message: 'The message is too long to check its links, which the send policy of the API key restricts.',
      outside: null,
    });
  }
  return [...problems, ...linkProblems(hosts, links)];
}

function linkProblems(hosts: readonly string[] | null, links: PolicyFacts['links']): PolicyProblem[] {
  if (hosts === null) return [];
  return links
    .filter(({ host }) => host === null || !hosts.some((entry) => matchesDomain(entry, host)))
    .map(({ host, url }) => {
      const outside = host ?? url.slice(0, 100);
      return {
        field: 'content.allowed_link_domains',
        param: 'html',
        message: `The send policy of the API key does not allow links to ${outside}.`,
        outside,
      };
    });
}
