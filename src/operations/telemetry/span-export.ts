// Sends spans to a collector as OTLP over HTTP in JSON (OpenTelemetry protocol 1.x). While the collector is unavailable, the queue
// fills up, and further spans are dropped and counted. Runs in the telemetry thread.
import { setTimeout as pause } from 'node:timers/promises';

const MAX_QUEUE = 5_000;
const MAX_BATCH = 500;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Statuses after which the same spans may be sent again (OTLP, section "Failures"). */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

/** Identifies the process that sends spans. */
interface SpanSource {
  version: string;
  instanceId: string;
}

interface SpanEvents {
  onDropped: (count: number) => void;
  onProblem: (message: string, error: unknown) => void;
}

export class SpanExport {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #resource: string;
  readonly #events: SpanEvents;
  readonly #queue: string[] = [];
  readonly #stopWaiting = new AbortController();
  #isEnding = false;
  #running: Promise<void> | null = null;

  constructor(
    { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
    source: SpanSource,
    events: SpanEvents,
  ) {
    this.#url = url;
    this.#headers = headers;
    this.#resource = resourceJson(source);
    this.#events = events;
  }

  /** Adds spans as JSON texts. Those beyond the limit are dropped. */
  add(spans: readonly string[]): void {
    const room = Math.max(0, MAX_QUEUE - this.#queue.length);
    this.#queue.push(...spans.slice(0, room));
    if (spans.length > room) this.#events.onDropped(spans.length - room);
    if (this.#queue.length === 0) return;
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Sends the remaining spans, each at most once more. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#stopWaiting.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (this.#queue.length > 0) {
      const some = this.#queue.slice(0, MAX_BATCH);
      if (await this.#send(some)) {
        this.#queue.splice(0, some.length);
        waitMs = FIRST_WAIT_MS;
      } else {
        if (this.#isEnding) return;
        await pause(waitMs, undefined, { signal: this.#stopWaiting.signal }).catch(() => undefined);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      }
    }
  }

  /** Returns true if the spans were accepted or permanently rejected. */
  async #send(spans: readonly string[]): Promise<boolean> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: requestBody(this.#resource, spans),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (answer.ok) return true;
      this.#events.onProblem('trace collector rejected spans', `status ${answer.status}`);
      if (RETRYABLE.includes(answer.status)) return false;
      this.#events.onDropped(spans.length);
      return true;
    } catch (error) {
      this.#events.onProblem('trace collector not reachable', error);
      return false;
    }
  }
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

function requestBody(resource: string, spans: readonly string[]): string {
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"mailkeel"},"spans":[${spans.join(',')}]}]}]}`;
}
