// Tables and indexes of src/lists.
import type { Spelling } from '../../engine/engine.js';

export const listsSchema = (t: Spelling): string[] => [
  `CREATE TABLE contact_lists (
    number ${t.lastingId}, id TEXT NOT NULL UNIQUE, sub_tenant_id TEXT, name TEXT NOT NULL, description TEXT,
    double_opt_in ${t.int} NOT NULL, confirmation_template_id TEXT, filter TEXT, contacts ${t.int} NOT NULL,
    counted_at ${t.int}, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, deleted_at ${t.int},
    environment_id ${t.int} NOT NULL DEFAULT 0, form_key TEXT, form_origins TEXT NOT NULL DEFAULT '[]')`,
  `CREATE INDEX contact_lists_by_environment ON contact_lists (environment_id, number)`,
  `CREATE UNIQUE INDEX contact_lists_by_form_key ON contact_lists (form_key) WHERE form_key IS NOT NULL`,

  `CREATE TABLE list_members (
    list_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL, state TEXT NOT NULL, joined_at ${t.int} NOT NULL,
    PRIMARY KEY (list_number, contact_number))`,
  `CREATE INDEX list_members_by_contact ON list_members (contact_number)`,

  `CREATE TABLE list_unsubscribes (
    list_number ${t.int} NOT NULL, email_key TEXT NOT NULL, unsubscribed_at ${t.int} NOT NULL,
    PRIMARY KEY (list_number, email_key))`,

  `CREATE TABLE list_days (
    list_number ${t.int} NOT NULL, day ${t.int} NOT NULL, joined ${t.int} NOT NULL, unsubscribed ${t.int} NOT NULL,
    PRIMARY KEY (list_number, day))`,

  `CREATE TABLE list_tags (
    list_number ${t.int} NOT NULL, tag TEXT NOT NULL, contacts ${t.int} NOT NULL, PRIMARY KEY (list_number, tag))`,
];
