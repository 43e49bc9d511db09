// Edits the subject, content or both of one recipient's copy, with a preview.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Campaign, CampaignRecipient } from '@mailkeel/sdk';
import { useAction, useRead } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { CodeEditor } from '../../ui/code-editor.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { LeaveGuard } from '../../ui/leave-guard.js';
import { MailView } from '../../ui/mail-view.js';
import { Card } from '../../ui/page.js';
import { readCopyStart, scopeOf, type CopyStart, type Edit } from './copy-start.js';
import { Loading, Shown } from '../../ui/states.js';

const TYPING_MS = 400;

export function CopyEditor({
  campaign,
  recipient,
  onClose,
}: {
  campaign: Campaign;
  recipient: CampaignRecipient;
  onClose: () => void;
}) {
  const start = useRead(['campaigns', campaign.id, 'copy-start', recipient.email], (api) =>
    readCopyStart(api, campaign, recipient),
  );
  return (
    <Shown of={start} lines={8}>
      {(found) => <Form campaign={campaign} email={recipient.email} start={found} onClose={onClose} />}
    </Shown>
  );
}

function Form({
  campaign,
  email,
  start,
  onClose,
}: {
  campaign: Campaign;
  email: string;
  start: CopyStart;
  onClose: () => void;
}) {
  const t = useTexts(campaigns).copies;
  const frame = useTexts(common);
  const form = useFormState(['subject', 'html']);
  const [edit, setEdit] = useState<Edit>(start.edit);
  const isChanged = (part: keyof Edit) => edit[part] !== start.edit[part];
  const isDirty = isChanged('subject') || isChanged('html');
  // An unchanged part follows the template.
  const own = (part: keyof Edit) =>
    (isChanged(part) || start.hasOwn[part]) && edit[part].trim() !== '' ? edit[part] : null;
  const params = { email, subject: own('subject'), html: own('html') };
  const save = useAction((api) => api.campaigns.putOverride(campaign.id, params), {
    done: t.savedCopy,
    changes: ['campaigns'],
    onDone: onClose,
    isQuiet: true,
  });
  return (
    <Card title={t.editTitle(email)}>
      <LeaveGuard isDirty={isDirty && !save.isSuccess} />
      <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t.editHint}
          </Text>
          <FormProblem form={form} />
          <TextInput
            label={t.ownSubject}
            autoFocus
            value={edit.subject}
            error={form.errors['subject']}
            onChange={(event) => setEdit({ ...edit, subject: event.currentTarget.value })}
          />
          <CodeEditor
            label={t.html}
            kind="html"
            height={280}
            value={edit.html}
            error={form.errors['html']}
            onChange={(html) => setEdit((last) => ({ ...last, html }))}
          />
          <LivePreview campaign={campaign} html={edit.html} email={email} />
          <Group justify="flex-end">
            <CallsButton calls={[(api) => api.campaigns.putOverride(campaign.id, params)]} />
            <Button variant="default" onClick={onClose}>
              {frame.cancel}
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={!isDirty}>
              {t.saveCopy}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function LivePreview({ campaign, html, email }: { campaign: Campaign; html: string; email: string }) {
  const t = useTexts(campaigns).copies;
  const [content] = useDebouncedValue(html, TYPING_MS);
  const rendered = useRead(
    ['templates', 'render', content, email],
    (api, signal) =>
      api.templates.renderContent(
        { html: content, contact: email, footer: true },
        { signal, ...scopeOf(campaign) },
      ),
    { keepsLast: true, isOff: content.trim() === '' },
  );
  if (content.trim() === '') return null;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t.preview}
      </Text>
      {rendered.data === undefined ? (
        rendered.isError ? (
          <Text role="alert" c="var(--mk-bad)">
            {rendered.error.message}
          </Text>
        ) : (
          <Loading lines={6} />
        )
      ) : (
        <MailView html={rendered.data.html ?? ''} height={360} />
      )}
    </div>
  );
}
