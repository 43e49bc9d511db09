// The header field `traceparent` (W3C Trace Context, section 3.2): read strictly, and anything else is ignored.

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Of the span that the work is part of: 16 hexadecimal digits. */
  spanId: string;
  /** The service that began the trace records it. */
  isSampled: boolean;
}

const FIELD = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LONGEST = 512;
const SAMPLED = 1;

/** Null for what is no valid field. Of a later version the four parts that are known are read. */
export function readTraceparent(field: unknown): TraceContext | null {
  if (typeof field !== 'string' || field.length > LONGEST) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = FIELD.exec(field) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** The field in version 00. */
export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
