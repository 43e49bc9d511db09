// Creates files of contacts, sends them to the running program, and waits for their import.
import type { Appliance } from './appliance.js';
import { waitFor } from './wait.js';

/** A CSV with this many contacts; every hundredth row is refused. */
export function contactsCsv(count: number): string {
  const rows = ['email,name,tags,city'];
  for (let i = 0; i < count; i++) {
    rows.push(
      i % 100 === 99 ? `refused ${i}` : `p${i}@x${i % 997}.example,Person ${i},t${i % 20},City ${i % 50}`,
    );
  }
  return `${rows.join('\n')}\n`;
}

export async function sendImport(appliance: Appliance, body: string, query = ''): Promise<string> {
  const response = await fetch(`${appliance.url}/v1/imports${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appliance.keys.live_key}`, 'content-type': 'text/csv' },
    body,
  });
  const answer = (await response.json()) as { id: string };
  if (response.status !== 202) throw new Error(`not taken: ${response.status} ${JSON.stringify(answer)}`);
  return answer.id;
}

export async function fileText(appliance: Appliance, path: string): Promise<string> {
  const response = await fetch(`${appliance.url}${path}`, {
    headers: { authorization: `Bearer ${appliance.keys.live_key}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}

/** Waits for the import or export until `isReached`. */
export function transferWhen(
  appliance: Appliance,
  path: string,
  isReached: (transfer: Record<string, unknown>) => boolean,
  deadlineMs = 60_000,
): Promise<Record<string, unknown>> {
  const read = async () => (await appliance.api('GET', path)).json as Record<string, unknown>;
  return waitFor(path, read, isReached, deadlineMs);
}
