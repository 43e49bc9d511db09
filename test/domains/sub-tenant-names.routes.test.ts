// Tests the host names that a sub-tenant chooses for its bounces, replies and links.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checksThatWait } from '../support/slow-checks.js';
import { startTenantRig, type PublishedRecord, type TenantRig } from '../support/tenant-rig.js';

interface Wire {
  id: string;
  return_path_domain: string;
  inbound_domain: string;
  tracking_domain: string;
  dns_records: (PublishedRecord & { purpose: string; status: string })[];
}

let rig: TenantRig;
let shared: TenantRig;
beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startTenantRig({ beside: shared });
});
afterEach(() => rig.close());

const post = (body: object) =>
  rig.ask('POST', '/v1/sub-tenants', {
    body: { name: 'Acme', sending_domain: 'mail.acme.example', ...body },
  });
const patch = (id: string, body: object, key?: string) =>
  rig.ask('PATCH', `/v1/sub-tenants/${id}`, { body, ...(key === undefined ? {} : { key }) });

async function create(body: object = {}): Promise<Wire> {
  const answer = await post(body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Wire;
}

const rowOf = async (id: string) => (await rig.store.domainChecks.tenant(id))?.row;
const hosts = ({ dns_records }: Wire) =>
  Object.fromEntries(
    dns_records
      .filter(({ purpose }) => purpose !== 'dkim')
      .map(({ purpose, type, host }) => [`${purpose} ${type}`, host]),
  );
const namesOf = ({ return_path_domain, inbound_domain, tracking_domain }: Wire) => [
  return_path_domain,
  inbound_domain,
  tracking_domain,
];

describe('a new sub-tenant', () => {
  it('has the names below its sending domain', async () => {
    const tenant = await create();
    expect(namesOf(tenant)).toEqual([
      'bounce.mail.acme.example',
      'reply.mail.acme.example',
      'click.mail.acme.example',
    ]);
  });

  it('uses the given names in lower case and A-labels, with their records', async () => {
    const tenant = await create({
      return_path_domain: 'RP.acme.example.',
      inbound_domain: 'mail.acme.example',
      tracking_domain: 'bücher.acme.example',
    });
    expect(namesOf(tenant)).toEqual(['rp.acme.example', 'mail.acme.example', 'xn--bcher-kva.acme.example']);
    expect(hosts(tenant)).toEqual({
      'return_path MX': 'rp.acme.example',
      'return_path TXT': 'rp.acme.example',
      'spf TXT': 'mail.acme.example',
      'dmarc TXT': '_dmarc.mail.acme.example',
      'inbound MX': 'mail.acme.example',
      'tracking CNAME': 'xn--bcher-kva.acme.example',
    });
    const { json } = await rig.ask('GET', `/v1/sub-tenants/${tenant.id}/authentication`);
    const inbound = json.records.find(({ purpose }: { purpose: string }) => purpose === 'inbound');
    expect(inbound).toMatchObject({ host: 'mail.acme.example', value: 'ph.example', status: 'pending' });
    expect(inbound.advice).toContain('mail.acme.example');
  });
});

describe('a refused name', () => {
  it.each([
    ['return_path_domain', 'bounce.other.example', 'do not share a registered domain'],
    ['inbound_domain', 'example', 'domain'],
    ['inbound_domain', 'a b.acme.example', ''],
    ['return_path_domain', 'ph.example', 'reserved for this server'],
    ['tracking_domain', 'mail.acme.example', 'a separate name'],
    ['tracking_domain', 'bounce.mail.acme.example', 'a separate name'],
  ])('%s %s', async (field, name, message) => {
    const refused = await post({ [field]: name });
    expect(refused.status).toBe(422);
    expect(refused.json.error).toMatchObject({ code: 'validation_error', param: field });
    expect(refused.json.error.message).toContain(message);
  });

  it('is below a suffix of a hosting company, whose customers are unrelated', async () => {
    const refused = await post({ sending_domain: 'acme.github.io', inbound_domain: 'other.github.io' });
    expect(refused.json.error).toMatchObject({ code: 'validation_error', param: 'inbound_domain' });
    const taken = await post({ sending_domain: 'acme.github.io', inbound_domain: 'in.acme.github.io' });
    expect(taken.status).toBe(201);
  });

  it('is in use as a sending domain, chosen name, name below one, or sender of another tenant', async () => {
    await create({ sending_domain: 'a.acme.example', return_path_domain: 'rp.acme.example' });
    const scope = await rig.scopeOf('live');
    await rig.senders.create(scope, { kind: 'domain', domain: 's.acme.example' });
    for (const name of [
      'a.acme.example',
      'rp.acme.example',
      'reply.a.acme.example',
      's.acme.example',
      'reply.s.acme.example',
    ]) {
      const refused = await post({ inbound_domain: name });
      expect([refused.status, refused.json.error.code, refused.json.error.param], name).toEqual([
        ...[409, 'domain_taken', 'inbound_domain'],
      ]);
    }
    const mine = await create({ inbound_domain: 'box.acme.example' });
    const refused = await patch(mine.id, { return_path_domain: 'rp.acme.example' });
    expect([refused.status, refused.json.error.param]).toEqual([409, 'return_path_domain']);
  });

  it('is a sending domain whose names another tenant has chosen', async () => {
    await create({ sending_domain: 'a.acme.example', inbound_domain: 'reply.b.acme.example' });
    const refused = await post({ sending_domain: 'b.acme.example' });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'domain_taken']);
  });

  it('is requested twice at the same time', async () => {
    const ids = await Promise.all(
      ['a', 'b'].map(async (label) => (await create({ sending_domain: `${label}.acme.example` })).id),
    );
    const answers = await Promise.all(ids.map((id) => patch(id, { inbound_domain: 'box.acme.example' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json.error).toMatchObject({ code: 'domain_taken', param: 'inbound_domain' });
  });
});

describe('a change of names', () => {
  it('takes effect when DNS shows the names, which is checked immediately', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records);
    await rig.checks.checkSubTenant(tenant);
    expect(await rowOf(tenant.id)).toMatchObject({ status: 'verified', return_path_ok: 1, inbound_ok: 1 });
    rig.clock.advance(1_000);
    const changed = await patch(tenant.id, { inbound_domain: 'box.acme.example' });
    expect(changed.json).toMatchObject({ inbound_domain: 'box.acme.example', status: 'verified' });
    expect(await rowOf(tenant.id)).toMatchObject({
      ...{ return_path_ok: 1, inbound_ok: 0, next_check_at: rig.clock.now() },
      ...{ return_path_domain: null, inbound_domain: 'box.acme.example' },
    });
    const record = (changed.json as Wire).dns_records.find(({ purpose }) => purpose === 'inbound');
    expect(record).toMatchObject({ host: 'box.acme.example', status: 'pending' });
    rig.publish((changed.json as Wire).dns_records);
    await rig.checks.checkSubTenant(tenant);
    expect(await rowOf(tenant.id)).toMatchObject({ inbound_ok: 1 });
    const same = await patch(tenant.id, { inbound_domain: 'BOX.acme.example', name: 'Acme 2' });
    expect(same.status).toBe(200);
    expect(await rowOf(tenant.id)).toMatchObject({ inbound_ok: 1 });
    const back = await patch(tenant.id, { inbound_domain: null });
    expect(back.json.inbound_domain).toBe('reply.mail.acme.example');
    expect(await rowOf(tenant.id)).toMatchObject({ inbound_ok: 0, inbound_domain: null });
  });

  it('affects live mail and is refused to a test key', async () => {
    const { id } = await create();
    const refused = await patch(id, { tracking_domain: 'go.acme.example' }, rig.testKey);
    expect([refused.status, refused.json.error.param]).toEqual([403, 'tracking_domain']);
    expect((await patch(id, { tracking_domain: 'go.acme.example' }, rig.liveKey)).status).toBe(200);
  });

  it('during a DNS check is not marked as verified', async () => {
    const tenant = await create();
    rig.publish(tenant.dns_records);
    const slow = checksThatWait(rig);
    const check = slow.checks.checkSubTenant(tenant);
    await slow.hasLooked;
    await patch(tenant.id, { inbound_domain: 'box.acme.example' });
    slow.release();
    await check;
    expect(await rowOf(tenant.id)).toMatchObject({ status: 'verified', return_path_ok: 1, inbound_ok: 0 });
  });
});
