// Sign-up for a list: the hosted page, and a form for another website.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { MailingList } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { Card } from '../../ui/page.js';

function formSnippet(key: string, origin: string | undefined): string {
  const lead =
    origin === undefined ? [] : [`  <input type="hidden" name="redirect_url" value="${origin}/thanks" />`];
  return [
    `<form method="post" action="${location.origin}/v1/subscribe">`,
    `  <input type="hidden" name="list_key" value="${key}" />`,
    ...lead,
    '  <input type="email" name="email" required />',
    '  <input name="name" />',
    '  <button>Sign up</button>',
    '</form>',
  ].join('\n');
}

export function SignUpForm({ list }: { list: MailingList }) {
  const t = useTexts(lists);
  const { sign_up_url: url, publishable_key: key } = list;
  return (
    <Stack gap="lg">
      {url === null ? null : (
        <Card title={t.signUpUrl}>
          <Text c="dimmed" mb="xs">
            {t.signUpUrlHint}
          </Text>
          <Group gap={4} wrap="nowrap">
            <Anchor href={url} target="_blank" rel="noreferrer" className="mk-break">
              {url}
            </Anchor>
          </Group>
        </Card>
      )}
      <Card title={t.key}>
        <Stack gap="sm">
          <Text c="dimmed">{key === null ? t.keyNone : t.keyHint}</Text>
          {key === null ? null : <Copyable value={key} label={t.key} />}
          <KeyActions list={list} />
        </Stack>
      </Card>
      {key === null ? null : (
        <Card title={t.snippet}>
          <CodeBlock code={formSnippet(key, list.form_origins[0])} wraps label={t.snippet} />
        </Card>
      )}
    </Stack>
  );
}

function KeyActions({ list: { id, publishable_key: key } }: { list: MailingList }) {
  const t = useTexts(lists);
  const mayAct = useRole('member');
  const options = { done: t.keyChanged, changes: ['lists'], isQuiet: true };
  const make = useAction((api) => api.lists.rotatePublishableKey(id), { changes: ['lists'] });
  const rotate = useAction((api) => api.lists.rotatePublishableKey(id), options);
  const remove = useAction((api) => api.lists.deletePublishableKey(id), options);
  if (!mayAct) return null;
  if (key === null) {
    return (
      <Group>
        <Button loading={make.isPending} onClick={() => make.mutate()}>
          {t.keyMake}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs">
      <ConfirmButton
        label={t.keyReplace}
        title={t.keyReplace}
        action={t.keyReplace}
        onConfirm={() => rotate.mutateAsync()}
        call={(api) => api.lists.rotatePublishableKey(id)}
      >
        {t.keyReplaceHint}
      </ConfirmButton>
      <ConfirmButton
        label={t.keyRemove}
        title={t.keyRemove}
        action={t.keyRemove}
        onConfirm={() => remove.mutateAsync()}
        call={(api) => api.lists.deletePublishableKey(id)}
      >
        {t.keyRemoveHint}
      </ConfirmButton>
    </Group>
  );
}
