// Completes the request of a reply from its thread, where the caller left fields out.
import type { MailboxInput } from '../message.schema.js';
import type { Mode } from '../../contract/names.js';
import { invalidFields } from '../../contract/refusal.js';
import type { ThreadReplyRequest } from './thread.schema.js';
import {
  addressKey,
  addressProblem,
  envelopeAddress,
  type Mailbox,
  replySubject,
} from '../../lib/mime/index.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import { senderCheck } from '../../domains/senders/sender.rules.js';
import { SIGNED_PREFIX } from '../mail-tokens.rules.js';
import type { Message } from '../messages.store.js';
import type { LatestMessages } from './threads.store.js';
import type { SenderSide } from '../accept/facts.js';
import type { CompletedFields } from '../accept/read-request.js';
import { nameProblem } from '../accept/recipients.js';
import type { Thread } from './threads.tables.js';
import type { MessageStores } from '../stores.js';

const MAX_SUBJECT = 998;

/**
 * Without `from` where nothing of the thread may be used: the default sender's part. Refused with `validation_error`
 * when `to` is not given and the correspondent cannot be written to.
 */
export async function completeReply(
  store: Pick<MessageStores, 'threads'>,
  thread: Thread,
  { to, from, subject }: ThreadReplyRequest,
  side: SenderSide & { mode: Mode },
): Promise<CompletedFields> {
  const latest = await store.threads.latestOf(thread.id);
  const sender = from ?? senderOf(latest, side);
  return {
    ...(sender === null ? {} : { from: sender }),
    to: to ?? (await recipientOf(store, thread, latest.received)),
    subject: subject ?? subjectOf(thread),
    thread_id: thread.id,
  };
}

/**
 * The correspondent. Their Reply-To counts only on a message of theirs that DMARC passed: anyone can write any From, and
 * whoever forged it, or got hold of a signed address, would have the answers sent to themselves.
 */
async function recipientOf(
  store: Pick<MessageStores, 'threads'>,
  thread: Thread,
  received: Message | null,
): Promise<MailboxInput> {
  const {
    reply_to_email: email = null,
    reply_to_name: name = null,
    from_email: author = '',
  } = received ?? {};
  const isTheirs = addressKey(author) === thread.correspondent_key;
  if (
    received !== null &&
    isTheirs &&
    email !== null &&
    addressProblem(email, { utf8Local: true }) === null
  ) {
    if (await isProven(store, received)) return namedIfSound({ email, name });
  }
  const { correspondent_email: own, correspondent_name: ownName } = thread;
  const problem = isErasedAddress(own)
    ? "The contact's address was erased."
    : addressProblem(own, { utf8Local: true });
  if (problem === null) return namedIfSound({ email: own, name: ownName });
  throw invalidFields([
    { path: 'to', message: `is required because ${own} cannot receive replies. ${problem}` },
  ]);
}

async function isProven(store: Pick<MessageStores, 'threads'>, { id }: Message): Promise<boolean> {
  const { authentication = null } = (await store.threads.originOf(id)) ?? {};
  if (authentication === null) return false;
  return (JSON.parse(authentication) as { dmarc: { result: string } }).dmarc.result === 'pass';
}

/** The From that the thread knows, as long as it is the sender's to use. */
function senderOf({ sent, received }: LatestMessages, side: SenderSide & { mode: Mode }): Mailbox | null {
  const known: Mailbox[] = [
    ...(sent ? [{ email: sent.from_email, name: sent.from_name }] : []),
    ...(received ? [{ email: received.to_email, name: null }] : []),
  ];
  const usable = known.find(
    ({ email }) =>
      !SIGNED_PREFIX.test(email) &&
      addressProblem(email) === null &&
      senderCheck({ ...side, fromEmail: envelopeAddress(email) }).isAllowed,
  );
  return usable ? namedIfSound(usable) : null;
}

function subjectOf({ subject }: Thread): string {
  // Half a character at the cut falls away with it.
  const line = replySubject(subject)
    .slice(0, MAX_SUBJECT)
    .replace(/[\ud800-\udbff]$/, '');
  return line.toWellFormed();
}

/** A bad name in received mail must not keep the answer from being sent. */
function namedIfSound({ email, name }: Mailbox): Mailbox {
  return { email, name: name === null || nameProblem(name) !== null ? null : name };
}
