// Scans a template's source in linear time before the slower Handlebars parser sees it: size, number of
// placeholders, nesting, and unsupported features.
/** UTF-16 units of one source: a subject, HTML or text. */
export const MAX_TEMPLATE_CHARACTERS = 262_144;

export const TEMPLATE_LIMITS = {
  sourceChars: MAX_TEMPLATE_CHARACTERS,
  expressions: 2_000,
  nesting: 64,
  /** Longest single `{{…}}`, except comments. */
  expressionChars: 2_000,
  /** Deepest `(…)` inside one `{{…}}`. */
  parentheses: 8,
} as const;

/** Why a template is refused; `line` and `column` count from 1. */
export type TemplateProblem = { line: number; column?: number; message: string };

type Fault = { at: number; message: string };
type Tag = { body: string; end: number };
type BlockStack = { chained: number[]; depth: number };

/** Returns the first reason to refuse `source`, or `null`. Linear in the source. */
export function scanTemplate(source: string): TemplateProblem | null {
  if (source.length > TEMPLATE_LIMITS.sourceChars) {
    return { line: 1, message: `The template is longer than ${TEMPLATE_LIMITS.sourceChars} characters.` };
  }
  const fault = scanTags(source);
  return fault === null ? null : { ...findPosition(source, fault.at), message: fault.message };
}

function scanTags(source: string): Fault | null {
  const blocks: BlockStack = { chained: [], depth: 0 };
  let expressions = 0;
  let from = 0;
  for (;;) {
    const at = source.indexOf('{{', from);
    if (at === -1) return null;
    if (isEscaped(source, at, from)) {
      from = at + 2;
      continue;
    }
    expressions += 1;
    if (expressions > TEMPLATE_LIMITS.expressions) {
      return { at, message: `The template has more than ${TEMPLATE_LIMITS.expressions} placeholders.` };
    }
    const commentEnd = endOfComment(source, at);
    if (commentEnd === -1) return { at, message: 'The comment that starts here is not closed.' };
    if (commentEnd !== null) {
      from = commentEnd;
      continue;
    }
    const tag = readTag(source, at);
    if ('message' in tag) return tag;
    const message = unwantedFeature(tag.body) ?? nest(blocks, tag.body);
    if (message !== null) return { at, message };
    from = tag.end;
  }
}

/** `\{{` is the literal text `{{`; `\\{{` is a backslash and a placeholder. */
function isEscaped(source: string, at: number, from: number): boolean {
  const backslash = at - 1 >= from && source[at - 1] === '\\';
  return backslash && !(at - 2 >= from && source[at - 2] === '\\');
}

/** Returns the end of the comment at `at`, -1 if it never ends, and `null` if it is not a comment. */
function endOfComment(source: string, at: number): number | null {
  const start = source[at + 2] === '~' ? at + 3 : at + 2;
  if (source[start] !== '!') return null;
  if (!source.startsWith('!--', start)) {
    const end = source.indexOf('}}', start);
    return end === -1 ? -1 : end + 2;
  }
  for (
    let dashes = source.indexOf('--', start + 3);
    dashes !== -1;
    dashes = source.indexOf('--', dashes + 1)
  ) {
    if (source.startsWith('}}', dashes + 2)) return dashes + 4;
    if (source.startsWith('~}}', dashes + 2)) return dashes + 5;
  }
  return -1;
}

function readTag(source: string, at: number): Tag | Fault {
  const limit = Math.min(source.length, at + TEMPLATE_LIMITS.expressionChars);
  let parentheses = 0;
  for (let i = at + 2; i < limit; i++) {
    const char = source[i];
    if (char === '"' || char === "'" || char === '[') {
      i = endOfQuoted(source, i, limit);
    } else if (char === '(') {
      parentheses += 1;
      if (parentheses > TEMPLATE_LIMITS.parentheses)
        return { at, message: 'Too many parentheses in one placeholder.' };
    } else if (char === ')') {
      parentheses -= 1;
    } else if (char === '}' && source[i + 1] === '}') {
      return { body: source.slice(at + 2, i), end: i + 2 };
    }
  }
  const message =
    limit === source.length
      ? 'The placeholder that starts here is not closed with }}.'
      : `The placeholder that starts here is longer than ${TEMPLATE_LIMITS.expressionChars} characters or not closed.`;
  return { at, message };
}

function endOfQuoted(source: string, start: number, limit: number): number {
  const close = source[start] === '[' ? ']' : source[start];
  for (let i = start + 1; i < limit; i++) {
    if (source[i] === '\\' && source[i + 1] === close) i += 1;
    else if (source[i] === close) return i;
  }
  return limit;
}

function unwantedFeature(body: string): string | null {
  if (body.startsWith('{{')) return 'Raw blocks ({{{{…}}}}) are not available in mail templates.';
  if (/^~?#?>/.test(body)) return 'Partials ({{> …}}) are not available in mail templates.';
  if (/^~?#?\*/.test(body))
    return 'Decorators and inline partials ({{* …}}) are not available in mail templates.';
  return null;
}

// Tracks nesting. An `{{else if}}` nests like a block until its block is closed.
function nest(blocks: BlockStack, body: string): string | null {
  const plain = body.startsWith('~') ? body.slice(1) : body;
  if (plain.startsWith('/')) {
    blocks.depth -= blocks.chained.pop() ?? 0;
    return null;
  }
  const isElse = /^(?:\^|\s*else)\s*~?$/.test(plain);
  if (!isElse && /^[#^]/.test(plain)) {
    blocks.chained.push(1);
    blocks.depth += 1;
  } else if (!isElse && /^\s*else\b/.test(plain)) {
    const last = blocks.chained.length - 1;
    blocks.chained[last] = (blocks.chained[last] ?? 0) + 1;
    blocks.depth += 1;
  }
  return blocks.depth > TEMPLATE_LIMITS.nesting
    ? `Blocks are nested more than ${TEMPLATE_LIMITS.nesting} deep.`
    : null;
}

/** Returns line and column of an offset, both from 1. */
export function findPosition(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
