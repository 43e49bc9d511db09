// Tests DKIM keys that change while mail is sent, first by records that the customer publishes, then behind aliases: every mail
// verifies with the answers of a real resolver when it arrives, and again near the end of the overlap. dkimpy judges.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import {
  ensureDelegatedDns,
  OUR_ZONE,
  startDelegatedDns,
  type DelegatedDns,
} from '../support/delegated-dns.js';
import { ensureMailOracles } from '../support/mail-oracles.js';
import { mailThrough, QUICK, type DnsRecord } from '../support/mail-rig.js';
import { sized } from '../support/run-size.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';
import { layered, tuned } from '../support/tuning.js';

const skipReason = ensureDelegatedDns() ?? ensureMailOracles();
if (skipReason !== null) console.warn(`skipped: rotation: ${skipReason}`);

/** By records of the customer; and behind aliases, where the second pair is used from the second rotation on. */
const ROTATIONS = sized({ small: { published: 1, aliased: 2 }, full: { published: 3, aliased: 3 } });
const OVERLAP_MS = 12_000;
/** Time in transit of a mail; the rest is for a busy machine. */
const FLIGHT_MS = 8_000;
const REVOKED_KEEP_MS = 5_000;
const MAIL_EVERY_MS = sized({ small: 500, full: 250 });

interface Key {
  selector: string;
  algorithm: string;
  state: string;
}

interface Tenant {
  dkim: { selector: string; mode: string; rotation: { waiting_for: string } | null };
  dns_records: DnsRecord[];
}

/** A mail, and the DNS answers for its keys by name, null for none. */
interface Seen {
  raw: Buffer;
  selectors: string[];
  texts: Record<string, string | null>;
}

const DKIMPY = `
import dkim, json, sys
verdicts = []
for path in sys.argv[1:]:
    texts = json.load(open(path + '.json'))
    message = open(path, 'rb').read()
    def lookup(name, timeout=5):
        text = texts[name.decode().rstrip('.')]
        return None if text is None else text.encode()
    one = []
    for index in range(len(texts)):
        try:
            one.append(bool(dkim.DKIM(message).verify(idx=index, dnsfunc=lookup)))
        except dkim.DKIMException:
            one.append(False)
    verdicts.append(one)
json.dump(verdicts, sys.stdout)
`;

/** For each mail and each signature, whether it verifies. */
function verify(seen: readonly Seen[]): boolean[][] {
  const folder = mkdtempSync(join(tmpdir(), 'mailkeel-rotation-'));
  try {
    const paths = seen.map(({ raw, texts }, index) => {
      const path = join(folder, String(index));
      writeFileSync(path, raw);
      writeFileSync(`${path}.json`, JSON.stringify(texts));
      return path;
    });
    return JSON.parse(
      execFileSync('/usr/bin/python3', ['-c', DKIMPY, ...paths], { encoding: 'utf8' }),
    ) as boolean[][];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function keysIn(raw: Buffer): { selector: string; host: string }[] {
  const [header = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
  const fields = header.replaceAll(/\r\n[ \t]+/g, ' ').match(/^dkim-signature:.*$/gim) ?? [];
  return fields.map((field) => {
    const tag = (name: string): string => new RegExp(`[;\\s]${name}=([^;\\s]+)`).exec(field)?.[1] ?? '';
    return { selector: tag('s'), host: `${tag('s')}._domainkey.${tag('d')}` };
  });
}

describe.skipIf(skipReason !== null)('keys that change during delivery', () => {
  const opened: (() => Promise<void>)[] = [];
  let dns: DelegatedDns;
  let sink: SmtpSink;
  let appliance: Appliance;
  let tenantId: string;
  const onArrival: Promise<Seen>[] = [];
  const afterFlight: Promise<Seen>[] = [];
  let isFlowing = true;
  let flow: Promise<number> = Promise.resolve(0);

  beforeAll(async () => {
    dns = await startDelegatedDns();
    opened.push(() => dns.close());
    sink = await startSmtpSink({ keep: false, onMessage: take });
    opened.push(() => sink.close());
    appliance = await createAppliance({
      process: 'shared',
      env: layered(QUICK, {
        ...dns.env,
        ...dns.zoneEnv,
        MAILKEEL_MX_PORT: String(sink.port),
        MAILKEEL_DKIM_SETTLE: '2s',
        ...tuned({ dkimOverlapMs: OVERLAP_MS, dkimRevokedKeepMs: REVOKED_KEEP_MS }),
        // The overlap is at least as long as mail may be under way.
        MAILKEEL_QUEUE_LIFETIME: `${OVERLAP_MS}ms`,
        MAILKEEL_MARKETING_QUEUE_LIFETIME: `${OVERLAP_MS}ms`,
      }),
    });
    opened.push(() => appliance.close());
    await appliance.start();
    const made = await appliance.api('POST', '/v1/sub-tenants', {
      body: { name: 'Shop', sending_domain: 'shop.example', dkim: 'txt' },
    });
    const { id, dns_records: records } = made.json as { id: string; dns_records: DnsRecord[] };
    tenantId = id;
    await dns.customer.publish(records);
    await look((_, keys) => keys.filter(({ state }) => state === 'active').length === 2);
    flow = keepSending();
  });
  afterAll(async () => {
    isFlowing = false;
    await flow;
    for (const close of opened.reverse()) await close();
  });

  function take({ raw }: SinkMessage): void {
    onArrival.push(see(raw));
    afterFlight.push(pause(FLIGHT_MS).then(() => see(raw)));
  }

  async function see(raw: Buffer): Promise<Seen> {
    const keys = keysIn(raw);
    const texts = keys.map(async ({ host }): Promise<[string, string | null]> => [host, await textAt(host)]);
    return {
      raw,
      selectors: keys.map(({ selector }) => selector),
      texts: Object.fromEntries(await Promise.all(texts)),
    };
  }

  async function textAt(host: string): Promise<string | null> {
    const answer = await dns.resolver.txt(host, { fresh: true });
    if (answer.kind === 'failed') throw new Error(`${host}: ${answer.reason}`);
    return answer.kind === 'found' ? (answer.records[0] ?? null) : null;
  }

  /** Sends until it is stopped; returns the count. */
  async function keepSending(): Promise<number> {
    const { send } = mailThrough(appliance, tenantId);
    let sent = 0;
    while (isFlowing) {
      await send(`ann${sent}`);
      sent += 1;
      await pause(MAIL_EVERY_MS);
    }
    return sent;
  }

  /** Requests checks until they have moved everything to the expected state. */
  async function look(holds: (tenant: Tenant, keys: Key[]) => boolean): Promise<Key[]> {
    const { keys } = await waitFor(
      'the keys to have moved',
      async () => {
        const path = `/v1/sub-tenants/${tenantId}`;
        const { json: tenant } = await appliance.api('POST', `${path}/verify`);
        const { json } = await appliance.api('GET', `${path}/authentication`);
        return { tenant: tenant as Tenant, keys: (json as { keys: Key[] }).keys };
      },
      ({ tenant, keys }) => holds(tenant, keys),
      60_000,
    );
    return keys;
  }

  async function rotate(body?: { mode: 'txt' | 'cname' }): Promise<Tenant> {
    const path = `/v1/sub-tenants/${tenantId}/rotate-dkim`;
    const answer = await waitFor(
      'a rotation to begin',
      () => appliance.api('POST', path, body === undefined ? {} : { body }),
      // The name of the key before is not free yet.
      ({ status }) => status !== 409,
      60_000,
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.json as Tenant;
  }

  const isDone = (tenant: Tenant): boolean => tenant.dkim.rotation === null;

  it('are published by the customer each time, with any delay', async () => {
    const selectors = new Set<string>();
    for (let round = 0; round < ROTATIONS.published; round += 1) {
      const { dns_records: records } = await rotate();
      const { dkim } = (await appliance.api('POST', `/v1/sub-tenants/${tenantId}/verify`)).json as Tenant;
      expect(dkim.rotation).toMatchObject({ waiting_for: 'dns_record' });
      await dns.customer.publish(records);
      const keys = await look(isDone);
      for (const { selector, state } of keys) if (state === 'active') selectors.add(selector);
    }
    expect(selectors.size).toBe(2 * ROTATIONS.published);
  }, 300_000);

  it('change behind aliases without the customer, repeatedly', async () => {
    const { dns_records: records } = await rotate({ mode: 'cname' });
    // All four once; the former keys' records remain for mail in transit.
    await dns.customer.publish(records);
    await look(isDone);
    const selectors = new Set<string>();
    for (let round = 0; round < ROTATIONS.aliased; round += 1) {
      await rotate();
      const keys = await look(isDone);
      for (const { selector, state } of keys) if (state === 'active') selectors.add(selector);
    }
    expect([...selectors].sort()).toEqual(['svc-ed1', 'svc-ed2', 'svc1', 'svc2']);
    expect(records.filter(({ type, host }) => type === 'CNAME' && host.includes('_domainkey'))).toHaveLength(
      4,
    );
  }, 300_000);

  it('finally publish that they are revoked', async () => {
    const isRevoked = ({ state, selector }: Key): boolean =>
      state === 'revoked' && selector.startsWith('svc');
    const revoked = (await look((_, all) => all.some(isRevoked))).filter(isRevoked);
    for (const { selector } of revoked) {
      const alias = `${selector}.${tenantId.replace('tnt_', '')}.dkim.${OUR_ZONE}`;
      await waitFor(
        `${alias} to be empty`,
        () => textAt(alias),
        // The resolver's cache is at most a second old.
        (text) => text === 'v=DKIM1; p=',
      );
    }
    expect(revoked.length).toBeGreaterThan(0);
  }, 120_000);

  it('verify every mail on arrival and after transit', async () => {
    isFlowing = false;
    const sent = await flow;
    await waitFor(
      'all of the mail',
      () => onArrival.length,
      (count) => count === sent,
      60_000,
    );
    const [arrived, flown] = await Promise.all([Promise.all(onArrival), Promise.all(afterFlight)]);
    const used = new Set(arrived.flatMap(({ selectors }) => selectors));
    console.info(`${sent} mails, signed by ${used.size} selectors`);
    for (const seen of [arrived, flown]) {
      const verdicts = verify(seen);
      const failed = verdicts.flatMap((verdict, index) =>
        verdict.length < 2 || verdict.includes(false) ? [{ index, verdict, texts: seen[index]?.texts }] : [],
      );
      expect(failed).toEqual([]);
    }
    expect(sent).toBeGreaterThan(40);
    // Selectors of the first pair, of each that the customer published, and of the four aliases.
    expect(used.size).toBe(2 + 2 * ROTATIONS.published + 4);
  });
});
