// Finds the actions of a template, `{{…}}` of Go and of Handlebars, with the lines they begin on.
import type { ItemProblem } from '../items.rules.js';

export interface Translation {
  text: string;
  /** Parts that cannot be translated. The text is unusable if there are any. */
  problems: readonly ItemProblem[];
}

interface Action {
  /** The text between the braces. */
  body: string;
  /** Line in the source, from 1. */
  line: number;
  /** The whole action. */
  whole: string;
}

/** Text in place of an action, or a problem. */
export type Replacement = string | { problem: string };

/** Longest template in characters: four times the longest of Mailkeel, because markup is removed. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Replaces every match of `pattern`, whose first group is the body of the action. A body must not contain the sign that opens it:
 * otherwise each of many openings would search the whole rest of the template for an end.
 */
export function replaceActions(
  source: string,
  pattern: RegExp,
  replace: (action: Action) => Replacement,
): Translation {
  if (source.length > MAX_CHARACTERS) {
    return { text: '', problems: [{ line: null, problem: 'The template is larger than 1 MiB.' }] };
  }
  const problems: ItemProblem[] = [];
  let line = 1;
  let from = 0;
  const text = source.replace(pattern, (whole: string, body: string | undefined, ...rest: unknown[]) => {
    const at = rest.find((one) => typeof one === 'number') ?? 0;
    line += newlines(source.slice(from, at));
    from = at;
    const made = replace({ body: (body ?? '').trim(), line, whole });
    if (typeof made === 'string') return made;
    problems.push({ line, problem: made.problem });
    return '';
  });
  return { text, problems };
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

/** A quoted text as Handlebars writes it; null for a text that has both kinds of quotation marks. */
export function quoted(text: string): string | null {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? null : `'${text}'`;
}

export function shortened(body: string): string {
  return body.length > 80 ? `${body.slice(0, 80)}…` : body;
}
