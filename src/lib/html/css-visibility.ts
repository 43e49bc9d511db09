// Reads CSS that hides content of a mail: declarations in style attributes, and rules in style elements with
// plain selectors.

interface Declaration {
  value: string;
  isImportant: boolean;
}
export type Declarations = ReadonlyMap<string, Declaration>;

/** Parses declarations by property. The last one counts, unless an earlier one is important. */
export function declarationsIn(css: string): Declarations {
  const declarations = new Map<string, Declaration>();
  for (const declaration of unescapedCss(css).split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const written = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    if (property === '' || written === '') continue;
    const value = written.replace(/\s*!\s*important$/, '');
    const isImportant = value !== written;
    declare(declarations, property, { value, isImportant });
  }
  return declarations;
}

/** Combines the declarations of several rules for an element, strongest last. */
export function cascaded(rules: readonly Declarations[]): Declarations {
  const [only] = rules;
  if (rules.length === 1 && only !== undefined) return only;
  const declarations = new Map<string, Declaration>();
  for (const rule of rules)
    for (const [property, declaration] of rule) declare(declarations, property, declaration);
  return declarations;
}

function declare(declarations: Map<string, Declaration>, property: string, declaration: Declaration): void {
  if (declaration.isImportant || declarations.get(property)?.isImportant !== true)
    declarations.set(property, declaration);
}

/** Removes comments and resolves escapes. */
export function unescapedCss(css: string): string {
  if (!css.includes('\\') && !css.includes('/*')) return css;
  return css
    .replace(/\/\*[^]*?(?:\*\/|$)/g, ' ')
    .replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_escape, code?: string, char?: string) => {
      if (code === undefined) return char ?? '';
      const point = parseInt(code, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
    });
}

/** Returns whether an element shows none of its content, regardless of the styles inside. */
export function hidesContent(declarations: Declarations): boolean {
  const value = (property: string): string => declarations.get(property)?.value ?? '';
  if (value('display') === 'none' || value('content-visibility') === 'hidden') return true;
  if (isNothing(value('opacity'))) return true;
  const isClipped = /hidden|clip|scroll|auto/.test(value('overflow') + value('overflow-y'));
  return isClipped && ['height', 'max-height', 'max-width'].some((size) => isNothing(value(size)));
}

/**
 * Returns whether the declarations show text (true) or hide it (false) unless the content says otherwise;
 * `null` if neither.
 */
export function showsText(declarations: Declarations, property: 'visibility' | 'font-size'): boolean | null {
  const value = declarations.get(property)?.value ?? '';
  if (property === 'visibility') return value === '' || value === 'inherit' ? null : value === 'visible';
  const size = /^(\d*\.?\d+)(px|pt|em|rem|%)?$/.exec(value);
  if (size === null) return value === '' || value === 'inherit' ? null : true;
  const smallest = size[2] === '%' ? 10 : size[2] === 'px' || size[2] === 'pt' ? 1 : 0.1;
  return Number(size[1]) > smallest;
}

/** Returns whether a value is zero or invisibly close to it. */
function isNothing(value: string): boolean {
  const number = /^(\d*\.?\d+)(?:px|pt|em|rem|%|vh|vw)?$/.exec(value);
  return number !== null && Number(number[1]) < 0.05;
}

/** A rule of a style element. */
interface StyleRule {
  selectors: string[];
  declarations: string;
  /** Whether it is in a media query or another condition, and whether that is for print only. */
  condition: 'none' | 'some' | 'print';
}

const MAX_RULES = 2_000;

/** Parses the rules of a style element, in their order. Linear in the CSS. */
export function rulesIn(css: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const open: { prelude: string; condition: StyleRule['condition'] }[] = [];
  let from = 0;
  for (const { index, 0: brace } of css.replace(/\/\*[^]*?(?:\*\/|$)/g, comment).matchAll(/[{}]/g)) {
    const text = css.slice(from, index);
    from = index + 1;
    if (brace === '{') {
      const prelude = text
        .slice(text.lastIndexOf(';') + 1)
        .replace(/<!--|-->|\/\*[^]*?\*\//g, '')
        .trim();
      const around = open.at(-1);
      const condition = around === undefined || around.prelude === '' ? 'none' : conditionIn(around);
      open.push({ prelude, condition });
      continue;
    }
    const { prelude = '', condition = 'none' } = open.pop() ?? {};
    if (prelude === '' || prelude.startsWith('@') || rules.length >= MAX_RULES) continue;
    rules.push({ selectors: prelude.split(',').map((one) => one.trim()), declarations: text, condition });
  }
  return rules;
}

function conditionIn(around: { prelude: string; condition: StyleRule['condition'] }): StyleRule['condition'] {
  return around.condition === 'print' || /^@media.*print/is.test(around.prelude) ? 'print' : 'some';
}

function comment(text: string): string {
  return ' '.repeat(text.length);
}

/** An element as selectors see it. */
interface Styled {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Properties that hide `html` or `body` with all content, and the values that don't. */
const OUT_OF_SIGHT: Readonly<Record<string, RegExp>> = {
  display: /^(?!none)/,
  'content-visibility': /^(?!hidden)/,
  opacity: /^(?:1|0?\.[5-9]\d*|[5-9]\d%|100%)$/,
  position: /^(?:static|relative|sticky)$/,
  zoom: /^(?:1|normal|100%)$/,
  content: /^(?:normal|none)$/,
  animation: /^none$/,
  'animation-name': /^none$/,
  clip: /^auto$/,
  ...Object.fromEntries(
    [
      'transform',
      'translate',
      'scale',
      'rotate',
      'clip-path',
      'filter',
      'mask',
      'mask-image',
      '-webkit-mask',
    ].map((property) => [property, /^none$/]),
  ),
};
const FAR_AWAY = /-\d{3,}|-\d{2,}(?:%|em|rem|v[wh])|\d{4,}/;
const MOVES = /^(?:margin|top|left|right|bottom|inset)/;

/** Returns whether an element is moved out of view or clipped to nothing. */
export function isOffScreen(declarations: Declarations): boolean {
  const value = (property: string): string => declarations.get(property)?.value ?? '';
  if (['text-indent', 'transform', 'translate'].some((property) => FAR_AWAY.test(value(property))))
    return true;
  if (['margin', 'margin-left', 'margin-top'].some((property) => /(?:^|\s)-\d{3,}/.test(value(property)))) {
    return true;
  }
  if (/inset\((?:50|100)%|circle\(0/.test(value('clip-path'))) return true;
  if (!/absolute|fixed/.test(value('position'))) return false;
  if (/rect\((?:\s*[01](?:px)?[\s,]*){4}\)/.test(value('clip'))) return true;
  return ['left', 'top', 'right', 'bottom', 'inset'].some((property) => FAR_AWAY.test(value(property)));
}

/**
 * Returns whether `html` or `body` is hidden by its attributes or by a rule for screens, judged by the last
 * part of its selector.
 */
export function isRootHidden(root: Styled, css: readonly string[]): boolean {
  const own = root.attributes.get('style');
  if (own !== undefined && areOutOfSight(declarationsIn(own))) return true;
  const isShownByStyle = declarationsIn(own ?? '').get('display')?.isImportant === true;
  if (isShownByStyle) return false;
  if (root.attributes.has('hidden')) return true;
  return css.some((text) =>
    rulesIn(text).some(
      ({ selectors, declarations, condition }) =>
        condition !== 'print' &&
        selectors.some((selector) => mayNameRoot(selector, root)) &&
        areOutOfSight(declarationsIn(declarations)),
    ),
  );
}

function areOutOfSight(declarations: Declarations): boolean {
  for (const [property, { value }] of declarations) {
    if (OUT_OF_SIGHT[property]?.test(value) === false) return true;
    if (MOVES.test(property) && FAR_AWAY.test(value)) return true;
  }
  return hidesContent(declarations);
}

/**
 * Returns whether a selector may match `html` or `body`, judged by its last part; attribute conditions count
 * as met.
 */
function mayNameRoot(selector: string, { name, attributes }: Styled): boolean {
  if (/::|:(?:before|after|first-l)/i.test(selector)) return false;
  const last =
    selector
      .replace(/\([^)]*\)/g, '')
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  if (/:root/i.test(last) && name !== 'html') return false;
  const compound = last.replace(/\[[^\]]*\]/g, '').replace(/:[\w-]+/g, '');
  const [type = ''] = /^[a-z][\w-]*/i.exec(compound) ?? [];
  if (type !== '' && type.toLowerCase() !== name) return false;
  const classes = attributes.get('class')?.split(/\s+/) ?? [];
  return (compound.match(/[.#][^.#]+/g) ?? []).every((part) =>
    part.startsWith('.') ? classes.includes(part.slice(1)) : attributes.get('id') === part.slice(1),
  );
}
