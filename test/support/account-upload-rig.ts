// The program with account imports from uploaded files.
import { expect } from 'vitest';
import type { ImportJob } from './account-import-rig.js';
import { assembleProgram } from './program.js';
import { waitFor } from './wait.js';

export type AccountUploadRig = Awaited<ReturnType<typeof startAccountUploadRig>>;

export async function startAccountUploadRig() {
  const program = await assembleProgram({ env: { MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const work = (): void => program.parts.api.audience.accountImports.start();
  work();

  /** `query` continues the source. */
  const upload = (source: string, file: string | Uint8Array, query = '') =>
    program.ask('POST', `/v1/account-imports/upload?source=${source}${query}`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(file),
    });

  function ended(id: string): Promise<ImportJob & { id: string }> {
    return waitFor(
      'the end of the account import',
      async () => (await program.ask('GET', `/v1/account-imports/${id}`)).json as ImportJob & { id: string },
      ({ status }) => !['queued', 'running'].includes(status),
      20_000,
    );
  }

  async function begun(source: string, file: string | Uint8Array, query = ''): Promise<string> {
    const answer = await upload(source, file, query);
    expect(answer.status, answer.text).toBe(202);
    return answer.json.id as string;
  }

  return {
    ...{ program, work, upload, ended, begun },
    imported: async (source: string, file: string | Uint8Array, query?: string) =>
      ended(await begun(source, file, query)),
    report: async (id: string) => (await program.ask('GET', `/v1/account-imports/${id}/report`)).text,
    all: async (path: string) => (await program.ask('GET', path)).json.data as Record<string, unknown>[],
    /** Bytes of uploads that are still stored, and imports that exist. */
    stored: async () => ({
      bytes: (await program.raw('SELECT COALESCE(SUM(stored_bytes), 0) AS n FROM account_imports'))[0]?.['n'],
      imports: (await program.raw('SELECT COUNT(*) AS n FROM account_imports'))[0]?.['n'],
    }),
    close: () => program.close(),
  };
}

/** Stops the program in the middle of an import, once it has contacts, and lets it continue. */
export async function interrupt({ program, work }: AccountUploadRig): Promise<void> {
  await waitFor(
    'the first contacts',
    async () => (await program.raw('SELECT COUNT(*) AS n FROM contacts'))[0]?.['n'] as number,
    (n) => n > 0,
    20_000,
  );
  await program.restart();
  work();
}
