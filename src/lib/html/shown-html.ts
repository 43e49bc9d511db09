// Distinguishes hidden HTML content from content that mail programs show, in one walk over the tokens.
import { readAttributes, scanHtml, type HtmlToken } from './html-scan.js';
import {
  cascaded,
  declarationsIn,
  hidesContent,
  rulesIn,
  showsText,
  type Declarations,
} from './css-visibility.js';
import { createOpenElements } from './open-elements.js';

/** Visibility at a position in the HTML. */
interface Shown {
  /** False hides everything, regardless of the inner elements. */
  content: boolean;
  visibility: boolean;
  /** False means that text is too small to see; an inner element may set its own size. */
  size: boolean;
}

const ALL: Shown = { content: true, visibility: true, size: true };
export const ROOTS: ReadonlySet<string> = new Set(['html', 'head', 'body']);
/** Elements whose content is not text of the mail. */
const UNSHOWN = new Set([
  'script',
  'style',
  'title',
  'template',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
]);

interface WalkedToken {
  token: HtmlToken;
  /** False within an element that hides all its content, and for its own tags. */
  isPresent: boolean;
  /** Whether its text or image is visible. */
  isSeen: boolean;
  /** Whether only the size of its text hides it. */
  isTooSmall: boolean;
}

/**
 * Walks the tokens in order. An element is hidden by `hidden`, `data-skip-in-text`, its style, or a rule for
 * its name, class or id outside media queries; the page as a whole never is. Linear in the HTML.
 */
export function* walkShown(
  source: string,
  tokens: readonly HtmlToken[] = scanHtml(source),
): Generator<WalkedToken> {
  const changeBy = createChanges(source, tokens);
  const open = createOpenElements<Shown>();
  for (const token of tokens) {
    const { kind, name } = token;
    if (kind === 'open' && !ROOTS.has(name)) {
      open.open(name, (outer = ALL) => shownIn(outer, changeBy(token)));
      yield walked(token, open.innermost()?.state);
    } else if (kind === 'void') {
      const shown = shownIn(open.innermost()?.state ?? ALL, changeBy(token));
      yield { ...walked(token, shown), isSeen: shown.content && shown.visibility };
    } else if (kind === 'close' && !ROOTS.has(name)) {
      yield walked(token, (open.close(name) ?? open.innermost())?.state);
    } else {
      yield walked(token, open.innermost()?.state);
    }
  }
}

function walked(token: HtmlToken, { content, visibility, size }: Shown = ALL): WalkedToken {
  const isInView = content && visibility;
  return { token, isPresent: content, isSeen: isInView && size, isTooSmall: isInView && !size };
}

/** Returns the HTML without its hidden content. */
export function withoutHidden(source: string): string {
  const pieces: string[] = [];
  for (const { token, isPresent, isSeen } of walkShown(source)) {
    const isLeftOut = token.kind === 'text' || token.kind === 'void' ? !isSeen : !isPresent;
    if (!isLeftOut) pieces.push(source.slice(token.start, token.end));
  }
  return pieces.join('');
}

/** The effect of a tag on its element, wherever it is; `null` keeps the outer visibility. */
interface Change {
  hides: boolean;
  visibility: boolean | null;
  size: boolean | null;
}

function shownIn(outer: Shown, change: Change | null): Shown {
  if (change === null || !outer.content) return outer;
  const { hides, visibility, size } = change;
  return { content: !hides, visibility: visibility ?? outer.visibility, size: size ?? outer.size };
}

function createChanges(source: string, tokens: readonly HtmlToken[]): (token: HtmlToken) => Change | null {
  const styleOf = createStyles(source, tokens, VISIBILITY);
  // Tags repeat often in a mail.
  const known = new Map<string, Change | null>();
  const read = (token: HtmlToken): Change | null => {
    if (UNSHOWN.has(token.name)) return { hides: true, visibility: null, size: null };
    const attributes = readAttributes(source, token);
    const style = styleOf(token.name, attributes);
    const change = {
      hides: isHidden(token.name, attributes, style),
      visibility: showsText(style, 'visibility'),
      size: showsText(style, 'font-size'),
    };
    return change.hides || change.visibility !== null || change.size !== null ? change : null;
  };
  return (token) => {
    const tag = source.slice(token.start, token.end);
    const change = known.get(tag);
    if (change !== undefined) return change;
    const made = read(token);
    known.set(tag, made);
    return made;
  };
}

function isHidden(name: string, attributes: ReadonlyMap<string, string>, style: Declarations): boolean {
  if (hidesContent(style)) return true;
  if (attributes.has('hidden') && !style.has('display')) return true;
  if ((attributes.get('data-skip-in-text') ?? 'false').toLowerCase() !== 'false') return true;
  // On links, this style is for the button that only Outlook hides, because it has one in VML.
  return style.get('mso-hide')?.value === 'all' && name !== 'a';
}

const VISIBILITY = /display|visibility|opacity|font-size|height|max-width|overflow|mso-hide|\\/i;
const NONE: Declarations = new Map();

/** Matches a selector of one name, class or id, or a name with a class, optionally with a leading star. */
const PLAIN_SELECTOR = /^(?:[a-z][\w-]*|\*?\.[\w-]+|\*?#[\w-]+|[a-z][\w-]*\.[\w-]+)$/i;
const MAX_CLASSES = 20;

/** Returns a function for the styles of an element, from its attribute and rules that the pattern matches. */
export function createStyles(
  source: string,
  tokens: readonly HtmlToken[],
  wanted: RegExp,
): (name: string, attributes: ReadonlyMap<string, string>) => Declarations {
  const rules = new Map<string, Declarations>();
  for (const token of tokens) {
    if (token.kind !== 'raw' || token.name !== 'style') continue;
    for (const { selectors, declarations, condition } of rulesIn(source.slice(token.start, token.end))) {
      if (condition !== 'none' || !wanted.test(declarations)) continue;
      const declared = declarationsIn(declarations);
      for (const selector of selectors) {
        if (!PLAIN_SELECTOR.test(selector)) continue;
        const key = selector.replace('*', '').toLowerCase();
        rules.set(key, cascaded([rules.get(key) ?? NONE, declared]));
      }
    }
  }
  return (name, attributes) => {
    const classes = attributes.get('class')?.toLowerCase().split(/\s+/).slice(0, MAX_CLASSES) ?? [];
    const keys =
      rules.size === 0
        ? []
        : [
            name,
            ...classes.flatMap((one) => [`.${one}`, `${name}.${one}`]),
            `#${attributes.get('id')?.toLowerCase()}`,
          ];
    const found = keys.flatMap((key) => rules.get(key) ?? []);
    const own = attributes.get('style');
    if (own !== undefined && wanted.test(own)) found.push(declarationsIn(own));
    return found.length === 0 ? NONE : cascaded(found);
  };
}
