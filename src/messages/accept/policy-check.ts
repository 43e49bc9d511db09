// Checks a message against the send policy of the API key that submits it, for every interface. Limits per hour and day go into the
// plan that creates the messages, so simultaneous requests are counted exactly.
import { checkKeyLimits } from '../../accounts/usage.store.js';
import { Refusal } from '../../contract/refusal.js';
import { POLICY_FIELDS, type SendPolicy } from '../../contract/send-policy.js';
import type { Change } from '../../database/change.js';
import type { Scope } from '../../database/scope.js';
import { linksInHtml, linksInText, type WebLink } from '../../lib/html/index.js';
import { MAIL_LIMITS, rawValue, readEveryMailbox } from '../../lib/mime/index.js';
import { readSubmitted, type SubmittedMail } from '../relayed/submitted-mail.rules.js';
import type { MessageStores } from '../stores.js';
import type { Draft } from './draft.js';
import { recordRefusedSend } from './refused-send.store.js';
import {
  decideByPolicy,
  isAddressListed,
  type PolicyDifference,
  type PolicyFacts,
} from './send-policy.rules.js';

type PolicyReads = Pick<MessageStores, 'contacts' | 'lists' | 'threads'>;

const LIST = 'list:';
/** Header fields that lead answers, receipts or errors elsewhere. */
const ANSWER_FIELDS: readonly string[] = [
  ...['reply-to', 'mail-reply-to', 'mail-followup-to'],
  ...['disposition-notification-to', 'return-receipt-to', 'x-confirm-reading-to', 'errors-to'],
];
/** Extensions that programs open as HTML, regardless of the media type. */
const HTML_FILE = /\.(?:x?html?|shtml|svg|xml|mht|mhtml)$/i;

/**
 * Refuses with `policy_violation` if the policy does not allow the draft. Returns its differences from the policy if it needs
 * approval, otherwise null.
 */
export async function checkPolicy(
  context: { store: PolicyReads; config: { publicUrl: string } },
  policy: SendPolicy,
  scope: Scope,
  draft: Draft,
): Promise<PolicyDifference[] | null> {
  const submitted = readAgain(draft);
  const headers = headersOf(draft, submitted);
  const facts: PolicyFacts = {
    senders: [...sendersOf(draft, submitted), ...answerAddresses(headers)],
    recipients: draft.recipients,
    hasTemplate: draft.template !== null,
    attachments: draft.attachments.length,
    links:
      policy.content.allowed_link_domains === null
        ? []
        : linksOf({ ...draft, headers }, context.config.publicUrl),
    isCut: isCut(draft),
    inGroups: await recipientsInGroups(context.store, policy, scope, draft),
  };
  const decision = decideByPolicy(policy, facts);
  if (decision.kind === 'allowed') return null;
  if (decision.kind === 'held') return decision.differences;
  const { field, param, message } = decision.problem;
  throw new Refusal('policy_violation', message, { param, details: { policy_field: field } });
}

/** The change to put before the messages of a plan. It refuses with `policy_violation` when they are too many. */
export function limitChanges(
  keyId: string,
  { max_per_hour, max_per_day }: SendPolicy,
  { asked, now }: { asked: number; now: number },
): Change[] {
  if (max_per_hour === null && max_per_day === null) return [];
  return [checkKeyLimits({ keyId, limits: { max_per_hour, max_per_day }, asked, now })];
}

/** Submitted mail, whose other header fields are not in the draft; null for other mail. */
function readAgain({ relayed }: Draft): SubmittedMail | null {
  if (relayed === null) return null;
  const submitted = readSubmitted(Buffer.from(relayed.raw));
  if (submitted.kind === 'refused') throw new Error('Submitted mail that was accepted cannot be read again.');
  return submitted.mail;
}

function headersOf({ headers }: Draft, submitted: SubmittedMail | null): Draft['headers'] {
  return submitted === null ? headers : submitted.fields.map((field) => [field.name, rawValue(field)]);
}

function sendersOf(
  { from, replyTo, relayed, recipients }: Draft,
  mail: SubmittedMail | null,
): PolicyFacts['senders'] {
  const named: PolicyFacts['senders'] = [
    { email: from.email, param: 'from' },
    ...replyTo.map(({ email }) => ({ email, param: 'reply_to' }) as const),
  ];
  if (relayed === null || mail === null) return named;
  const reports = recipients.flatMap(({ key }) => relayed.dsnOf(key)?.sender ?? []);
  return [
    ...named,
    ...[mail.from, ...mail.otherOriginators].map(({ email }) => ({ email, param: 'from' }) as const),
    // Delivery reports go to the sender of the envelope.
    ...[...new Set(reports)].map((email) => ({ email, param: 'from' }) as const),
  ];
}

/** Of submitted mail, the draft has only the first Reply-To. */
function answerAddresses(headers: Draft['headers']): PolicyFacts['senders'] {
  return headers
    .filter(([name]) => ANSWER_FIELDS.includes(name.toLowerCase()))
    .flatMap(([, value]) => readEveryMailbox(value) ?? [{ email: value.trim() }])
    .map(({ email }) => ({ email, param: 'reply_to' }));
}

/** Finds the recipients in the groups that the policy names, in one query for each group. */
async function recipientsInGroups(
  store: PolicyReads,
  { allowed_recipients: allowed }: SendPolicy,
  scope: Scope,
  { recipients, threadId }: Draft,
): Promise<Set<string>> {
  const keys = recipients.flatMap(({ email, key }) =>
    allowed === null || isAddressListed(allowed, email) ? [] : [key],
  );
  if (allowed === null || keys.length === 0) return new Set();
  const listIds = allowed.flatMap((entry) => (entry.startsWith(LIST) ? [entry.slice(LIST.length)] : []));
  const isThread = allowed.includes('thread_participants') && threadId !== null;
  const participants = isThread ? await store.threads.participantsAmong(threadId, keys) : new Set<string>();
  if (!allowed.includes('contacts') && listIds.length === 0) return participants;
  const contacts = await store.contacts.contactsByKeys(scope, keys);
  if (allowed.includes('contacts')) return new Set([...participants, ...contacts.keys()]);
  const keyOf = new Map([...contacts].map(([key, { number }]) => [number, key]));
  const members = await Promise.all(listIds.map((id) => membersAmong(store, scope, id, [...keyOf.keys()])));
  return new Set([...participants, ...members.flat().flatMap((number) => keyOf.get(number) ?? [])]);
}

/** Finds the contacts, by number, that a list of exactly this scope has; none for a list that was deleted. */
async function membersAmong(
  { lists }: PolicyReads,
  scope: Scope,
  id: string,
  numbers: readonly number[],
): Promise<number[]> {
  const list = numbers.length === 0 ? null : await lists.list(scope, id);
  if (list?.sub_tenant_id !== scope.subTenantId) return [];
  return [...(await lists.presentAmong({ list, segmentTag: null }, numbers))];
}

/** Returns the links of the content, its header fields and text files, without links to Mailkeel's own unsubscribe page. */
export function linksOf(
  {
    html,
    text,
    subject,
    headers,
    attachments,
  }: Pick<Draft, 'html' | 'text' | 'subject' | 'headers'> & {
    attachments: readonly Pick<Draft['attachments'][number], 'filename' | 'contentType' | 'content'>[];
  },
  publicUrl: string,
): WebLink[] {
  const own = new URL(`${publicUrl}/u/`).href;
  const files = attachments.flatMap(({ filename, contentType, content }) => {
    const type = contentType.toLowerCase();
    if (!type.startsWith('text/') && !type.includes('xml') && !HTML_FILE.test(filename)) return [];
    const read = type.startsWith('text/plain') ? linksInText : linksInHtml;
    return read(Buffer.from(content).toString());
  });
  const lines = [subject, ...headers.map(([, value]) => value)];
  const links = [
    ...linksInHtml(html ?? ''),
    ...linksInText(text ?? ''),
    ...lines.flatMap((line) => linksInText(line)),
    ...files,
  ];
  return links.filter(({ url }) => !url.startsWith(own));
}

/** Only submitted mail is read with limits. */
function isCut({ relayed, html, text, attachments }: Draft): boolean {
  if (relayed === null) return false;
  const { bodyLength, parts } = MAIL_LIMITS;
  const longest = Math.max(html?.length ?? 0, text?.length ?? 0);
  return longest >= bodyLength || attachments.length >= parts - 2;
}

/** The change that records a refusal by the policy; null for another refusal. */
export function recordedRefusal(
  keyId: string,
  scope: Scope,
  { error, now }: { error: unknown; now: number },
): Change | null {
  if (!(error instanceof Refusal) || error.code !== 'policy_violation') return null;
  const field = POLICY_FIELDS.find((name) => name === error.details?.['policy_field']);
  if (field === undefined) return null;
  const { organizationId, workspaceId, subTenantId, mode } = scope;
  return recordRefusedSend({
    field,
    entry: {
      ...{ at: now, organizationId, workspaceId, subTenantId, mode },
      actor: { kind: 'api_key', id: keyId },
      action: 'messages.refuse',
      targetId: keyId,
      detail: { fields: [field], values: { policy_field: field } },
    },
  });
}
