// The API with its people: an owner who can sign in, browsers that keep a cookie, and the mail that the appliance writes.
import type { DestinationStream } from 'pino';
import { forgettingOf } from './forgetting.js';
import { createPeopleApi, type PeopleApi } from '../../src/accounts/index.js';
import type { Role } from '../../src/contract/names.js';
import { loadConfig } from '../../src/settings/load.js';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Store } from '../../src/store/store.js';
import { planOwner } from '../../src/accounts/people/owner.js';
import { createPasswords } from '../../src/accounts/people/passwords.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { createOpenTokens } from '../../src/messages/rendering/mailed-links.js';
import { systemEnvironment } from '../../src/messages/system-mail/system-workspace.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { fixedClock } from './fixed-clock.js';
import { startApi, type ApiAnswer } from './start-api.js';
import { layered, tuned } from './tuning.js';

const MASTER_KEY = Buffer.alloc(32, 1);
const PLATFORM_DOMAIN = 'mail.example.test';
export const OWNER = { email: 'Olga@Example.com', password: 'the lamp is on the left side' };
/** Of everybody else. */
export const PASSWORD = 'a kettle of green tea, please';

export interface PeopleRigOptions {
  env?: Record<string, string>;
  /** With a domain of its own the appliance can send mail. */
  mails?: boolean;
  publicUrl?: string;
  failuresPerMinute?: number;
  logTo?: DestinationStream;
  /** Without the owner's account. */
  bare?: boolean;
}

export interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
}

export type PeopleRig = Awaited<ReturnType<typeof startPeopleRig>>;

export interface Browser {
  ask(method: string, url: string, asked?: Asked): Promise<ApiAnswer>;
  /** As the owner unless said otherwise. */
  signIn(email?: string, password?: string, more?: Record<string, string>): Promise<ApiAnswer>;
  cookie(): string | null;
  csrf(): string | null;
}

export async function startPeopleRig(options: PeopleRigOptions = {}) {
  const clock = fixedClock();
  const publicUrl = options.publicUrl ?? 'https://mail.example.test';
  const { config: base } = loadConfig({
    env: layered({ POSTHORN_PUBLIC_URL: publicUrl, ...tuned({ signInRefusalMs: 0 }) }, options.env),
  });
  const config = {
    ...base,
    platformDomain: options.mails === true ? PLATFORM_DOMAIN : null,
    rateLimitAuthFailuresPerMinute: options.failuresPerMinute ?? 0,
  };
  const log = createLog(options.logTo ? 'debug' : 'silent', options.logTo);
  let people: PeopleApi | undefined;
  const api = await startApi({
    clock: clock.now,
    settings: {
      publicUrl,
      sessionLifetimeMs: config.sessionLifetimeMs,
      sessionIdleMs: config.sessionIdleMs,
      rateLimitAuthFailuresPerMinute: config.rateLimitAuthFailuresPerMinute,
    },
    ...(options.logTo ? { logLevel: 'debug', logTo: options.logTo } : {}),
    routes: (store) => {
      const wakeUps = { queue: () => undefined, events: () => undefined };
      people = createPeopleApi({
        store,
        config,
        keys: { masterKey: MASTER_KEY },
        clock: clock.now,
        log,
        wakeUps,
      });
      return people.routes;
    },
  });
  const { store, organizationId } = api;
  const passwords = createPasswords();
  if (options.bare !== true) {
    const { plan } = await planOwner(passwords, { ...OWNER, organizationId }, clock.now(), null);
    await store.commit(plan);
  }
  if (options.mails === true) await readyToMail(store, clock.now);

  /** Keeps the cookie, and sends the token with what changes something. */
  function browser(): Browser {
    const jar = new Map<string, string>();
    const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    let csrf: string | null = null;

    async function ask(method: string, url: string, { body, headers = {} }: Asked = {}): Promise<ApiAnswer> {
      const answer = await api.ask(method, url, {
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
        const value = jar.get('posthorn_session');
        return value === undefined ? null : `posthorn_session=${value}`;
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

  /** A member with `PASSWORD`, made behind the API's back. */
  async function addPerson(email: string, role: Role): Promise<string> {
    const passwordHash = await passwords.hash(PASSWORD);
    const person = { email, name: null, passwordHash, organizationId, role };
    const { userId, plan } = planPerson(person, clock.now());
    await store.commit(plan);
    return userId;
  }

  /** The mails that the appliance wrote itself, the newest first. */
  async function mails(): Promise<{ to: string; subject: string; text: string; link: string }[]> {
    await people?.settled();
    const scope = { ...(await systemEnvironment(store, clock.now())), subTenantId: null };
    const { rows } = await store.messages.messages(scope, { limit: 100, after: null }, {});
    const found = await store.messages.deliverables(rows.map((row) => row.id));
    return rows.map((row) => {
      const kept = found.get(row.id)?.content.text ?? '';
      const text = createOpenTokens(MASTER_KEY)(kept, row.to_key);
      return { to: row.to_email, subject: row.subject, text, link: /https?:\S+#\S+/.exec(text)?.[0] ?? '' };
    });
  }

  async function audit(action: string) {
    const scope = await api.scopeOf('live');
    const { rows } = await store.audit.entries(
      scope,
      { limit: 100, after: null },
      { ofOrganization: true, action },
    );
    return rows;
  }

  return {
    ...api,
    clock,
    browser,
    signedIn,
    addPerson,
    mails,
    audit,
    settled: async () => people?.settled(),
    sweep: async () => {
      await forgettingOf(store, 'ended sessions', {
        sessionIdleMs: config.sessionIdleMs,
        clock: clock.now,
      })();
    },
  };
}

async function readyToMail(store: Store, now: () => number): Promise<void> {
  const keys = await ensurePlatformKey({
    store,
    masterKey: MASTER_KEY,
    clock: now,
    platformDomain: PLATFORM_DOMAIN,
  });
  for (const { id } of keys) {
    await store.commit([{ kind: 'update', table: 'dkim_keys', set: { state: 'active' }, where: { id } }]);
  }
}

/** What stands after the # of a link. */
export function tokenOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}
