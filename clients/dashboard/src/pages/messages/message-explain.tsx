// Explains a message's status: the server's sentence, the next step, and advice.
import { Alert, Collapse, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../data/read.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { AdviceList } from './message-advice.js';

export function Why({ id, email }: { id: string; email: string }) {
  const t = useTexts(message);
  const [isOpen, { toggle }] = useDisclosure(false);
  const format = useFormat();
  const explanation = useRead(['messages', id, 'explain'], (api, signal) =>
    api.messages.explain(id, { signal }),
  );
  return (
    <Card title={t.why}>
      <Shown of={explanation} lines={2}>
        {({ summary, next, advice, chain }) => (
          <Stack gap="sm">
            <Text size="lg">{summary}</Text>
            {next === null ? null : (
              <Text c="dimmed">
                {t.next}: {next.what} (<Time at={next.at} />)
              </Text>
            )}
            {advice.every(({ code }) => code === 'nothing') ? null : (
              <Alert color="gray" icon={<Icon name="info" />} title={t.advice}>
                <AdviceList id={id} email={email} advice={advice} />
              </Alert>
            )}
            <div>
              <UnstyledButton onClick={toggle} aria-expanded={isOpen} c="var(--mantine-color-anchor)">
                {t.chain} ({chain.length})
              </UnstyledButton>
              <Collapse expanded={isOpen}>
                <ol style={{ margin: '0.5rem 0 0', paddingLeft: '1.2rem' }}>
                  {chain.map((step, place) => (
                    // Steps never change places.
                    <li key={`${step.at} ${place}`} style={{ overflowWrap: 'anywhere' }}>
                      <Text span c="dimmed" size="sm">
                        <Time at={step.at} />
                      </Text>{' '}
                      {format.timesIn(step.text)}
                    </li>
                  ))}
                </ol>
              </Collapse>
            </div>
          </Stack>
        )}
      </Shown>
    </Card>
  );
}
