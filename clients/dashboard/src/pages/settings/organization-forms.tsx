// Edits the organization's name and address, and the settings of its mail.
import { Checkbox, Group, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MessageType, Organization, ReplyToPolicy, UnsubscribeBlocks } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { useFormState } from '../../ui/form.js';
import { SettingsCard } from '../../ui/settings-card.js';
import { useStatusText } from '../../ui/status.js';

const TYPES: readonly MessageType[] = ['transactional', 'marketing', 'sales'];
const BLOCKS: readonly UnsubscribeBlocks[] = ['all', 'marketing'];
const REPLY_TO: readonly ReplyToPolicy[] = ['verified', 'any'];

export function OrganizationForm({ of, mayAct }: { of: Organization; mayAct: boolean }) {
  const t = useTexts(organization).settings;
  const frame = useTexts(common);
  const form = useFormState(['name', 'postal_address']);
  const [name, setName] = useState(of.name);
  const [address, setAddress] = useState(of.postal_address ?? '');
  const params = { name: name.trim(), postal_address: address.trim() === '' ? null : address.trim() };
  const versioned = useVersion(of, true);
  const save = useAction((api) => versioned((options) => api.organization.update(params, options)), {
    done: frame.saved,
    changes: ['organization'],
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.organization}
      form={form}
      mayAct={mayAct}
      act={() => save.mutateAsync()}
      call={(api) => api.organization.update(params)}
    >
      <TextInput
        label={t.name}
        required
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t.postalAddress}
        description={t.postalHint}
        value={address}
        error={form.errors['postal_address']}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </SettingsCard>
  );
}

export function MailForm({ of, mayAct }: { of: Organization; mayAct: boolean }) {
  const t = useTexts(organization).settings;
  const frame = useTexts(common);
  const word = useStatusText();
  const form = useFormState([
    'unsubscribe_blocks',
    'reply_to_policy',
    'track_opens',
    'track_clicks',
    'untracked_types',
    'two_person',
  ]);
  const [blocks, setBlocks] = useState<UnsubscribeBlocks>(of.unsubscribe_blocks);
  const [replyTo, setReplyTo] = useState<ReplyToPolicy>(of.reply_to_policy);
  const [opens, setOpens] = useState(of.track_opens);
  const [clicks, setClicks] = useState(of.track_clicks);
  const [untracked, setUntracked] = useState(of.untracked_types);
  const [twoPerson, setTwoPerson] = useState(of.two_person);
  const params = {
    unsubscribe_blocks: blocks,
    reply_to_policy: replyTo,
    track_opens: opens,
    track_clicks: clicks,
    untracked_types: untracked,
    two_person: twoPerson,
  };
  const versioned = useVersion(of, true);
  const save = useAction((api) => versioned((options) => api.organization.update(params, options)), {
    done: frame.saved,
    changes: ['organization'],
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.mail}
      form={form}
      mayAct={mayAct}
      act={() => save.mutateAsync()}
      call={(api) => api.organization.update(params)}
    >
      <Select
        label={t.blocks}
        data={BLOCKS.map((value) => ({ value, label: t.blocksOf[value] }))}
        value={blocks}
        error={form.errors['unsubscribe_blocks']}
        onChange={(value) => setBlocks(value ?? 'all')}
      />
      <Select
        label={t.replyTo}
        data={REPLY_TO.map((value) => ({ value, label: t.replyToOf[value] }))}
        value={replyTo}
        error={form.errors['reply_to_policy']}
        onChange={(value) => setReplyTo(value ?? 'verified')}
      />
      <Group gap="xl">
        <Checkbox
          label={t.trackOpens}
          description={t.trackHint}
          checked={opens}
          onChange={(event) => setOpens(event.currentTarget.checked)}
        />
        <Checkbox
          label={t.trackClicks}
          description={t.trackHint}
          checked={clicks}
          onChange={(event) => setClicks(event.currentTarget.checked)}
        />
      </Group>
      <MultiSelect
        label={t.untracked}
        description={t.untrackedHint}
        data={TYPES.map((value) => ({ value, label: word(value) }))}
        value={untracked}
        error={form.errors['untracked_types']}
        onChange={setUntracked}
      />
      <Checkbox
        label={t.twoPerson}
        description={t.twoPersonHint}
        checked={twoPerson}
        onChange={(event) => setTwoPerson(event.currentTarget.checked)}
      />
    </SettingsCard>
  );
}
