// Splits HTML into the lines that a reader sees, with their position in the source and the marks of the elements around them.
import { readAttributes, decodeReferences, type HtmlToken } from '../../lib/html/index.js';
import type { BodyLine, LineMark } from './quote-headers.rules.js';
import type { ElementMeaning, ReplyRules } from './reply-rules.rules.js';

export interface HtmlLine extends BodyLine {
  /** Position of the text in the source; `start` and `end` are 0 for a blank line. */
  start: number;
  end: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const BLOCK = words(
  'address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li ' +
    'main nav ol p pre section table tbody thead tfoot tr ul',
);
const SPACED = words('p h1 h2 h3 h4 h5 h6 pre');
const UNSEEN = words('head title style script template');
const MAX_CLASSES = 20;
const MAX_HREF = 2000;

/** State inside an open element. */
interface Context {
  name: string;
  isQuoted: boolean;
  isIndented: boolean;
  isUnseen: boolean;
  isPreformatted: boolean;
  mark: 'attribution' | 'signature' | null;
  /** The link around it, with the start of its label in the line. */
  link: ({ href: string } & Place) | null;
}

/** A position in a line: the index of the line, and the number of pieces before it. */
interface Place {
  line: number;
  from: number;
}

const OUTSIDE: Context = {
  name: '',
  isQuoted: false,
  isIndented: false,
  isUnseen: false,
  isPreformatted: false,
  mark: null,
  link: null,
};

/** Splits balanced tokens into lines. Blank lines only occur between other lines, and never two in a row. */
export function linesOfHtml(source: string, tokens: readonly HtmlToken[], rules: ReplyRules): HtmlLine[] {
  const contexts: Context[] = [];
  const writer = createLineWriter();
  for (const token of tokens) {
    const context = contexts.at(-1) ?? OUTSIDE;
    if (token.kind === 'open' || token.kind === 'void') {
      const attributes = readAttributes(source, token);
      const meanings = meaningsOf(token, attributes, rules);
      if (BLOCK.has(token.name)) writer.endLine();
      if (isSpaced(token, attributes)) writer.gap();
      writer.announce(announcedBy(token, attributes, meanings));
      if (token.kind === 'open') contexts.push(inside(context, token, attributes, meanings, writer.place()));
      else if (!context.isUnseen) writeVoid(writer, token, attributes, context);
      if (token.name === 'li') writer.write('- ', context, token.start, token.start);
    } else if (token.kind === 'close') {
      closeElement(writer, contexts.pop() ?? OUTSIDE, token);
    } else if (token.kind === 'text' && !context.isUnseen) {
      writeText(writer, source, token, context);
    }
  }
  return writer.lines();
}

function inside(
  outer: Context,
  token: HtmlToken,
  attributes: ReadonlyMap<string, string>,
  meanings: ReadonlySet<ElementMeaning>,
  place: Place,
): Context {
  const { name } = token;
  const style = attributes.get('style') ?? '';
  const href = name === 'a' ? (attributes.get('href') ?? '') : '';
  return {
    name,
    isQuoted: outer.isQuoted || meanings.has('quoted'),
    isIndented: outer.isIndented || name === 'blockquote',
    isUnseen: outer.isUnseen || UNSEEN.has(name) || /display\s{0,9}:\s{0,9}none/i.test(style),
    isPreformatted: outer.isPreformatted || name === 'pre',
    mark: meanings.has('attribution') ? 'attribution' : meanings.has('signature') ? 'signature' : outer.mark,
    link: /^https?:/i.test(href) && href.length <= MAX_HREF ? { href, ...place } : null,
  };
}

function meaningsOf(
  token: HtmlToken,
  attributes: ReadonlyMap<string, string>,
  rules: ReplyRules,
): Set<ElementMeaning> {
  const meanings = new Set<ElementMeaning>();
  for (const [key, value] of attributes) {
    const values = key === 'class' ? value.split(/\s/, MAX_CLASSES) : [value];
    for (const one of values) {
      for (const { tag, meaning } of rules.elements.get(`${key}=${one.toLowerCase()}`) ?? []) {
        if (tag === null || tag === token.name) meanings.add(meaning);
      }
    }
  }
  return meanings;
}

/** Returns the mark that an element gives to the next line. */
function announcedBy(
  token: HtmlToken,
  attributes: ReadonlyMap<string, string>,
  meanings: ReadonlySet<ElementMeaning>,
): 'cut' | 'forward' | 'separator' | null {
  if (meanings.has('forward')) return 'forward';
  if (meanings.has('cut')) return 'cut';
  const style = attributes.get('style') ?? '';
  return token.name === 'hr' || /border-top\s{0,9}:[^;]{0,60}solid/i.test(style) ? 'separator' : null;
}

function isSpaced(token: HtmlToken, attributes: ReadonlyMap<string, string>): boolean {
  if (!SPACED.has(token.name)) return false;
  const isTight = /MsoNormal|MsoPlainText/.test(attributes.get('class') ?? '');
  return !isTight && !/margin(?:-top)?\s{0,9}:\s{0,9}0/i.test(attributes.get('style') ?? '');
}

function writeVoid(
  writer: LineWriter,
  token: HtmlToken,
  attributes: ReadonlyMap<string, string>,
  context: Context,
): void {
  if (token.name === 'br') writer.breakLine();
  // Only embedded images are shown, because remote ones may be tracking pixels.
  if (token.name !== 'img' || !/^(?:cid|data):/i.test(attributes.get('src') ?? '')) return;
  const label = (attributes.get('alt') ?? '')
    .replace(/\s{1,99}/g, ' ')
    .slice(0, 100)
    .trim();
  writer.write(label === '' ? '[image]' : `[image: ${label}]`, context, token.start, token.end);
}

function closeElement(writer: LineWriter, context: Context, token: HtmlToken): void {
  if (context.isUnseen) return;
  const { link, name } = context;
  if (link) {
    const label = writer.textSince(link);
    if (label !== null && label.trim() !== '' && label.trim() !== link.href) {
      writer.write(` [${link.href}]`, context, token.start, token.end);
    }
  }
  if (name === 'td' || name === 'th') writer.write(' ', context, token.start, token.start);
  if (BLOCK.has(name)) writer.endLine();
  if (name === 'p') writer.gapIfSpaced();
}

function writeText(writer: LineWriter, source: string, token: HtmlToken, context: Context): void {
  if (!context.isPreformatted) {
    const text = source.slice(token.start, token.end).replace(/[ \t\r\n\f]{1,}/g, ' ');
    writer.write(decodeReferences(text), context, token.start, token.end);
    return;
  }
  let start = token.start;
  for (const raw of source.slice(token.start, token.end).split('\n')) {
    if (start > token.start) writer.breakLine();
    writer.write(decodeReferences(raw.replace(/\r$/, '')), context, start, start + raw.length);
    start += raw.length + 1;
  }
}

type LineWriter = ReturnType<typeof createLineWriter>;

function createLineWriter() {
  const lines: HtmlLine[] = [];
  let current: HtmlLine | null = null;
  /** Pieces of the current line, which are joined at its end, because a line may be as long as the mail. */
  let pieces: string[] = [];
  let hasText = false;
  let hasGap = false;
  let isSpacedNow = false;
  let announced: LineMark | null = null;

  function endLine(): void {
    const line = current;
    const text = pieces.join('').replaceAll('\u00a0', ' ');
    const isEmpty = !hasText;
    current = null;
    pieces = [];
    hasText = false;
    if (!line || isEmpty) return;
    line.text = text === '-- ' ? text : text.trimEnd();
    line.isQuoted ||= /^>/.test(line.text);
    if (announced !== null) line.mark = announced;
    announced = null;
    if (hasGap && lines.length > 0) {
      lines.push({ text: '', isQuoted: false, isIndented: false, mark: null, start: 0, end: 0 });
    }
    hasGap = false;
    lines.push(line);
  }

  return {
    endLine,
    /** Inserts a blank line before the next line. */
    gap(): void {
      hasGap = true;
      isSpacedNow = true;
    },
    gapIfSpaced(): void {
      hasGap ||= isSpacedNow;
      isSpacedNow = false;
    },
    breakLine(): void {
      const isBlank = !hasText;
      endLine();
      hasGap ||= isBlank;
    },
    announce(mark: 'cut' | 'forward' | 'separator' | null): void {
      if (mark === null) return;
      endLine();
      announced = announced === null || announced === 'separator' ? mark : announced;
    },
    place: (): Place => ({ line: lines.length, from: pieces.length }),
    /** Returns the text written since a position; `null` if the line has ended. */
    textSince: ({ line, from }: Place): string | null =>
      line === lines.length ? pieces.slice(from).join('') : null,
    write(text: string, context: Context, start: number, end: number): void {
      const isAfterBlank = pieces.at(-1)?.endsWith(' ') ?? true;
      const added = context.isPreformatted || !isAfterBlank ? text : text.replace(/^ /, '');
      if (added === '') return;
      const isBlank = added.trim() === '';
      // Layout elements such as empty cells don't begin a line.
      if (current === null && isBlank && !context.isPreformatted) {
        hasGap ||= added.includes('\u00a0');
        return;
      }
      const { isQuoted, isIndented, mark } = context;
      current ??= { text: '', isQuoted, isIndented, mark, start, end };
      hasText ||= !isBlank;
      pieces.push(added);
      current.end = Math.max(current.end, end);
    },
    lines(): HtmlLine[] {
      endLine();
      return lines;
    },
  };
}
