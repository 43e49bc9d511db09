// Sends spans to a collector: OTLP over HTTP in JSON (OpenTelemetry protocol 1.x). A bounded queue: while the collector is away the
// newest spans are dropped and counted. Runs in the telemetry thread.
import { setTimeout as pause } from 'node:timers/promises';

const MAX_QUEUE = 5_000;
const MAX_BATCH = 500;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Statuses after which the same spans may be sent again (OTLP, section "Failures"). */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

export interface SpanExport {
  /** JSON texts of spans. */
  add(spans: readonly string[]): void;
  /** One last try. */
  end(): Promise<void>;
}

/** Identifies the process that sends spans. */
interface SpanSource {
  version: string;
  instanceId: string;
}

export function createSpanExport(
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  source: SpanSource,
  {
    onDropped,
    onProblem,
  }: { onDropped: (count: number) => void; onProblem: (message: string, error: unknown) => void },
): SpanExport {
  const resource = resourceJson(source);
  const queue: string[] = [];
  let isEnding = false;
  const stopWaiting = new AbortController();
  let running: Promise<void> | null = null;

  /** True when they are gone: taken, or refused for good. */
  async function send(spans: readonly string[]): Promise<boolean> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: requestOf(resource, spans),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (answer.ok) return true;
      onProblem('trace collector rejected spans', `status ${answer.status}`);
      if (RETRYABLE.includes(answer.status)) return false;
      onDropped(spans.length);
      return true;
    } catch (error) {
      onProblem('trace collector not reachable', error);
      return false;
    }
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (queue.length > 0) {
      const some = queue.slice(0, MAX_BATCH);
      if (await send(some)) {
        queue.splice(0, some.length);
        waitMs = FIRST_WAIT_MS;
      } else {
        if (isEnding) return;
        await pause(waitMs, undefined, { signal: stopWaiting.signal }).catch(() => undefined);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      }
    }
  }

  return {
    add(spans) {
      const room = Math.max(0, MAX_QUEUE - queue.length);
      queue.push(...spans.slice(0, room));
      if (spans.length > room) onDropped(spans.length - room);
      if (queue.length === 0) return;
      running ??= run().finally(() => (running = null));
    },
    async end() {
      isEnding = true;
      stopWaiting.abort();
      await running;
    },
  };
}

/** Attributes of the process that sends the spans (OpenTelemetry semantic conventions, "Service"), as a JSON text. */
function resourceJson({ version, instanceId }: SpanSource): string {
  const facts = {
    'service.name': 'mailkeel',
    'service.version': version,
    'service.instance.id': instanceId,
  };
  return JSON.stringify({
    attributes: Object.entries(facts).map(([key, value]) => ({ key, value: { stringValue: value } })),
  });
}

function requestOf(resource: string, spans: readonly string[]): string {
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"mailkeel"},"spans":[${spans.join(',')}]}]}]}`;
}
