// Tests that the examples of the OpenAPI document are true: each request is sent to the program, whose response must match its
// schema and have the shape of the example. `WRITE_EXAMPLES=1` rewrites the examples of responses.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANSWER_EXAMPLES } from '../../src/http/openapi/answer-examples.js';
import {
  apiDocument,
  apiOperations,
  operationsOf,
  type ApiDocument,
  type Operation,
} from '../support/api-operations.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { differencesOf, exampleFile, exampleOf, schemaProblems } from '../support/example-answers.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';
import { EGRESS_WITH_SHARE } from '../support/share-route.js';
import { addOverride, sendExamples, type Shown } from '../support/example-world.js';

const FILE = fileURLToPath(new URL('../../src/http/openapi/answer-examples.ts', import.meta.url));
/** These return something other than JSON, need a mailed link, or need a sent message. */
const NOT_SENT = ['auth.confirmPasswordReset', 'exports.getFile', 'messages.simulate'];

const isWritten = process.env['WRITE_EXAMPLES'] === '1';

let rig: FullApiRig;
let document: ApiDocument;
let operations: readonly Operation[];
let shown: Shown[];
beforeAll(async () => {
  rig = await startFullApi({
    async before(store) {
      await addOverride(store);
      await readyToMail(store, Date.now);
    },
    env: {
      MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
      MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN,
      MAILKEEL_OUTBOUND: EGRESS_WITH_SHARE,
    },
  });
  // Its examples are written before the document in docs/ is.
  document = isWritten ? (rig.app.swagger() as unknown as ApiDocument) : apiDocument();
  operations = isWritten ? operationsOf(document) : apiOperations();
  shown = await sendExamples(rig, operations);
}, 120_000);
afterAll(() => rig.close());

/** The successful JSON responses, by the name of their schema. */
function named(): { name: string; id: string; status: number; json: unknown }[] {
  return shown.flatMap(({ operation: { id, method, path }, answer }) => {
    if (answer.status >= 300 || answer.json === null) return [];
    const answers = document.paths[path]?.[method.toLowerCase()]?.responses;
    const content = answers?.[String(answer.status)]?.content as
      | Record<string, { schema: { $ref?: string; type?: string } }>
      | undefined;
    const schema = Object.values(content ?? {})[0]?.schema;
    // A file, whose format the guide describes.
    if (schema?.type === 'string') return [];
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    return [{ name, id, status: answer.status, json: answer.json as unknown }];
  });
}

describe('the examples', () => {
  it('are accepted by the server', () => {
    const refused = shown.filter(({ answer }) => answer.status >= 300);
    const wrong = refused.map(
      ({ operation: { id }, answer }) => `${id}: ${answer.status} ${answer.text.slice(0, 300)}`,
    );
    const unsent = operations.filter(
      ({ id, streams }) => !streams && !shown.some(({ operation }) => operation.id === id),
    );
    const missing = [...wrong, ...unsent.map(({ id }) => `${id}: nowhere to ask`)];
    expect(missing.filter((text) => !NOT_SENT.some((id) => text.startsWith(`${id}:`)))).toEqual([]);
  });

  it('get responses that match the document, without additional fields', () => {
    const wrong = named().flatMap(({ name, id, json }) =>
      name === ''
        ? [`${id}: its answer has no name`]
        : schemaProblems(json, name, document).map((one) => `${id}: ${one}`),
    );
    expect(wrong).toEqual([]);
  });

  it('show every response as it is', async () => {
    if (isWritten) {
      const answers = named().filter(({ name }) => name !== '');
      const text = exampleFile(answers.map(({ name, json }) => [name, exampleOf(json)]));
      const style = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as {
        printWidth: number;
        singleQuote: boolean;
      };
      const { printWidth, singleQuote } = style;
      writeFileSync(FILE, (await format(FILE, text, { printWidth, singleQuote })).code);
      return;
    }
    const wrong = named().flatMap(({ name, id, json }) => {
      const text = ANSWER_EXAMPLES[name];
      if (text === undefined) return [`${id}: no example of ${name}; WRITE_EXAMPLES=1 makes it`];
      const example = JSON.parse(text) as unknown;
      return [...schemaProblems(example, name, document), ...differencesOf(example, json)].map(
        (one) => `${id}, example of ${name}: ${one}`,
      );
    });
    expect(wrong).toEqual([]);
    const names = named().map(({ name }) => name);
    expect(Object.keys(ANSWER_EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
  });
});
