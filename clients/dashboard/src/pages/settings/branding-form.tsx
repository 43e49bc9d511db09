// Edits the look of the public pages.
import { Button, Group, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BrandingUpdate, Organization } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { FileDrop } from '../../ui/file-drop.js';
import { useFormState } from '../../ui/form.js';
import { SettingsCard } from '../../ui/settings-card.js';

const MAX_LOGO_BYTES = 64 * 1024;
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt-BR'] as const;
const FIELDS = ['name', 'logo', 'color', 'website_url', 'postal_address', 'language', 'privacy_url'];

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export function BrandingForm({
  organization: owner,
  mayAct,
}: {
  organization: Organization;
  mayAct: boolean;
}) {
  const { branding: of } = owner;
  const versioned = useVersion(owner, true);
  const t = useTexts(organization).settings;
  const frame = useTexts(common);
  const form = useFormState([...FIELDS, ...FIELDS.map((name) => `branding.${name}`)]);
  const [values, setValues] = useState({
    name: of.name ?? '',
    color: of.color ?? '',
    website: of.website_url ?? '',
    address: of.postal_address ?? '',
    privacy: of.privacy_url ?? '',
  });
  const [language, setLanguage] = useState(of.language);
  const [file, setFile] = useState<File | null>(null);
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }));
  const params: BrandingUpdate = {
    name: orNull(values.name),
    color: orNull(values.color),
    website_url: orNull(values.website),
    postal_address: orNull(values.address),
    language,
    privacy_url: orNull(values.privacy),
  };
  const save = useAction(
    (api, logo: string | null | undefined) =>
      versioned((options) =>
        api.organization.update({ branding: logo === undefined ? params : { ...params, logo } }, options),
      ),
    { done: frame.saved, changes: ['organization'], onDone: () => setFile(null), isQuiet: true },
  );
  const errorOf = (name: string) => form.errors[`branding.${name}`] ?? form.errors[name];
  const act = async () => {
    if (file !== null && file.size > MAX_LOGO_BYTES) throw new Error(t.logoTooLarge);
    await save.mutateAsync(file === null ? undefined : await base64Of(file));
  };
  return (
    <SettingsCard
      title={t.branding}
      hint={t.brandingHint}
      form={form}
      mayAct={mayAct}
      act={act}
      call={(api) => api.organization.update({ branding: params })}
    >
      <TextInput
        label={t.brandName}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {of.logo_url === null ? null : (
        <Group>
          <img src={of.logo_url} alt={t.logoNow} className="mk-logo" />
          {mayAct ? (
            <Button
              variant="default"
              size="xs"
              onClick={() => void form.submit(() => save.mutateAsync(null))}
            >
              {t.logoRemove}
            </Button>
          ) : null}
        </Group>
      )}
      {mayAct ? (
        <FileDrop
          label={`${t.logo}: ${t.logoHint}`}
          hint={t.logoHint}
          accept="image/png,image/svg+xml"
          file={file}
          onChange={setFile}
          error={errorOf('logo')}
        />
      ) : null}
      <TextInput
        label={t.color}
        description={t.colorHint}
        placeholder="#3538cd"
        value={values.color}
        error={errorOf('color')}
        onChange={(event) => set({ color: event.currentTarget.value })}
      />
      <TextInput
        label={t.website}
        description={t.websiteHint}
        type="url"
        value={values.website}
        error={errorOf('website_url')}
        onChange={(event) => set({ website: event.currentTarget.value })}
      />
      <Textarea
        label={t.brandAddress}
        description={t.brandAddressHint}
        minRows={2}
        value={values.address}
        error={errorOf('postal_address')}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <TextInput
        label={t.privacy}
        description={t.privacyHint}
        type="url"
        value={values.privacy}
        error={errorOf('privacy_url')}
        onChange={(event) => set({ privacy: event.currentTarget.value })}
      />
      <Select
        label={t.language}
        data={[
          { value: '', label: t.languageAuto },
          ...LANGUAGES.map((one) => ({ value: one, label: t.languages[one] })),
        ]}
        value={language ?? ''}
        error={errorOf('language')}
        onChange={(value) => setLanguage(LANGUAGES.find((one) => one === value) ?? null)}
      />
    </SettingsCard>
  );
}
