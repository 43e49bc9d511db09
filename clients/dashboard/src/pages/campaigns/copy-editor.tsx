// Changes the copy of one recipient: a subject, a content, or both, seen as it will look.
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Campaign, CampaignRecipient } from '@posthorn/sdk';
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
import { Loading, Shown } from '../../ui/states.js';

const TYPING_MS = 400;

interface Edit {
  subject: string;
  /** Null: the content that everybody gets. */
  html: string | null;
}

/** Id of the template that the plan gives to this recipient. */
function templateOf(campaign: Campaign, { variant, variant_tag: tag }: CampaignRecipient): string | null {
  const byTag = campaign.variants.find((one) => one.tag === tag);
  const bySplit = campaign.split?.variants.find(({ key }) => key === variant);
  return byTag?.template_id ?? bySplit?.template_id ?? campaign.template_id;
}

export function CopyEditor({
  campaign,
  recipient,
  onClose,
}: {
  campaign: Campaign;
  recipient: CampaignRecipient;
  onClose: () => void;
}) {
  const { email } = recipient;
  const templateId = templateOf(campaign, recipient);
  const start = useRead(['campaigns', campaign.id, 'override', email], async (api) => {
    const [template, own] = await Promise.all([
      templateId === null ? null : api.templates.get(templateId),
      recipient.edited ? findOverride(api, campaign.id, email) : null,
    ]);
    return {
      source: template?.html ?? '',
      edit: { subject: own?.subject ?? '', html: own?.html ?? null },
    };
  });
  return (
    <Shown of={start} lines={8}>
      {({ source, edit }) => (
        <Form campaign={campaign} email={email} source={source} before={edit} onClose={onClose} />
      )}
    </Shown>
  );
}

type Api = Parameters<Parameters<typeof useRead>[1]>[0];

async function findOverride(api: Api, id: string, email: string) {
  for await (const one of api.campaigns.listOverrides(id, { limit: 100 })) {
    if (one.email.toLowerCase() === email.toLowerCase()) return one;
  }
  return null;
}

function Form({
  campaign,
  email,
  source,
  before,
  onClose,
}: {
  campaign: Campaign;
  email: string;
  source: string;
  before: Edit;
  onClose: () => void;
}) {
  const t = useTexts(campaigns).copies;
  const frame = useTexts(common);
  const form = useFormState(['subject', 'html']);
  const [edit, setEdit] = useState<Edit>(before);
  const isDirty = edit.subject !== before.subject || edit.html !== before.html;
  const params = {
    email,
    subject: edit.subject.trim() === '' ? null : edit.subject,
    html: edit.html,
  };
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
            description={t.ownSubjectHint}
            data-autofocus
            value={edit.subject}
            error={form.errors['subject']}
            onChange={(event) => setEdit({ ...edit, subject: event.currentTarget.value })}
          />
          <Switch
            label={t.ownHtml}
            checked={edit.html !== null}
            onChange={(event) => setEdit({ ...edit, html: event.currentTarget.checked ? source : null })}
          />
          {edit.html === null ? null : (
            <>
              <CodeEditor
                label={t.html}
                kind="html"
                height={280}
                value={edit.html}
                error={form.errors['html']}
                onChange={(html) => setEdit((last) => ({ ...last, html }))}
              />
              <LivePreview html={edit.html} email={email} />
            </>
          )}
          <Group justify="flex-end">
            <CallsButton calls={[(api) => api.campaigns.putOverride(campaign.id, params)]} />
            <Button variant="default" onClick={onClose}>
              {frame.cancel}
            </Button>
            <Button
              type="submit"
              loading={form.isBusy}
              disabled={params.subject === null && params.html === null}
            >
              {t.saveCopy}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function LivePreview({ html, email }: { html: string; email: string }) {
  const t = useTexts(campaigns).copies;
  const [content] = useDebouncedValue(html, TYPING_MS);
  const rendered = useRead(
    ['templates', 'render', content, email],
    (api, signal) => api.templates.renderContent({ html: content, contact: email, footer: true }, { signal }),
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
          <Text role="alert" c="var(--ph-bad)">
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
