// Facts about the server: version, ports, relay and release notes.
import { Stack, Text } from '@mantine/core';
import type { System } from '@mailkeel/sdk';
import { useSystem } from '../../ui/for-operator.js';
import { useFormat } from '../../ui/format.js';
import { health } from '../../texts/health.js';
import { useTexts } from '../../texts/texts.js';
import { Card, Facts } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';

export function SystemCard() {
  const read = useSystem();
  return (
    <Shown of={read} lines={4}>
      {(system) => (
        <>
          <div className="mk-grid">
            <About of={system} />
            {system.ports === null ? null : <Ports of={system.ports} />}
          </div>
          {system.release === null ? null : <Release of={system.release} />}
        </>
      )}
    </Shown>
  );
}

function About({ of: system }: { of: System }) {
  const t = useTexts(health);
  const { relay } = system;
  const ways = [
    relay === null || relay.port === null ? null : t.relayPort(String(relay.port)),
    relay === null || relay.tls_port === null ? null : t.relayTls(String(relay.tls_port)),
  ].filter((way) => way !== null);
  return (
    <Card title={t.system}>
      <Facts
        of={[
          [t.version, system.version],
          [t.hostname, system.hostname],
          [t.publicUrl, system.public_url],
          [t.relay, relay === null ? t.notListening : `${relay.host} (${ways.join('; ')})`],
        ]}
      />
    </Card>
  );
}

function Ports({ of: ports }: { of: NonNullable<System['ports']> }) {
  const t = useTexts(health);
  return (
    <Card title={t.ports}>
      <div className="mk-table-frame" role="region" aria-label={t.ports} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.port}</th>
              <th scope="col">{t.listens}</th>
            </tr>
          </thead>
          <tbody>
            {ports.map(({ name, host, port, note }) => (
              <tr key={name}>
                <td>{t.portNames[name]}</td>
                <td>
                  {host === null || port === null ? (
                    t.notListening
                  ) : (
                    <span className="mk-mono">{`${host}:${port}`}</span>
                  )}
                  {note === null ? null : (
                    <Text size="xs" c="dimmed">
                      {note}
                    </Text>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Release({ of: { heading, sections } }: { of: NonNullable<System['release']> }) {
  const t = useTexts(health);
  const { count } = useFormat();
  const sectionTitle = (title: string): string =>
    title in t.releaseSections ? t.releaseSections[title as keyof typeof t.releaseSections] : title;
  return (
    <Card title={t.release}>
      <Text mb="sm">
        <span lang="en">{heading}</span> {t.releaseNote}
      </Text>
      <Stack gap="sm">
        {sections.map(({ title, items }) => (
          <details key={title} className="mk-release">
            <summary>
              {sectionTitle(title)} ({count(items.length)})
            </summary>
            <ul lang="en">
              {items.map((item) => (
                <li key={item}>
                  <Marked text={item} />
                </li>
              ))}
            </ul>
          </details>
        ))}
      </Stack>
    </Card>
  );
}

/** Text with code between backticks, as the change log is written. */
function Marked({ text }: { text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={`${at} ${part}`}>{part}</code>));
}
