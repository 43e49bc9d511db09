// The base of each part of the world: the program and its API as the company's keys use it.
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { waitFor } from '../wait.js';
import type { DashboardProgram } from './program.js';

export interface Ground {
  program: DashboardProgram;
  live: Mailkeel;
  sandbox: Mailkeel;
}

export function groundOf(program: DashboardProgram): Ground {
  const { url, keys } = program.appliance;
  const as = (apiKey: string): Mailkeel => new Mailkeel({ apiKey, baseUrl: url, timeoutMs: 60_000 });
  return { program, live: as(keys.live_key), sandbox: as(keys.test_key) };
}

/** Waits until the message has one of these statuses. */
export async function settled(mailkeel: Mailkeel, id: string, statuses: readonly string[]): Promise<void> {
  await waitFor(
    `${id} to be ${statuses.join(' or ')}`,
    () => mailkeel.messages.get(id),
    ({ status }) => statuses.includes(status),
  );
}
