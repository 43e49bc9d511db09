// The first message: by curl, SDK, CLI or SMTP with the test key filled in, or from here; and its way, live.
import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { isHandedOver } from '../../data/message-state.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { getStarted } from '../../texts/get-started.js';
import { message as messageTexts } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { MessageStatus } from '../../ui/message-status.js';
import { RouteLine } from '../../ui/route-line.js';
import { Time } from '../../ui/format.js';
import { stopsOf } from '../messages/message-stops.js';

const TO = 'delivered@sandbox.example';
const FROM = 'me@example.com';
/** Reads until the message is delivered. Events also report it while the stream is connected. */
const LOOK_MS = 700;
const PENDING: readonly string[] = ['queued', 'sending', 'sent'];

export function SendStep({ testKey }: { testKey: string | null }) {
  const t = useTexts(getStarted).send;
  const maySend = useRole('member');
  const mayMakeKeys = useRole('admin');
  // The newest message, regardless of how it was sent, so that its outcome is shown after a reload.
  const sent = useRead(['sandbox', 'newest', TO], (api) =>
    api.withEnvironment('test').messages.list({ to: [TO], from: [FROM], limit: 1, view: 'summary' }),
  );
  const id = sent.data?.data[0]?.id ?? null;
  const send = useAction(
    (api) =>
      api.withEnvironment('test').messages.create({ from: FROM, to: TO, subject: t.subject, text: t.text }),
    { changes: ['sandbox', 'messages'] },
  );
  return (
    <Stack mt="md">
      <Snippets testKey={testKey} />
      {maySend ? (
        <Group>
          <Button
            leftSection={<Icon name="send" size={16} />}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            {id === null ? t.button : t.again}
          </Button>
          {testKey === null && mayMakeKeys ? (
            <PageButton to="/api-keys" variant="subtle">
              {t.makeKey}
            </PageButton>
          ) : null}
        </Group>
      ) : null}
      {id === null ? null : <Walk key={id} id={id} />}
    </Stack>
  );
}

/** The message is in the sandbox, whichever environment is open. */
function Walk({ id }: { id: string }) {
  const t = useTexts(getStarted).send;
  const words = useTexts(messageTexts);
  const [isOver, setOver] = useState(false);
  const every = isOver ? false : LOOK_MS;
  const audit = useRead(
    ['sandbox', id, 'audit'],
    (api) => api.withEnvironment('test').messages.getAudit(id),
    { every },
  );
  const message = useRead(['sandbox', id], (api) => api.withEnvironment('test').messages.get(id), { every });
  const isPending = message.data === undefined || PENDING.includes(message.data.status);
  if (!isPending && !isOver) setOver(true);
  if (message.data === undefined) return null;
  const stops = stopsOf(message.data, audit.data?.trail ?? []).slice(0, 4);
  return (
    <div role="status">
      <RouteLine
        label={t.route}
        stops={stops.map(({ key, state, at }) => ({
          key,
          state,
          label: words.stops[key],
          detail: at === null ? null : <Time at={at} />,
        }))}
      />
      {isPending ? (
        <Text c="dimmed" mt="sm">
          {t.waiting}
        </Text>
      ) : (
        <Alert color={isHandedOver(message.data) ? 'green' : 'yellow'} mt="sm">
          {isHandedOver(message.data) ? t.arrived : <MessageStatus of={message.data} />}{' '}
          <PageLink to={`/messages/${id}`} environment="test">
            {t.open}
          </PageLink>
        </Alert>
      )}
    </div>
  );
}

function Snippets({ testKey }: { testKey: string | null }) {
  const t = useTexts(getStarted).send;
  const system = useRead(['system'], (api) => api.system.get());
  const key = testKey ?? '$MAILKEEL_API_KEY';
  const relay = system.data?.relay ?? null;
  const samples = samplesOf({ key, relay, subject: t.subject, text: t.text });
  return (
    <div>
      <Tabs defaultValue="curl">
        <Tabs.List mb="xs">
          {samples.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name}>
            <CodeBlock code={code} wraps label={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {testKey === null ? (
        <Text size="sm" c="dimmed" mt={6}>
          {t.keyHint}
        </Text>
      ) : null}
    </div>
  );
}

function samplesOf({
  key,
  relay,
  subject,
  text,
}: {
  key: string;
  relay: { host: string; port: number | null; tls_port: number | null } | null;
  subject: string;
  text: string;
}): { name: string; code: string }[] {
  const { origin, hostname } = window.location;
  const mail = { from: FROM, to: TO, subject, text };
  const fields = Object.entries(mail)
    .map(([name, value]) => `  ${name}: '${value}',`)
    .join('\n');
  const smtp = relay?.port ?? relay?.tls_port ?? null;
  return [
    {
      name: 'curl',
      code: `curl ${origin}/v1/messages -H "Authorization: Bearer ${key}" \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(mail)}'`,
    },
    {
      name: 'TypeScript',
      code: `// npm install ${origin}/sdk.tgz\nimport { Mailkeel } from '@mailkeel/sdk';\n\nconst mailkeel = new Mailkeel({ baseUrl: '${origin}', apiKey: '${key}' });\nawait mailkeel.messages.create({\n${fields}\n});`,
    },
    {
      name: 'CLI',
      code: `# npm install -g ${origin}/cli.tgz\nMAILKEEL_URL=${origin} MAILKEEL_API_KEY=${key} \\\n  mailkeel messages send --to ${TO} --from ${FROM} --subject '${subject}' --text '${text}' --wait`,
    },
    ...(smtp === null
      ? []
      : [
          {
            name: 'SMTP',
            code: `swaks --server ${hostname} --port ${smtp} --tls --auth PLAIN --auth-user mailkeel --auth-password ${key} \\\n  --from ${FROM} --to ${TO} --header 'Subject: ${subject}' --body '${text}'`,
          },
        ]),
  ];
}
