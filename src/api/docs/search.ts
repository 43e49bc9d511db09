// Index of the search: operations, objects, errors and the headings of guides.
import { REFUSALS } from '../../contract/refusal.js';
import { html, type Html } from '../../lib/http/html.js';
import type { Guide } from './guides.js';
import { objectsOf, slugOf, type Described, type Group } from './openapi-model.js';

export interface SearchEntry {
  title: string;
  /** Kind of the entry, or its place. */
  place: string;
  href: string;
  /** Further words that find it, in lower case. */
  words: string;
}

const MOST_FOUND = 50;

export function searchEntries(
  document: Described,
  groups: readonly Group[],
  guides: readonly Guide[],
): SearchEntry[] {
  const operations = groups.flatMap(({ name, slug, entries }) =>
    entries.map(({ id, method, path, operation }) => ({
      title: operation.summary ?? id,
      place: `${method} ${path}`,
      href: `/docs/api/${slug}#${id}`,
      words: `${id} ${method} ${path} ${name}`.toLowerCase(),
    })),
  );
  const objects = objectsOf(document).map(([name, schema]) => ({
    title: name,
    place: 'Object',
    href: `/docs/objects/${name}`,
    words: Object.keys(schema.properties ?? {})
      .join(' ')
      .toLowerCase(),
  }));
  const errors = Object.entries(REFUSALS).map(([code, { meaning }]) => ({
    title: code,
    place: 'Error',
    href: `/docs/errors#${code}`,
    words: meaning.toLowerCase(),
  }));
  return [...operations, ...guides.flatMap(headingsOf), ...objects, ...errors];
}

function headingsOf({ slug, title, markdown }: Guide): SearchEntry[] {
  const href = `/docs/guides/${slug}`;
  // Without code: a comment in a shell script begins like a heading.
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading.replace(/[`*]/g, ''));
  return [
    { title, place: 'Guide', href, words: slug },
    ...headings.map((heading) => ({
      title: heading,
      place: title,
      href: `${href}#${slugOf(heading)}`,
      words: '',
    })),
  ];
}

/** Entries that have every word of the query, the likeliest first. */
export function search(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .filter(({ title, words: more }) => {
      const text = `${title.toLowerCase()} ${more}`;
      return words.every((word) => text.includes(word));
    })
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

/** As docs/site/docs.js has it: the verb of an operation, the beginning of a title, the id of an operation, the rest of a title. */
function rankOf({ title, href, words: own }: SearchEntry, words: readonly string[]): number {
  const name = title.toLowerCase();
  const [id = ''] = href.startsWith('/docs/api/') ? own.split(' ') : [];
  if (words.some((word) => id.endsWith(`.${word}`))) return 0;
  if (name.startsWith(words[0] ?? '')) return 1;
  if (words.some((word) => id.includes(word))) return 2;
  return words.some((word) => name.includes(word)) ? 3 : 4;
}

export function searchPage(query: string, found: readonly SearchEntry[]): Html {
  return html`<h1>Search</h1>
    <p>${found.length === 0 ? 'Nothing has all of these words: ' : 'Found for '}<strong>${query}</strong></p>
    <ul class="results">
      ${found.map(({ title, place, href }) => html`<li><a href="${href}">${title}</a> <span>${place}</span></li>`)}
    </ul>`;
}
