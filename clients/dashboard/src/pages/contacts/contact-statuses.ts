// The states of contacts, in the order of reading.
import type { ContactStatus } from '@mailkeel/sdk';

export const CONTACT_STATUSES: readonly ContactStatus[] = ['active', 'unsubscribed', 'bounced', 'complained'];
