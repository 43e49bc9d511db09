// A contact's row as /v1 shows it.
import type { ContactWire } from '../../../contract/contact.js';
import type { Contact } from '../../../store/audience.js';
import { iso } from './time.js';

export function presentContact(row: Contact): ContactWire {
  return {
    id: row.id,
    object: 'contact',
    email: row.email,
    name: row.name,
    phone: row.phone,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    status: row.status,
    sub_tenant_id: row.sub_tenant_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
