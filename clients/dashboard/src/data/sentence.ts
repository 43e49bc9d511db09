// Returns the sentence for a failure: the server's, or the dashboard's if the server's names parts of the API.
import { ApiError } from '@mailkeel/sdk';
import { namesApi } from './api-words.js';

export interface FailureWords {
  /** Sentences by the code of the refusal. */
  codes: Readonly<Record<string, string>>;
  /** Labels by the name of the field. */
  fields: Readonly<Record<string, string>>;
}

/** The sentence of a refusal, then one for each field that it does not mention. */
export function sentenceOf(error: unknown, { codes, fields }: FailureWords): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const { sentence, problems, code } = error;
  const isAboutField = problems.some(
    ({ path, message }) => message !== sentence && sentence === `${path}: ${message}`,
  );
  const own = namesApi(sentence) ? (codes[code] ?? sentence) : sentence;
  const others = problems
    .filter(({ message }) => message !== sentence)
    .map(({ path, message }) => ended(fieldSentence(path, message, fields)));
  return (isAboutField ? others : [own, ...others]).join(' ');
}

/** Returns the problem of a field after its label; without a label, as a complete sentence. */
export function fieldSentence(path: string, message: string, labels: FailureWords['fields']): string {
  const place = path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : labels[part]))
    .filter((part) => part !== undefined)
    .join(', ');
  return place === '' ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : `${place}: ${message}`;
}

function ended(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
