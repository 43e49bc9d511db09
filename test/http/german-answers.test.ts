// Tests that responses are in the language of the request: the examples of all operations are sent in English and in German.
import { expect, it } from 'vitest';
import { sentencePaths } from '../../src/contract/schema.js';
import { bulkAction } from '../../src/imports/bulk-action.schema.js';
import { campaign } from '../../src/campaigns/campaign.schema.js';
import { contactImport } from '../../src/imports/import.schema.js';
import { message } from '../../src/messages/message.schema.js';
import { sequence } from '../../src/sequences/sequence.schema.js';
import { webhookDelivery } from '../../src/webhooks/deliveries/delivery.schema.js';
import { apiOperations } from '../support/api-operations.js';
import { addOverride, sendExamples, type Shown } from '../support/example-world.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';
import { startFullApi } from '../support/program.js';

/** English on purpose: the changes of a release, texts of the example world's people, and files. */
const TYPED = [
  'system.get release.sections.items',
  'templates.render text',
  'contacts.exportData messages.content.text',
  'contacts.exportData messages.trail.explanation',
  ...['drafts.get text', 'drafts.list data.text'],
  ...['get', 'update', 'rotatePublishableKey', 'deletePublishableKey'].map(
    (verb) => `lists.${verb} description`,
  ),
  'lists.list data.description',
];

async function answersIn(language: string): Promise<Map<string, Shown>> {
  const rig = await startFullApi({
    async before(store) {
      await addOverride(store);
      await readyToMail(store, Date.now);
    },
    env: { MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0', MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN },
  });
  try {
    const shown = await sendExamples(rig, apiOperations(), undefined, { 'accept-language': language });
    return new Map(shown.map((one) => [one.operation.id, one]));
  } finally {
    await rig.close();
  }
}

/** Returns the strings of a JSON value that read as sentences, by their paths without positions. */
function sentencesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return /^[A-Z][a-z]+ .* .*[.]$/.test(value) ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    sentencesOf(one, Array.isArray(value) || path === '' ? path || key : `${path}.${key}`),
  );
}

it('translates every sentence of the examples', { timeout: 120_000 }, async () => {
  const [english, german] = [await answersIn('en'), await answersIn('de')];
  const found = [...german].flatMap(([id, { operation, answer }]) => {
    const same = new Set(sentencesOf(english.get(id)?.answer.json).map(([, text]) => text));
    const asked = JSON.stringify(operation.bodies);
    return sentencesOf(answer.json)
      .filter(([path, text]) => same.has(text) && !asked.includes(text) && !TYPED.includes(`${id} ${path}`))
      .map(([path, text]) => `${id} ${path}: ${text}`);
  });
  expect([...new Set(found)]).toEqual([]);
});

it.each([
  ['a message', message, 'error.message'],
  ['a campaign', campaign, 'problem.message'],
  ['a sequence', sequence, 'problem.message'],
  ['an import', contactImport, 'error'],
  ['a bulk action', bulkAction, 'failures.message'],
])('translates the problem of %s wherever it is shown', (_, schema, path) => {
  expect(sentencePaths(schema)).toContain(path);
});

it('repeats a webhook delivery as it was sent', () => {
  expect(sentencePaths(webhookDelivery)).toEqual(['attempts.error']);
});
