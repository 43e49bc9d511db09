// Tests responses in the requested language: the server's own sentences are translated, and text that people wrote is not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance.close());

const GERMAN = { 'accept-language': 'fr-FR, de-AT;q=0.9, en;q=0.5' };
const send = (body: object) =>
  appliance.api('POST', '/v1/messages', {
    key: appliance.keys.test_key,
    body: { from: 'me@example.com', subject: 'Hello', ...body },
  });

it('explains a message in German, with unchanged codes', async () => {
  const { json: message } = await send({ to: 'delivered@sandbox.example', text: 'No action needed.' });
  const path = `/v1/messages/${message.id}/explain`;
  const key = appliance.keys.test_key;
  const german = await appliance.api('GET', path, { key, headers: GERMAN });
  const english = await appliance.api('GET', path, { key });
  expect(german.headers.get('content-language')).toBe('de');
  expect(german.headers.get('vary')).toContain('Accept-Language');
  expect(english.headers.get('content-language')).toBe('en');
  expect(german.json.chain[0].text).toBe('Angenommen.');
  expect(english.json.chain[0].text).toBe('Accepted.');
  expect(german.json.code).toMatch(/^[a-z_]+$/);
  const { json: content } = await appliance.api('GET', `/v1/messages/${message.id}/content`, {
    headers: GERMAN,
  });
  expect(JSON.stringify(content)).not.toContain('nichts tun');
});

it('refuses in German, field by field', async () => {
  const refused = await appliance.api('POST', '/v1/messages', {
    body: { to: 'ann@example.com' },
    headers: GERMAN,
  });
  const plain = await appliance.api('POST', '/v1/messages', { body: { to: 'ann@example.com' } });
  expect(refused.json.error.code).toBe(plain.json.error.code);
  expect(refused.json.error.message).not.toBe(plain.json.error.message);
  const missing = await appliance.api('POST', '/v1/templates', { body: {}, headers: GERMAN });
  expect(missing.json.error.details.fields[0].message).toBe('fehlt');
  expect(missing.json.error.message).toMatch(/: fehlt$/);
});

it('gives advice about DNS records in German', async () => {
  const { json: sender } = await appliance.api('POST', '/v1/senders', { body: { domain: 'first.example' } });
  const path = `/v1/senders/${sender.id}/authentication`;
  const { json } = await appliance.api('GET', path, { headers: GERMAN });
  for (const { advice } of json.records) expect(advice).toMatch(/^(?:Für|Dieser Eintrag|Veröffentlichen)/);
});

it.each([
  '/setup',
  '/invitation',
  '/reset-password',
  '/device',
  '/oauth/authorize',
  '/proof',
  '/share/none',
  '/no-such-page',
])('shows the whole page %s in German', async (path) => {
  const read = async (language: string) => {
    const headers = { 'accept-language': language, accept: 'text/html' };
    const text = await (await fetch(`${appliance.url}${path}`, { headers })).text();
    const shown = text.replace(/<(?:title|code)[^>]*>[^<]*|<[^>]*>/g, '\n');
    return { text, lines: shown.split('\n').map((line) => line.trim()) };
  };
  const german = await read('de-DE');
  const english = await read('en');
  expect(german.text).toContain('<html lang="de">');
  const names = ['', ',', '.', '·', 'Mailkeel', 'Dashboard', 'Name', 'Status', 'Workspace'];
  const untranslated = german.lines.filter((line) => !names.includes(line) && english.lines.includes(line));
  expect(untranslated).toEqual([]);
});
