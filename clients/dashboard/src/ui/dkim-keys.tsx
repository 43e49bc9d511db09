// The DKIM keys of a domain: the signing key, the next key, and keys whose records can be removed.
import { Text } from '@mantine/core';
import type { DkimKey } from '@mailkeel/sdk';
import type { ReactNode } from 'react';
import { dns } from '../texts/dns.js';
import { useTexts } from '../texts/texts.js';
import { Time } from './format.js';
import { Card } from './page.js';
import { Status } from './status.js';

function changedAt(key: DkimKey): string {
  return key.revoked_at ?? key.retiring_at ?? key.activated_at ?? key.published_at ?? key.created_at;
}

export function DkimKeys({
  keys,
  actions,
  children,
}: {
  keys: readonly DkimKey[];
  actions?: ReactNode;
  /** Shown above the table. */
  children?: ReactNode;
}) {
  const t = useTexts(dns);
  return (
    <Card title={t.keys} actions={actions}>
      <Text c="dimmed" size="sm" mb="sm">
        {t.keysAbout}
      </Text>
      {children}
      <div className="mk-table-frame" role="region" aria-label={t.keys} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.selector}</th>
              <th scope="col">{t.state}</th>
              <th scope="col" className="mk-wide">
                {t.algorithm}
              </th>
              <th scope="col" data-align="right">
                {t.changed}
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.selector}>
                <td className="mk-mono">{key.selector}</td>
                <td>
                  <Status of={key.state} />
                  <Text size="xs" c="dimmed">
                    {t.keyStates[key.state]}
                  </Text>
                </td>
                <td className="mk-wide">{key.algorithm}</td>
                <td data-align="right">
                  <Time at={changedAt(key)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
