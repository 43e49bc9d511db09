// Parses header fields for a collector in the format of OTEL_EXPORTER_OTLP_HEADERS (`name=value,name=value`).

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** Returns the fields, or the number of the first invalid part. */
export function readOtlpHeaders(
  text: string | null,
): { ok: true; headers: Record<string, string> } | { ok: false; badPart: number } {
  const headers: Record<string, string> = {};
  const parts = text === null || text.trim() === '' ? [] : text.split(',');
  for (const [i, part] of parts.entries()) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const value = part.slice(equals + 1).trim();
    if (equals < 1 || !NAME.test(name) || !VALUE.test(value)) return { ok: false, badPart: i + 1 };
    headers[name.toLowerCase()] = value;
  }
  return { ok: true, headers };
}
