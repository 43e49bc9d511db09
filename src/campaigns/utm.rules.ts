// UTM parameters of a campaign's links. Existing parameters, and links to anything but web pages, do not change.
import {
  MAX_LINKS,
  MAX_TARGET,
  addLinkParameters,
  isOwnPage,
  joinedQuery,
} from '../tracking/tracking-links.rules.js';

export const UTM_NAMES = ['source', 'medium', 'campaign', 'content', 'term'] as const;
type UtmName = (typeof UTM_NAMES)[number];

/** Values by name, as stored with the campaign, without unset ones. */
export type Utm = Partial<Record<UtmName, string>>;

/** Values of placeholders. */
interface UtmFacts {
  campaign_name: string;
  campaign_id: string;
  /** The variant's tag or the split's key; '' for the base. */
  variant: string;
}

const PLACEHOLDERS = ['campaign_name', 'campaign_id', 'variant'] as const;
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const TEXT_URL = /https?:\/\/[^\s<>"'`|\\^{}[\]]+/gi;
/** Maximum length of a value after placeholders are filled. */
const MAX_VALUE = 200;

/** Returns why a value cannot be used, or null. */
export function utmProblem(value: string): string | null {
  const unknown = [...value.matchAll(PLACEHOLDER)].find(
    ([, name]) => !PLACEHOLDERS.some((known) => known === name),
  );
  if (unknown !== undefined) {
    return `has the unknown placeholder ${unknown[0]}; use {{campaign_name}}, {{campaign_id}} or {{variant}}`;
  }
  return value.replace(PLACEHOLDER, '').includes('{{') ? 'has a placeholder that does not end' : null;
}

/** Returns the parameters of one copy, in order, filled and truncated to `MAX_VALUE`, without empty ones. */
export function utmParameters(utm: Utm, facts: UtmFacts): [name: string, value: string][] {
  return UTM_NAMES.flatMap((name): [string, string][] => {
    const value = (utm[name] ?? '').replace(PLACEHOLDER, (found: string, key: string) => {
      const known = PLACEHOLDERS.find((one) => one === key);
      return known === undefined ? found : facts[known];
    });
    const cut = value.trim().slice(0, MAX_VALUE).toWellFormed();
    return cut === '' ? [] : [[`utm_${name}`, cut]];
  });
}

/** Returns the query of the parameters that a link lacks. */
export function missingQuery(target: string, parameters: readonly [string, string][]): string {
  const [address = ''] = target.split('#', 1);
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  const has = new Set(query.split('&').map((pair) => (pair.split('=', 1)[0] ?? '').toLowerCase()));
  return parameters
    .filter(([name]) => !has.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

interface UtmTerms {
  parameters: readonly [string, string][];
  /** Base URL of the server's pages, whose links stay unchanged. */
  publicUrl: string;
}

export function withUtmInHtml(html: string, { parameters, publicUrl }: UtmTerms): string {
  return addLinkParameters(html, { queryOf: (target) => missingQuery(target, parameters), publicUrl });
}

export function withUtmInText(text: string, { parameters, publicUrl }: UtmTerms): string {
  let links = 0;
  return text.replace(TEXT_URL, (found) => {
    links += 1;
    if (links > MAX_LINKS || found.length > MAX_TARGET) return found;
    const url = withoutPunctuation(found);
    if (!URL.canParse(url) || isOwnPage(url, publicUrl)) return found;
    const tagged = withQuery(url, missingQuery(url, parameters));
    return tagged.length > MAX_TARGET ? found : tagged + found.slice(url.length);
  });
}

/** Returns the URL without the punctuation of the sentence around it. A closing bracket stays if it is opened in the URL. */
function withoutPunctuation(found: string): string {
  let end = found.length;
  let unopened = found.split(')').length - found.split('(').length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!'.,;:!?'.includes(last)) break;
  }
  return found.slice(0, end);
}

/** Returns the URL with the query inserted before its fragment. */
function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const at = url.indexOf('#');
  const [address, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  return `${address}${joinedQuery(address, query)}${fragment}`;
}
