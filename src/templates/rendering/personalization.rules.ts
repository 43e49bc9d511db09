// Values of placeholders. Explicit variables take precedence over the contact's fields, and those over derived values. The
// unsubscribe link is always Mailkeel's.

type ContactFields = {
  email: string;
  name: string | null;
  phone: string | null;
  metadata: Readonly<Record<string, unknown>>;
};
type MergeInput = {
  explicit: Readonly<Record<string, unknown>>;
  /** The recipient's contact; `null` if there is none. */
  contact: ContactFields | null;
  unsubscribeUrl: string | null;
};

/**
 * Merges the variables of one recipient's copy. The contact's email, name and phone take precedence over metadata with the
 * same key, unless they are empty. `unsubscribe_url` is empty without a link and cannot be overridden. The result has no
 * prototype and no key `__proto__`.
 */
export function mergeVariables({ explicit, contact, unsubscribeUrl }: MergeInput): Record<string, unknown> {
  const merged = Object.create(null) as Record<string, unknown>;
  if (contact !== null) {
    assign(merged, splitName(contact.name ?? ''));
    assign(merged, contact.metadata);
    for (const field of ['email', 'name', 'phone'] as const) {
      if (contact[field] !== null && contact[field] !== '') merged[field] = contact[field];
    }
  }
  assign(merged, explicit);
  merged['unsubscribe_url'] = unsubscribeUrl ?? '';
  return merged;
}

/** Splits a name into its first word and the rest. Either may be empty. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first_name: first, last_name: rest.join(' ') };
}

function assign(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(source)) {
    if (key !== '__proto__') target[key] = source[key];
  }
}
