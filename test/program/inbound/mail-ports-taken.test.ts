// Tests ports that another process uses: well-known ports are replaced by their neighbours, and a configured port is not.
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createAppliance, serverEnds, type Appliance } from '../../support/appliance.js';
import { isFullSize } from '../../support/run-size.js';

const open: Server[] = [];
let appliance: Appliance | undefined;

afterEach(async () => {
  await appliance?.close();
  appliance = undefined;
  for (const server of open.splice(0)) server.close();
});

/** Occupies a port, or does nothing if it is in use; returns the number. */
function taken(host: string, port: number): Promise<number> {
  const server = createServer();
  open.push(server);
  return new Promise((resolve) => {
    server.once('error', () => resolve(port));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

it('the start-up banner says that 2525, 2587 and 2465 are used instead, and why', async () => {
  // An address of loopback that no other test uses.
  const host = '127.0.25.87';
  for (const port of [25, 587, 465]) await taken(host, port);
  appliance = await createAppliance({
    process: 'shared',
    env: {
      MAILKEEL_INBOUND_HOST: host,
      MAILKEEL_INBOUND_PORT: '25',
      MAILKEEL_RELAY_PORT: '587',
      MAILKEEL_RELAY_TLS_PORT: '465',
    },
  });
  await appliance.start();
  const output = appliance.output();
  const why = '\\((?:another program is using|no permission to listen on) port';
  expect(output).toMatch(new RegExp(`^ {2}Inbound +127\\.0\\.25\\.87:2525 +${why} 25\\)`, 'm'));
  expect(output).toMatch(new RegExp(`^ {2}Relay +127\\.0\\.25\\.87:2587 +${why} 587\\)`, 'm'));
  expect(output).toMatch(new RegExp(`^ {2}Relay, TLS +127\\.0\\.25\\.87:2465 +${why} 465\\)`, 'm'));
});

it('without a free alternative, the server runs without that port and reports it', async () => {
  const host = '127.0.25.88';
  for (const port of [25, 2525]) await taken(host, port);
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_INBOUND_HOST: host, MAILKEEL_INBOUND_PORT: '25' },
  });
  await appliance.start();
  expect(appliance.output()).toMatch(/^ {2}Inbound +unavailable: .*MAILKEEL_INBOUND_PORT/m);
});

it('a configured port that is taken ends the start with its name', async () => {
  const port = await taken('127.0.0.1', 0);
  appliance = await createAppliance();
  const { code, stderr } = await serverEnds({ ...appliance.env, MAILKEEL_INBOUND_PORT: String(port) });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^mailkeel: Another program is using this port: .*:${port} .*MAILKEEL_INBOUND_PORT`, 'm'),
  );
  appliance = undefined;
});

it.runIf(isFullSize).each(['MAILKEEL_RELAY_PORT', 'MAILKEEL_RELAY_TLS_PORT'])(
  'the port of %s does so too',
  async (setting) => {
    const port = await taken('127.0.0.1', 0);
    appliance = await createAppliance({ process: 'shared', env: { [setting]: String(port) } });
    await expect(appliance.start()).rejects.toThrow(
      new RegExp(`Another program is using this port: .*:${port} .*${setting}`),
    );
  },
);

it.runIf(isFullSize)('an address that the machine lacks does so too', async () => {
  appliance = await createAppliance();
  const { code, stderr } = await serverEnds({ ...appliance.env, MAILKEEL_INBOUND_HOST: '192.0.2.7' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^mailkeel: This machine does not have this address: .*192\.0\.2\.7.*MAILKEEL_INBOUND_HOST/m,
  );
  appliance = undefined;
});
