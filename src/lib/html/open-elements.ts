// Tracks the open elements at a position in HTML as browsers' tree builders do (WHATWG HTML section 13.2.6):
// an end tag may be implied, ignored, or end more than it names. Scripts, frames and foreign elements have no
// special rules.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements that browsers reopen in the next block if their block ends first. */
const FORMATTING = words('a b big code em font i nobr s small strike strong tt u');
/** An end tag does not reach elements outside these. */
const SCOPES = words('table td th caption applet marquee object template');
const TABLE_PARTS = words('table thead tbody tfoot tr td th caption');
/** Elements beyond which the end tag of an ordinary element, such as a span, has no effect. */
const SPECIAL = words(
  'address applet article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu nav noembed ' +
    'noframes noscript object ol p plaintext pre script search section select style summary table tbody td template ' +
    'textarea tfoot th thead title tr ul xmp',
);
const ENDS_PARAGRAPH = words(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup li listing main menu nav ol p plaintext pre search section summary table ul xmp',
);
const OUTSIDE_OF_ITEM = new Set([...SPECIAL].filter((name) => !['address', 'div', 'p'].includes(name)));
/**
 * By opening element: the elements that it ends, innermost first, and those beyond which it does not reach.
 */
const ENDS: Readonly<Record<string, { ended: ReadonlySet<string>; within: ReadonlySet<string> }>> = {
  li: { ended: words('li'), within: OUTSIDE_OF_ITEM },
  dd: { ended: words('dd dt'), within: OUTSIDE_OF_ITEM },
  dt: { ended: words('dd dt'), within: OUTSIDE_OF_ITEM },
  td: { ended: words('td th caption'), within: words('table') },
  th: { ended: words('td th caption'), within: words('table') },
  tr: { ended: words('td th caption tr'), within: words('table') },
  ...Object.fromEntries(
    ['tbody', 'thead', 'tfoot'].map((name) => [
      name,
      { ended: words('td th caption tr tbody thead tfoot'), within: words('table') },
    ]),
  ),
  a: { ended: words('a'), within: SCOPES },
  nobr: { ended: words('nobr'), within: SCOPES },
  button: { ended: words('button'), within: SCOPES },
  option: { ended: words('option'), within: words('select') },
};
/** Number of open elements searched for the one that a tag ends. */
const MAX_REACH = 256;

interface OpenElement<State> {
  name: string;
  state: State;
}

/**
 * Creates the tracker. It ignores `html`, `head` and `body`, because their end tags don't keep content out of
 * the body.
 */
export function createOpenElements<State>() {
  const elements: OpenElement<State>[] = [];
  /** Number of formatting elements per name that ended with their block. */
  const reopened = new Map<string, number>();

  const endFrom = (at: number): void => {
    for (const { name } of elements.splice(at))
      if (FORMATTING.has(name)) reopened.set(name, (reopened.get(name) ?? 0) + 1);
  };
  /**
   * Returns the index of the innermost element that `isEnded` accepts, or -1 if one that `stops` accepts
   * comes first.
   */
  const find = (isEnded: (name: string) => boolean, stops: (name: string) => boolean): number => {
    for (let at = elements.length - 1; at >= Math.max(0, elements.length - MAX_REACH); at--) {
      const name = elements[at]?.name ?? '';
      if (isEnded(name)) return at;
      if (stops(name)) return -1;
    }
    return -1;
  };
  const endFormatting = (at: number): void => {
    const isBlockInside = elements.slice(at + 1).some(({ name }) => SPECIAL.has(name));
    if (!isBlockInside) endFrom(at + 1);
    elements.splice(at, 1);
  };
  const end = (at: number): void => {
    if (at >= 0) endFrom(at);
  };

  return {
    innermost: () => elements.at(-1),
    /** Opens an element. `stateIn` gets the state of the enclosing element, undefined outside all. */
    open(name: string, stateIn: (outer: State | undefined) => State): void {
      if (ENDS_PARAGRAPH.has(name))
        end(
          find(
            (open) => open === 'p',
            (open) => SCOPES.has(open) || open === 'button',
          ),
        );
      const implied = ENDS[name];
      if (implied) {
        for (;;) {
          const at = find(
            (open) => implied.ended.has(open),
            (open) => implied.within.has(open),
          );
          if (at < 0) break;
          if (FORMATTING.has(name)) endFormatting(at);
          else end(at);
        }
      }
      elements.push({ name, state: stateIn(elements.at(-1)?.state) });
    },
    /** Returns the element that the tag ends; undefined for a tag without effect. */
    close(name: string): OpenElement<State> | undefined {
      const stops = TABLE_PARTS.has(name)
        ? (open: string) => open === 'table'
        : SPECIAL.has(name) || FORMATTING.has(name)
          ? (open: string) => SCOPES.has(open)
          : (open: string) => SPECIAL.has(open);
      const at = find((open) => open === name, stops);
      const ended = elements[at];
      if (!FORMATTING.has(name)) end(at);
      else if (at >= 0) endFormatting(at);
      else reopened.set(name, Math.max(0, (reopened.get(name) ?? 0) - 1));
      return ended;
    },
    /**
     * Returns end tags after which no element is open or reopens, except a paragraph, which the next block
     * ends.
     */
    endTags(): string {
      const open = elements.toReversed().filter(({ name }) => name !== 'p');
      const again = [...reopened].map(([name, count]) => `</${name}>`.repeat(count));
      return [...open.map(({ name }) => `</${name}>`), ...again].join('');
    },
  };
}
