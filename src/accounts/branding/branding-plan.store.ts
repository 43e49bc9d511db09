// Plans changes of branding. Given fields are set, and others do not change. An owner has at most one logo.
import { newId } from '../../lib/runtime/index.js';
import { type Branding, type LogoTable, logos, brandings } from './brandings.tables.js';
import type { Change } from '../../database/change.js';
import { remove, insert, upsert } from '../../database/rows.js';

export interface BrandingChange {
  set: Partial<Omit<Branding, 'owner_id' | 'logo_id' | 'updated_at'>>;
  /** Null removes it. If absent, it does not change. */
  logo?: Pick<LogoTable, 'type' | 'content'> | null;
}

const NOTHING = {
  name: null,
  color: null,
  website_url: null,
  postal_address: null,
  language: null,
  logo_id: null,
  privacy_url: null,
};

/** Plans the branding of an organization or a sub-tenant, whose row must exist. */
export function planBranding(ownerId: string, { set, logo }: BrandingChange, now: number): Change[] {
  const logoId = logo ? newId('lgo', now) : null;
  const changed = { ...set, ...(logo === undefined ? {} : { logo_id: logoId }), updated_at: now };
  const logoChanges: Change[] = [];
  if (logo !== undefined) logoChanges.push(remove(logos, { where: { owner_id: ownerId } }));
  if (logo && logoId !== null) {
    const row = { id: logoId, owner_id: ownerId, ...logo, created_at: now };
    logoChanges.push(insert(logos, { row }));
  }
  const row = { owner_id: ownerId, ...NOTHING, ...changed };
  return [...logoChanges, upsert(brandings, { row, key: ['owner_id'], set: changed })];
}

export function forgetBranding(ownerId: string): Change[] {
  return [
    remove(logos, { where: { owner_id: ownerId } }),
    remove(brandings, { where: { owner_id: ownerId } }),
  ];
}
