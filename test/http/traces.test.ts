// Tests the trace of a request: passed on if spans are not exported, extended if they are, and begun for a share of the other
// requests.
import { afterEach, expect, it } from 'vitest';
import { requestEnded, type EndedRequest } from '../../src/http/server/access-log.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const COLLECTOR = 'http://127.0.0.1:9/v1/traces';
let api: StartedApi | null = null;
afterEach(() => api?.close());

async function traceOf(
  settings: { otlpUrl: string | null; otlpShare: number },
  headers: Record<string, string>,
): Promise<EndedRequest['trace'] | undefined> {
  const ended: EndedRequest[] = [];
  const stop = requestEnded.subscribe((fact) => void ended.push(fact));
  api = await startApi({ settings });
  await api.ask('GET', '/v1/contacts', { headers });
  stop();
  return ended.find(({ route }) => route === '/v1/contacts')?.trace;
}

it('the trace is passed on unchanged if no spans are exported', async () => {
  const trace = await traceOf({ otlpUrl: null, otlpShare: 1 }, { traceparent: GIVEN });
  expect(trace).toMatchObject({ spanId: '00f067aa0ba902b7', isSampled: true, parentId: null });
});

it('the trace gets a span if spans are exported', async () => {
  const trace = await traceOf({ otlpUrl: COLLECTOR, otlpShare: 0 }, { traceparent: GIVEN });
  expect(trace).toMatchObject({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentId: '00f067aa0ba902b7',
  });
  expect(trace?.spanId).toMatch(/^(?!00f067aa0ba902b7)[0-9a-f]{16}$/);
});

it('a trace begins for the configured share of requests without one', async () => {
  expect(await traceOf({ otlpUrl: COLLECTOR, otlpShare: 1 }, {})).toMatchObject({
    isSampled: true,
    parentId: null,
  });
  expect(await traceOf({ otlpUrl: COLLECTOR, otlpShare: 0 }, { traceparent: 'nonsense' })).toBeNull();
  expect(await traceOf({ otlpUrl: null, otlpShare: 1 }, {})).toBeNull();
});
