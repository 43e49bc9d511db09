// Header fields for a collector, as OTEL_EXPORTER_OTLP_HEADERS of OpenTelemetry writes them: `name=value,name=value`.

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** Throws an Error in words for whatever is no header field. */
export function readOtlpHeaders(text: string | null): Record<string, string> {
  if (text === null || text.trim() === '') return {};
  return Object.fromEntries(
    text.split(',').map((part, i): [string, string] => {
      const equals = part.indexOf('=');
      const name = part.slice(0, Math.max(0, equals)).trim();
      const value = part.slice(equals + 1).trim();
      if (equals < 1 || !NAME.test(name) || !VALUE.test(value)) {
        throw new Error(`POSTHORN_OTLP_HEADERS: part ${i + 1} must be name=value`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}
