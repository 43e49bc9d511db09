// The signed proof of a message, checked by the public operation that anyone may use.
import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import type { Proof } from '@mailkeel/sdk';
import { saveFile } from '../../data/files.js';
import { useAction, useRead } from '../../data/read.js';
import { events as eventTexts } from '../../texts/events.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Copyable } from '../../ui/code-block.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Facts } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';

export function ProofTab({ id }: { id: string }) {
  const t = useTexts(message).proof;
  const proof = useRead(['messages', id, 'proof'], (api, signal) => api.messages.getProof(id, { signal }));
  return (
    <Stack>
      <Text c="dimmed" maw={640}>
        {t.about}
      </Text>
      <Shown of={proof} lines={5}>
        {(data) => <OneProof proof={data} />}
      </Shown>
    </Stack>
  );
}

function OneProof({ proof }: { proof: Proof }) {
  const t = useTexts(message).proof;
  const words = useTexts(eventTexts);
  const names: Readonly<Record<string, string>> = words.names;
  const actors: Readonly<Record<string, string>> = words.actors;
  const { bundle, attestation } = proof;
  const check = useAction((api) =>
    api.proofs.verify({
      bundle,
      signature: proof.signature,
      attestation,
      attestation_signature: proof.attestation_signature,
    }),
  );
  const verdict = check.data;
  const { evidence = [] } = attestation;
  return (
    <Stack>
      <Group>
        <Button
          leftSection={<Icon name="shield" size={16} />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t.check}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => saveFile(`${bundle.message_id}.proof.json`, JSON.stringify(proof, null, 2))}
        >
          {t.download}
        </Button>
        <Anchor href="/proof" target="_blank" size="sm">
          {t.page}
        </Anchor>
        <CallsButton calls={[(api) => api.messages.getProof(bundle.message_id)]} />
      </Group>
      {verdict === undefined ? null : (
        <Alert color={verdict.valid ? 'green' : 'red'} role="status">
          {verdict.valid ? t.valid : t.invalid} {verdict.sandbox === true ? t.sandbox : ''}
        </Alert>
      )}
      <Facts
        of={[
          [t.hash, <Copyable key="hash" value={bundle.content_hash} label={t.hash} />],
          [t.key, <Copyable key="key" value={proof.key_id} label={t.key} />],
        ]}
      />
      <Title order={3}>{t.evidence}</Title>
      {evidence.length === 0 ? (
        <Text c="dimmed">{t.noEvidence}</Text>
      ) : (
        <List size="sm">
          {evidence.map((one) => (
            <List.Item key={one.occurred_at}>
              <Time at={one.occurred_at} isFull /> ·{' '}
              {[one.host, one.tls_version, one.reply].filter(Boolean).join(' · ')}
            </List.Item>
          ))}
        </List>
      )}
      <Title order={3}>{t.trail}</Title>
      <List size="sm">
        {bundle.audit.map((entry, place) => (
          <List.Item key={`${entry.occurred_at} ${place}`}>
            <Time at={entry.occurred_at} isFull /> · {names[`message.${entry.event}`] ?? entry.event} ·{' '}
            {actors[entry.actor] ?? entry.actor}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
