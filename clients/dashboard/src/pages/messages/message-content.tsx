// The content of a message: as its recipient sees it, its parts, its headers, and the raw message.
import { Anchor, List, Stack, Tabs, Text } from '@mantine/core';
import { NotFoundError, type Message, type MessageContent } from '@mailkeel/sdk';
import { fileHref, shownFileName } from '../../data/files.js';
import { usePlace } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { message as messageTexts } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { useFormat } from '../../ui/format.js';
import { MailView } from '../../ui/mail-view.js';
import { ReceivedRiskNotice } from '../../ui/received-risk.js';
import { EmptyState, ErrorState, Loading, Shown } from '../../ui/states.js';

export function Content({ message }: { message: Message }) {
  const t = useTexts(messageTexts);
  const content = useRead(['messages', message.id, 'content'], (api, signal) =>
    api.messages.getContent(message.id, { signal }),
  );
  if (content.isPending) return <Loading lines={6} />;
  if (content.error instanceof NotFoundError) {
    return (
      <EmptyState icon="clock" title={t.content.gone}>
        {t.content.goneHint}
      </EmptyState>
    );
  }
  if (content.data === undefined) return <ErrorState error={content.error} retry={content.refetch} />;
  return <ContentParts message={message} content={content.data} />;
}

interface ContentPartsProps {
  message: Message;
  content: Pick<MessageContent, 'html' | 'text' | 'headers'>;
}

export function ContentParts({ message, content }: ContentPartsProps) {
  const t = useTexts(messageTexts).content;
  const { html, text, headers } = content;
  const own = Object.entries(headers);
  const visible = message.received?.visible_text ?? null;
  const parts = (
    <Tabs defaultValue={html === null ? 'text' : 'html'} variant="pills" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="html">{t.html}</Tabs.Tab>
        <Tabs.Tab value="text">{t.text}</Tabs.Tab>
        <Tabs.Tab value="source">{t.source}</Tabs.Tab>
        <Tabs.Tab value="headers">{t.headers}</Tabs.Tab>
        <Tabs.Tab value="raw">{t.raw}</Tabs.Tab>
        {message.attachments.length === 0 ? null : (
          <Tabs.Tab value="attachments">
            {t.attachments} ({message.attachments.length})
          </Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value="html">
        {html === null ? <Text c="dimmed">{t.noHtml}</Text> : <MailView html={html} />}
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <Stack>
          {visible === null || visible === text ? null : (
            <>
              <Text size="sm" c="dimmed">
                {t.wrote}
              </Text>
              <CodeBlock code={visible} wraps label={t.wrote} />
            </>
          )}
          {text === null ? (
            <Text c="dimmed">{t.noText}</Text>
          ) : (
            <CodeBlock code={text} wraps label={t.text} />
          )}
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="source">
        {html === null ? (
          <Text c="dimmed">{t.noHtml}</Text>
        ) : (
          <CodeBlock code={html} wraps label={t.source} />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="headers">
        {own.length === 0 ? (
          <Text c="dimmed">{t.noHeaders}</Text>
        ) : (
          <CodeBlock
            code={own.map(([name, value]) => `${name}: ${value}`).join('\n')}
            wraps
            label={t.headers}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="raw">
        <Raw id={message.id} />
      </Tabs.Panel>
      <Tabs.Panel value="attachments">
        <Attachments message={message} />
      </Tabs.Panel>
    </Tabs>
  );
  return (
    <Stack>
      <ReceivedRiskNotice risk={message.received?.risk} />
      {parts}
    </Stack>
  );
}

function Raw({ id }: { id: string }) {
  const t = useTexts(messageTexts);
  const place = usePlace();
  const raw = useRead(['messages', id, 'raw'], async (api, signal) =>
    (await api.messages.getRaw(id, { signal })).text(),
  );
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t.content.rawHint}{' '}
        <Anchor href={fileHref(place, `/v1/messages/${id}/raw`)}>{t.actions.download}</Anchor>
      </Text>
      <Shown of={raw} lines={6}>
        {(text) => <CodeBlock code={text} label={t.content.raw} />}
      </Shown>
    </Stack>
  );
}

function Attachments({ message }: { message: Message }) {
  const place = usePlace();
  const format = useFormat();
  return (
    <List spacing="xs">
      {message.attachments.map((file, index) => (
        <List.Item key={`${file.sha256} ${index}`}>
          <Anchor href={fileHref(place, `/v1/messages/${message.id}/attachments/${index}`)}>
            {shownFileName(file.filename)}
          </Anchor>{' '}
          <Text span c="dimmed" size="sm">
            {file.content_type}, {format.bytes(file.size)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
