// Reads the state of mail from a running program: attempts, explanations, the queue, and active limits.
import type { AttemptObject } from '../../src/messages/attempt.schema.js';
import type {
  QueueDestinationObject,
  QueueOverrideObject,
} from '../../src/outbound/schedule/queue.schema.js';
import type { Appliance } from './appliance.js';
import { waitFor } from './wait.js';

export interface Explained {
  code: string;
  summary: string;
  advice: { code: string; text: string }[];
  chain: { at: string; code: string; text: string }[];
}

export function insightInto(appliance: Appliance) {
  async function listOf<T>(path: string): Promise<T[]> {
    const { status, text, json } = await appliance.api('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return (json as { data: T[] }).data;
  }

  const attempts = (id: string) => listOf<AttemptObject>(`/v1/messages/${id}/attempts`);
  const overrides = () => listOf<QueueOverrideObject>('/v1/queue/overrides');

  async function explain(id: string): Promise<Explained> {
    return (await appliance.api('GET', `/v1/messages/${id}/explain`)).json as Explained;
  }

  /** Waits until the explanation has this code. */
  function explained(id: string, code: string, deadlineMs?: number): Promise<Explained> {
    return waitFor(
      `${id} to be explained as ${code}`,
      () => explain(id),
      (found) => found.code === code,
      deadlineMs,
    );
  }

  async function destination(domain: string): Promise<QueueDestinationObject | undefined> {
    return (await listOf<QueueDestinationObject>(`/v1/queue/destinations?domain=${domain}`))[0];
  }

  return { attempts, overrides, explain, explained, destination };
}
