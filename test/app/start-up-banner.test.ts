import { expect, it } from 'vitest';
import { loadConfig } from '../../src/settings/load.js';
import { startUpBanner } from '../../src/app/start-up-banner.js';

type Server = Parameters<typeof startUpBanner>[0];

const config = loadConfig({ env: { MAILKEEL_HOSTNAME: 'mx.example.com' } }).config;
const server = (overTls: Server['overTls'], nameServer: Server['nameServer'] = null): Server => ({
  address: { address: '0.0.0.0', family: 'IPv4', port: 8080 },
  overTls,
  mailPorts: [{ what: 'inbound', at: '0.0.0.0:25', note: null }],
  nameServer,
  metrics: null,
  dataFolder: '/data',
  firstStart: { testKey: null, setupToken: 'token' },
  closing: [],
  reload: () => Promise.resolve(),
});

it("shows the API's address over TLS, or why there is none", () => {
  const address = { address: '0.0.0.0', family: 'IPv4', port: 8443 };
  expect(startUpBanner(server({ ok: true, address }), config)).toContain(
    'API over TLS  https://0.0.0.0:8443\n',
  );
  const reason = 'Another program is already listening on 0.0.0.0, port 8443 (MAILKEEL_HTTPS_PORT).';
  expect(startUpBanner(server({ ok: false, reason }), config)).toContain(
    `API over TLS  unavailable: ${reason}\n`,
  );
  const off = startUpBanner(server({ ok: false, reason }), { ...config, https: false });
  expect(off).not.toContain('TLS');
});

it('shows the local set-up link if the public address differs', () => {
  const listening: Server['overTls'] = { ok: false, reason: 'x' };
  const there = { ...config, publicUrl: 'https://mail.example.com' };
  expect(startUpBanner(server(listening), there)).toContain(
    'Setup         https://mail.example.com/setup#token\n',
  );
  expect(startUpBanner(server(listening), there)).toContain(
    'or locally: http://localhost:8080/setup#token\n',
  );
  expect(startUpBanner(server(listening), config).split('/setup#')).toHaveLength(2);
});

it('aligns in one column', () => {
  const lines = startUpBanner(server({ ok: false, reason: 'x' }), config)
    .split('\n')
    .slice(1, 8);
  expect(lines.map((line) => line.slice(15, 17))).toEqual(
    lines.map(() => expect.stringMatching(/^ \S$/) as string),
  );
});

it("shows the name server's address, or why there is none, with a zone only", () => {
  const reason = '0.0.0.0, port 53: no permission to use this port';
  const off = startUpBanner(server({ ok: false, reason: 'x' }), config);
  expect(off).not.toContain('Name server');
  const withZone = { ...config, dnsZone: 'mail.example.com' };
  const nowhere = startUpBanner(server({ ok: false, reason: 'x' }, { ok: false, reason }), withZone);
  expect(nowhere).toContain(`Name server   unavailable: ${reason}   (MAILKEEL_DNS_PORT)\n`);
  const address = { address: '::', family: 'IPv6', port: 53 };
  const there = startUpBanner(server({ ok: false, reason: 'x' }, { ok: true, address }), withZone);
  expect(there).toContain('Name server   [::]:53, for mail.example.com\n');
});
