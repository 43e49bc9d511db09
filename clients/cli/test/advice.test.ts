// Tests that the command line gives advice as commands rather than API requests.
import { expect, it } from 'vitest';
import { commandOfCall } from '../src/command-name.js';
import { OPERATIONS } from '../src/operations.js';
import { ADVICE, type AdviceCode } from '../../../src/outbound/explain/explain-advice.rules.js';
import { callsOf, type CallFacts } from '../../../src/outbound/explain/advice-calls.rules.js';
import { createCommandLine } from './support/command-line.js';

const FILLINGS = {
  ...{ domain: 'example.com', message: 'msg_1', tenant: 'tnt_1', source: 'default' },
  ...{ sender: 'snd_1', campaign: 'cmp_1', override: 'ovr_1' },
};
const FACTS: CallFacts = {
  asker: { subTenantId: null, reach: 'operator', permission: 'admin' },
  suppressions: [{ id: 'sup_1', subTenantId: 'tnt_1', reason: 'bounce', createdAt: 0 }],
  pause: { subTenantId: 'tnt_1', reason: '', createdAt: 0 },
};
const commands = (Object.keys(ADVICE) as AdviceCode[]).flatMap((code) =>
  callsOf(code, FILLINGS, FACTS).map((call) => commandOfCall({ ...call })),
);

it('creates a command for every suggested call', () => {
  expect(commands.length).toBeGreaterThan(20);
  expect(commands).not.toContain(null);
  expect(commands.filter((command) => command?.includes('/v1/'))).toEqual([]);
  expect(commands).toContain('mailkeel suppressions delete sup_1');
  expect(commands).toContain('mailkeel queue resume-destination example.com --sub-tenant tnt_1');
});

it('recognizes every command that it prints', async () => {
  const cli = await createCommandLine();
  for (const command of new Set(commands)) {
    const [, noun = '', verb = ''] = (command ?? '').split(' ');
    const { code, stdout } = await cli.run([noun, verb, '--help']);
    expect(`${command}: ${code}`).toBe(`${command}: 0`);
    for (const [option] of (command ?? '').matchAll(/--[\w-]+/g)) expect(stdout).toContain(option);
  }
  await cli.close();
  expect(OPERATIONS.length).toBeGreaterThan(100);
});
