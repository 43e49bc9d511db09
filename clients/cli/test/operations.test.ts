// Tests that every operation of the OpenAPI document has a command, which sends the right method and path.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nounOf, verbOf } from '../src/command-name.js';
import { OPERATIONS } from '../src/operations.js';
import { kebab } from '../src/values.js';
import { firstOf } from '../../../test/support/run-size.js';
import { answering, startScriptedServer } from '../../sdk/test/support/scripted-server.js';
import { createCommandLine } from './support/command-line.js';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId: id }]) =>
    id === undefined ? [] : [{ id, method: method.toUpperCase(), path }],
  ),
);
/** Handwritten commands with the name of an operation; test/program.test.ts checks their requests. */
const BY_HAND = ['proofs.verify'];
/** Bodies that the SDK checks before it sends them. */
const BODIES: Record<string, string> = {
  'messages.create': '{"to":"ann@example.com","text":"Hello"}',
  'messages.createBatch': '{"messages":[{"to":"ann@example.com","text":"Hello"}]}',
};

let server: Awaited<ReturnType<typeof startScriptedServer>>;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
beforeAll(async () => {
  server = await startScriptedServer(answering(200, {}));
  cli = await createCommandLine({ MAILKEEL_API_KEY: `svc_test_${'k'.repeat(43)}` });
});
afterAll(async () => {
  await cli.close();
  await server.close();
});

describe('the commands', () => {
  it('exist for each operation', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(documented.map(({ id }) => id).sort());
  });

  it.each(documented.filter(({ id }) => !BY_HAND.includes(id)))('$id', async ({ id, method, path }) => {
    const operation = OPERATIONS.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no command for ${id}.`);
    const { body, query, isRows, pathNames } = operation;
    const ids = pathNames.map((name) => `a-${name}`);
    const hasOwnDryRun = [...query, ...(body ?? [])].some(({ name }) => name === 'dry_run');
    const needed = Object.fromEntries(
      [...query, ...(body ?? [])]
        .filter(({ required }) => required === true)
        .map(({ name, kind }) => [name, kind === 'json' ? {} : kind === 'number' ? 1 : 'one']),
    );
    const flags = Object.entries(needed).map(
      ([name, value]) => `--${kebab(name)}=${JSON.stringify(value).replaceAll('"', '')}`,
    );
    const data = BODIES[id] ?? JSON.stringify(needed);
    const params = isRows ? ['--file', '-'] : body === null ? flags : ['--data', data];
    const around = { stdin: 'email\nann@example.com\n', env: { MAILKEEL_URL: `${server.url}/base` } };
    const command = [nounOf(operation), verbOf(operation), ...ids, ...params];
    const ran = await cli.run([...command, ...(hasOwnDryRun ? ['--yes'] : ['--dry-run'])], around);
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    const last = server.asked.at(-1);
    const asked = hasOwnDryRun
      ? {
          method: last?.method,
          url: `${server.url}${last?.url ?? ''}`,
          body: isRows ? null : JSON.parse(last?.body ?? ''),
        }
      : ran.json;
    const parts = [...ids];
    const { pathname } = new URL(String(asked.url));
    expect(`${String(asked.method)} ${pathname}`).toBe(
      `${method} /base${path.replace(/\{\w+\}/g, () => parts.shift() ?? '')}`,
    );
    if (body !== null && !isRows) expect(asked.body).toEqual(JSON.parse(data));
  });

  it('describe their parameters, with an example', async () => {
    for (const operation of firstOf(30, OPERATIONS)) {
      const { code, stdout } = await cli.run([nounOf(operation), verbOf(operation), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('mailkeel ');
    }
  });
});

const NOUNS = ['domains', 'proof', 'webhooks', ...OPERATIONS.map(nounOf)];

describe('docs/cli.md', () => {
  const lines = [...readFileSync('docs/cli.md', 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => /mailkeel ([^#>|)]*[^#>|) ])/.exec(line)?.[1] ?? []);

  it('names existing commands and options', async () => {
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) {
      const words = line.split(' ');
      if (words[0] === 'admin') continue;
      const command = words.slice(
        0,
        Math.max(
          1,
          words.findIndex((word) => word.startsWith('--')),
        ),
      );
      const names = words.every((word) => !word.startsWith('--')) ? words : command;
      const { code, stdout } = await cli.run([...names, '--help']);
      expect([line, code]).toEqual([line, 0]);
      const isNoun = NOUNS.includes(words[0] ?? '');
      if (isNoun && words[1] !== undefined)
        expect(stdout).toMatch(new RegExp(`^Usage: mailkeel \\S+ ${words[1]} `));
      for (const [option] of line.matchAll(/(?<= )--[a-z-]+/g)) expect(stdout, line).toContain(option);
    }
  });

  it('has every handwritten command', async () => {
    const { stdout } = await cli.run(['--help']);
    const [, everyday = ''] = /Core commands:\n(.*?)\n\n/s.exec(stdout) ?? [];
    const names = [...everyday.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names)
      expect(lines.some((line) => line.startsWith(`${name ?? ''} `) || line === name)).toBe(true);
  });
});
