// What each part of the world is built on: the program and its API as the company's keys use it.
import { Posthorn } from '../../../clients/sdk/src/index.js';
import { waitFor } from '../wait.js';
import type { DashboardProgram } from './program.js';

export interface Ground {
  program: DashboardProgram;
  live: Posthorn;
  sandbox: Posthorn;
}

export function groundOf(program: DashboardProgram): Ground {
  const { url, keys } = program.appliance;
  const as = (apiKey: string): Posthorn => new Posthorn({ apiKey, baseUrl: url, timeoutMs: 60_000 });
  return { program, live: as(keys.live_key), sandbox: as(keys.test_key) };
}

/** The message once it has one of these statuses. */
export async function settled(posthorn: Posthorn, id: string, statuses: readonly string[]): Promise<void> {
  await waitFor(
    `${id} to be ${statuses.join(' or ')}`,
    () => posthorn.messages.get(id),
    ({ status }) => statuses.includes(status),
  );
}
