// Reading and showing how the pages for recipients look.
import type { BrandingPatch, BrandingWire } from './branding.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { readLogo, logoPath } from '../../pages/logo.rules.js';
import type { BrandingChange } from './branding-plan.store.js';
import type { Branding } from './brandings.tables.js';

const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** Refuses with a 422 that names each field at fault. */
export function readBranding(patch: BrandingPatch): BrandingChange {
  const { logo: given, color, ...rest } = patch;
  const problems: FieldProblem[] = [];
  for (const field of ['website_url', 'privacy_url'] as const) {
    const url = rest[field];
    if (typeof url === 'string' && !isWebsite(url)) {
      problems.push({
        path: `branding.${field}`,
        message: 'must be an http or https URL without a password',
      });
    }
  }
  for (const field of ['name', 'postal_address'] as const) {
    const text = rest[field] ?? null;
    if (text !== null && text.trim() === '') {
      problems.push({ path: `branding.${field}`, message: 'must not be empty. Use null to remove it' });
    }
  }
  if (LINE_BREAK.test(rest.name ?? '')) {
    problems.push({ path: 'branding.name', message: 'must be a single line of text' });
  }
  const logo = typeof given === 'string' ? readLogo(given) : given;
  if (typeof logo === 'string') problems.push({ path: 'branding.logo', message: logo });
  if (problems.length > 0 || typeof logo === 'string') throw invalidFields(problems);
  const set = { ...rest, ...(color === undefined ? {} : { color: color?.toLowerCase() ?? null }) };
  return logo === undefined ? { set } : { set, logo };
}

/** A link on public pages. */
function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** `row`: undefined where nothing was chosen. `publicUrl` without a slash at its end. */
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
