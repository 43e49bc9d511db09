// Reads and writes the header field `traceparent` (W3C Trace Context, section 3.2). Invalid fields are
// ignored.

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Span that the work belongs to: 16 hexadecimal digits. */
  spanId: string;
  /** The service that began the trace records it. */
  isSampled: boolean;
}

const FIELD = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LONGEST = 512;
const SAMPLED = 1;

/** Returns `null` for an invalid field. Of later versions, reads the four known parts. */
export function readTraceparent(field: unknown): TraceContext | null {
  if (typeof field !== 'string' || field.length > LONGEST) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = FIELD.exec(field) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Formats the field in version 00. */
export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
