// Finds and removes text that the HTML of a received mail hides from people, but not from programs.
import { isOffScreen, type Declarations } from './css-visibility.js';
import { areIndistinct, BLACK, type Color, readBackground, readColor, WHITE } from './css-colors.js';
import { decodeReferences, type HtmlToken, readAttributes, scanHtml } from './html-scan.js';
import { invisibleCharacters } from './invisible-characters.js';
import { createOpenElements } from './open-elements.js';
import { createStyles, ROOTS, walkShown } from './shown-html.js';

export const HIDDEN_TEXT_KINDS = [
  /** An element that is not displayed, invisible, transparent or without height. */
  'not_displayed',
  'too_small',
  /** The color of the text is that of its background. */
  'same_color',
  'off_screen',
  /** Characters without width, or that encode other text. */
  'invisible_characters',
] as const;
export type HiddenTextKind = (typeof HIDDEN_TEXT_KINDS)[number];

export interface HiddenText {
  kind: HiddenTextKind;
  /** The first 200 characters. */
  text: string;
}

interface ShownHtml {
  /** The HTML without hidden text and images. Its tags are unchanged. */
  html: string;
  hidden: HiddenText[];
}

const MAX_TEXT = 200;

/** Position and style of displayed text; a color is `null` if it is unknown. */
interface Look {
  isOffScreen: boolean;
  color: Color | 'transparent' | null;
  background: Color | null;
}

const LOOK =
  /color|background|position|indent|margin|transform|translate|clip|left|top|right|bottom|inset|\\/i;

/** Takes linear time. Finds text that elements hide and invisible characters in the text they show. */
export function readHiddenText(source: string): ShownHtml {
  const tokens = scanHtml(source);
  const lookIn = createLooks(source, tokens);
  const open = createOpenElements<Look>();
  let page: Look = { isOffScreen: false, color: BLACK, background: WHITE };
  const pieces: string[] = [];
  const findings = createFindings();
  for (const { token, isPresent, isSeen, isTooSmall } of walkShown(source, tokens)) {
    const { kind, name, start, end } = token;
    if (kind === 'open' && ROOTS.has(name)) page = lookIn(page, token);
    else if (kind === 'open') open.open(name, (outer = page) => lookIn(outer, token));
    else if (kind === 'close' && !ROOTS.has(name)) open.close(name);
    const look = open.innermost()?.state ?? page;
    if (kind === 'text') {
      const text = decodeReferences(source.slice(start, end));
      const hiddenBy = isSeen ? disguiseOf(look) : isTooSmall ? 'too_small' : 'not_displayed';
      findings.add(hiddenBy, text);
      if (hiddenBy === null) pieces.push(source.slice(start, end));
    } else if (kind !== 'void' || name === 'br' || (isPresent && isSeen && !look.isOffScreen)) {
      pieces.push(source.slice(start, end));
    }
  }
  return { html: pieces.join(''), hidden: findings.all };
}

function disguiseOf({ isOffScreen: isAway, color, background }: Look): HiddenTextKind | null {
  if (isAway) return 'off_screen';
  if (color === 'transparent') return 'same_color';
  return color !== null && background !== null && areIndistinct(color, background) ? 'same_color' : null;
}

/** Text that the same means hides in several elements in a row is one finding. */
function createFindings() {
  const all: HiddenText[] = [];
  let current: HiddenText | null = null;
  return {
    all,
    /** Adds a text and the way it is hidden; `null` for text that people see. */
    add(kind: HiddenTextKind | null, decoded: string): void {
      const { text: written, found } = invisibleCharacters(decoded);
      const text = written.replace(/\s+/g, ' ').trim();
      if (kind === null) {
        if (text !== '') current = null;
        all.push(...found.map((one) => ({ kind: 'invisible_characters' as const, text: one })));
      } else if (text !== '') {
        if (current?.kind !== kind) {
          current = { kind, text: '' };
          all.push(current);
        }
        if (current.text.length < MAX_TEXT) {
          current.text = `${current.text} ${text}`.trim().slice(0, MAX_TEXT).toWellFormed();
        }
      }
    },
  };
}

function createLooks(source: string, tokens: readonly HtmlToken[]): (outer: Look, token: HtmlToken) => Look {
  const styleOf = createStyles(source, tokens, LOOK);
  return (outer, token) => {
    const attributes = readAttributes(source, token);
    const style = styleOf(token.name, attributes);
    if (style.size === 0 && attributes.size === 0) return outer;
    return {
      isOffScreen: outer.isOffScreen || isOffScreen(style),
      color: colorIn(outer, token, attributes, style),
      background: backgroundIn(outer, attributes, style),
    };
  };
}

function colorIn(
  outer: Look,
  { name }: HtmlToken,
  attributes: ReadonlyMap<string, string>,
  style: Declarations,
): Look['color'] {
  const attribute = name === 'body' ? 'text' : name === 'font' ? 'color' : '';
  const value =
    style.get('-webkit-text-fill-color')?.value ?? style.get('color')?.value ?? attributes.get(attribute);
  if (value === undefined || value === 'inherit')
    return name === 'a' && value === undefined ? null : outer.color;
  return readColor(value);
}

function backgroundIn(
  outer: Look,
  attributes: ReadonlyMap<string, string>,
  style: Declarations,
): Look['background'] {
  const hasImage = attributes.has('background') || style.has('background-image');
  const value =
    style.get('background-color')?.value ?? style.get('background')?.value ?? attributes.get('bgcolor');
  if (value === undefined) return hasImage ? null : outer.background;
  const color = hasImage ? null : readBackground(value);
  return color === 'transparent' ? outer.background : color;
}
