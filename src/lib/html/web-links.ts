// Finds the http and https links of HTML and of plain text, as far as browsers and mail programs follow them. It reports too many
// rather than too few: images, styles and comments count too.
import { unescapedCss } from './css-visibility.js';
import { attributePlaces, decodeReferences, type HtmlToken, scanHtml } from './html-scan.js';

/** Attributes whose whole value is a URL. */
const URL_ATTRIBUTES =
  /^(?:href|xlink:href|src|action|formaction|background|poster|cite|data|longdesc|usemap|codebase|manifest|ping)$/;
/** A URL in text, up to a character that ends it. */
const URL_IN_TEXT = /(?:https?:|(?<![\w@./-])www\.)[^\s"'<>`]+/gi;
/** A URL without a scheme in a list of images or in a style. */
const BARE_IN_TEXT = /(?:^|[\s,('"])[\\/]{2}([^\s"'<>`),]+)/g;
const END_OF_SENTENCE = /[)\].,;:!?*_}]+$/;
/** Stands for the place of a relative URL. */
const NOWHERE = 'https://relative.invalid';

/** A link with its host, in lower case and A-labels; `null` if the URL cannot be parsed. */
export interface WebLink {
  url: string;
  host: string | null;
}

/** Returns the links of HTML, with those of attributes that take URLs, and those in text, styles and comments. */
export function linksInHtml(source: string): WebLink[] {
  return scanHtml(source).flatMap((token) => {
    const text = decodeReferences(source.slice(token.start, token.end));
    if (token.kind === 'comment' && /^<!doctype/i.test(text)) return [];
    if (token.kind !== 'open' && token.kind !== 'void') {
      return token.kind === 'text' ? linksInText(text) : linksInStyle(text);
    }
    return linksOfTag(source, token);
  });
}

/** Returns the links of plain text, also those without a scheme that begin with `www.`. */
export function linksInText(text: string): WebLink[] {
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([found]) => {
    const url = found.replace(END_OF_SENTENCE, '');
    if (/^(?:https?|www)$/i.test(url)) return [];
    return [webLink(/^www\./i.test(url) ? `http://${url}` : url)];
  });
}

/** Styles can write any character as an escape. */
function linksInStyle(text: string): WebLink[] {
  const readings = text.includes('\\') ? [text, unescapedCss(text)] : [text];
  return readings.flatMap((one) => [...linksInText(one), ...bareLinksIn(one)]);
}

function linksOfTag(source: string, token: HtmlToken): WebLink[] {
  const places = attributePlaces(source, token);
  // Readers disagree about where such a tag ends, so all of it counts as text.
  if (places === null) {
    const text = decodeReferences(source.slice(token.start, token.end));
    return [...linksInText(text), ...bareLinksIn(text.replaceAll('=', ' '))];
  }
  const values = [...places].flatMap(([name, { start, end }]) =>
    isNamespace(name) ? [] : [{ name, value: decodeReferences(source.slice(start, end)) }],
  );
  const ofAttributes = values.flatMap(({ name, value }) => {
    if (URL_ATTRIBUTES.test(name)) return linkOfAttribute(value);
    return linksInStyle(value);
  });
  return [...ofAttributes, ...linksInRepeated(source, token)];
}

const isNamespace = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

/** Browsers ignore the second attribute of a name. Other programs may not. */
function linksInRepeated(source: string, { start, end }: HtmlToken): WebLink[] {
  const tag = source
    .slice(start, end)
    .replace(/\sxmlns(?::[^\s=]*)?\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, ' ');
  return linksInText(decodeReferences(tag));
}

function linkOfAttribute(value: string): WebLink[] {
  // Browsers skip these characters.
  const url = value.replace(/[\t\n\r]/g, '').replace(/^[\x00-\x20]+|[\x00-\x20]+$/g, '');
  if (url === '' || url.startsWith('#')) return [];
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined)
    return scheme === 'http' || scheme === 'https' ? [webLink(url)] : linksInText(url);
  return /^[\\/]{2}/.test(url) ? [webLink(url)] : [];
}

function bareLinksIn(text: string): WebLink[] {
  return [...text.matchAll(BARE_IN_TEXT)].map(([, rest = '']) => webLink(`//${rest}`));
}

function webLink(url: string): WebLink {
  const parsed = URL.canParse(url) ? new URL(url) : URL.canParse(url, NOWHERE) ? new URL(url, NOWHERE) : null;
  return { url: parsed?.href ?? url, host: parsed === null ? null : parsed.hostname.replace(/\.$/, '') };
}
