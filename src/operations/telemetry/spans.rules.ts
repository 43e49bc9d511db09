// Spans in the JSON encoding of OTLP (opentelemetry-proto, trace.proto). IDs are hexadecimal, and times are nanoseconds as text.
import { readTraceparent } from '../../lib/tokens/index.js';

type Attribute = string | number | boolean | null;

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

export interface SpanFacts {
  name: string;
  kind: keyof typeof KINDS;
  traceId: string;
  spanId: string;
  /** `null` for the first span of its trace. */
  parentId: string | null;
  /** Epoch ms. */
  startAt: number;
  endAt: number;
  isError: boolean;
  /** `null` values are left out. */
  attributes: Readonly<Record<string, Attribute>>;
}

export function spanJson(span: SpanFacts): string {
  return JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startAt),
    endTimeUnixNano: nanoseconds(Math.max(span.startAt, span.endAt)),
    attributes: Object.entries(span.attributes).flatMap(([key, value]) =>
      value === null ? [] : [{ key, value: attributeValue(value) }],
    ),
    ...(span.isError ? { status: { code: STATUS_ERROR } } : {}),
  });
}

/** Returns the trace and parent span of a stored traceparent, or `null`. */
export function recordedTrace(traceparent: string | null): { traceId: string; parentId: string } | null {
  const context = readTraceparent(traceparent);
  return context === null || !context.isSampled
    ? null
    : { traceId: context.traceId, parentId: context.spanId };
}

/** Keeps fractions of a millisecond as far as the number's precision allows. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function attributeValue(value: Exclude<Attribute, null>) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
