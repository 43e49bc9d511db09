// Errors of a request as a form shows them: each once, at its field where the form has that.

export interface FormErrors {
  /** By the names of the form's fields. */
  errors: Record<string, string>;
  /** Sentences about anything that the form does not show. */
  others: string[];
}

/** `found` has messages by path. An error within a field, such as `steps.0.template` of `steps`, stands at that field. */
export function errorsByField(found: Readonly<Record<string, string>>, fields: readonly string[]): FormErrors {
  const errors: Record<string, string> = {};
  const others: string[] = [];
  for (const [path, message] of Object.entries(found)) {
    const field = fields
      .filter((name) => path === name || path.startsWith(`${name}.`))
      .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
    if (field === '') {
      others.push(message.includes(path) ? message : `${path}: ${message}`);
      continue;
    }
    const within = path.slice(field.length + 1);
    const text = within === '' || message.includes(within) ? message : `${within}: ${message}`;
    errors[field] = errors[field] === undefined ? text : `${errors[field]} ${text}`;
  }
  return { errors, others };
}
