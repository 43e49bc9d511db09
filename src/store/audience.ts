// Who may be written to: contacts, and with them the suppressed addresses.
import { createContactActivityStore } from './contact-activity.js';
import { createConsentStore } from './consents.js';
import { createContactStore } from './contacts.js';
import type { Engine } from './engine/engine.js';
import { createErasureStore } from './erasure.js';
import { createSuppressionStore } from './suppressions.js';

export type { Contact, ContactFilter } from './contacts.js';

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
