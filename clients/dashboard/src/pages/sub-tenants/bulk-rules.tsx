// Shows the bulk sender rules of large providers, with the status of a sub-tenant's mail by rule and provider.
import { Stack, Text } from '@mantine/core';
import type { BulkRuleCheck, BulkRules } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

const PROVIDERS = ['google', 'yahoo', 'microsoft'] as const;
const NAMES = { google: 'Google', yahoo: 'Yahoo', microsoft: 'Microsoft' } as const;

export function BulkRulesTab({ id }: { id: string }) {
  const t = useTexts(subTenants).bulkRules;
  const read = useRead(['sub-tenants', id, 'bulk-rules'], (api, signal) =>
    api.subTenants.getBulkRules(id, { signal }),
  );
  return (
    <Card title={t.title}>
      <Text c="dimmed" size="sm" mb="sm">
        {t.about}
      </Text>
      <Shown of={read} lines={8}>
        {(report) => (
          <Stack>
            <Volume of={report} />
            <Rules of={report} />
          </Stack>
        )}
      </Shown>
    </Card>
  );
}

function Volume({ of: { volume, looked_at: lookedAt } }: { of: BulkRules }) {
  const t = useTexts(subTenants).bulkRules;
  const format = useFormat();
  const lines = volume.map(({ provider, sent, is_bulk_sender: isBulk }) =>
    t.volume(NAMES[provider], format.count(sent), isBulk),
  );
  return (
    <Text size="sm">
      {lines.join(' ')} {t.lookedAt} <Time at={lookedAt} />
    </Text>
  );
}

function Rules({ of: { data } }: { of: BulkRules }) {
  const t = useTexts(subTenants).bulkRules;
  const rules = [...new Set(data.map(({ rule }) => rule))];
  return (
    <div className="mk-table-frame" role="region" aria-label={t.title} tabIndex={0}>
      <table className="mk-table mk-rows">
        <thead>
          <tr>
            <th scope="col">{t.rule}</th>
            {PROVIDERS.map((provider) => (
              <th key={provider} scope="col">
                {NAMES[provider]}
              </th>
            ))}
            <th scope="col">{t.found}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Rule key={rule} checks={data.filter((check) => check.rule === rule)} name={t.rules[rule]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rule({ name, checks }: { name: string; checks: readonly BulkRuleCheck[] }) {
  const t = useTexts(subTenants).bulkRules;
  // Providers for which the same was found share its text.
  const texts = new Map<string, BulkRuleCheck[]>();
  for (const check of checks) {
    const key = `${check.detail} ${check.remedy ?? ''}`;
    texts.set(key, [...(texts.get(key) ?? []), check]);
  }
  return (
    <tr>
      <th scope="row">{name}</th>
      {PROVIDERS.map((provider) => {
        const check = checks.find((one) => one.provider === provider);
        return (
          <td key={provider} data-label={NAMES[provider]}>
            {check === undefined ? null : <Status of={check.status} />}
          </td>
        );
      })}
      <td data-label={t.found} style={{ maxWidth: 'none', whiteSpace: 'normal' }}>
        {[...texts].map(([key, same]) => (
          <Found key={key} checks={same} isForAll={texts.size === 1} />
        ))}
      </td>
    </tr>
  );
}

function Found({ checks, isForAll }: { checks: readonly BulkRuleCheck[]; isForAll: boolean }) {
  const t = useTexts(subTenants).bulkRules;
  const [first] = checks;
  if (first === undefined) return null;
  const { detail, remedy, evidence } = first;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {isForAll ? null : <strong>{checks.map(({ provider }) => NAMES[provider]).join(', ')}: </strong>}
      {detail} {remedy}{' '}
      {evidence.message_id === null ? null : (
        <PageLink to={`/messages/${evidence.message_id}`} size="sm">
          {t.message}
        </PageLink>
      )}
    </Text>
  );
}
