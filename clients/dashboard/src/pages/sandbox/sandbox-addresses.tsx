// The addresses of the mailbox simulator, with their outcomes.
import { Text } from '@mantine/core';
import { useRead } from '../../data/read.js';
import { sandbox } from '../../texts/sandbox.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { useFormat } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

export function SandboxAddresses() {
  const t = useTexts(sandbox);
  const format = useFormat();
  const addresses = useRead(['sandbox-addresses'], (api, signal) =>
    api.messages.listSandboxAddresses({ signal }),
  );
  return (
    <Card title={t.addresses}>
      <Text c="dimmed" mb="sm">
        {t.addressesHint}
      </Text>
      <Shown of={addresses} lines={5}>
        {({ data }) => (
          <div className="mk-table-frame" role="region" aria-label={t.addresses} tabIndex={0}>
            <table className="mk-table">
              <thead>
                <tr>
                  <th scope="col">{t.address}</th>
                  <th scope="col">{t.does}</th>
                </tr>
              </thead>
              <tbody>
                {data.map((address) => (
                  <tr key={address.local_part}>
                    <td>
                      <Copyable value={address.example} label={address.local_part} />
                      {address.is_default ? (
                        <Text size="xs" c="dimmed">
                          {t.default}
                        </Text>
                      ) : null}
                    </td>
                    <td style={{ maxWidth: 'none' }}>
                      {address.steps.map((step, place) => (
                        <span key={`${step.event} ${place}`}>
                          <Status of={step.event} />{' '}
                          <Text span size="xs" c="dimmed">
                            {step.after_ms > 0 ? t.after(format.duration(step.after_ms)) : ''}{' '}
                            {step.reply === null ? '' : `${step.reply.code} ${step.reply.enhanced_code}`}{' '}
                          </Text>
                        </span>
                      ))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </Card>
  );
}
