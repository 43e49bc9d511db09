// Composes a stored message again, with the signatures that it was sent with.
import { isErasedAddress } from '../../contract/erased-address.js';
import { joinMessage } from '../../lib/mime/index.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import { readTrace } from '../../messages/inboxes/forwards.tables.js';
import type { Message } from '../../messages/messages.store.js';
import type { OutboundContext } from '../context.js';
import { composeOutgoing, composeSettings, messageDate } from './compose.js';
import { signatureFields } from './signatures.js';
import { SigningKeys } from './signing-keys.js';

export type RawMessages = (message: Pick<Message, 'id' | 'public_id' | 'status'>) => Promise<Buffer>;

/**
 * Returns a function that reads a message as RFC 5322 octets. A sent message is identical to the sent one, with its
 * signatures, as long as its keys exist (a replaced key exists for the overlap of a rotation) and its reply address is at
 * the same domain. Without signing time or keys it has no signature, nor after an erasure or redaction. Relayed 8-bit mail is returned in its 8-bit form,
 * because the form that was sent is not recorded. Received mail is returned as received.
 */
export function createRawMessages(
  context: Pick<OutboundContext, 'store' | 'config' | 'keys' | 'keyGeneration' | 'clock'>,
): RawMessages {
  const { store, config, keys, clock, keyGeneration } = context;
  const signingKeys = new SigningKeys(store, keys.masterKey, clock, keyGeneration);
  const settings = composeSettings(config, keys.tokenKeys.active);
  return async (message) => {
    const deliverable = (await store.messages.deliverables([message.id])).get(message.id);
    if (!deliverable) throw new Error(`Message ${message.public_id} has lost its content.`);
    if (message.status === 'received') return Buffer.from(deliverable.raw ?? []);
    const dueAt = deliverable.message.scheduled_at ?? deliverable.message.created_at;
    const { composed } = composeOutgoing(deliverable, messageDate(deliverable, dueAt), settings);
    const signedAt = isAsSent(deliverable.message) ? deliverable.message.signed_at : null;
    const found = signedAt === null ? null : await signingKeys.signersOf(deliverable, signedAt);
    if (signedAt === null || found?.kind !== 'signers')
      return joinMessage(composed.headerLines, composed.body);
    const forward = readTrace(deliverable.message.forward);
    const signatures = signatureFields(composed, { signers: found.signers, forward, signedAt });
    return joinMessage([...signatures, ...composed.headerLines], composed.body);
  };
}

/** A message without its author or recipient was never sent so. A signature would vouch for what others wrote. */
function isAsSent({ from_email: from, to_email: to }: Deliverable['message']): boolean {
  return !isErasedAddress(from) && !isErasedAddress(to);
}
