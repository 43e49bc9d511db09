// Finds links whose text names a different domain than their target.
import { parse } from 'tldts';
import { decodeReferences, readAttributes, scanHtml } from './html-scan.js';

export interface MisleadingLink {
  /** The first 200 characters of the link's text. */
  text: string;
  /** The domain that the text names, and that of the target, in lower case and A-labels. */
  textDomain: string;
  targetDomain: string;
}

const MAX_LABEL = 500;
const MAX_TEXT = 200;
const HOST = /(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,24}(?![\p{L}\p{N}-])/gu;
/** Names with these endings are files unless something shows that they are hosts. */
const FILE_ENDING = /^[^.]+\.(?:zip|mov|md|sh|rs|py|pl|ps|ai|so|cc)$/i;

/** Takes linear time. Compares registrable domains, so `www.example.com` and `example.com` are the same. */
export function misleadingLinks(source: string): MisleadingLink[] {
  const found: MisleadingLink[] = [];
  let link: { host: string; label: string } | null = null;
  const end = (): void => {
    const misleading = link === null ? null : misleadingLink(link);
    if (misleading !== null) found.push(misleading);
    link = null;
  };
  for (const token of scanHtml(source)) {
    if (token.kind === 'text') {
      if (link !== null && link.label.length < MAX_LABEL) {
        link.label += decodeReferences(source.slice(token.start, token.end)).slice(0, MAX_LABEL);
      }
    } else if (token.name === 'a') {
      end();
      const host = token.kind === 'open' ? hostOf(readAttributes(source, token).get('href') ?? '') : null;
      if (host !== null) link = { host, label: '' };
    }
  }
  end();
  return found;
}

function misleadingLink({ host, label }: { host: string; label: string }): MisleadingLink | null {
  const targetDomain = domainOf(host) ?? host;
  const text = label.replace(/\s+/g, ' ').trim();
  const textDomain = domainsIn(text).find((domain) => domain !== targetDomain);
  if (textDomain === undefined) return null;
  return { text: text.slice(0, MAX_TEXT).toWellFormed(), textDomain, targetDomain };
}

function domainsIn(text: string): string[] {
  return [...text.matchAll(HOST)].flatMap(({ 0: name, index }) => {
    const isBare = !/(?:\/\/|@)$/.test(text.slice(Math.max(0, index - 2), index));
    if (isBare && FILE_ENDING.test(name)) return [];
    const host = hostOf(`http://${name}`);
    return host === null ? [] : (domainOf(host) ?? []);
  });
}

/** Returns the registrable domain; `null` for a name below no public suffix. */
function domainOf(host: string): string | null {
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true ? domain : null;
}

function hostOf(url: string): string | null {
  const cleaned = url.replace(/[\t\n\r]/g, '').trim();
  if (!/^https?:/i.test(cleaned) || !URL.canParse(cleaned)) return null;
  return new URL(cleaned).hostname.replace(/\.$/, '');
}
