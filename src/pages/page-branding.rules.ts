// The branding that a page for recipients shows.
import type { PageLanguage } from '../contract/names.js';

/** `null` is the default. */
export interface PageBranding {
  name: string | null;
  /** `#rrggbb`, in lower case. */
  color: string | null;
  website_url: string | null;
  postal_address: string | null;
  language: PageLanguage | null;
  logo_id: string | null;
  privacy_url: string | null;
}

/** Merges brandings: each value comes from the first that has it. */
export function mergedBranding(brandings: readonly Partial<PageBranding>[]): PageBranding {
  const valueOf = <F extends keyof PageBranding>(field: F): PageBranding[F] | null =>
    brandings.find((one) => (one[field] ?? null) !== null)?.[field] ?? null;
  return {
    name: valueOf('name'),
    color: valueOf('color'),
    website_url: valueOf('website_url'),
    postal_address: valueOf('postal_address'),
    language: valueOf('language'),
    logo_id: valueOf('logo_id'),
    privacy_url: valueOf('privacy_url'),
  };
}
