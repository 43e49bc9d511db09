// Tables of the look of pages for recipients.
import type { PageLanguage } from '../../contract/names.js';
import { blob, type ColumnsOf, instant, nullable, type RowOf, table, text } from '../../database/columns.js';

/** Branding of pages for recipients; null is the default. */
export const brandings = table('brandings', {
  /** An organization's or a sub-tenant's id. */
  owner_id: text(),
  name: nullable(text()),
  /** `#rrggbb`, in small letters. */
  color: nullable(text()),
  website_url: nullable(text()),
  postal_address: nullable(text()),
  language: nullable(text<PageLanguage>()),
  logo_id: nullable(text()),
  /** Of the privacy policy, linked where people sign up. */
  privacy_url: nullable(text()),
  updated_at: instant(),
});
export type Branding = RowOf<typeof brandings>;

/** A logo, one of each owner. */
export const logos = table('logos', {
  /** In its address, which changes with the image. */
  id: text(),
  owner_id: text(),
  type: text<'image/png' | 'image/svg+xml'>(),
  content: blob(),
  created_at: instant(),
});
export type LogoTable = ColumnsOf<typeof logos>;
