// Which webhook endpoints were notified of a message, with the exact bytes.
import { Accordion, Button, Group, Stack, Text } from '@mantine/core';
import type { WebhookDelivery } from '@mailkeel/sdk';
import { useAction, useRead } from '../../data/read.js';
import { events as eventTexts } from '../../texts/events.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Time } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

export function Deliveries({ id }: { id: string }) {
  const t = useTexts(message).deliveries;
  const { names } = useTexts(eventTexts);
  const deliveries = useRead(['deliveries', 'of-message', id], (api, signal) =>
    api.messages.listDeliveries(id, {}, { signal }),
  );
  return (
    <Shown of={deliveries} lines={4}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState icon="webhook" title={t.none} action={<PageButton to="/webhooks">{t.add}</PageButton>}>
            {t.noneHint}
          </EmptyState>
        ) : (
          <Accordion variant="separated" order={3}>
            {data.map((delivery) => (
              <Accordion.Item key={delivery.id} value={delivery.id}>
                <Accordion.Control>
                  <Group gap="sm">
                    <Status of={delivery.status} />
                    <Text fw={550}>{names[delivery.event]}</Text>
                    <Text c="dimmed" size="sm">
                      <Time at={delivery.created_at} />
                    </Text>
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  <Bytes delivery={delivery} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )
      }
    </Shown>
  );
}

function Bytes({ delivery }: { delivery: WebhookDelivery }) {
  const t = useTexts(message).deliveries;
  const replay = useAction((api) => api.webhookEndpoints.replayDelivery(delivery.endpoint_id, delivery.id), {
    done: t.replayed,
    changes: ['deliveries'],
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <PageLink to={`/webhooks/${delivery.endpoint_id}`}>{delivery.endpoint_id}</PageLink>
        <Button variant="default" size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
          {t.replay}
        </Button>
      </Group>
      {delivery.attempts.map((attempt) => (
        <Text key={attempt.number} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Time at={attempt.at} /> ·{' '}
          {t.attempt(attempt.number, String(attempt.response_status ?? attempt.error ?? t.noAnswer))}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {t.body}
      </Text>
      <CodeBlock code={delivery.request_body} wraps label={t.body} />
    </Stack>
  );
}
