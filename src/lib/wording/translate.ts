// Translates sentences of the server. Each entry of a catalogue maps an English pattern, in which `{}` or
// `{name}` stands for a value, to its translation. Texts are stored and logged in English and translated for
// their reader.

/**
 * Translations by English pattern. In a translation, `{}` is the next value, `{2}` the second, and `{name}`
 * the one with that name. `{codes}` stands for values of a field, which are not translated.
 */
export type Catalogue = Readonly<Record<string, string>>;
export type Translate = (text: string) => string;

interface Pattern {
  /** Texts around the values; one more than there are values. */
  parts: readonly string[];
  names: readonly string[];
  translation: string;
}

/** Remaining searches of the catalogue for one text. */
interface Budget {
  searches: number;
}

const CODES = 'codes';
const PLACEHOLDER = /\{(\w*)\}/g;
/** Values may be sentences themselves, such as a cause within a summary. */
const MOST_DEPTH = 4;
/** Texts quote mail servers and customers; a long quotation must not cause a search for each of its words. */
const MOST_SEARCHES = 100;
/** Matches a quoted reply of a mail server, which is not translated; `250 messages` is a count. */
const SMTP_REPLY = /^[245]\d\d[ -](?:\d|\S+ \S)/;

/** `Sentence (remark).`, as explanations add a detail to a summary. */
const REMARK = /^([^(]+) \((.+)\)\.$/s;

/** Creates a translator. Unknown texts, and unknown sentences of a long text, stay unchanged. */
export function createTranslator(catalogue: Catalogue): Translate {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [english, translation] of Object.entries(catalogue)) {
    const parts = english.split(/\{\w*\}/);
    if (parts.length === 1) whole.set(english, translation);
    else patterns.push({ parts, names: namesIn(english), translation });
  }
  patterns.sort((a, b) => countLetters(b) - countLetters(a));
  const beforeCodes = patterns.flatMap(({ parts, names }) => parts[names.indexOf(CODES)] ?? []);

  function translate(text: string, depth: number, budget: Budget): string | null {
    const known = whole.get(text);
    if (known !== undefined) return known;
    if (depth === 0 || (depth < MOST_DEPTH && SMTP_REPLY.test(text))) return null;
    const listed = translatedList(text, depth, budget);
    if (listed !== null) return listed;
    if (budget.searches === 0) return null;
    budget.searches -= 1;
    const remarked = translatedRemark(text, depth, budget);
    if (remarked !== null) return remarked;
    for (const pattern of patterns) {
      const values = valuesIn(text, pattern.parts);
      if (values !== null)
        return filled(
          pattern,
          values.map((value, at) =>
            pattern.names[at] === CODES ? value : (translate(value, depth - 1, budget) ?? value),
          ),
        );
    }
    return null;
  }

  /** Returns `null` unless the text is a list whose parts are all known, and none of them introduces codes. */
  function translatedList(text: string, depth: number, budget: Budget): string | null {
    const parts = text.split(', ');
    if (parts.length === 1 || beforeCodes.some((words) => text.includes(words))) return null;
    const translations: string[] = [];
    for (const part of parts) {
      const translation = translate(part, depth - 1, budget);
      if (translation === null) return null;
      translations.push(translation);
    }
    return translations.join(', ');
  }

  /** Translates a sentence with a remark in brackets at its end. Returns `null` unless the sentence alone is known. */
  function translatedRemark(text: string, depth: number, budget: Budget): string | null {
    const [, said, remark = ''] = REMARK.exec(text) ?? [];
    const sentence = said === undefined ? null : translate(`${said}.`, depth - 1, budget);
    if (sentence === null) return null;
    const asSentence = (): string | undefined =>
      translate(`${remark}.`, depth - 1, budget)?.replace(/\.$/, '');
    return `${sentence.replace(/\.$/, '')} (${translate(remark, depth - 1, budget) ?? asSentence() ?? remark}).`;
  }

  return (text) => {
    const budget = { searches: MOST_SEARCHES };
    const translation = translate(text, MOST_DEPTH, budget);
    if (translation !== null) return translation;
    return splitSentences(text)
      .map((one) => translate(one, MOST_DEPTH, budget) ?? one)
      .join(' ');
  };
}

/** Splits text into sentences. */
function splitSentences(text: string): string[] {
  return text.split(/(?<=[.:]) /);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

function countLetters({ parts }: Pattern): number {
  return parts.join('').length;
}

/**
 * Extracts the values from a text; `null` if it does not match the pattern. Takes the first occurrence of
 * each part, without backtracking.
 */
function valuesIn(text: string, parts: readonly string[]): string[] | null {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return null;
  const end = text.length - last.length;
  const values: string[] = [];
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return null;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return [...values, text.slice(from, end)];
}

function filled({ names, translation }: Pattern, values: readonly string[]): string {
  let next = 0;
  return translation.replace(PLACEHOLDER, (_, name: string) => {
    if (name === '') return values[next++] ?? '';
    const at = /^\d+$/.test(name) ? Number(name) - 1 : names.indexOf(name);
    return values[at] ?? '';
  });
}
