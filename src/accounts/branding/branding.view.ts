// Parses and presents the branding of public pages.
import type { BrandingPatch, BrandingWire } from './branding.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { readLogo, logoPath } from '../../pages/logo.rules.js';
import type { BrandingChange } from './branding-plan.store.js';
import type { Branding } from './brandings.tables.js';

const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** Refuses with a 422 that names each invalid field. */
export function readBranding(patch: BrandingPatch): BrandingChange {
  const { name, logo: given, color, website_url, postal_address, language, privacy_url } = patch;
  const problems: FieldProblem[] = [];
  for (const [field, url] of Object.entries({ website_url, privacy_url })) {
    if (typeof url === 'string' && !isWebsite(url)) {
      problems.push({
        path: `branding.${field}`,
        message: 'must be an http or https URL without a password',
      });
    }
  }
  for (const [field, text] of Object.entries({ name, postal_address })) {
    if (typeof text === 'string' && text.trim() === '') {
      problems.push({ path: `branding.${field}`, message: 'must not be empty. Use null to remove it' });
    }
  }
  if (LINE_BREAK.test(name ?? '')) {
    problems.push({ path: 'branding.name', message: 'must be a single line of text' });
  }
  const logo = typeof given === 'string' ? readLogo(given) : given;
  if (typeof logo === 'string') problems.push({ path: 'branding.logo', message: logo });
  if (problems.length > 0 || typeof logo === 'string') throw invalidFields(problems);
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(color === undefined ? {} : { color: color?.toLowerCase() ?? null }),
    ...(website_url === undefined ? {} : { website_url }),
    ...(postal_address === undefined ? {} : { postal_address }),
    ...(language === undefined ? {} : { language }),
    ...(privacy_url === undefined ? {} : { privacy_url }),
  };
  return logo === undefined ? { set } : { set, logo };
}

/** Returns whether public pages may link to the URL. */
function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** `row` is undefined without branding. `publicUrl` has no trailing slash. */
export function presentBranding(row: Branding | undefined, publicUrl: string): BrandingWire {
  const logoId = row?.logo_id ?? null;
  return {
    name: row?.name ?? null,
    logo_url: logoId === null ? null : `${publicUrl}${logoPath(logoId)}`,
    color: row?.color ?? null,
    website_url: row?.website_url ?? null,
    postal_address: row?.postal_address ?? null,
    language: row?.language ?? null,
    privacy_url: row?.privacy_url ?? null,
  };
}
