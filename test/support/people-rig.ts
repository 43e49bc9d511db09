// The API with its people: an owner who can sign in, browsers that keep a cookie, and the mail that the server sends.
import type { DestinationStream } from 'pino';
import { forgettingOf } from './forgetting.js';
import type { Role } from '../../src/contract/names.js';
import type { Store } from '../../src/app/store.js';
import { planOwner } from '../../src/accounts/people/owner.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { createOpenTokens } from '../../src/lib/secrets/index.js';
import { systemEnvironment } from '../../src/messages/system-mail/system-workspace.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { fixedClock, type FixedClock } from './fixed-clock.js';
import { assembleProgram, MASTER_KEY, type ProgramAnswer, type TestProgram } from './program.js';
import { layered, tuned } from './tuning.js';
import { dkimKeys } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';

/** The server can mail links from it after `readyToMail`. */
export const PLATFORM_DOMAIN = 'mail.example.test';
export const OWNER = { email: 'Olga@Example.com', password: 'the lamp is on the left side' };
/** Of everyone except the owner. */
export const PASSWORD = 'a kettle of green tea, please';

export interface PeopleRigOptions {
  env?: Record<string, string>;
  /** With a domain that lets the server send its own mail. */
  mails?: boolean;
  publicUrl?: string;
  failuresPerMinute?: number;
  logTo?: DestinationStream;
  /** Without the owner's account. */
  bare?: boolean;
  /** Adds another organization to its program, on its clock; earlier people are forgotten. */
  beside?: { clock: FixedClock; program: TestProgram };
}

export interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
}

export type PeopleRig = Awaited<ReturnType<typeof startPeopleRig>>;

export interface Browser {
  ask(method: string, url: string, asked?: Asked): Promise<ProgramAnswer>;
  /** As the owner by default. */
  signIn(email?: string, password?: string, more?: Record<string, string>): Promise<ProgramAnswer>;
  cookie(): string | null;
  csrf(): string | null;
}

export async function startPeopleRig(options: PeopleRigOptions = {}) {
  const { beside } = options;
  const clock = beside?.clock ?? fixedClock();
  const { publicUrl = 'https://mail.example.test', logTo } = options;
  // A day later, earlier attempts no longer count.
  beside?.clock.advance(86_400_000);
  if (beside) await forgetPeople(beside.program);
  const program = await assembleProgram({
    ...(beside ? { beside: beside.program } : {}),
    clock: clock.now,
    env: layered({ MAILKEEL_PUBLIC_URL: publicUrl, ...tuned({ signInRefusalMs: 0 }) }, options.env),
    settings: {
      platformDomain: options.mails === true ? PLATFORM_DOMAIN : null,
      rateLimitNewKeysPerMinute: 0,
      rateLimitAuthFailuresPerMinute: options.failuresPerMinute ?? 0,
    },
    ...(logTo ? { logLevel: 'debug', logTo } : {}),
  });
  const { config, organizationId } = program;
  const { store, app } = program;
  const settled = (): Promise<void> => program.parts.api.accounts.settled();
  const passwords = new Passwords();
  if (options.bare !== true) {
    const { plan } = await planOwner(passwords, { ...OWNER, organizationId }, clock.now(), null);
    await store.commit(plan);
  }
  if (options.mails === true && !beside) await readyToMail(store, clock.now);
  const mailsBefore = beside ? (await mailRows()).length : 0;

  /** Keeps the cookie, and sends the token with requests that change something. */
  function browser(): Browser {
    const jar = new Map<string, string>();
    const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    let csrf: string | null = null;

    async function ask(
      method: string,
      url: string,
      { body, headers = {} }: Asked = {},
    ): Promise<ProgramAnswer> {
      const answer = await program.ask(method, url, {
        key: '',
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(jar.size === 0 ? {} : { cookie: cookies() }),
          ...(csrf === null || method === 'GET' ? {} : { 'x-csrf-token': csrf }),
          ...headers,
        },
      });
      const set = answer.headers['set-cookie'];
      for (const one of set === undefined ? [] : [set].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(typeof one === 'string' ? one : '') ?? [];
        if (name !== undefined && value !== undefined) jar.set(name, value);
      }
      if (typeof answer.json?.csrf_token === 'string') csrf = answer.json.csrf_token as string;
      return answer;
    }

    return {
      ask,
      signIn: (email = OWNER.email, password = OWNER.password, more: Record<string, string> = {}) =>
        ask('POST', '/v1/auth/sign-in', { body: { email, password, ...more } }),
      cookie: () => {
        const value = jar.get('mailkeel_session');
        return value === undefined ? null : `mailkeel_session=${value}`;
      },
      csrf: () => csrf,
    };
  }

  /** A browser that is signed in as the owner, or as that person. */
  async function signedIn(email?: string, password?: string): Promise<Browser> {
    const made = browser();
    const answer = await made.signIn(email, password);
    if (answer.status !== 200) throw new Error(answer.text);
    return made;
  }

  /** A member with `PASSWORD`, created without the API. */
  async function addPerson(email: string, role: Role): Promise<string> {
    const passwordHash = await passwords.hash(PASSWORD);
    const person = { email, name: null, passwordHash, organizationId, role };
    const { userId, plan } = planPerson(person, clock.now());
    await store.commit(plan);
    return userId;
  }

  async function mailRows() {
    await settled();
    const scope = { ...(await systemEnvironment(store, clock.now())), subTenantId: null };
    return (await store.messages.messages(scope, { limit: 100, after: null }, {})).rows;
  }

  /** The mails that the server itself sent since this rig was started, newest first. */
  async function mails(): Promise<{ to: string; subject: string; text: string; link: string }[]> {
    const all = await mailRows();
    const rows = all.slice(0, all.length - mailsBefore);
    const found = await store.messages.deliverables(rows.map((row) => row.id));
    return rows.map((row) => {
      const kept = found.get(row.id)?.content.text ?? '';
      const text = createOpenTokens(MASTER_KEY)(kept, row.to_key);
      return { to: row.to_email, subject: row.subject, text, link: /https?:\S+#\S+/.exec(text)?.[0] ?? '' };
    });
  }

  async function audit(action: string) {
    const scope = await program.scopeOf('live');
    const { rows } = await store.audit.entries(
      scope,
      { limit: 100, after: null },
      { ofOrganization: true, action },
    );
    return rows;
  }

  return {
    ...program,
    program,
    store,
    app,
    clock,
    browser,
    signedIn,
    addPerson,
    mails,
    audit,
    settled,
    sweep: async () => {
      await forgettingOf(store, 'ended sessions', {
        sessionIdleMs: config.sessionIdleMs,
        clock: clock.now,
      })();
    },
  };
}

/**
 * Starts the rigs of a file: one program for each set of options, and an organization with people for each call. Tests that read
 * the log or count the attempts of an address have a separate program.
 */
export function createPeopleRigs() {
  const shared = new Map<string, PeopleRig>();
  return {
    async start(options: PeopleRigOptions = {}): Promise<PeopleRig> {
      if (options.logTo || options.failuresPerMinute !== undefined) return startPeopleRig(options);
      const kind = JSON.stringify(options);
      const beside = shared.get(kind) ?? (await startPeopleRig(options));
      shared.set(kind, beside);
      return startPeopleRig({ ...options, beside });
    },
    async close(): Promise<void> {
      for (const rig of shared.values()) await rig.close();
    },
  };
}

async function forgetPeople({ raw }: TestProgram): Promise<void> {
  const tables = ['sessions', 'password_resets', 'known_places', 'invitations', 'members', 'users'];
  for (const table of tables) await raw(`DELETE FROM ${table}`);
}

export async function readyToMail(store: Store, now: () => number): Promise<void> {
  const keys = await ensurePlatformKey({
    store,
    masterKey: MASTER_KEY,
    clock: now,
    platformDomain: PLATFORM_DOMAIN,
  });
  for (const { id } of keys) {
    await store.commit([update(dkimKeys, { set: { state: 'active' }, where: { id } })]);
  }
}

/** The part after the # of a link. */
export function tokenOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}
