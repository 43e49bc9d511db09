// The states of messages, in the order of their way.
import type { MessageStatus } from '@mailkeel/sdk';

export const MESSAGE_STATUSES: readonly MessageStatus[] = [
  ...(['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const),
  ...(['failed', 'suppressed', 'canceled', 'received'] as const),
];
