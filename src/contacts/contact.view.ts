// A contact as /v1 and exports show it.
import { wireOf } from '../contract/codec.js';
import { contact, contactConsent, type ExportedContact } from './contact.schema.js';
import type { Contact } from './contacts.tables.js';
import type { Consent } from './consents.store.js';

export const presentContact = wireOf(contact).from<Contact>();

const presentListConsent = wireOf(contactConsent).from<Consent>();

/** A contact as exports have it. */
export function presentExported(row: Contact, consents: readonly Consent[]): ExportedContact {
  return { ...presentContact(row), consents: consents.map((one) => presentListConsent(one)) };
}
