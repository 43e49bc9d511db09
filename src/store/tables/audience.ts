// The tables of who is written to, and with which templates: contacts, suppressions, templates.
import type { MessageType } from '../../contract/names.js';
import type { Instant, Json } from './columns.js';

export interface TemplateTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  slug: string;
  name: string;
  type: MessageType | 'any';
  version: number;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface TemplateVersionTable {
  template_id: string;
  version: number;
  subject: string | null;
  html: string | null;
  text: string | null;
  created_at: Instant;
}

export interface ContactTable {
  id: string;
  workspace_id: string;
  sub_tenant_id: string | null;
  email: string;
  email_key: string;
  name: string | null;
  phone: string | null;
  tags: Json;
  metadata: Json;
  status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
  created_at: Instant;
  updated_at: Instant;
}

export interface SuppressionTable {
  id: string;
  environment_id: number;
  /** '' for the whole workspace, else a sub-tenant's id. */
  sub_tenant_key: string;
  email: string;
  email_key: string;
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
  message_public_id: string | null;
  created_at: Instant;
}
