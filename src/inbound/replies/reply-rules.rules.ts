// Texts that mail programs add to replies in many languages, from config/reply-rules.json.
import { type DataReader, readOperatorData } from '../../lib/config/index.js';
import { comparableLine, compileWildcard, type Wildcard, wildcardProblem } from '../../lib/patterns/index.js';

const MAX_LANGUAGES = 100;
const MAX_WORDS = 200;

const LABEL_ROLES = ['from', 'date', 'to', 'cc', 'subject'] as const;
/** Role of a line such as `Sent: Monday` in the header block of a quoted message. */
export type LabelRole = (typeof LABEL_ROLES)[number];

/**
 * Meaning of an HTML element of a mail program. `quoted`: its content is a quote. `attribution`: its content is a line such as
 * "On … wrote:". `cut`: everything after it is a quote. `forward`: everything after it is forwarded. `signature`: its content
 * is a signature.
 */
const ELEMENT_MEANINGS = ['quoted', 'attribution', 'cut', 'forward', 'signature'] as const;
export type ElementMeaning = (typeof ELEMENT_MEANINGS)[number];

interface ElementRule {
  /** Name of the element; `null` for any. */
  tag: string | null;
  meaning: ElementMeaning;
}

export interface AutoReplyWords {
  /** Subjects of automatic messages. */
  machineSubjects: readonly Wildcard[];
  /** First words of the subjects of absence notices, in comparable form. */
  absenceWords: readonly string[];
  challengeSubjects: readonly Wildcard[];
  receiptSubjects: readonly Wildcard[];
}

export interface ReplyRules {
  /** Lines such as "On … wrote:". Patterns that begin with a word precede those that begin with a wildcard. */
  attributions: readonly Wildcard[];
  labels: ReadonlyMap<string, LabelRole>;
  /** Phrases between dashes, above a quoted message. */
  original: readonly Wildcard[];
  /** Phrases between dashes or before a colon, above a forwarded message. */
  forwarded: readonly Wildcard[];
  /** Phrases such as "Reply above this line", in comparable form. */
  replyAbove: readonly string[];
  signatures: readonly Wildcard[];
  /** Footers that virus scanners add. */
  footers: readonly Wildcard[];
  /** Rules by attribute, such as `class=gmail_quote`, `id=divRplyFwdMsg` or `type=cite`. */
  elements: ReadonlyMap<string, readonly ElementRule[]>;
  autoReplies: AutoReplyWords;
}

type PerLanguage = (name: string, words: unknown, place: string) => void;

const WORD_LISTS = ['attributions', 'original', 'forwarded', 'reply_above', 'signatures', 'footers'] as const;
const AUTO_LISTS = ['machine_subjects', 'absence_words', 'challenge_subjects', 'receipt_subjects'] as const;

function eachLanguage(reader: DataReader, value: unknown, place: string, read: PerLanguage): void {
  const languages = Object.entries(reader.fields(value, place));
  if (languages.length > MAX_LANGUAGES) reader.problem(place, `must have at most ${MAX_LANGUAGES} languages`);
  for (const [name, words] of languages.slice(0, MAX_LANGUAGES)) {
    if (!/^[a-z]{2,3}$/.test(name))
      reader.problem(place, 'must be grouped by language code, for example "de"');
    read(name, words, `${place}.${name.slice(0, 3)}`);
  }
}

function readWords(reader: DataReader, value: unknown, place: string): string[] {
  return reader.list(value, place, MAX_WORDS).flatMap((word, i) => reader.text(word, `${place}[${i}]`) ?? []);
}

function readPatterns(reader: DataReader, value: unknown, place: string): Wildcard[] {
  const patterns: Wildcard[] = [];
  eachLanguage(reader, value, place, (_, words, here) => {
    for (const [i, source] of readWords(reader, words, here).entries()) {
      const problem = wildcardProblem(source);
      if (problem !== null) reader.problem(`${here}[${i}]`, problem);
      else patterns.push(compileWildcard(source));
    }
  });
  return [...patterns.filter((pattern) => !pattern.isOpen), ...patterns.filter((pattern) => pattern.isOpen)];
}

function readLiterals(reader: DataReader, value: unknown, place: string): string[] {
  const found: string[] = [];
  eachLanguage(reader, value, place, (_, words, here) => {
    found.push(...readWords(reader, words, here).map(comparableLine));
  });
  return found;
}

function readLabels(reader: DataReader, value: unknown): Map<string, LabelRole> {
  const labels = new Map<string, LabelRole>();
  eachLanguage(reader, value, 'labels', (_, roles, place) => {
    const fields = reader.fields(roles, place, LABEL_ROLES);
    for (const role of LABEL_ROLES) {
      for (const word of readWords(reader, fields[role], `${place}.${role}`)) {
        const label = comparableLine(word);
        const other = labels.get(label);
        if (other !== undefined && other !== role) {
          reader.problem(
            `${place}.${role}`,
            `uses a label that already means "${other}" in another language`,
          );
        }
        labels.set(label, role);
      }
    }
  });
  return labels;
}

function readElements(reader: DataReader, value: unknown): Map<string, ElementRule[]> {
  const elements = new Map<string, ElementRule[]>();
  const lists = reader.fields(value, 'html', ELEMENT_MEANINGS);
  for (const meaning of ELEMENT_MEANINGS) {
    for (const [i, selector] of readWords(reader, lists[meaning], `html.${meaning}`).entries()) {
      const found = /^([a-z]{0,20})(?:([.#])([\w-]{1,80})|\[([a-z-]{1,40})=([\w-]{1,80})\])$/.exec(selector);
      if (found === null) {
        reader.problem(
          `html.${meaning}[${i}]`,
          'must be a selector, for example "div.name", "#name" or "[key=name]"',
        );
        continue;
      }
      const [, tag = '', sign, name, key, word] = found;
      const attribute = sign === '.' ? `class=${name}` : sign === '#' ? `id=${name}` : `${key}=${word}`;
      const rules = elements.get(attribute.toLowerCase()) ?? [];
      elements.set(attribute.toLowerCase(), [...rules, { tag: tag === '' ? null : tag, meaning }]);
    }
  }
  return elements;
}

/** Compiles the content of config/reply-rules.json. Throws `DataProblems` with all errors. */
export function compileReplyRules(json: unknown): ReplyRules {
  return readOperatorData('reply rules', (reader) => {
    const fields = reader.fields(json, 'the file', [...WORD_LISTS, 'labels', 'html', 'auto_replies']);
    const patternsOf = (name: (typeof WORD_LISTS)[number]): Wildcard[] =>
      readPatterns(reader, fields[name], name);
    const auto = reader.fields(fields['auto_replies'], 'auto_replies', AUTO_LISTS);
    const subjectsOf = (name: (typeof AUTO_LISTS)[number]): Wildcard[] =>
      readPatterns(reader, auto[name], `auto_replies.${name}`);
    return {
      attributions: patternsOf('attributions'),
      labels: readLabels(reader, fields['labels']),
      original: patternsOf('original'),
      forwarded: patternsOf('forwarded'),
      replyAbove: readLiterals(reader, fields['reply_above'], 'reply_above'),
      signatures: patternsOf('signatures'),
      footers: patternsOf('footers'),
      elements: readElements(reader, fields['html']),
      autoReplies: {
        machineSubjects: subjectsOf('machine_subjects'),
        absenceWords: readLiterals(reader, auto['absence_words'], 'auto_replies.absence_words'),
        challengeSubjects: subjectsOf('challenge_subjects'),
        receiptSubjects: subjectsOf('receipt_subjects'),
      },
    };
  });
}
