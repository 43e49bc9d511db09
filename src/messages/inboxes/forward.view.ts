// Presents a forwarding address as a /v1 object.
import { wireOf } from '../../contract/codec.js';
import { isoOrNull } from '../../contract/time.js';
import { inboxForward, type InboxForwardWire } from './forward.schema.js';
import type { InboxForward } from './forwards.tables.js';

interface ForwardContext {
  /** The address is on the suppression list. */
  isSuppressed: boolean;
}

const REASONS: Record<InboxForwardWire['state'], string | null> = {
  pending: 'The owner of the address has not confirmed the forwarding yet.',
  active: null,
  suspended: 'The address is on the suppression list. Remove it from the list to resume forwarding.',
  stopped: 'The owner of the address has stopped the forwarding.',
};

export const presentForward = wireOf(inboxForward).from<InboxForward, ForwardContext>({
  state: stateOf,
  reason: (row, context) => REASONS[stateOf(row, context)],
  confirmation_expires_at: ({ confirmed_at: confirmed, confirmation_expires_at: expires }) =>
    isoOrNull(confirmed === null ? expires : null),
});

function stateOf(
  { confirmed_at: confirmed, stopped_at: stopped }: InboxForward,
  { isSuppressed }: ForwardContext,
): InboxForwardWire['state'] {
  if (stopped !== null) return 'stopped';
  if (confirmed === null) return 'pending';
  return isSuppressed ? 'suspended' : 'active';
}
