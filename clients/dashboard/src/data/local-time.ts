// Converts times to and from the values of `datetime-local` fields, in the person's time zone.

/** Returns an empty text for an invalid time. */
export function localOf(iso: string | null): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns null for an empty field. */
export function timeOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
