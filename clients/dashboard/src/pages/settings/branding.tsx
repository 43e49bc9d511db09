// How the public pages look, with a preview of what is not saved yet.
import { Button, Fieldset, FileButton, Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BrandingUpdate, Organization } from '@posthorn/sdk';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { settings } from '../../texts/settings.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { BrandingPreview } from './branding-preview.js';

const FIELDS = ['name', 'logo', 'color', 'website_url', 'postal_address', 'language'];

/** As the API takes it. */
const MOST_BYTES = 64 * 1024;

/** What the form holds. The logo is undefined while the one that is set stays. */
interface Given {
  name: string;
  color: string;
  website: string;
  postal: string;
  language: 'en' | 'de' | '';
  logo: { base64: string; url: string } | null | undefined;
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function paramsOf({ name, color, website, postal, language, logo }: Given): BrandingUpdate {
  return {
    name: orNull(name),
    color: orNull(color),
    website_url: orNull(website),
    postal_address: orNull(postal),
    language: language === '' ? null : language,
    ...(logo === undefined ? {} : { logo: logo === null ? null : logo.base64 }),
  };
}

export function BrandingForm({ organization, mayAct }: { organization: Organization; mayAct: boolean }) {
  const { pages: t, saved } = useTexts(settings);
  const frame = useTexts(common);
  const { branding } = organization;
  const form = useFormState(FIELDS.map((name) => `branding.${name}`));
  const [given, setGiven] = useState<Given>({
    name: branding.name ?? '',
    color: branding.color ?? '',
    website: branding.website_url ?? '',
    postal: branding.postal_address ?? '',
    language: branding.language ?? '',
    logo: undefined,
  });
  const params = paramsOf(given);
  const save = useAction((api) => api.organization.update({ branding: params }), {
    done: saved,
    changes: ['organization'],
    isQuiet: true,
  });
  const logoUrl = given.logo === undefined ? branding.logo_url : (given.logo?.url ?? null);
  const set = (changes: Partial<Given>) => setGiven((before) => ({ ...before, ...changes }));
  return (
    <div className="ph-grid">
      <Card title={t.title}>
        <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
          <Fieldset variant="unstyled" m={0} p={0} disabled={!mayAct}>
            <Stack>
              <Text size="sm" c="dimmed">
                {t.about}
              </Text>
              <FormProblem form={form} />
              <Fields given={given} set={set} errors={form.errors} />
              <LogoField
                hasLogo={logoUrl !== null}
                set={(logo) => set({ logo })}
                mayAct={mayAct}
                error={form.errors['branding.logo']}
              />
              {mayAct ? (
                <Group justify="flex-end">
                  <CallsButton calls={[(api) => api.organization.update({ branding: params })]} />
                  <Button type="submit" loading={form.isBusy}>
                    {frame.save}
                  </Button>
                </Group>
              ) : null}
            </Stack>
          </Fieldset>
        </form>
      </Card>
      <Card title={t.preview}>
        <BrandingPreview
          name={given.name === '' ? null : given.name}
          color={given.color}
          logoUrl={logoUrl}
          address={orNull(given.postal) ?? organization.postal_address}
        />
      </Card>
    </div>
  );
}

function Fields({
  given,
  set,
  errors,
}: {
  given: Given;
  set: (changes: Partial<Given>) => void;
  errors: Record<string, string | undefined>;
}) {
  const { pages: t } = useTexts(settings);
  const text = (
    name: 'name' | 'color' | 'website',
    field: string,
    label: string,
    description: string,
    placeholder = '',
  ) => (
    <TextInput
      {...{ label, description, placeholder }}
      value={given[name]}
      error={errors[`branding.${field}`]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      {text('name', 'name', t.name, t.nameHint)}
      {text('color', 'color', t.color, t.colorHint, '#3538cd')}
      {text('website', 'website_url', t.website, t.websiteHint, 'https://example.com')}
      <Textarea
        label={t.postal}
        description={t.postalHint}
        minRows={2}
        value={given.postal}
        error={errors['branding.postal_address']}
        onChange={(event) => set({ postal: event.currentTarget.value })}
      />
      <Select
        label={t.language}
        data={[
          { value: '', label: t.browser },
          { value: 'en', label: t.languages.en },
          { value: 'de', label: t.languages.de },
        ]}
        value={given.language}
        error={errors['branding.language']}
        onChange={(value) => set({ language: value ?? '' })}
      />
    </>
  );
}

function LogoField({
  hasLogo,
  set,
  mayAct,
  error,
}: {
  hasLogo: boolean;
  set: (logo: Given['logo']) => void;
  mayAct: boolean;
  error: string | undefined;
}) {
  const { pages: t } = useTexts(settings);
  const [isTooLarge, setTooLarge] = useState(false);
  const problem = isTooLarge ? t.tooLarge : error;
  const choose = async (file: File | null) => {
    if (file === null) return;
    setTooLarge(file.size > MOST_BYTES);
    if (file.size > MOST_BYTES) return;
    const url = await dataUrlOf(file);
    set({ url, base64: url.slice(url.indexOf(',') + 1) });
  };
  return (
    <div>
      <Text size="sm" fw={500}>
        {t.logo}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {hasLogo ? `${t.hasLogo} ${t.logoHint}` : t.logoHint}
      </Text>
      {mayAct ? (
        <Group gap="xs">
          <FileButton accept="image/png,image/svg+xml" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<Icon name="image" size={16} />}>
                {t.choose}
              </Button>
            )}
          </FileButton>
          {hasLogo ? (
            <Button variant="subtle" onClick={() => set(null)}>
              {t.removeLogo}
            </Button>
          ) : null}
        </Group>
      ) : null}
      {problem === undefined ? null : (
        <Text size="sm" c="var(--ph-bad)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

async function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const { result } = reader;
      if (typeof result === 'string') resolve(result);
      else reject(new Error('The file cannot be read.'));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
