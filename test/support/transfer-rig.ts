// The program with its imports and exports running.
import { newId, systemClock } from '../../src/lib/runtime/index.js';
import { assembleProgram, type ProgramAnswer, type TestProgram } from './program.js';
import { waitFor } from './wait.js';
import { LIST } from './audience-rows.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';

/** Imports and exports send nothing. */
const noMail = () => Promise.reject(new Error('No message is worked on here.'));
export const NO_MAIL = { resend: noMail, cancel: noMail };

export type TransferRig = Awaited<ReturnType<typeof startTransferRig>>;

export async function startTransferRig({
  limitBytes = 50 * 1024 * 1024,
  beside,
}: { limitBytes?: number; beside?: { api: TestProgram } } = {}) {
  const api = await assembleProgram({
    settings: { importSizeLimitBytes: limitBytes },
    ...(beside ? { beside: beside.api } : {}),
  });
  const { transfers } = api.parts.api.audience;
  if (!beside) transfers.start();

  const post = (
    body: unknown,
    { query = '', type = 'text/csv', key }: { query?: string; type?: string; key?: string } = {},
  ): Promise<ProgramAnswer> =>
    api.ask('POST', `/v1/imports${query}`, {
      body,
      headers: { 'content-type': type },
      ...(key === undefined ? {} : { key }),
    });

  /** The import or export once it has ended. */
  async function ended(kind: 'imports' | 'exports', id: string) {
    let answer = await api.ask('GET', `/v1/${kind}/${id}`);
    await waitFor(`${id} has ended`, async () => {
      answer = await api.ask('GET', `/v1/${kind}/${id}`);
      return answer.json.finished_at !== null;
    });
    return answer.json;
  }

  return {
    api,
    transfers,
    folder: api.dataFolder,
    post,
    ended,

    /** Imports it and waits; the import as it then is. */
    async run(body: unknown, options: Parameters<typeof post>[1] = {}) {
      const answer = await post(body, options);
      if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
      return ended('imports', answer.json.id as string);
    },

    /** A file: its text is not read as JSON, whatever its type. */
    async download(url: string, { key = api.liveKey, range = '' }: { key?: string; range?: string } = {}) {
      const headers = { authorization: `Bearer ${key}`, ...(range === '' ? {} : { range }) };
      const {
        statusCode: status,
        body: text,
        headers: got,
      } = await api.app.inject({ method: 'GET', url, headers });
      return { status, text, headers: got };
    },

    async contact(email: string) {
      return (await api.ask('GET', `/v1/contacts/${encodeURIComponent(email)}`)).json;
    },

    async addList(name: string, subTenantId: string | null = null): Promise<string> {
      const now = systemClock();
      const id = newId('lst', now);
      await api.store.commit([
        insert(contactLists, {
          row: {
            ...LIST,
            id,
            environment_id: (await api.scopeOf('live')).environmentId,
            sub_tenant_id: subTenantId,
            name,
            created_at: now,
            updated_at: now,
          },
        }),
      ]);
      return id;
    },

    close: api.close,
  };
}
