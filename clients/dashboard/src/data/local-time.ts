// Times as the fields of `datetime-local` have them, in the person's own time zone.

export function localOf(iso: string | null): string {
  if (iso === null || iso === '') return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Null for an empty field. */
export function timeOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
