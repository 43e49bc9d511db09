// Tables of branding for public pages.
import type { PageLanguage } from '../../contract/names.js';
import { blob, type ColumnsOf, instant, nullable, type RowOf, table, text } from '../../database/columns.js';

/** Branding of public pages. Null for the default. */
export const brandings = table('brandings', {
  /** ID of an organization or a sub-tenant. */
  owner_id: text(),
  name: nullable(text()),
  /** `#rrggbb` in lower case. */
  color: nullable(text()),
  website_url: nullable(text()),
  postal_address: nullable(text()),
  language: nullable(text<PageLanguage>()),
  logo_id: nullable(text()),
  /** Privacy policy that sign-up pages link to. */
  privacy_url: nullable(text()),
  updated_at: instant(),
});
export type Branding = RowOf<typeof brandings>;

/** A logo. Each owner has at most one. */
export const logos = table('logos', {
  /** Part of its URL, which changes with the image. */
  id: text(),
  owner_id: text(),
  type: text<'image/png' | 'image/svg+xml'>(),
  content: blob(),
  created_at: instant(),
});
export type LogoTable = ColumnsOf<typeof logos>;
