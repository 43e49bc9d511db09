// Shows the settings that a program needs to send through the SMTP relay.
import { Alert, Stack, Tabs, Text } from '@mantine/core';
import type { SystemRelay } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { apiKeys } from '../../texts/api-keys.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { PageButton } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { relaySamples } from './relay-samples.js';

export function SmtpPage() {
  const t = useTexts(apiKeys).smtp;
  const keys = useTexts(apiKeys);
  const mayMake = useRole('admin');
  const system = useRead(['system'], (api, signal) => api.system.get({ signal }));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.system.get()]}
        actions={mayMake ? <PageButton to="/api-keys">{keys.create}</PageButton> : null}
      />
      <Shown of={system} lines={6}>
        {({ relay }) => (relay === null ? <Alert color="yellow">{t.off}</Alert> : <Relay relay={relay} />)}
      </Shown>
    </>
  );
}

function Relay({ relay }: { relay: SystemRelay }) {
  const t = useTexts(apiKeys).smtp;
  const port = (value: number | null, label: string) =>
    value === null ? t.notListening : <Copyable value={String(value)} label={label} />;
  return (
    <Stack gap="lg">
      <Card>
        <Facts
          of={[
            [t.host, <Copyable key="host" value={relay.host} label={t.host} />],
            [t.starttls, port(relay.port, t.starttls)],
            [t.tls, port(relay.tls_port, t.tls)],
            [t.user, t.anyUser],
            [t.password, t.passwordHint],
          ]}
        />
      </Card>
      <Card title={t.examples}>
        <Text c="dimmed" mb="sm">
          {t.examplesHint}
        </Text>
        <Tabs defaultValue="swaks">
          <Tabs.List mb="xs">
            {relaySamples(relay).map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {relaySamples(relay).map(({ name, code }) => (
            <Tabs.Panel key={name} value={name}>
              <CodeBlock code={code} wraps label={name} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Card>
      <Card title={t.headers}>
        <Headers />
      </Card>
    </Stack>
  );
}

function Headers() {
  const t = useTexts(apiKeys).smtp;
  const rows = [
    ['X-Service-Tag', t.fields.tag],
    ['X-Service-Metadata', t.fields.metadata],
    ['X-Service-Metadata-NAME', t.fields.metadataName],
    ['X-Service-Type', t.fields.type],
    ['X-Service-Sub-Tenant', t.fields.subTenant],
    ['X-Service-Idempotency-Key', t.fields.idempotency],
    ['X-Service-Send-At', t.fields.sendAt],
    ['X-Service-Expires-At', t.fields.expiresAt],
    ['X-Service-Require-TLS', t.fields.requireTls],
  ] as const;
  return (
    <div className="mk-table-frame" role="region" aria-label={t.headers} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.field}</th>
            <th scope="col">{t.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, meaning]) => (
            <tr key={name}>
              <td className="mk-mono">{name}</td>
              <td style={{ maxWidth: 'none' }}>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
