// Signing in for a program without a browser (RFC 8628): it shows a code, a person who has signed in compares it and approves,
// and the program fetches an API key. The key is made when it is fetched, so its secret is never stored.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { clientNetwork, sitePrefix } from '../../lib/addresses/client-network.rules.js';
import { hasRole } from '../people/role.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { AccountStores } from '../stores.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { newToken, newUserCode, shownUserCode, tokenHashOf, userCodeOf } from './tokens.js';
import { type DeviceSignIn, deviceSignIns } from './sign-in.tables.js';
import type { Change } from '../../database/change.js';
import { update, insert, remove } from '../../database/rows.js';

const LIFETIME_MS = 10 * 60_000;
/** Between two questions of a program. */
const INTERVAL_SECONDS = 5;
/** Programs that wait at a time: of one network (`clientNetwork`), of one site, and of all organizations together. */
const MAX_OPEN_OF_NETWORK = 20;
const MAX_OPEN_OF_SITE = 100;
const MAX_OPEN = 10_000;

const TOO_MANY = 'Too many sign-in requests from this network are pending. Try again in a few minutes.';
const UNKNOWN_DEVICE = 'The device code is unknown, or its API key has already been retrieved.';
const UNKNOWN =
  'This code is not valid. It has expired or has already been used. Start again in the application.';

/** The changes that make an API key, and the key as the program gets it. */
export type PlanKey<K> = (
  workspaceId: string,
  key: {
    environmentId: number;
    mode: Mode;
    name: string;
    permission: KeyPermission;
    maker: { id: string; email: string };
  },
  now: number,
) => { id: string; plan: Change[]; made: K };

export interface DeviceSignInsDeps<K> {
  store: Pick<AccountStores, 'people' | 'accounts' | 'commit'>;
  planKey: PlanKey<K>;
  clock: Clock;
  /** Base of the page's link, without a slash at the end. */
  publicUrl: string;
}

export interface StartedDeviceSignIn {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  /** With the code, so that nobody has to type it. */
  verificationUriComplete: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}

/** A program that waits, as the person sees it. */
export interface WaitingDevice {
  userCode: string;
  clientName: string;
  ip: string | null;
  mode: Mode;
  expiresAt: number;
  createdAt: number;
}

export type DevicePoll<K> = { status: 'pending' | 'denied' | 'expired' } | { status: 'approved'; made: K };

/** The person's choice, in a workspace that they reach. */
export interface DeviceApproval {
  userId: string;
  workspaceId: string;
  mode: Mode;
  permission: KeyPermission;
  /** Of the key; the program's name unless given. */
  name: string | null;
}

export type DeviceSignIns<K> = ReturnType<typeof createDeviceSignIns<K>>;

export function createDeviceSignIns<K>({ store, planKey, clock, publicUrl }: DeviceSignInsDeps<K>) {
  const { people } = store;

  /** Refuses with `not_found`. */
  async function waiting(code: string): Promise<DeviceSignIn> {
    const userCode = userCodeOf(code);
    const found = userCode === null ? null : await people.deviceSignInByCode(userCode);
    if (!found || found.status !== 'pending' || found.expires_at <= clock()) {
      throw new Refusal('not_found', UNKNOWN);
    }
    return found;
  }

  async function decide(found: DeviceSignIn, set: Partial<DeviceSignIn>): Promise<void> {
    await store.commit([
      update(deviceSignIns, {
        set,
        where: { device_hash: found.device_hash, status: 'pending' },
        otherwise: { code: 'not_found', message: UNKNOWN },
      }),
    ]);
  }

  return {
    /**
     * Refuses with `rate_limited` while very many programs of the network wait. Where very many of all networks wait, the one that has
     * waited longest makes room, so that they keep no other program out.
     */
    async start(clientName: string, mode: Mode, ip: string | null): Promise<StartedDeviceSignIn> {
      const now = clock();
      const network = ip === null ? null : clientNetwork(ip);
      if (network !== null) {
        const ofSite = await people.networksOfDevices(sitePrefix(network), now, MAX_OPEN_OF_SITE);
        const ofNetwork = ofSite.filter((one) => one === network);
        if (ofSite.length >= MAX_OPEN_OF_SITE || ofNetwork.length >= MAX_OPEN_OF_NETWORK) {
          throw new Refusal('rate_limited', TOO_MANY);
        }
      }
      const oldest = await people.oldestOfDevices(MAX_OPEN, now);
      const { token, tokenHash } = newToken();
      const userCode = newUserCode();
      await store.commit([
        ...(oldest === null ? [] : [remove(deviceSignIns, { where: { device_hash: oldest } })]),
        insert(deviceSignIns, {
          row: {
            device_hash: tokenHash,
            user_code: userCode,
            client_name: clientName,
            ip,
            network,
            status: 'pending',
            user_id: null,
            workspace_id: null,
            mode,
            permission: null,
            key_name: null,
            expires_at: now + LIFETIME_MS,
            created_at: now,
          },
          conflict: { code: 'conflict', message: 'Another sign-in used the same code. Try again.' },
        }),
      ]);
      return {
        deviceCode: token,
        userCode: shownUserCode(userCode),
        verificationUri: `${publicUrl}/device`,
        verificationUriComplete: `${publicUrl}/device#${shownUserCode(userCode)}`,
        expiresInSeconds: LIFETIME_MS / 1000,
        intervalSeconds: INTERVAL_SECONDS,
      };
    },

    /**
     * The state of a program's request; the API key with its secret once it was approved, and then never again. Refuses
     * with `not_found` for a code that is unknown or whose key was fetched.
     */
    async poll(deviceCode: string, visitor: Visitor): Promise<DevicePoll<K>> {
      const deviceHash = tokenHashOf(deviceCode);
      const found = deviceHash === null ? null : await people.deviceSignIn(deviceHash);
      if (!found) throw new Refusal('not_found', UNKNOWN_DEVICE);
      const now = clock();
      if (found.status === 'denied') return { status: 'denied' };
      if (found.expires_at <= now) return { status: 'expired' };
      const { user_id: userId, workspace_id: workspaceId, permission, mode } = found;
      if (found.status !== 'approved' || userId === null || permission === null) return { status: 'pending' };
      // The person who approved may have lost the role since.
      const reach = await people.reach(userId, { workspaceId, mode });
      if (!reach || !hasRole(reach.role, 'admin')) return { status: 'denied' };
      const { environmentId, organizationId } = reach;
      const name = found.key_name ?? found.client_name;
      const user = await people.user(userId);
      if (user === null) return { status: 'denied' };
      const key = { environmentId, mode, name, permission, maker: { id: userId, email: user.email } };
      const { id, plan, made } = planKey(reach.workspaceId, key, now);
      await store.commit([
        remove(deviceSignIns, {
          where: { device_hash: found.device_hash, status: 'approved' },
          otherwise: {
            code: 'not_found',
            message: 'The API key for this device code has already been retrieved.',
          },
        }),
        ...plan,
        ...auditEntries({
          organizationIds: [organizationId],
          action: 'auth.pollDevice',
          actor: { kind: 'user', id: userId },
          targetId: id,
          detail: { client_name: found.client_name, permission, mode },
          visitor,
          now,
        }),
      ]);
      return { status: 'approved', made };
    },

    /** Refuses with `not_found`. */
    async read(code: string): Promise<WaitingDevice> {
      const found = await waiting(code);
      return {
        userCode: shownUserCode(found.user_code),
        clientName: found.client_name,
        ip: found.ip,
        mode: found.mode,
        expiresAt: found.expires_at,
        createdAt: found.created_at,
      };
    },

    /** Refuses with `not_found`. */
    async approve(code: string, approval: DeviceApproval): Promise<void> {
      const { userId, workspaceId, mode, permission, name } = approval;
      const choice = { user_id: userId, workspace_id: workspaceId, mode, permission, key_name: name };
      await decide(await waiting(code), { status: 'approved', ...choice });
    },

    /** Refuses with `not_found`. */
    async deny(code: string, userId: string): Promise<void> {
      await decide(await waiting(code), { status: 'denied', user_id: userId });
    },
  };
}
