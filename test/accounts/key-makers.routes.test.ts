// Tests that API keys belong to the person who created them: they show that person, have at most that person's permissions, and
// end when the person leaves.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPeopleRigs, PASSWORD, tokenOf, type Browser, type PeopleRig } from '../support/people-rig.js';

const ADMIN = 'admin@example.com';

let rig: PeopleRig;
let olga: Browser;
let admin: Browser;
let adminId: string;
const rigs = createPeopleRigs();

beforeEach(async () => {
  rig = await rigs.start();
  adminId = await rig.addPerson(ADMIN, 'admin');
  [olga, admin] = [await rig.signedIn(), await rig.signedIn(ADMIN, PASSWORD)];
});
afterEach(() => rig.close());
afterAll(() => rigs.close());

interface Made {
  id: string;
  secret: string;
  made_by: string | null;
  made_by_email: string | null;
}

async function makeKey(by: Browser | string, fields: object = {}): Promise<Made> {
  const body = { name: 'key', mode: 'live', ...fields };
  const answer =
    typeof by === 'string'
      ? await rig.ask('POST', '/v1/api-keys', { key: by, body })
      : await by.ask('POST', '/v1/api-keys', { body });
  expect(answer.status).toBe(201);
  return answer.json as Made;
}

const statusOf = async (method: string, path: string, key: string, body?: object): Promise<number> =>
  (await rig.ask(method, path, { key, ...(body === undefined ? {} : { body }) })).status;
const invite = (key: string, email: string) =>
  rig.ask('POST', '/v1/invitations', { key, body: { email, role: 'admin' } });
const remove = async (): Promise<void> => {
  expect((await olga.ask('DELETE', `/v1/members/${adminId}`)).status).toBe(200);
};

describe('a key', () => {
  it('shows its creator and passes it on to keys that it creates and to its successors', async () => {
    const own = await makeKey(admin);
    const made = await makeKey(own.secret);
    const rotated = await rig.ask('POST', `/v1/api-keys/${made.id}/rotate`, { key: own.secret });
    for (const key of [own, made, rotated.json as Made]) {
      expect(key).toMatchObject({ made_by: adminId, made_by_email: ADMIN });
    }
    const read = await olga.ask('GET', `/v1/api-keys/${own.id}`);
    expect(read.json).toMatchObject({ made_by: adminId, made_by_email: ADMIN });
    const ofOperator = await makeKey(rig.liveKey);
    expect(ofOperator).toMatchObject({ made_by: null, made_by_email: null });
  });

  it('belongs to the person who rotates it, because they have its secret', async () => {
    const mine = await makeKey(olga);
    const rotated = await admin.ask('POST', `/v1/api-keys/${mine.id}/rotate`);
    expect(rotated.json).toMatchObject({ made_by: adminId });
    await remove();
    expect(await statusOf('GET', '/v1/contacts', String(rotated.json.secret))).toBe(401);
  });

  it('of a removed person stops working immediately, together with all keys created with it', async () => {
    const own = await makeKey(admin, { permission: 'admin' });
    const made = await makeKey(own.secret, { permission: 'full' });
    const hers = await makeKey(olga);
    const secrets = [own, made, hers].map(({ secret }) => secret);
    const statuses = () => Promise.all(secrets.map((key) => statusOf('GET', '/v1/contacts', key)));
    expect(await statuses()).toEqual([200, 200, 200]);
    await remove();
    expect(await statuses()).toEqual([401, 401, 200]);
    // An account with the same address, invited again, does not bring them back.
    await rig.addPerson(ADMIN, 'admin');
    expect(await statuses()).toEqual([401, 401, 200]);
    const listed = (await olga.ask('GET', '/v1/api-keys')).json.data as Made[];
    expect(listed.map(({ id }) => id)).not.toContain(own.id);
  });

  it('cannot restore its creator, because their invitations end with the removal', async () => {
    const own = await makeKey(admin, { permission: 'admin' });
    const invited = await invite(own.secret, 'back@example.com');
    expect(invited.status).toBe(201);
    await remove();
    expect((await invite(own.secret, 'again@example.com')).status).toBe(401);
    const token = tokenOf(String(invited.json.link));
    const accepted = await rig.ask('POST', '/v1/invitations/accept', {
      key: '',
      body: { token, password: PASSWORD },
    });
    expect(accepted.status).toBe(404);
  });
});

describe('when the role of the creator changes', () => {
  const setRole = async (role: string): Promise<void> => {
    expect((await olga.ask('PATCH', `/v1/members/${adminId}`, { body: { role } })).status).toBe(200);
  };

  it('a key has the permissions of the new role from the next request', async () => {
    const [top, full, send] = [
      (await makeKey(admin, { permission: 'admin' })).secret,
      (await makeKey(admin)).secret,
      (await makeKey(admin, { permission: 'send' })).secret,
    ];
    const contact = { email: 'c@example.com' };
    const can = async (key: string) => [
      await statusOf('GET', '/v1/contacts', key),
      await statusOf('POST', '/v1/contacts', key, contact),
      await statusOf('GET', '/v1/api-keys', key),
      await statusOf('GET', '/v1/invitations', key),
    ];
    expect(await can(top)).toEqual([200, 201, 200, 200]);
    await setRole('member');
    expect([await can(top), await can(full)]).toEqual([
      [200, 200, 403, 403],
      [200, 200, 403, 403],
    ]);
    await setRole('viewer');
    expect([await can(top), await can(full)]).toEqual([
      [200, 403, 403, 403],
      [200, 403, 403, 403],
    ]);
    expect(await statusOf('GET', '/v1/messages', send)).toBe(401);
    await setRole('admin');
    expect(await can(top)).toEqual([200, 200, 200, 200]);
  });
});

describe('GET /v1/members/:id/api-keys', () => {
  it('lists the keys of a person in all workspaces, which removal revokes', async () => {
    const own = await makeKey(admin);
    const workspace = await admin.ask('POST', '/v1/workspaces', { body: { name: 'Second', api_keys: true } });
    await makeKey(olga);
    const listed = await olga.ask('GET', `/v1/members/${adminId}/api-keys`);
    const ids = (listed.json.data as Made[]).map(({ id }) => id).toSorted();
    const made = (workspace.json.api_keys as Made[]).map(({ id }) => id);
    expect(ids).toEqual([own.id, ...made].toSorted());
    expect(listed.text).not.toContain('secret');
  });

  it('is for admins and finds no one of another organization', async () => {
    const memberId = await rig.addPerson('m@example.com', 'member');
    const member = await rig.signedIn('m@example.com', PASSWORD);
    expect((await member.ask('GET', `/v1/members/${adminId}/api-keys`)).status).toBe(403);
    expect((await member.ask('GET', `/v1/members/${memberId}/api-keys`)).status).toBe(403);
    const nobody = 'usr_00000000000000000000000000';
    expect((await olga.ask('GET', `/v1/members/${nobody}/api-keys`)).status).toBe(404);
  });
});

it('gets SES credentials only from the person to whom it belongs', async () => {
  const { id } = await makeKey(admin);
  const path = `/v1/api-keys/${id}/ses-credentials`;
  expect((await olga.ask('POST', path)).status).toBe(403);
  expect((await admin.ask('POST', path)).status).toBe(201);
  expect(await statusOf('POST', path, rig.liveKey)).toBe(201);
});
