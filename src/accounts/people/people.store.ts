// People: accounts, sessions, memberships, and invitations.
import type { Mode, Role } from '../../contract/names.js';
import { hasRole } from './role.rules.js';
import { countAttempt, type Attempts, type LockRule } from '../sign-in/sign-in-wait.rules.js';
import type { EnvironmentRef } from '../accounts.store.js';
import type { Committer, Writing } from '../../database/committer.js';
import { removeRows, updateRows } from '../../database/rows.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { paged } from '../../database/paged.js';
import { type Page, type PageRequest, cutPage } from '../../database/scope.js';
import { refuse } from '../../database/refuse.js';
import { defineSignal } from '../../database/signals.js';
import { likePrefix, rowsAs } from '../../database/sql.js';
import type {
  DeviceSignIn,
  PasswordReset,
  Session,
  deviceSignIns,
  passwordResets,
  sessions,
} from '../sign-in/sign-in.tables.js';
import { type Invitation, type User, invitations, members, type users } from './people.tables.js';
import type { environments, workspaces } from '../accounts.tables.js';
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<
  | typeof deviceSignIns
  | typeof environments
  | typeof invitations
  | typeof members
  | typeof passwordResets
  | typeof sessions
  | typeof users
  | typeof workspaces
>;

/** A person as a member of an organization. */
export interface Member {
  user_id: string;
  role: Role;
  can_approve: 0 | 1;
  email: string;
  name: string | null;
  totp_confirmed_at: number | null;
  created_at: number;
  updated_at: number;
}

/** An environment that a person can access, and the role there. */
export interface EnvironmentAccess extends EnvironmentRef {
  role: Role;
}

/** A workspace that a person can access, and the role there. */
interface WorkspaceAccess {
  id: string;
  name: string;
  organization_id: string;
  role: Role;
}

interface CountedAttempt {
  user: User;
  /** The known place that counted the attempt. Null if the account did. */
  place: Uint8Array | null;
}

interface MemberChange {
  organizationId: string;
  userId: string;
  /** The role that the decision is based on. */
  from: Role;
  now: number;
}

/** Sessions are not paginated, because no one has more. */
const MOST_SESSIONS = 200;
const MOST_WORKSPACES = 1_000;

const LAST_OWNER = { code: 'last_owner' } as const;
const CHANGED = { code: 'conflict', message: 'The role was changed by another request.' } as const;

// Written for an unknown address, so that the response takes as long as for a known one.
const PROBE = `INSERT INTO marks (name, value, created_at) VALUES ('sign_in_probe', NULL, ?)
  ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at`;
const COUNT_ATTEMPT = 'UPDATE users SET failures = ?, locked_until = ? WHERE id = ?';
const ONE_LESS = 'failures = CASE WHEN failures > 0 THEN failures - 1 ELSE 0 END, locked_until = NULL';
const RELEASE_ATTEMPT = `UPDATE users SET ${ONE_LESS} WHERE id = ?`;
const PLACE =
  'SELECT failures, locked_until FROM known_places WHERE user_id = ? AND place = ? AND expires_at > ?';
const ENDED = (table: string, key: string, end: string): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${end} <= ? LIMIT ?) RETURNING 1 AS one`;
/** Deletes only the expired rows of a key. */
const ENDED_OF_KEYS = (table: string, key: string): string => `DELETE FROM ${table} WHERE expires_at <= ?
  AND ${key} IN (SELECT ${key} FROM ${table} WHERE expires_at <= ? LIMIT ?) RETURNING 1 AS one`;
const COUNT_AT_PLACE =
  'UPDATE known_places SET failures = ?, locked_until = ? WHERE user_id = ? AND place = ?';
const RELEASE_AT_PLACE = `UPDATE known_places SET ${ONE_LESS} WHERE user_id = ? AND place = ?`;
/** Keys of the person in this organization. */
const REVOKE_KEYS = `UPDATE api_keys SET revoked_at = ? WHERE made_by = ? AND revoked_at IS NULL AND environment_id IN
  (SELECT e.id FROM environments e JOIN workspaces w ON w.id = e.workspace_id WHERE w.organization_id = ?)`;
/** A person without an organization is about to be deleted. */
export const personRemoved = defineSignal<{ userId: string }>('person removed');

/** Deletes everything about a person without an organization. */
const REMOVE_PERSON = [
  'DELETE FROM sessions WHERE user_id = ?',
  'DELETE FROM password_resets WHERE user_id = ?',
  'DELETE FROM known_places WHERE user_id = ?',
  'DELETE FROM users WHERE id = ?',
];

export function createPeopleStore(engine: Engine, committer: Committer) {
  return {
    ...userReads(engine),
    ...sessionReads(engine),
    ...deviceReads(engine),
    ...organizationReads(engine),
    ...attemptWrites(engine, committer),
    ...memberWrites(engine, committer),
    ...expiry(committer),
  };
}

function userReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    async user(id: string): Promise<User | null> {
      return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async userByEmail(emailKey: string): Promise<User | null> {
      const query = db.selectFrom('users').selectAll().where('email_key', '=', emailKey);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads the environment of the named or first workspace that the person can access. Null if there is none. */
    async reach(
      userId: string,
      wanted: { workspaceId: string | null; mode: Mode },
    ): Promise<EnvironmentAccess | null> {
      let query = db
        .selectFrom('members as m')
        .innerJoin('workspaces as w', 'w.organization_id', 'm.organization_id')
        .innerJoin('environments as e', 'e.workspace_id', 'w.id')
        .where('m.user_id', '=', userId)
        .where('e.mode', '=', wanted.mode)
        .select([
          'm.role',
          'e.id as environmentId',
          'e.mode',
          'w.id as workspaceId',
          'w.number as workspaceNumber',
          'w.organization_id as organizationId',
        ])
        .orderBy('m.created_at')
        .orderBy('w.number')
        .limit(1);
      if (wanted.workspaceId !== null) query = query.where('w.id', '=', wanted.workspaceId);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads the workspaces of the person, starting with the organization that they joined first. */
    workspacesOf: (userId: string): Promise<WorkspaceAccess[]> =>
      db
        .selectFrom('members as m')
        .innerJoin('workspaces as w', 'w.organization_id', 'm.organization_id')
        .where('m.user_id', '=', userId)
        .select(['w.id', 'w.name', 'w.organization_id', 'm.role'])
        .orderBy('m.created_at')
        .orderBy('w.number')
        .limit(MOST_WORKSPACES)
        .execute(),

    async organizationIdsOf(userId: string): Promise<string[]> {
      const query = db.selectFrom('members').select('organization_id').where('user_id', '=', userId);
      return (await query.orderBy('created_at').execute()).map((row) => row.organization_id);
    },
  };
}

function sessionReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Reads the session of a token. The caller checks whether it has ended. */
    async session(tokenHash: Uint8Array): Promise<Session | null> {
      const statement = 'SELECT * FROM sessions WHERE token_hash = ?';
      const [session] = await rowsAs<Session>(engine.rows(statement, [tokenHash]));
      return session ?? null;
    },

    /** Reads sessions, newest first. */
    sessionsOf: (userId: string): Promise<Session[]> =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(MOST_SESSIONS)
        .execute(),

    async passwordReset(tokenHash: Uint8Array): Promise<PasswordReset | null> {
      const query = db.selectFrom('password_resets').selectAll().where('token_hash', '=', tokenHash);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads resets, newest first. */
    passwordResetsOf: (userId: string): Promise<PasswordReset[]> =>
      db
        .selectFrom('password_resets')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .limit(MOST_SESSIONS)
        .execute(),
  };
}

function deviceReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const waitingDevices = (now: number) =>
    db.selectFrom('device_sign_ins').where('expires_at', '>', now).where('status', '=', 'pending');
  return {
    async deviceSignIn(deviceHash: Uint8Array): Promise<DeviceSignIn | null> {
      const query = db.selectFrom('device_sign_ins').selectAll().where('device_hash', '=', deviceHash);
      return (await query.executeTakeFirst()) ?? null;
    },

    async deviceSignInByCode(userCode: string): Promise<DeviceSignIn | null> {
      const query = db.selectFrom('device_sign_ins').selectAll().where('user_code', '=', userCode);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads up to `most` networks of waiting sign-ins that begin with `prefix`. */
    async networksOfDevices(prefix: string, now: number, most: number): Promise<(string | null)[]> {
      const open = await waitingDevices(now)
        .select('network')
        .where('network', 'like', likePrefix(prefix))
        .limit(most)
        .execute();
      return open.map(({ network }) => network);
    },

    /** Reads the hash of the oldest of `count` waiting sign-ins; null if fewer wait. */
    async oldestOfDevices(count: number, now: number): Promise<Uint8Array | null> {
      const [found] = await waitingDevices(now)
        .select('device_hash')
        .orderBy('expires_at', 'desc')
        .limit(1)
        .offset(count - 1)
        .execute();
      return found?.device_hash ?? null;
    },
  };
}

function organizationReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const memberRows = (organizationId: string) =>
    db
      .selectFrom('members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .where('m.organization_id', '=', organizationId)
      .select([
        'm.user_id',
        'm.role',
        'm.can_approve',
        'u.email',
        'u.name',
        'u.totp_confirmed_at',
        'm.created_at',
        'm.updated_at',
      ]);
  return {
    async members(organizationId: string, page: PageRequest): Promise<Page<Member>> {
      const query = paged(memberRows(organizationId), page, { key: 'user_id', of: 'm' });
      return cutPage(await query.execute(), page.limit, (row) => row.user_id);
    },

    async member(organizationId: string, userId: string): Promise<Member | null> {
      const query = memberRows(organizationId).where('m.user_id', '=', userId);
      return (await query.executeTakeFirst()) ?? null;
    },

    async memberByEmail(organizationId: string, emailKey: string): Promise<Member | null> {
      const query = memberRows(organizationId).where('u.email_key', '=', emailKey);
      return (await query.executeTakeFirst()) ?? null;
    },

    async hasOwner(organizationId: string): Promise<boolean> {
      const query = memberRows(organizationId).where('m.role', '=', 'owner').limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },

    async invitations(organizationId: string, page: PageRequest): Promise<Page<Invitation>> {
      const query = paged(
        db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId),
        page,
        { key: 'id' },
      );
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    async invitation(organizationId: string, id: string): Promise<Invitation | null> {
      const query = db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId);
      return (await query.where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads the invitation of an address that was neither accepted nor revoked. It may have expired. */
    async openInvitation(organizationId: string, emailKey: string): Promise<Invitation | null> {
      const query = db
        .selectFrom('invitations')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('email_key', '=', emailKey)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null);
      return (await query.executeTakeFirst()) ?? null;
    },

    async invitationByToken(tokenHash: Uint8Array): Promise<Invitation | null> {
      const query = db.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash);
      return (await query.executeTakeFirst()) ?? null;
    },
  };
}

function attemptWrites(engine: Engine, committer: Committer) {
  const byEmail = `SELECT * FROM users WHERE email_key = ? ${engine.forUpdate}`;
  return {
    /**
     * Counts an attempt at the account's password before the check, so that simultaneous attempts cannot exceed the rule. The
     * first known place counts it, or else the account. Returns null for an unknown or locked account, but writes in any case.
     */
    beginAttempt: (
      emailKey: string,
      places: readonly Uint8Array[],
      rule: LockRule,
      now: number,
    ): Promise<CountedAttempt | null> =>
      committer.commit(async ({ tx }) => {
        const [user] = await rowsAs<User>(tx.run(byEmail, [emailKey]));
        const known = user ? await knownPlace(tx, user.id, places, now) : null;
        const counted = user ? countAttempt(known?.attempts ?? user, rule, now) : null;
        if (!user || !counted) {
          await tx.run(PROBE, [now]);
          return null;
        }
        const { failures, locked_until } = counted;
        if (known) {
          await tx.run(COUNT_AT_PLACE, [failures, locked_until, user.id, known.place]);
          return { user, place: known.place };
        }
        await tx.run(COUNT_ATTEMPT, [failures, locked_until, user.id]);
        return { user: { ...user, failures, locked_until }, place: null };
      }),

    /** Uncounts an attempt that was not a guess. */
    releaseAttempt: ({ user, place }: CountedAttempt): Promise<void> =>
      committer.commit(async ({ tx }) => {
        if (place === null) await tx.run(RELEASE_ATTEMPT, [user.id]);
        else await tx.run(RELEASE_AT_PLACE, [user.id, place]);
      }),

    /** Resets the count of a place where the person has signed in. */
    clearPlace: (userId: string, place: Uint8Array): Promise<void> =>
      committer.commit(async ({ tx }) => {
        await tx.run(COUNT_AT_PLACE, [0, null, userId, place]);
      }),
  };
}

async function knownPlace(tx: Tx, userId: string, places: readonly Uint8Array[], now: number) {
  for (const place of places) {
    const [attempts] = await rowsAs<Attempts>(tx.run(PLACE, [userId, place, now]));
    if (attempts) return { place, attempts };
  }
  return null;
}

/** Revokes invitations with their author's rights, because the author has the links. */
async function revokeInvitations(
  writing: Writing,
  { organizationId, userId, now }: MemberChange,
): Promise<void> {
  const where = {
    organization_id: organizationId,
    invited_by: userId,
    accepted_at: null,
    revoked_at: null,
  };
  await updateRows(writing, invitations, { set: { revoked_at: now }, where }, ['id']);
}

function memberWrites(engine: Engine, committer: Committer) {
  const owners = `SELECT user_id FROM members WHERE organization_id = ? AND role = 'owner' ${engine.forUpdate}`;
  const memberships = `SELECT organization_id FROM members WHERE user_id = ? ${engine.forUpdate}`;

  /** Locks all owners, so that two who leave at the same time are counted one after the other. */
  async function refuseLastOwner(tx: Tx, { organizationId, from }: MemberChange): Promise<void> {
    if (from === 'owner' && (await tx.run(owners, [organizationId])).length < 2) refuse(LAST_OWNER);
  }

  return {
    /**
     * Refuses with `last_owner`, and with `conflict` if the role is no longer `from`. Each change revokes the permission to approve
     * messages, and a lower role also the member's open invitations.
     */
    changeRole: (change: MemberChange & { to: Role }): Promise<void> =>
      committer.commit(async (writing) => {
        const { organizationId, userId, from, to, now } = change;
        if (to !== 'owner') await refuseLastOwner(writing.tx, change);
        const where = { organization_id: organizationId, user_id: userId, role: from };
        const set = { role: to, can_approve: 0 as const, updated_at: now };
        const changed = await updateRows(writing, members, { set, where }, ['user_id']);
        if (changed.length === 0) refuse(CHANGED);
        if (!hasRole(to, from)) await revokeInvitations(writing, change);
      }),

    /** Grants or revokes the permission to approve messages. Refuses with `conflict` if the person is no longer a member. */
    setCanApprove: (change: Pick<MemberChange, 'organizationId' | 'userId' | 'now'> & { to: boolean }) =>
      committer.commit(async (writing) => {
        const { organizationId, userId, to, now } = change;
        const where = { organization_id: organizationId, user_id: userId };
        const set = { can_approve: to ? (1 as const) : (0 as const), updated_at: now };
        if ((await updateRows(writing, members, { set, where }, ['user_id'])).length === 0) refuse(CHANGED);
      }),

    /**
     * Removes a member and revokes their API keys and open invitations. Deletes the account with its last organization. Refuses
     * like `changeRole`.
     */
    removeMember: (change: MemberChange): Promise<void> =>
      committer.commit(async (writing) => {
        const { tx } = writing;
        const { organizationId, userId, from, now } = change;
        await refuseLastOwner(tx, change);
        const membership = { organization_id: organizationId, user_id: userId, role: from };
        const removed = await removeRows(writing, members, membership, ['user_id']);
        if (removed.length === 0) refuse(CHANGED);
        await revokeInvitations(writing, change);
        await tx.run(REVOKE_KEYS, [now, userId, organizationId]);
        if ((await tx.run(memberships, [userId])).length > 0) return;
        await writing.emit(personRemoved, { userId });
        for (const statement of REMOVE_PERSON) await tx.run(statement, [userId]);
      }),
  };
}

function expiry(committer: Committer) {
  const forget =
    (statement: string) =>
    (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(statement, [before, limit])).length);
  const forgetOfKeys =
    (statement: string) =>
    (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(statement, [before, before, limit])).length);

  return {
    /**
     * Deletes expired rows: each function deletes up to `limit` rows that ended at or before a time, and returns
     * their number.
     */
    forgetEnded: {
      sessions: forget(ENDED('sessions', 'id', 'expires_at')),
      /** Measured from the last use. */
      idleSessions: forget(ENDED('sessions', 'id', 'last_used_at')),
      passwordResets: forget(ENDED('password_resets', 'token_hash', 'expires_at')),
      deviceSignIns: forget(ENDED('device_sign_ins', 'user_code', 'expires_at')),
      knownPlaces: forgetOfKeys(ENDED_OF_KEYS('known_places', 'place')),
      unsolicitedMail: forgetOfKeys(ENDED_OF_KEYS('unsolicited_mail', 'subject')),
      invitations: forget(ENDED('invitations', 'id', 'expires_at')),
    },
  };
}
