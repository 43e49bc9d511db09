// A new template, and the editor of one: its content beside its preview, its versions, its settings.
import { Alert, Button, Group, Radio, Select, Stack, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Template, TemplateCreate, TemplateType } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { starters } from '../../texts/starters.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { useSearchValue } from '../../ui/filters.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status, useStatusText } from '../../ui/status.js';
import { htmlOf } from './blocks/render.js';
import { starterDesign, STARTERS, type Starter } from './blocks/starters.js';
import { TemplateActions } from './template-actions.js';
import { TemplateEditor } from './template-editor.js';
import { TemplateSettings, TYPES } from './template-settings.js';
import { TemplateVersions } from './template-versions.js';
import '../../ui/content.css';

type Start = 'blocks' | 'html' | 'text';

export function NewTemplatePage() {
  const t = useTexts(templates);
  const word = useStatusText();
  const go = useGo();
  const form = useFormState(['name', 'slug', 'type']);
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [type, setType] = useState<TemplateType>('any');
  const [start, setStart] = useState<Start>('blocks');
  const [starter, setStarter] = useState<Starter>('blank');
  const texts = useTexts(starters);
  const organization = useRead(['organization'], (api, signal) => api.organization.get({ signal }));
  const brand = organization.data?.branding.color ?? null;
  const design = starterDesign(starter, { texts, blank: t.starter, brand });
  const contents: Record<Start, Partial<TemplateCreate>> = {
    blocks: { html: htmlOf(design), design: { ...design } },
    html: { html: `<h1>${t.starter.heading}</h1>\n<p>${t.starter.text}</p>\n` },
    text: { text: `${t.starter.heading}\n\n${t.starter.text}\n` },
  };
  const params: TemplateCreate = {
    name,
    type,
    ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
    ...(name === '' ? {} : { subject: name }),
    ...contents[start],
  };
  const create = useAction((api) => api.templates.create(params), {
    changes: ['templates'],
    onDone: ({ id }) => go(`/templates/${id}`),
    isQuiet: true,
  });
  return (
    <>
      <PageHead title={t.create} about={t.createHint} back={{ to: '/templates', label: t.back }} />
      <form onSubmit={form.onSubmit(() => create.mutateAsync())}>
        <Stack maw={560}>
          <FormProblem form={form} />
          <TextInput
            label={t.name}
            autoFocus
            required
            maxLength={200}
            value={name}
            error={form.errors['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t.slug}
            description={t.slugHint}
            value={slug}
            error={form.errors['slug']}
            onChange={(event) => setSlug(event.currentTarget.value)}
          />
          <Select
            label={t.type}
            description={t.typeHint}
            data={TYPES.map((value) => ({ value, label: word(value) }))}
            value={type}
            error={form.errors['type']}
            onChange={(value) => setType(value ?? 'any')}
          />
          <Radio.Group label={t.start} value={start} onChange={(value) => setStart(value)}>
            <Stack gap="xs" mt={6}>
              {(['blocks', 'html', 'text'] as const).map((value) => (
                <Radio key={value} value={value} label={t.starts[value]} description={t.startHints[value]} />
              ))}
            </Stack>
          </Radio.Group>
          {start === 'blocks' ? (
            <Select
              label={texts.label}
              data={STARTERS.map((value) => ({ value, label: texts.names[value] }))}
              value={starter}
              onChange={(value) => setStarter(value ?? 'blank')}
            />
          ) : null}
          <Group>
            <Button type="submit" loading={form.isBusy}>
              {t.create}
            </Button>
            <CallsButton calls={[(api) => api.templates.create(params)]} />
          </Group>
        </Stack>
      </form>
    </>
  );
}

export function TemplatePage() {
  const id = usePathPart('id');
  const found = useRead(['templates', id], (api, signal) => api.templates.get(id, { signal }), {
    keepsLast: true,
  });
  return <Shown of={found}>{(template) => <OneTemplate key={template.id} template={template} />}</Shown>;
}

function OneTemplate({ template }: { template: Template }) {
  const t = useTexts(templates);
  const frame = useTexts(common);
  const word = useStatusText();
  const { environment, isSandbox } = usePlace();
  const mayEdit = useRole('member');
  const [tab, setTab] = useSearchValue('tab', 'edit');
  const [isDirty, setDirty] = useState(false);
  const [variables, setVariables] = useState<Record<string, unknown>>({});
  const isOwn = template.environment === environment;
  const { id } = template;
  return (
    <>
      <PageHead
        title={template.name}
        badge={
          <Group gap="xs">
            <Status of="version" tone="quiet">
              {t.versions.number(template.version)}
            </Status>
            {isSandbox ? (
              <Status of={template.environment} tone="quiet">
                {isOwn ? frame.sandbox : frame.live}
              </Status>
            ) : null}
          </Group>
        }
        about={`${template.slug} · ${t.type} ${word(template.type)}`}
        back={{ to: '/templates', label: t.back }}
        actions={<TemplateActions template={template} variables={variables} isDirty={isDirty} />}
        calls={[(api) => api.templates.get(id), (api) => api.templates.listVersions(id)]}
      />
      {isOwn ? null : (
        <Alert color="gray" mb="lg">
          {t.isLive}
        </Alert>
      )}
      <Tabs
        value={tab}
        onChange={(next) => setTab(next ?? 'edit')}
        keepMounted={false}
        keepMountedMode="display-none"
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="edit">{t.tabs.edit}</Tabs.Tab>
          <Tabs.Tab value="versions">{t.tabs.versions}</Tabs.Tab>
          <Tabs.Tab value="settings">{t.tabs.settings}</Tabs.Tab>
        </Tabs.List>
        {/* Stays while one looks at versions: what is not saved is there afterwards. */}
        <Tabs.Panel value="edit" keepMounted>
          <TemplateEditor
            template={template}
            isFixed={!isOwn || !mayEdit}
            isOpen={tab === 'edit'}
            onDirty={setDirty}
            variables={variables}
            onVariables={setVariables}
          />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <TemplateVersions template={template} isFixed={!isOwn || !mayEdit} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <TemplateSettings template={template} isFixed={!isOwn || !mayEdit} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
