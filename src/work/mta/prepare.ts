// From a claimed row to signed bytes: may it still go, compose, sign. Rows are read in batches.
import { signMessage } from '../../mail/dkim.js';
import { joinMessage } from '../../mail/mime-build.js';
import { blockingRow } from '../../rules/suppression.js';
import type { Clock } from '../../runtime/clock.js';
import type { Suppression } from '../../store/audience.js';
import type { Deliverable } from '../../store/deliverables.js';
import type { ReadStore } from '../../store/store.js';
import { composeOutgoing, type ComposeSettings } from './compose.js';
import type { AttemptResult } from '../../rules/attempt.js';
import type { SigningKeys } from './signing-keys.js';

const BATCH = 64;

export interface ReadyMail {
  kind: 'ready';
  mailFrom: string;
  rcptTo: string;
  bytes: Buffer;
  /** Unix seconds. */
  signedAt: number;
}

export type Prepared = ReadyMail | { kind: 'ended'; result: AttemptResult };

interface Loaded {
  deliverable: Deliverable | null;
  /** The organization's choice and the rows that may block. */
  unsubscribeBlocks: 'all' | 'marketing';
  suppressions: Suppression[];
}

export interface Preparer {
  /** Loads, checks, composes and signs one message. Calls of one turn of the event loop share their queries. */
  prepare(messageId: number): Promise<Prepared>;
}

export interface PreparerDeps {
  store: ReadStore;
  signingKeys: SigningKeys;
  settings: ComposeSettings & { messageSizeLimitBytes: number };
  clock: Clock;
}

export function createPreparer({ store, signingKeys, settings, clock }: PreparerDeps): Preparer {
  const load = createLoader(store);

  return {
    async prepare(messageId) {
      const { deliverable, unsubscribeBlocks, suppressions } = await load(messageId);
      if (!deliverable) {
        return ended({ kind: 'failed', category: 'routing', message: 'The message no longer exists.' });
      }
      const refused = mayNotGo(deliverable, suppressions, unsubscribeBlocks);
      if (refused) return ended(refused);
      const found = await signingKeys.signersFor(deliverable);
      if (found.kind === 'unsigned')
        return ended({ kind: 'held', reason: 'signing', message: found.message });
      const { composed, mailFrom, rcptTo } = composeOutgoing(deliverable, settings);
      const signedAt = Math.floor(clock() / 1000);
      const signatures = await trySign({ ...composed, signers: found.signers, signedAt });
      if (typeof signatures === 'string')
        return ended({ kind: 'held', reason: 'signing', message: signatures });
      const bytes = joinMessage([...signatures, ...composed.headerLines], composed.body);
      if (bytes.length > settings.messageSizeLimitBytes) {
        const message = `The composed message has ${bytes.length} octets; ${settings.messageSizeLimitBytes} are allowed.`;
        return ended({ kind: 'failed', category: 'too_large', message });
      }
      return { kind: 'ready', mailFrom, rcptTo, bytes, signedAt };
    },
  };
}

function ended(result: AttemptResult): Prepared {
  return { kind: 'ended', result };
}

function mayNotGo(
  { message, tenant }: Deliverable,
  suppressions: readonly Suppression[],
  unsubscribeBlocks: 'all' | 'marketing',
): AttemptResult | null {
  const row = blockingRow(suppressions, {
    type: message.type,
    subTenantId: message.sub_tenant_id,
    unsubscribeBlocks,
  });
  if (row) return { kind: 'suppressed', reason: row.reason };
  if (message.sub_tenant_id === null) return null;
  if (!tenant || tenant.deleted_at !== null) {
    return { kind: 'failed', category: 'tenant', message: 'The sub-tenant was deleted.' };
  }
  if (tenant.status === 'suspended' || tenant.status === 'paused') {
    return { kind: 'held', reason: 'tenant', message: `The sub-tenant is ${tenant.status}.` };
  }
  return null;
}

async function trySign(input: Parameters<typeof signMessage>[0]): Promise<string[] | string> {
  try {
    return await signMessage(input);
  } catch (error) {
    // Whatever keeps a signature from being made, the mail waits; it never leaves unsigned.
    return error instanceof Error ? error.message : String(error);
  }
}

/** Collects the ids asked for in one turn and reads their rows together. */
function createLoader(store: ReadStore): (messageId: number) => Promise<Loaded> {
  let asked = new Map<number, { resolve: (loaded: Loaded) => void; reject: (error: unknown) => void }>();

  async function readBatch(batch: typeof asked): Promise<void> {
    const deliverables = await store.messages.deliverables([...batch.keys()]);
    const suppressions = await store.audience.suppressionsAmong(
      [...deliverables.values()].map(({ message }) => ({
        environmentId: message.environment_id,
        emailKey: message.to_key,
      })),
    );
    for (const [messageId, { resolve }] of batch) {
      const deliverable = deliverables.get(messageId) ?? null;
      const rows = suppressions.filter(
        (row) =>
          row.email_key === deliverable?.message.to_key &&
          row.environment_id === deliverable.message.environment_id,
      );
      resolve({
        deliverable,
        unsubscribeBlocks: deliverable?.unsubscribeBlocks ?? 'all',
        suppressions: rows,
      });
    }
  }

  function flush(): void {
    const all = [...asked];
    asked = new Map();
    for (let i = 0; i < all.length; i += BATCH) {
      const batch = new Map(all.slice(i, i + BATCH));
      readBatch(batch).catch((error: unknown) => {
        for (const { reject } of batch.values()) reject(error);
      });
    }
  }

  return (messageId) =>
    new Promise((resolve, reject) => {
      if (asked.size === 0) setImmediate(flush);
      asked.set(messageId, { resolve, reject });
    });
}
