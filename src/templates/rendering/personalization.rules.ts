// Values of placeholders (interface.md, "Personalization rules"): explicit variables, then the contact's
// fields, then what is derived from them; the unsubscribe link is always the service's own.

type ContactFields = {
  email: string;
  name: string | null;
  phone: string | null;
  metadata: Readonly<Record<string, unknown>>;
};
export type MergeInput = {
  explicit: Readonly<Record<string, unknown>>;
  /** The saved contact of the recipient, or null when the recipient is not saved. */
  contact: ContactFields | null;
  unsubscribeUrl: string | null;
};

/**
 * The variables for one recipient's copy. The record's email, name and phone win over metadata of the same name;
 * an empty record field leaves the place to metadata. Without an unsubscribe link its placeholder is empty, whoever
 * else supplies one. The result has no prototype and never a key `__proto__`.
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

/** The first word is the first name, the rest the last name; both are there, perhaps empty. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first_name: first, last_name: rest.join(' ') };
}

function assign(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(source)) {
    if (key !== '__proto__') target[key] = source[key];
  }
}
