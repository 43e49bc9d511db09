// The consent that a test gives when what it says is no matter of it.
import type { Consent } from '../../src/contacts/audience-changes.store.js';

export const CONSENT: Consent = {
  event: 'joined',
  actor: 'api',
  actorId: null,
  source: 'POST /v1/lists/:id/contacts',
  ip: '192.0.2.7',
  userAgent: null,
};
