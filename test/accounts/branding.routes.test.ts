// Tests the branding of pages for recipients, set for the organization and for sub-tenants, and seen on the pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import { startFullApi, type FullApiRig } from '../support/program.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h2v2z"/></svg>';
const LOGO = Buffer.from(SVG).toString('base64');
const NONE = {
  name: null,
  logo_url: null,
  color: null,
  website_url: null,
  postal_address: null,
  language: null,
  privacy_url: null,
};

let rig: FullApiRig;
beforeAll(async () => {
  rig = await startFullApi();
});
afterAll(() => rig.close());

type Headers = Record<string, string>;

async function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  key = rig.liveKey,
) {
  const answer = await rig.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${key}` } },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, json: JSON.parse(answer.body) };
}

const open = (url: string, headers: Headers = {}) => rig.app.inject({ url, headers });
const brand = (branding: object) => ask('PATCH', '/v1/organization', { branding });
const pathOf = (url: string): string => new URL(url).pathname;

async function addTenant(name: string): Promise<string> {
  const { json } = await ask('POST', '/v1/sub-tenants', { name, sending_domain: `${name}.example` });
  return String(json.id);
}

/** The sign-up page of a new list. */
async function addPage(fields: object = {}): Promise<string> {
  const list = await ask('POST', '/v1/lists', { name: 'News', ...fields });
  return pathOf(String(list.json.sign_up_url));
}

describe('the branding of the organization', () => {
  it('is empty at first and can be changed field by field', async () => {
    expect((await ask('GET', '/v1/organization')).json.branding).toEqual(NONE);
    const first = await brand({
      name: 'Customer',
      color: '#0B6E4F',
      website_url: 'https://customer.example/',
    });
    expect(first.status).toBe(200);
    expect(first.json.branding).toMatchObject({ name: 'Customer', color: '#0b6e4f', language: null });
    const second = await brand({ language: 'de', color: null });
    expect(second.json.branding).toEqual({
      ...NONE,
      name: 'Customer',
      website_url: 'https://customer.example/',
      language: 'de',
    });
    expect((await ask('GET', '/v1/organization')).json.branding).toEqual(second.json.branding);
  });

  it.each([
    [{ color: 'red' }, 'branding.color'],
    [{ color: '#fff' }, 'branding.color'],
    [{ language: 'sv' }, 'branding.language'],
    [{ privacy_url: 'javascript:alert(1)' }, 'branding.privacy_url'],
    [{ website_url: 'javascript:alert(1)' }, 'branding.website_url'],
    [{ website_url: 'https://me:secret@customer.example' }, 'branding.website_url'],
    [{ website_url: 'customer.example' }, 'branding.website_url'],
    [{ name: ' ' }, 'branding.name'],
    [{ name: 'a\nb' }, 'branding.name'],
    [{ logo: 'PHA+aGk8L3A+' }, 'branding.logo'],
    [{ logo: 'x'.repeat(90_001) }, 'branding.logo'],
    [{ logo_url: 'https://elsewhere.example/logo.png' }, 'branding.logo_url'],
  ])('refuses %j and stores nothing', async (branding, param) => {
    const before = (await ask('GET', '/v1/organization')).json.branding as object;
    const { status, json } = await brand({ postal_address: 'Never kept', ...branding });
    expect([status, json.error.param]).toEqual([422, param]);
    expect((await ask('GET', '/v1/organization')).json.branding).toEqual(before);
  });

  it('reports all problems together', async () => {
    const { json } = await brand({ name: ' ', website_url: 'x', logo: 'AAAA' });
    const fields = json.error.details.fields as { path: string }[];
    expect(fields.map(({ path }) => path)).toEqual([
      'branding.website_url',
      'branding.name',
      'branding.logo',
    ]);
  });
});

describe('a logo', () => {
  it('is served by Mailkeel with a cache lifetime of one year and cannot run scripts', async () => {
    const { json } = await brand({ logo: LOGO });
    const url = String(json.branding.logo_url);
    expect(url).toMatch(/^https:\/\/mail\.example\.test\/brand\/lgo_[0-9a-z]{26}$/);
    const { statusCode, headers, body } = await open(pathOf(url));
    expect([statusCode, body]).toEqual([200, SVG]);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const again = await open(pathOf(url), { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('is replaced by a new one and removed by null', async () => {
    const first = String((await brand({ logo: LOGO })).json.branding.logo_url);
    const second = String((await brand({ logo: LOGO })).json.branding.logo_url);
    expect(second).not.toBe(first);
    expect([(await open(pathOf(first))).statusCode, (await open(pathOf(second))).statusCode]).toEqual([
      404, 200,
    ]);
    expect((await brand({ name: 'Customer' })).json.branding.logo_url).toBe(second);
    expect((await brand({ logo: null })).json.branding.logo_url).toBeNull();
    expect((await open(pathOf(second))).statusCode).toBe(404);
  });

  it('must be an image, and its URL cannot be guessed', async () => {
    for (const path of [
      'lgo_1',
      '..%2f..%2fpackage.json',
      'lgo_0123456789abcdefghjkmnpqrs',
      'ffff.css',
      'FFFFFF.css',
      'x.css',
    ]) {
      expect([path, (await open(`/brand/${path}`)).statusCode]).toEqual([path, 404]);
    }
  });

  it('is audited only by field names', async () => {
    await brand({ logo: LOGO });
    const { json } = await ask('GET', '/v1/audit-log');
    expect(JSON.stringify(json.data[0])).toContain('branding');
    expect(JSON.stringify(json)).not.toContain(LOGO.slice(0, 20));
    await brand({ logo: null });
  });
});

it('derives the colors of a page from one color, for light and dark', async () => {
  const { headers, body } = await open('/brand/3538cd.css');
  expect(headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(body).toBe(
    ':root { --fill: #3538cd; --on-fill: #ffffff; --accent: #3538cd; }\n' +
      '@media (prefers-color-scheme: dark) { :root { --fill: #3538cd; --on-fill: #ffffff; --accent: #7274dc; } }\n',
  );
});

describe('the branding of a sub-tenant', () => {
  it('is changed with a live workspace key and deleted with the sub-tenant', async () => {
    const id = await addTenant('acme');
    expect((await ask('GET', `/v1/sub-tenants/${id}`)).json.branding).toEqual(NONE);
    const body = { branding: { name: 'Acme', logo: LOGO } };
    const changed = await ask('PATCH', `/v1/sub-tenants/${id}`, body);
    expect(changed.json.branding).toMatchObject({ name: 'Acme', language: null });
    const { data } = (await ask('GET', '/v1/sub-tenants')).json as {
      data: { id: string; branding: object }[];
    };
    expect(data.find((one) => one.id === id)?.branding).toEqual(changed.json.branding);
    const inTest = await ask('PATCH', `/v1/sub-tenants/${id}`, body, rig.testKey);
    expect([inTest.status, inTest.json.error.param]).toEqual([403, 'branding']);
    const bad = await ask('PATCH', `/v1/sub-tenants/${id}`, { name: 'X', branding: { logo: 'AAAA' } });
    expect([bad.status, bad.json.error.param]).toEqual([422, 'branding.logo']);
    expect((await ask('GET', `/v1/sub-tenants/${id}`)).json.name).toBe('acme');
    await ask('DELETE', `/v1/sub-tenants/${id}`);
    expect((await open(pathOf(String(changed.json.branding.logo_url)))).statusCode).toBe(404);
  });

  it('is out of reach of keys that are pinned to this or another sub-tenant', async () => {
    const [own, other] = [await addTenant('own'), await addTenant('other')];
    const pinned = async (subTenantId: string): Promise<string> => {
      const made = await ask('POST', '/v1/api-keys', {
        ...{ name: 'Pinned', permission: 'full', mode: 'live', sub_tenant_id: subTenantId },
      });
      return String(made.json.secret);
    };
    const body = { branding: { name: 'Mine' } };
    expect((await ask('PATCH', `/v1/sub-tenants/${own}`, body, await pinned(own))).status).toBe(403);
    expect((await ask('PATCH', `/v1/sub-tenants/${own}`, body, await pinned(other))).status).toBe(404);
    expect((await ask('GET', `/v1/sub-tenants/${own}`)).json.branding).toEqual(NONE);
  });
});

describe('the pages', () => {
  it('show no name and no address before one is set', async () => {
    await brand({ name: null, website_url: null, language: null });
    const { body } = await open(await addPage());
    expect(body).toContain('<html lang="en">');
    expect(body).not.toMatch(/<header>|<footer>|\/brand\//);
  });

  it('show name, logo, color, link and address of the organization, or those of the sub-tenant', async () => {
    await ask('PATCH', '/v1/organization', { postal_address: 'Customer Ltd\n1 High Street' });
    await brand({ name: 'Customer <b>', color: '#0b6e4f', website_url: 'https://customer.example/?a=1&b=2' });
    const own = (await open(await addPage())).body;
    expect(own).toContain(
      '<header><a href="https://customer.example/?a=1&amp;b=2" rel="noopener">Customer &lt;b&gt;</a></header>',
    );
    expect(own).toContain('<link rel="stylesheet" href="/brand/0b6e4f.css" />');
    expect(own).toContain('<footer><p>Customer Ltd\n1 High Street</p></footer>');

    const id = await addTenant('shop');
    const page = await addPage({ sub_tenant_id: id });
    expect((await open(page)).body).toContain('Customer &lt;b&gt;');
    const branding = { name: 'Shop', logo: LOGO, postal_address: 'Shop, 2 Low Street', language: 'de' };
    const shop = await ask('PATCH', `/v1/sub-tenants/${id}`, { branding });
    const theirs = (await open(page, { 'accept-language': 'en' })).body;
    const logo = pathOf(String(shop.json.branding.logo_url));
    expect(theirs).toContain(`rel="noopener"><img src="${logo}" alt="Shop" /></a>`);
    expect(theirs).toContain('/brand/0b6e4f.css');
    expect(theirs).toContain('Shop, 2 Low Street');
    expect(theirs).toContain('<html lang="de">');
    expect(theirs).toContain('E-Mail-Adresse');
    expect((await open(page)).body).not.toContain('<script');
  });

  it('use the language of the browser if none is set', async () => {
    await brand({ language: null });
    const page = await addPage();
    const german = { 'accept-language': 'de-AT, de;q=0.9, en;q=0.5' };
    expect((await open(page, german)).body).toContain('>Anmelden</button>');
    expect((await open(page, { 'accept-language': 'sv' })).body).toContain('>Sign up</button>');
    expect((await open(page, { 'accept-language': 'pt-BR' })).body).toContain('>Inscrever-se</button>');
    const nowhere = await open('/u/nonsense', german);
    expect([nowhere.statusCode, nowhere.body.includes('Dieser Link ist ungültig')]).toEqual([404, true]);
    expect((await open('/c/nonsense/0', german)).body).toContain('Dieser Link funktioniert nicht');
    expect((await open('/confirm/nonsense', german)).body).toContain('Der Link wurde bereits verwendet');
  });

  it('link to the privacy policy on sign-up pages if there is one', async () => {
    const page = await addPage();
    expect((await open(page, {})).body).not.toContain('Privacy policy');
    await brand({ privacy_url: 'https://customer.example/privacy' });
    const { body } = await open(page, { 'accept-language': 'pl' });
    expect(body).toContain(
      '<a href="https://customer.example/privacy" rel="noopener" target="_blank">Polityka prywatności</a>',
    );
    await brand({ privacy_url: null });
  });

  it('of unsubscribing and preferences use the branding of the message', async () => {
    await brand({ name: 'Customer', language: 'de', website_url: null });
    const message = { from: 'me@example.com', to: 'delivered@example.com', subject: 'Hi', text: 'Hi' };
    const { json } = await ask('POST', '/v1/messages', message, rig.testKey);
    const token = unsubscribeToken(String(json.id), rig.keys.tokenKeys.active);
    for (const [path, text] of [
      [`/u/${token}`, 'von den E-Mails dieses Absenders abmelden'],
      [`/preferences/${token}`, 'Von allen E-Mails abmelden'],
    ] as const) {
      const { statusCode, body } = await open(path);
      expect([statusCode, body.includes(text), body.includes('<strong>Customer</strong>')]).toEqual([
        200,
        true,
        true,
      ]);
    }
    const left = await rig.app.inject({
      ...{ method: 'POST', url: `/u/${token}`, payload: 'leave=all' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(left.body).toContain('Sie sind abgemeldet');
  });

  it('reveal nothing about the sender for an invalid link', async () => {
    await brand({ name: 'Customer' });
    const page = await addPage();
    const wrong = page.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const { statusCode, body } = await open(wrong);
    expect([statusCode, body.includes('Customer')]).toEqual([404, false]);
  });
});

it('has the same non-empty entries in both catalogs', async () => {
  const { EN } = await import('../../src/pages/texts.en.pages.js');
  const { DE } = await import('../../src/pages/texts.de.pages.js');
  const textsOf = (catalogue: object): [string, string][] =>
    Object.entries(catalogue).flatMap(([part, texts]) =>
      Object.entries(texts as object).map(([name, text]: [string, unknown]): [string, string] => [
        `${part}.${name}`,
        typeof text === 'function'
          ? JSON.stringify((text as (...given: string[]) => unknown)('x', 'y'))
          : String(text),
      ]),
    );
  const [english, german] = [textsOf(EN), textsOf(DE)];
  expect(german.map(([name]) => name)).toEqual(english.map(([name]) => name));
  expect([...english, ...german].filter(([, text]) => text.trim() === '')).toEqual([]);
  const same = german.filter(([, text], i) => text === english[i]?.[1]).map(([name]) => name);
  expect(same).toEqual([]);
});
