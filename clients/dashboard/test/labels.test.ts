// Tests that every enum of the OpenAPI document has labels, unless the dashboard does not show it.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);
const TEXTS = new URL('../src/texts/', import.meta.url);

interface Document {
  components: { schemas: Record<string, { enum?: string[] }> };
}

/** Enums whose values no page shows, with the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'The server sends a sentence with the code.': [
    'AdviceCode',
    'ExplanationCode',
    'ErrorCode',
    'ErrorType',
    'ErrorCategory',
    'MessageErrorType',
  ],
  'The page has a button, a link, an icon or a sentence for each.': [
    ...[
      'AdviceOperation',
      'AuditActorKind',
      'Direction',
      'ReputationPauseCause',
      'SearchResultType',
      'RecipientRole',
    ],
    ...['ShareTarget', 'SubTenantOrder'],
  ],
  'Requests choose by it; it is not a fact of a record.': [
    ...[
      'AnalyticsGroupBy',
      'AnalyticsUnit',
      'DmarcGroup',
      'ListOrder',
      'ListView',
      'QueuePurgeAction',
      'TlsGroup',
    ],
  ],
  'These are names of the trade or of settings.': [
    'DkimAlgorithm',
    'DnsNameSetting',
    'DnsRecordType',
    'RequestMethod',
  ],
  'The dashboard has no page for them.': [
    ...[
      'BulkRuleRequiredOf',
      'ConsentEvent',
      'DmarcClass',
      'DmarcDisposition',
      'DmarcReason',
      'ExecutableSign',
      'ReloadChangeKind',
      'ReloadPart',
      'RouteState',
    ],
  ],
};

const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;

describe('labels', () => {
  it('are there for every value that the dashboard shows', async () => {
    const labelled = await groupsOfTexts();
    const bare = Object.entries(components.schemas)
      .filter(
        ([, { enum: values }]) =>
          values !== undefined && !labelled.some((keys) => values.every((value) => keys.has(value))),
      )
      .map(([name]) => name);
    // An enum without labels needs them in src/texts; one that now has them must be removed from NOT_SHOWN.
    expect(bare.toSorted()).toEqual(Object.values(NOT_SHOWN).flat().toSorted());
  });
});

/** The keys of each group of texts, at any depth. */
async function groupsOfTexts(): Promise<Set<string>[]> {
  const names = readdirSync(fileURLToPath(TEXTS)).filter((name) => name.endsWith('.ts'));
  const modules: unknown[] = await Promise.all(names.map((name) => import(new URL(name, TEXTS).href)));
  return modules.flatMap(groupsIn);
}

function groupsIn(texts: unknown): Set<string>[] {
  if (typeof texts !== 'object' || texts === null) return [];
  return [new Set(Object.keys(texts)), ...Object.values(texts).flatMap(groupsIn)];
}
