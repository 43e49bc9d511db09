import type { Consent } from '../../src/contacts/contact-changes.store.js'; // The consent that a test gives when what it says is no matter of it.

export const CONSENT: Consent = {
  event: 'joined',
  actor: 'api',
  actorId: null,
  source: 'POST /v1/lists/:id/contacts',
  ip: '192.0.2.7',
  userAgent: null,
};
