// Small readings that several vendors need.

/** Without some of its fields. */
export function without<T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> {
  const rest = { ...value };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}

/** A field with a value, or no field. */
export function given<K extends string, V>(name: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === undefined || value === null ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

/** The mailboxes of a header field, as they stand: at commas outside of quotes and angle brackets. */
export function splitMailboxes(text: string): string[] {
  const found: string[] = [];
  let [one, isQuoted, isBracketed] = ['', false, false];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\\' && isQuoted) {
      one += letter + text.charAt(++at);
      continue;
    }
    if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === '<') isBracketed = true;
    else if (!isQuoted && letter === '>') isBracketed = false;
    if (letter === ',' && !isQuoted && !isBracketed) {
      found.push(one);
      one = '';
    } else one += letter;
  }
  return [...found, one].map((each) => each.trim()).filter((each) => each !== '');
}

/** A mailbox as a header field shows it. */
export function mailboxText({ email, name }: { email: string; name: string | null }): string {
  return name === null ? email : `${name} <${email}>`;
}

/** A date alone is that whole day (UTC): its end, where a time is exclusive. */
export function endOf(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return text;
  return new Date(Date.parse(text) + 86_400_000).toISOString();
}
