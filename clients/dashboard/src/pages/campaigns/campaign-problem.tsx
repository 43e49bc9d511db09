// Shows why a campaign waits, and how to fix it.
import { Alert, Stack, Text } from '@mantine/core';
import type { Campaign } from '@mailkeel/sdk';
import { campaignResults } from '../../texts/campaign-results.js';
import { useTexts } from '../../texts/texts.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';

export function CampaignProblem({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignResults);
  const { problem, sub_tenant_id: tenant } = campaign;
  if (problem === null) return null;
  const remedies: Record<string, [to: string, label: string]> = {
    quota_exceeded: ['/usage', t.openUsage],
    postal_address_required: ['/settings', t.openSettings],
    sender_required: ['/senders', t.openSenders],
    sender_not_verified: ['/senders', t.openSenders],
    ...(tenant === null ? {} : { tenant_suspended: [`/sub-tenants/${tenant}`, t.openTenant] }),
  };
  const remedy = remedies[problem.code];
  return (
    <Alert color="yellow" title={t.problem} icon={<Icon name="warning" />} mb="lg" role="status">
      <Stack gap={4}>
        <Text size="sm">{t.problems[problem.code] ?? problem.message}</Text>
        {remedy === undefined ? null : <PageLink to={remedy[0]}>{remedy[1]}</PageLink>}
      </Stack>
    </Alert>
  );
}
