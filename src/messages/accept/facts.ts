// Reads the sender's side for acceptance. Requests of one turn of the event loop share their queries, so that a
// burst costs few and nobody is ever judged by a row that was old when the request arrived.
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../store/scope.js';
import type { ReadStore } from '../../store/store.js';
import type { SubTenant } from '../../tenants/tenants.store.js';
import type { Organization } from '../../accounts/accounts.tables.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';
import type { Sender } from '../../domains/domains.tables.js';

const BATCH = 200;

export interface SenderSide {
  organization: Organization;
  tenant: SubTenant | null;
  /** Verified identities of the sub-tenant, or of the workspace when the message has none. */
  senders: Sender[];
}

export interface Facts {
  /** Refused with `sub_tenant_not_found` when the scope names one that does not exist. */
  senderSide(scope: Scope): Promise<SenderSide>;
  /** Rows that may block mail to these addresses, by address. */
  suppressionsOf(scope: Scope, emailKeys: readonly string[]): Promise<Suppression[]>;
}

export function createFacts(store: Pick<ReadStore, 'accounts' | 'tenants' | 'audience'>): Facts {
  const shared = sharePerTurn<SenderSide>();
  const suppressions = createSuppressionReader(store);

  async function readSenderSide(scope: Scope): Promise<SenderSide> {
    const tenantId = scope.subTenantId;
    const [organization, tenant, senders] = await Promise.all([
      store.accounts.organization(scope),
      tenantId === null ? null : store.tenants.subTenant(scope, tenantId),
      store.tenants.verifiedSenders(scope),
    ]);
    if (tenantId !== null && tenant === null) {
      throw new Refusal('sub_tenant_not_found', undefined, { param: 'sub_tenant_id' });
    }
    return { organization, tenant, senders };
  }

  return {
    senderSide: (scope) =>
      shared(`${scope.environmentId}/${scope.subTenantId ?? ''}`, () => readSenderSide(scope)),
    async suppressionsOf({ environmentId }, emailKeys) {
      return (
        await Promise.all(emailKeys.map((emailKey) => suppressions({ environmentId, emailKey })))
      ).flat();
    },
  };
}

/** Calls with one key in one turn of the event loop get the same answer. */
function sharePerTurn<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  let answers = new Map<string, Promise<T>>();
  return (key, read) => {
    let answer = answers.get(key);
    if (!answer) {
      if (answers.size === 0) setImmediate(() => (answers = new Map()));
      answer = read();
      answers.set(key, answer);
    }
    return answer;
  };
}

interface Address {
  environmentId: number;
  emailKey: string;
}
interface Question extends Address {
  resolve: (rows: Suppression[]) => void;
  reject: (error: unknown) => void;
}

/** Collects the addresses asked for in one turn and reads their rows together. */
function createSuppressionReader(
  store: Pick<ReadStore, 'audience'>,
): (address: Address) => Promise<Suppression[]> {
  let waiting: Question[] = [];

  async function answer(questions: readonly Question[]): Promise<void> {
    const rows = await store.audience.suppressionsAmong(questions);
    for (const { environmentId, emailKey, resolve } of questions) {
      resolve(
        rows.length === 0
          ? rows
          : rows.filter((row) => row.environment_id === environmentId && row.email_key === emailKey),
      );
    }
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += BATCH) {
      const questions = all.slice(i, i + BATCH);
      answer(questions).catch((error: unknown) => {
        for (const { reject } of questions) reject(error);
      });
    }
  }

  return (address) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ ...address, resolve, reject });
    });
}
