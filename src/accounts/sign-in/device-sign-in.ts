// Signs in a program without a browser (RFC 8628). The program shows a code, a signed-in person compares and approves it, and the
// program fetches an API key. The key is created when it is fetched, so its secret is never stored.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { clientNetwork, sitePrefix } from '../../lib/addresses/index.js';
import { hasRole } from '../people/role.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { MadeKey } from '../api-keys/api-key-plan.js';
import { planWorkspaceKey } from '../api-keys/api-keys.js';
import type { AccountContext } from '../context.js';
import type { AccountStores } from '../stores.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { newToken, newUserCode, formatUserCode, hashToken, parseUserCode } from './tokens.js';
import { type DeviceSignIn, deviceSignIns } from './sign-in.tables.js';
import { update, insert, remove } from '../../database/rows.js';

const LIFETIME_MS = 10 * 60_000;
/** Interval between two polls of a program. */
const INTERVAL_SECONDS = 5;
/** Limits on waiting programs: per network (`clientNetwork`), per site, and for all organizations together. */
const MAX_OPEN_OF_NETWORK = 20;
const MAX_OPEN_OF_SITE = 100;
const MAX_OPEN = 10_000;

const TOO_MANY = 'Too many sign-in requests from this network are pending. Try again in a few minutes.';
const UNKNOWN_DEVICE = 'The device code is unknown, or its API key has already been retrieved.';
const UNKNOWN =
  'This code is not valid. It has expired or has already been used. Start again in the application.';

interface StartedDeviceSignIn {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  /** Contains the code, so that it need not be typed. */
  verificationUriComplete: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}

interface WaitingDevice {
  userCode: string;
  clientName: string;
  ip: string | null;
  mode: Mode;
  expiresAt: number;
  createdAt: number;
}

type DevicePoll = { status: 'pending' | 'denied' | 'expired' } | { status: 'approved'; made: MadeKey };

interface DeviceApproval {
  userId: string;
  workspaceId: string;
  mode: Mode;
  permission: KeyPermission;
  /** Name of the key; null for the program's name. */
  name: string | null;
}

type DeviceContext = Pick<AccountContext, 'store' | 'clock' | 'settings'>;

export class DeviceSignIns {
  readonly #store: AccountStores;
  readonly #clock: Clock;
  readonly #publicUrl: string;

  constructor({ store, clock, settings }: DeviceContext) {
    this.#store = store;
    this.#clock = clock;
    this.#publicUrl = settings.publicUrl;
  }

  /**
   * Starts a sign-in. Refuses with `rate_limited` while too many programs of the network wait. If too many of all networks
   * wait, the oldest is dropped, so that they do not block other programs.
   */
  async start(clientName: string, mode: Mode, ip: string | null): Promise<StartedDeviceSignIn> {
    const now = this.#clock();
    const network = ip === null ? null : clientNetwork(ip);
    if (network !== null) {
      const ofSite = await this.#store.people.networksOfDevices(sitePrefix(network), now, MAX_OPEN_OF_SITE);
      const ofNetwork = ofSite.filter((one) => one === network);
      if (ofSite.length >= MAX_OPEN_OF_SITE || ofNetwork.length >= MAX_OPEN_OF_NETWORK) {
        throw new Refusal('rate_limited', TOO_MANY);
      }
    }
    const oldest = await this.#store.people.oldestOfDevices(MAX_OPEN, now);
    const { token, tokenHash } = newToken();
    const userCode = newUserCode();
    await this.#store.commit([
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
      userCode: formatUserCode(userCode),
      verificationUri: `${this.#publicUrl}/device`,
      verificationUriComplete: `${this.#publicUrl}/device#${formatUserCode(userCode)}`,
      expiresInSeconds: LIFETIME_MS / 1000,
      intervalSeconds: INTERVAL_SECONDS,
    };
  }

  /**
   * Returns the state of a program's request. An approved request returns the API key with its secret, once. Refuses with
   * `not_found` for a code that is unknown or whose key was fetched.
   */
  async poll(deviceCode: string, visitor: Visitor): Promise<DevicePoll> {
    const deviceHash = hashToken(deviceCode);
    const found = deviceHash === null ? null : await this.#store.people.deviceSignIn(deviceHash);
    if (!found) throw new Refusal('not_found', UNKNOWN_DEVICE);
    const now = this.#clock();
    if (found.status === 'denied') return { status: 'denied' };
    if (found.expires_at <= now) return { status: 'expired' };
    const { user_id: userId, workspace_id: workspaceId, permission, mode } = found;
    if (found.status !== 'approved' || userId === null || permission === null) return { status: 'pending' };
    // The person who approved may have lost the role since.
    const reach = await this.#store.people.reach(userId, { workspaceId, mode });
    if (!reach || !hasRole(reach.role, 'admin')) return { status: 'denied' };
    const { environmentId, organizationId } = reach;
    const name = found.key_name ?? found.client_name;
    const user = await this.#store.people.user(userId);
    if (user === null) return { status: 'denied' };
    const key = { environmentId, mode, name, permission, maker: { id: userId, email: user.email } };
    const { id, plan, made } = planWorkspaceKey(reach.workspaceId, key, now);
    await this.#store.commit([
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
  }

  /** Refuses with `not_found`. */
  async read(code: string): Promise<WaitingDevice> {
    const found = await this.#waiting(code);
    return {
      userCode: formatUserCode(found.user_code),
      clientName: found.client_name,
      ip: found.ip,
      mode: found.mode,
      expiresAt: found.expires_at,
      createdAt: found.created_at,
    };
  }

  /** Refuses with `not_found`. */
  async approve(code: string, approval: DeviceApproval): Promise<void> {
    const { userId, workspaceId, mode, permission, name } = approval;
    const choice = { user_id: userId, workspace_id: workspaceId, mode, permission, key_name: name };
    await this.#decide(await this.#waiting(code), { status: 'approved', ...choice });
  }

  /** Refuses with `not_found`. */
  async deny(code: string, userId: string): Promise<void> {
    await this.#decide(await this.#waiting(code), { status: 'denied', user_id: userId });
  }

  /** Refuses with `not_found`. */
  async #waiting(code: string): Promise<DeviceSignIn> {
    const userCode = parseUserCode(code);
    const found = userCode === null ? null : await this.#store.people.deviceSignInByCode(userCode);
    if (!found || found.status !== 'pending' || found.expires_at <= this.#clock()) {
      throw new Refusal('not_found', UNKNOWN);
    }
    return found;
  }

  async #decide(found: DeviceSignIn, set: Partial<DeviceSignIn>): Promise<void> {
    await this.#store.commit([
      update(deviceSignIns, {
        set,
        where: { device_hash: found.device_hash, status: 'pending' },
        otherwise: { code: 'not_found', message: UNKNOWN },
      }),
    ]);
  }
}
