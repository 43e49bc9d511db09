// Tables and indexes of src/contacts.
import type { Spelling } from '../../engine/engine.js';

export const contactsSchema = (t: Spelling): string[] => [
  `CREATE TABLE contacts (
    number ${t.lastingId}, id TEXT NOT NULL UNIQUE, sub_tenant_id TEXT, email TEXT NOT NULL, email_key TEXT NOT NULL,
    name TEXT, phone TEXT, tags TEXT NOT NULL, metadata TEXT NOT NULL, status TEXT NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, environment_id ${t.int} NOT NULL DEFAULT 0)`,
  `CREATE UNIQUE INDEX contacts_address ON contacts (environment_id, email_key, COALESCE(sub_tenant_id, ''))`,
  `CREATE INDEX contacts_by_environment ON contacts (environment_id, number)`,
  `CREATE INDEX contacts_of_tenant ON contacts (environment_id, sub_tenant_id, number) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX contacts_by_status ON contacts (environment_id, status, number)`,

  `CREATE TABLE contact_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, contact_number ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, tag, contact_number))`,

  `CREATE TABLE contact_counts (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, status TEXT NOT NULL, contacts ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, status))`,

  `CREATE TABLE audience_versions (
    environment_id ${t.int} NOT NULL PRIMARY KEY, version ${t.int} NOT NULL)`,

  `CREATE TABLE consents (
    number ${t.id}, environment_id ${t.int} NOT NULL, list_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL,
    event TEXT NOT NULL, occurred_at ${t.int} NOT NULL, actor TEXT NOT NULL, actor_id TEXT, source TEXT NOT NULL,
    ip TEXT, user_agent TEXT)`,
  `CREATE INDEX consents_of_contact ON consents (contact_number, list_number)`,

  ...t.contactSearch.create,
];
