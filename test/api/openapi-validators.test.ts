// The OpenAPI document as strict validators see it.
import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { isFullSize } from '../support/run-size.js';

/** As the program serves it (test/api/openapi.test.ts), at an address that Redocly does not take for an example. */
const text = readFileSync('docs/openapi.json', 'utf8').replace('mail.example.com', 'mail.customer.example');

/** The examples' own rule takes most of the time; test/api/openapi.test.ts and examples.test.ts hold them against their schemas. */
const rules = isFullSize ? {} : { 'no-invalid-media-type-examples': 'off' as const };

/** Errors and warnings of the recommended rules. */
async function lintProblems(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
}

describe('the OpenAPI document', () => {
  it('has neither an error nor a warning of Redocly', async () => {
    expect(await lintProblems(text)).toEqual([]);
    const { openapi, info } = JSON.parse(text) as { openapi: string; info: object };
    const paths = { '/v1/messages': { get: { responses: {} } } };
    const broken = { openapi, info: { ...info, license: { name: 'MIT', url: 7 } }, paths };
    const problems = await lintProblems(JSON.stringify(broken));
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^error struct: /),
        expect.stringMatching(/ operation-operationId: /),
      ]),
    );
  }, 60_000);

  it.runIf(isFullSize)(
    'is valid for swagger-parser',
    async () => {
      const document = JSON.parse(text) as Parameters<typeof SwaggerParser.validate>[0];
      await expect(SwaggerParser.validate(document)).resolves.toBeDefined();
    },
    60_000,
  );
});
