// Times as the fields of `datetime-local` have them, in the person's own time zone.

/** Empty for what is no time. */
export function localOf(iso: string | null): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Null for an empty field. */
export function timeOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
