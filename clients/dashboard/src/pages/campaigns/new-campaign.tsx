// A new campaign: a name is enough for a draft.
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CampaignCreate, CampaignType } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { ListPicker, TemplatePicker } from '../../ui/pickers.js';
import { useStatusText } from '../../ui/status.js';

export function NewCampaignPage() {
  const t = useTexts(campaigns);
  const word = useStatusText();
  const go = useGo();
  const form = useFormState(['name', 'type', 'list_id', 'template_id', 'segment_tag']);
  const [name, setName] = useState('');
  const [type, setType] = useState<CampaignType>('marketing');
  const [listId, setListId] = useState<string | null>(null);
  const [templateId, setTemplateId] = useState<string | null>(null);
  const params: CampaignCreate = {
    name,
    type,
    ...(listId === null ? {} : { list_id: listId }),
    ...(templateId === null ? {} : { template_id: templateId }),
  };
  const create = useAction((api) => api.campaigns.create(params), {
    changes: ['campaigns'],
    onDone: ({ id }) => go(`/campaigns/${id}`),
    isQuiet: true,
  });
  return (
    <>
      <PageHead title={t.create} about={t.createHint} back={{ to: '/campaigns', label: t.back }} />
      <form onSubmit={form.onSubmit(() => create.mutateAsync())}>
        <Stack maw={560}>
          <FormProblem form={form} />
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            autoFocus
            maxLength={200}
            value={name}
            error={form.errors['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t.type}
            description={t.typeHint}
            data={(['marketing', 'sales'] as const).map((value) => ({ value, label: word(value) }))}
            value={type}
            error={form.errors['type']}
            onChange={(value) => setType(value ?? 'marketing')}
          />
          <ListPicker label={t.list} value={listId} onChange={setListId} error={form.errors['list_id']} />
          <TemplatePicker
            label={t.template}
            value={templateId}
            onChange={setTemplateId}
            error={form.errors['template_id']}
          />
          <Group>
            <Button type="submit" loading={form.isBusy}>
              {t.create}
            </Button>
            <CallsButton calls={[(api) => api.campaigns.create(params)]} />
          </Group>
        </Stack>
      </form>
    </>
  );
}
