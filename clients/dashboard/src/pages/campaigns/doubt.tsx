// Shows copies in doubt, and sends them again.
import { Group, Stack, Text } from '@mantine/core';
import type { Campaign } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { campaignResults } from '../../texts/campaign-results.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { useFormat } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { EmptyState } from '../../ui/states.js';
import { Recipients } from './progress.js';

export function Doubt({ campaign }: { campaign: Campaign }) {
  const { doubt: t } = useTexts(campaignResults);
  const format = useFormat();
  const mayAct = useRole('member');
  const { id, stats } = campaign;
  const resend = useAction((api) => api.campaigns.resendInDoubt(id), {
    done: ({ messages }) => t.done(messages),
    changes: ['campaigns', 'analytics', 'messages', 'queue'],
    isQuiet: true,
  });
  if (stats.in_doubt === 0) {
    return (
      <EmptyState icon="check" title={t.none}>
        {t.noneHint}
      </EmptyState>
    );
  }
  const count = format.count(stats.in_doubt);
  return (
    <Stack gap="lg">
      <Card title={stats.in_doubt === 1 ? t.one : t.title(count)}>
        <Stack>
          <Text maw={680}>{t.hint}</Text>
          {mayAct && (campaign.status === 'sending' || campaign.status === 'sent') ? (
            <Group>
              <ConfirmButton
                label={t.resend}
                title={t.resend}
                action={t.resend}
                call={(api) => api.campaigns.resendInDoubt(id)}
                onConfirm={() => resend.mutateAsync()}
              >
                {t.ask(count)}
              </ConfirmButton>
            </Group>
          ) : null}
        </Stack>
      </Card>
      <Recipients campaign={campaign} onlyInDoubt />
    </Stack>
  );
}
