// The message of ours that a report is about: the first token in it that we signed.
import { readUnsubscribeToken } from '../../lists/preferences/unsubscribe.rules.js';
import { readMessageReference, readUnsubscribeLocal } from '../../messages/mail-tokens.rules.js';
import type { TokenKey } from '../../lib/tokens/signed-token.js';
import { tokensIn, type TokenTrace, type Traced } from './token-traces.rules.js';
import { readReturnPathLocal } from '../verp.rules.js';

/**
 * Public id, or null. A Message-ID is not signed, and the address for replies is shown to everybody in a conversation:
 * neither proves anything.
 */
export function tracedMessage(traced: Traced, keys: readonly TokenKey[]): string | null {
  for (const trace of tokensIn(traced)) {
    const messageId = readTrace(trace, keys);
    if (messageId !== null) return messageId;
  }
  return null;
}

function readTrace(trace: TokenTrace, keys: readonly TokenKey[]): string | null {
  switch (trace.kind) {
    case 'return_path':
      return readReturnPathLocal(trace.local, trace.domain, keys);
    case 'reference':
      return readMessageReference(trace.token, keys);
    case 'unsubscribe_link':
      return readUnsubscribeToken(trace.token, keys);
    case 'unsubscribe_address':
      return readUnsubscribeLocal(trace.local, trace.domain, keys);
    case 'reply_address':
    case 'message_id':
      return null;
  }
}
