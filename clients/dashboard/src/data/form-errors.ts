// Assigns the errors of a request to the fields of a form, each error once.

import { fieldSentence } from './sentence.js';

export interface FormErrors {
  /** By the names of the form's fields. */
  errors: Record<string, string>;
  /** Sentences about anything that the form does not show. */
  others: string[];
}

/**
 * `found` has messages by path, and `labels` those of fields by name. An error within a field, such as `steps.0.template` of
 * `steps`, is shown at that field.
 */
export function errorsByField(
  found: Readonly<Record<string, string>>,
  fields: readonly string[],
  labels: Readonly<Record<string, string>>,
): FormErrors {
  const errors: Record<string, string> = {};
  const others: string[] = [];
  for (const [path, message] of Object.entries(found)) {
    const field = fields
      .filter((name) => path === name || path.startsWith(`${name}.`))
      .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
    if (field === '') {
      others.push(fieldSentence(path, message, labels));
      continue;
    }
    const within = path.slice(field.length + 1);
    const text = within === '' ? message : fieldSentence(within, message, labels);
    errors[field] = errors[field] === undefined ? text : `${errors[field]} ${text}`;
  }
  return { errors, others };
}
