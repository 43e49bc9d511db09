// The program with an account at another vendor to import from.
import { expect } from 'vitest';
import { assembleProgram, type ProgramRequest } from './program.js';
import { tuned } from './tuning.js';
import type { VendorAccount } from './vendor-accounts.js';
import { waitFor } from './wait.js';

export interface ImportJob {
  id: string;
  status: string;
  counts: Record<string, unknown>[];
  error: string | null;
}

export type AccountImportRig = Awaited<ReturnType<typeof startAccountImportRig>>;

export async function startAccountImportRig(vendor: VendorAccount) {
  const program = await assembleProgram({
    env: {
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...tuned({ vendorOrigin: vendor.url, vendorIntervalMs: 1 }),
    },
  });
  /** Starts the loop, also after a restart. */
  const work = (): void => program.parts.api.audience.accountImports.start();
  work();
  const ask = (method: string, path: string, request?: ProgramRequest) => program.ask(method, path, request);

  async function begin(body: object): Promise<string> {
    const answer = await ask('POST', '/v1/account-imports', { body });
    expect(answer.status, answer.text).toBe(202);
    return answer.json.id as string;
  }

  function ended(id: string): Promise<ImportJob> {
    return waitFor(
      'the end of the account import',
      async () => (await ask('GET', `/v1/account-imports/${id}`)).json as ImportJob,
      ({ status }) => !['queued', 'running'].includes(status),
      20_000,
    );
  }

  /** Waits until the import pauses for a matching reason. */
  function paused(id: string, isWanted: (reason: string) => boolean): Promise<string | null> {
    return waitFor(
      'the pause of the account import',
      async () => (await ask('GET', `/v1/account-imports/${id}`)).json.paused_reason as string | null,
      (reason) => reason !== null && isWanted(reason),
      20_000,
    );
  }

  return {
    ...{ program, vendor, work, ask, begin, ended, paused },
    imported: async (body: object) => ended(await begin(body)),
    report: async (id: string) => (await ask('GET', `/v1/account-imports/${id}/report`)).text,
    all: async (path: string) => (await ask('GET', path)).json.data as Record<string, unknown>[],
    async close() {
      await program.close();
      await vendor.close();
    },
  };
}

/** Counts of a kind in an account import. */
export const countOf = (kind: string, found: number, rest: object = {}) => ({
  ...{ kind, found, created: 0, updated: 0, unchanged: 0, left_out: 0 },
  ...rest,
});
