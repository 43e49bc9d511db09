// Finds placeholders of other programs, which Mailkeel does not fill: `*|FNAME|*`, `-first_name-`, `{contactfield=email}`,
// `[[name]]`.
import { readAttributes, decodeReferences, scanHtml } from '../lib/html/index.js';

/** Common placeholder names of mail programs. Syntax that also occurs in ordinary text only counts with these. */
const NAMES =
  '(?:first|last|full|middle|company|user|contact|customer|recipient|subscriber)[_ -]?name|name|[fl]name|e-?mail(?:[_ -]?address)?|' +
  'company|salutation|greeting|unsubscribe(?:[_ -]?(?:url|link))?|preferences|web[_ -]?version|view[_ -]?in[_ -]?browser|' +
  '(?:order|customer|user|invoice|account|coupon|tracking)[_ -]?(?:id|number|code)|coupon|postal[_ -]?address';

const word = (pattern: string): RegExp => new RegExp(pattern, 'gi');

const FORMS: readonly RegExp[] = [
  // Mailchimp, Mandrill
  /\*\|[A-Z][\w:.,/ -]{0,60}\|\*/gi,
  // Left by double escaping, or Liquid, Twig and Jinja
  /\{\{[^{}\n]{1,80}\}\}/g,
  /\{%-? *(?:if|for|assign|else|end\w+|set)\b[^%\n]{0,80}%\}/g,
  // ERB, EJS
  /<%[=-]? *[\w.@]+[^%\n]{0,80}%>/g,
  // Mautic
  /\{[a-z]{3,20}=[\w.|@ -]{1,60}\}/gi,
  // Intercom, Constant Contact, GetResponse
  /\[\[ *[a-z][\w.:-]{0,40} *\]\]/gi,
  // Zoho
  /\$\[[A-Z][\w:|. ]{0,60}\]\$/gi,
  // MailerLite, AWeber
  /\{[$!][a-z]\w{0,40}\}/gi,
  // Sendy, Campaign Monitor
  /\[\w{1,40}, *fallback=[^\]\n]{0,60}\]/gi,
  // Emma
  /\[% *[\w:.]+[^%\n]{0,60}%\]/g,
  // Mailgun
  /%recipient(?:\.[\w.-]{1,60}|_\w{1,40})?%/gi,
  /%(?:tag_|mailing_list_)?unsubscribe_(?:url|email)%/gi,
  // Salesforce, Pardot
  /%%=?[a-z][^%\n]{0,60}%%/gi,
  // JavaScript, Ruby and Python
  /[$#]\{[a-z_@][\w.]{0,40}\}/gi,
  /%\([a-z_]\w{0,40}\)s/gi,
  // SendGrid's substitutions, by convention
  /(?<![\w-])-[a-z]+(?:_[a-z0-9]+)+-(?![\w-])/gi,
  word(`(?<![\\w-])-(?:${NAMES})-(?![\\w-])`),
  word(`(?<![\\w%])%(?:${NAMES})%(?![\\w%])`),
  word(`(?<![\\w{$#])\\{ *(?:${NAMES}) *\\}(?!\\})`),
  word(`(?<![\\w\\[])\\[(?:${NAMES})\\](?![\\](])`),
  word(`##(?:${NAMES})##|@@(?:${NAMES})@@|<<(?:${NAMES})>>`),
];

/** Longer texts are searched up to here. */
const MAX_CHARS = 512 * 1024;
const MAX_FOUND = 20;

/** Returns the distinct placeholders in a copy's text and links, at most 20. Takes linear time. */
export function foreignPlaceholders(copy: {
  subject: string;
  html: string | null;
  text: string | null;
}): string[] {
  const texts = [copy.subject, copy.text ?? '', ...(copy.html === null ? [] : visibleTexts(copy.html))];
  const found = new Set<string>();
  for (const text of texts) {
    for (const form of FORMS) {
      for (const [placeholder] of text.slice(0, MAX_CHARS).matchAll(form)) {
        found.add(placeholder);
        if (found.size >= MAX_FOUND) return [...found];
      }
    }
  }
  return [...found];
}

/** Returns the text of HTML, in which tags do not separate words, with its links and alt texts. */
function visibleTexts(html: string): string[] {
  const pieces: string[] = [];
  const attributes: string[] = [];
  const source = html.slice(0, MAX_CHARS);
  for (const token of scanHtml(source)) {
    if (token.kind === 'text') pieces.push(decodeReferences(source.slice(token.start, token.end)));
    if (token.kind !== 'open' && token.kind !== 'void') continue;
    if (!INLINE.has(token.name)) pieces.push('\n');
    if (token.name !== 'a' && token.name !== 'img') continue;
    const given = readAttributes(source, token);
    attributes.push(given.get('href') ?? '', given.get('alt') ?? '');
  }
  return [pieces.join(''), attributes.join('\n')];
}

const INLINE = new Set(['a', 'b', 'i', 'em', 'strong', 'span', 'font', 'u', 'small']);
