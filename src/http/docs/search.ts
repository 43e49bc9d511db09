// Full-text search over guides, operations, errors and objects, which rank in that order.
import { REFUSALS } from '../../contract/refusal.js';
import { html, type Html } from '../../lib/http/index.js';
import { splitSections, type Guide } from './guides.js';
import { listObjects, type Described, type Group } from './openapi-model.js';

export interface Found {
  title: string;
  /** Kind of page, or the section that contains it. */
  place: string;
  href: string;
}

/** A section that a result can link to, with its words. */
interface Part {
  title: string;
  href: string;
  heading: ReadonlyMap<string, number>;
  text: ReadonlyMap<string, number>;
}

/** A page yields at most one result. */
interface Page extends Found {
  /** Ids, codes and names. A query that equals one of them matches this page. */
  names: readonly string[];
  /** Words of the title and the names. Among equal matches, the page with the larger weight comes first. */
  heading: ReadonlyMap<string, number>;
  weight: number;
  parts: readonly Part[];
  /** Length of all sections together. */
  length: number;
}

interface SearchIndex {
  size: number;
  /** Pages that contain a word, by word. */
  pages: ReadonlyMap<string, readonly Page[]>;
  /** All words, sorted. */
  words: readonly string[];
  averageLength: number;
}

/** A word of a query as it occurs in a page. */
interface Term {
  word: string;
  /** Longer words of the page with this prefix, because people search while they type. */
  longer: readonly string[];
}

const MOST_FOUND = 50;
const MOST_WORDS = 12;
const WEIGHT = { guide: 3, operation: 1.5, error: 1.2, object: 0.6 };
/** Score added for a word of the title or of a heading within the page; text adds at most 1. */
const TITLE_WORD = 1;
const HEADING_WORD = 0.6;
const SCATTERED = 0.5;
const EXACT_NAME = 1_000;
/** BM25 parameters: how fast further occurrences count less, and how much long pages are demoted. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;

/** Words that do not distinguish pages. */
const STOP_WORDS = new Set(
  'a an and are can do does for from get getting have how i if in is it my not of on or the to was we what when where which will with you your'.split(
    ' ',
  ),
);
/** Synonyms: newcomers' words and the stems that the docs use. */
const SAME: Readonly<Record<string, string>> = {
  apikey: 'key',
  blacklist: 'suppress',
  blocklist: 'suppress',
  email: 'mail',
  message: 'mail',
  newsletter: 'campaign',
  optout: 'unsubscrib',
  postgres: 'postgresql',
  quickstart: 'start',
  signature: 'sign',
};

/** Splits text into lower-case stems, so that "sending" matches "send". */
function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('a/b', 'ab')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .flatMap((word) => {
      // Parts of `idempotency_key` match it too.
      const parts = word.includes('_') ? word.split('_').filter(Boolean) : [];
      return [word, ...parts].map(stemOf);
    });
}

function stemOf(word: string): string {
  const stem = word.length > 4 ? word.replace(/(?<=...)(?:ations?|ing|ed|ers?|es?|s)$/, '') : word;
  return SAME[word] ?? SAME[stem] ?? SAME[`${stem}e`] ?? stem;
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function searchIndex(
  document: Described,
  groups: readonly Group[],
  guides: readonly Guide[],
): SearchIndex {
  const pages = [
    ...guides.map(guidePage),
    ...groups.flatMap(({ name, slug, entries }) =>
      entries.map(({ id, method, path, operation }) =>
        pageOf({
          title: operation.summary ?? id,
          place: `${method} ${path}`,
          href: `/docs/api/${slug}#${id}`,
          names: [id, path, `${method} ${path}`],
          text: `${name} ${operation.description ?? ''}`,
          weight: WEIGHT.operation,
        }),
      ),
    ),
    ...Object.entries(REFUSALS).map(([code, { meaning }]) =>
      pageOf({
        title: code,
        place: 'Error',
        href: `/docs/errors#${code}`,
        text: meaning,
        weight: WEIGHT.error,
      }),
    ),
    ...listObjects(document).map(([name, schema]) =>
      pageOf({
        title: name,
        place: 'Object',
        href: `/docs/objects/${name}`,
        text: `${schema.description ?? ''} ${Object.keys(schema.properties ?? {}).join(' ')}`,
        weight: WEIGHT.object,
      }),
    ),
  ];
  const byWord = new Map<string, Page[]>();
  for (const page of pages) {
    for (const word of wordsOn(page)) {
      const having = byWord.get(word);
      if (having === undefined) byWord.set(word, [page]);
      else having.push(page);
    }
  }
  const averageLength = pages.reduce((sum, { length }) => sum + length, 0) / pages.length;
  return { size: pages.length, pages: byWord, words: [...byWord.keys()].toSorted(), averageLength };
}

function wordsOn({ heading, parts }: Page): Set<string> {
  const all = [heading, ...parts.flatMap((part) => [part.heading, part.text])];
  return new Set(all.flatMap((words) => [...words.keys()]));
}

function guidePage(guide: Guide): Page {
  const href = `/docs/guides/${guide.slug}`;
  const parts = splitSections(guide).map(({ title, anchor, text }): Part => ({
    title,
    href: anchor === null ? href : `${href}#${anchor}`,
    heading: counted(anchor === null ? [] : wordsOf(title)),
    text: counted(wordsOf(text)),
  }));
  return {
    ...{ title: guide.title, place: 'Guide', href, weight: WEIGHT.guide, parts, length: lengthOf(parts) },
    names: [guide.slug],
    heading: counted(wordsOf(`${guide.title} ${guide.slug}`)),
  };
}

interface PageText extends Found {
  names?: readonly string[];
  text: string;
  weight: number;
}

/** A page of one part. */
function pageOf({ names = [], text, ...found }: PageText): Page {
  const { title, href } = found;
  const parts = [{ title, href, heading: new Map<string, number>(), text: counted(wordsOf(text)) }];
  return {
    ...found,
    names: [title, ...names],
    heading: counted(wordsOf([title, ...names].join(' '))),
    parts,
    length: lengthOf(parts),
  };
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => [...text.values()].reduce((all, count) => all + count, sum), 0);
}

/**
 * Returns the pages that contain every word of the query, the best match first; a guide links to its best section. Only these pages
 * are scored, so that many simultaneous queries stay cheap.
 */
export function search(index: SearchIndex, query: string): Found[] {
  const words = [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
  const name = query.trim();
  return pagesWith(words, index)
    .map(({ page, terms }) => {
      const scores = terms.map((term) => scoreOf(page, term, index));
      // Words that occur together in a section match better than words scattered over the page.
      const together = page.parts.some((part) => terms.every((term) => isIn(page, part, term)));
      const sum = page.weight * scores.reduce((all, one) => all + one, 0) * (together ? 1 : SCATTERED);
      return { page, terms, score: sum + (page.names.includes(name) ? EXACT_NAME : 0) };
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ page, terms }) => linkOf(page, terms));
}

/** Returns the pages that contain every word, or a word with that prefix. Returns none if there are no words. */
function pagesWith(words: readonly string[], index: SearchIndex): { page: Page; terms: Term[] }[] {
  const [first, ...rest] = words.map((word) => termsOf(word, index));
  if (first === undefined) return [];
  return [...first].flatMap(([page, term]) => {
    const further = rest.flatMap((terms) => terms.get(page) ?? []);
    return further.length === rest.length ? [{ page, terms: [term, ...further] }] : [];
  });
}

/** Finds the pages that contain a word or a longer word with that prefix. */
function termsOf(word: string, { pages, words }: SearchIndex): Map<Page, Term> {
  const terms = new Map<Page, { word: string; longer: string[] }>();
  for (const page of pages.get(word) ?? []) terms.set(page, { word, longer: [] });
  if (word.length < 3) return terms;
  for (let at = firstFrom(words, word); words[at]?.startsWith(word) === true; at += 1) {
    const one = words[at] ?? '';
    if (one === word) continue;
    for (const page of pages.get(one) ?? []) {
      const term = terms.get(page);
      if (term === undefined) terms.set(page, { word, longer: [one] });
      else term.longer.push(one);
    }
  }
  return terms;
}

/** Returns the index of the first word that is not less than `word`. */
function firstFrom(words: readonly string[], word: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function scoreOf(page: Page, term: Term, { size, pages, averageLength }: SearchIndex): number {
  const inTitle = countIn(page.heading, term) > 0 ? TITLE_WORD : 0;
  const inHeading = page.parts.some(({ heading }) => countIn(heading, term) > 0) ? HEADING_WORD : 0;
  const count = page.parts.reduce((sum, { text }) => sum + countIn(text, term), 0);
  const held = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * page.length) / averageLength);
  const rarity = Math.log(1 + size / (1 + (pages.get(term.word)?.length ?? 0)));
  return rarity * (inTitle + inHeading + count / (count + held));
}

/** Counts a word; if it is absent, words with that prefix count half. */
function countIn(words: ReadonlyMap<string, number>, { word, longer }: Term): number {
  return words.get(word) ?? longer.reduce((sum, one) => sum + (words.get(one) ?? 0) / 2, 0);
}

function isIn(page: Page, { heading, text }: Part, term: Term): boolean {
  return [page.heading, heading, text].some((words) => countIn(words, term) > 0);
}

function linkOf({ title, place, href, heading, parts }: Page, terms: readonly Term[]): Found {
  // A title that contains all words matches the page as a whole.
  if (parts.length === 1 || terms.every((term) => countIn(heading, term) > 0)) return { title, place, href };
  const scored = parts.map((part) => ({
    part,
    score: terms.reduce((sum, term) => {
      const count = countIn(part.text, term);
      return sum + (countIn(part.heading, term) > 0 ? 2 : 0) + count / (count + SATURATION);
    }, 0),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a)).part;
  return best.href === href ? { title, place, href } : { title: best.title, place: title, href: best.href };
}

export function searchPage(query: string, found: readonly Found[]): Html {
  return html`<h1>Search</h1>
    <p>${found.length === 0 ? 'No results for ' : 'Results for '}<strong>${query}</strong></p>
    <ul class="results">
      ${found.map(({ title, place, href }) => html`<li><a href="${href}">${title}</a> <span>${place}</span></li>`)}
    </ul>`;
}
