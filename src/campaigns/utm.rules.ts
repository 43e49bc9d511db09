// UTM parameters of a campaign's links. Parameters that a link has already stay, and so do links that are not to a web page.
import { addLinkParameters, isOwnPage } from '../tracking/tracking-links.rules.js';

export const UTM_NAMES = ['source', 'medium', 'campaign', 'content', 'term'] as const;
export type UtmName = (typeof UTM_NAMES)[number];

/** Values by name, as the campaign keeps them; without those that are not set. */
export type Utm = Partial<Record<UtmName, string>>;

/** Values that placeholders stand for. */
export interface UtmFacts {
  campaign_name: string;
  campaign_id: string;
  /** Tag or key of the variant; '' for the base. */
  variant: string;
}

const PLACEHOLDERS = ['campaign_name', 'campaign_id', 'variant'] as const;
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** Of a URL in plain text: what follows it in a sentence is not part of it. */
const TEXT_URL = /https?:\/\/[^\s<>"'`|\\^{}[\]]+/gi;
const TRAILING = /[.,;:!?)]+$/;

/** Why a value cannot be used, or null. */
export function utmProblem(value: string): string | null {
  const unknown = [...value.matchAll(PLACEHOLDER)].find(
    ([, name]) => !PLACEHOLDERS.some((known) => known === name),
  );
  if (unknown !== undefined) {
    return `has the unknown placeholder ${unknown[0]}; use {{campaign_name}}, {{campaign_id}} or {{variant}}`;
  }
  return value.replace(PLACEHOLDER, '').includes('{{') ? 'has a placeholder that does not end' : null;
}

/** The parameters of one copy, in order, filled; those that are empty once they are filled are left out. */
export function utmParameters(utm: Utm, facts: UtmFacts): [name: string, value: string][] {
  return UTM_NAMES.flatMap((name): [string, string][] => {
    const value = (utm[name] ?? '').replace(PLACEHOLDER, (found: string, key: string) => {
      const known = PLACEHOLDERS.find((one) => one === key);
      return known === undefined ? found : facts[known];
    });
    return value.trim() === '' ? [] : [[`utm_${name}`, value.trim()]];
  });
}

/** The query to append to a link: the parameters that it lacks. */
export function missingQuery(target: string, parameters: readonly [string, string][]): string {
  const [address = ''] = target.split('#', 1);
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  const has = new Set(query.split('&').map((pair) => (pair.split('=', 1)[0] ?? '').toLowerCase()));
  return parameters
    .filter(([name]) => !has.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

export interface UtmTerms {
  parameters: readonly [string, string][];
  /** Base of our own pages, whose links stay. */
  publicUrl: string;
}

export function withUtmInHtml(html: string, { parameters, publicUrl }: UtmTerms): string {
  return addLinkParameters(html, { queryOf: (target) => missingQuery(target, parameters), publicUrl });
}

export function withUtmInText(text: string, { parameters, publicUrl }: UtmTerms): string {
  return text.replace(TEXT_URL, (found) => {
    const trailing = TRAILING.exec(found)?.[0] ?? '';
    // A bracket that opens in the URL may close in it.
    const isBalanced = trailing.startsWith(')') && found.includes('(');
    const url = isBalanced ? found : found.slice(0, found.length - trailing.length);
    if (!URL.canParse(url) || isOwnPage(url, publicUrl)) return found;
    return withQuery(url, missingQuery(url, parameters)) + found.slice(url.length);
  });
}

/** The URL with the query appended before its fragment. */
function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const at = url.indexOf('#');
  const [address, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${query}${fragment}`;
}
