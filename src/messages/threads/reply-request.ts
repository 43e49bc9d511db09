// Completes the request of a reply with fields from its thread that the caller left out.
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
 * Omits `from` if no address of the thread may be used, so that the default sender applies. Refused with `validation_error` if `to`
 * is missing and the correspondent cannot receive mail.
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
 * Returns the correspondent. Their Reply-To is used only from a message that passed DMARC. Anyone can forge a From, and a forger
 * who knows a signed address could otherwise redirect the replies.
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

/** The From address of the thread, if the sender may still use it. */
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
  // Drops half a surrogate pair at the cut.
  const line = replySubject(subject)
    .slice(0, MAX_SUBJECT)
    .replace(/[\ud800-\udbff]$/, '');
  return line.toWellFormed();
}

/** An invalid name in received mail must not prevent the reply. */
function namedIfSound({ email, name }: Mailbox): Mailbox {
  return { email, name: name === null || nameProblem(name) !== null ? null : name };
}
