// The audience: contacts, and with them the suppressed addresses.
import { createContactActivityStore } from '../analytics/contact-activity.store.js';
import { createConsentStore } from '../contacts/consents.store.js';
import { createContactStore } from '../contacts/contacts.store.js';
import type { Engine } from './engine/engine.js';
import { createErasureStore } from '../erasure/erasure.store.js';
import { createSuppressionStore } from '../suppressions/suppressions.store.js';

export type AudienceStore = ReturnType<typeof createAudienceStore>;

export function createAudienceStore(engine: Engine) {
  return {
    ...createSuppressionStore(engine),
    ...createContactStore(engine),
    ...createContactActivityStore(engine),
    ...createConsentStore(engine),
    erasure: createErasureStore(engine),
  };
}
