// Tests the OpenAPI document with strict validators.
import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import type { Described } from '../../src/http/docs/openapi-model.js';
import { isFullSize } from '../support/run-size.js';
import { servedDocument } from '../../src/http/docs/docs.routes.js';

/** With its examples, at an address that Redocly does not treat as an example. */
const text = readFileSync('docs/openapi.json', 'utf8').replace('mail.example.com', 'mail.customer.example');
/** As a local server serves it. */
const served = servedDocument({
  ...(JSON.parse(text) as Described),
  servers: [{ url: 'http://localhost:8080' }],
});

/**
 * The rule for examples takes most of the time, and test/http/openapi.test.ts and examples.test.ts check them against their
 * schemas.
 */
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
  it('has no errors or warnings in Redocly', async () => {
    expect(await lintProblems(text)).toEqual([]);
    expect(await lintProblems(JSON.stringify(served))).toEqual([]);
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

  it('is served with at most 2,800 characters for each operation, its description included, since examples are files of their own', () => {
    const operations = Object.values(served.paths ?? {}).flatMap((methods) => Object.keys(methods));
    expect(JSON.stringify(served).length / operations.length).toBeLessThan(2_800);
  });

  it.runIf(isFullSize)(
    'is valid in swagger-parser',
    async () => {
      const document = JSON.parse(text) as Parameters<typeof SwaggerParser.validate>[0];
      await expect(SwaggerParser.validate(document)).resolves.toBeDefined();
    },
    60_000,
  );
});
