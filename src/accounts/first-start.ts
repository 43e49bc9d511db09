// Prepares a server for its first user, with a test key and a setup link that creates the first owner. The link works once,
// within a day, and only while there is no owner.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/runtime/index.js';
import type { AccountStores } from './stores.js';
import type { KeyMaker } from './api-keys/api-key-plan.js';
import { commitOnce, ensureFirstAccount, planFirstKey } from './bootstrap.js';
import type { Plan } from '../database/change.js';
import { marks } from './accounts.tables.js';
import { upsert } from '../database/rows.js';

const TOKEN_BYTES = 32;
const LINK_LIFETIME_MS = 24 * 60 * 60_000;

export interface FirstStart {
  /** Secret of a test key, at the very first start only. */
  testKey: string | null;
  /** Token of the setup link, new at every start; null once there is an owner. */
  setupToken: string | null;
}

export interface SetupKeys<T> {
  liveKey: string;
  testKey: string;
  /** Data of the caller about its own changes. */
  more: T;
}

type AccountAccess = Pick<AccountStores, 'accounts' | 'people' | 'commit'>;

export async function firstStart(store: AccountAccess, options: { clock: Clock }): Promise<FirstStart> {
  const { organizationId } = await ensureFirstAccount(store, options);
  const now = options.clock();
  const key = planFirstKey('test', 'Test key of the first start', { now });
  // Read first, because a database server would log a violated key at each start.
  const isFirst =
    (await store.accounts.mark('first_test_key')) === null &&
    (await commitOnce(store, 'first_test_key', null, [key.change], now));
  return {
    testKey: isFirst ? key.secret : null,
    setupToken: await newSetupToken(store, organizationId, now),
  };
}

async function newSetupToken(
  store: AccountAccess,
  organizationId: string,
  now: number,
): Promise<string | null> {
  if (await store.people.hasOwner(organizationId)) return null;
  if (await store.accounts.mark('setup_link_used')) return null;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const value = hashToken(token);
  await store.commit([
    upsert(marks, {
      row: { name: 'setup_link', value, created_at: now },
      key: ['name'],
      set: { value, created_at: now },
    }),
  ]);
  return token;
}

interface SetupUse<T> {
  now: number;
  /** Plans further changes of the same commit, once the token is verified. */
  planMore: () => Promise<{ plan: Plan; made: T; maker: KeyMaker | null }>;
}

/**
 * Uses the setup link, which creates a live and a test key. Returns null if the token is not the current one, or if it has
 * expired or was used.
 */
export async function useSetupToken<T>(
  store: Pick<AccountStores, 'accounts' | 'commit'>,
  token: string,
  { now, planMore }: SetupUse<T>,
): Promise<SetupKeys<T> | null> {
  const link = await store.accounts.mark('setup_link');
  // Comparing hashes leaks nothing about the token through timing.
  if (!link?.value || !hashToken(token).equals(Buffer.from(link.value))) return null;
  if (link.created_at + LINK_LIFETIME_MS <= now) return null;
  if (await store.accounts.mark('setup_link_used')) return null;
  const { plan: morePlan, made: more, maker } = await planMore();
  const live = planFirstKey('live', 'Live key of the set-up', { now, maker });
  const test = planFirstKey('test', 'Test key of the set-up', { now, maker });
  const plan = [live.change, test.change, ...morePlan];
  const isFirst = await commitOnce(store, 'setup_link_used', null, plan, now);
  return isFirst ? { liveKey: live.secret, testKey: test.secret, more } : null;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
