// Facts about a received message that can indicate fraud. Shows nothing if there are none.
import { List, Text } from '@mantine/core';
import type { ReceivedRisk } from '@mailkeel/sdk';
import type { ReactNode } from 'react';
import { shownFileName } from '../data/files.js';
import { threads } from '../texts/threads.js';
import { useTexts } from '../texts/texts.js';
import { Notice } from './notice.js';

export function ReceivedRiskNotice({ risk }: { risk: ReceivedRisk | null | undefined }) {
  const t = useTexts(threads).risk;
  if (!risk) return null;
  const { hidden_text: hidden, link_mismatch: links, executable_attachments: files } = risk;
  const isWarning = hidden.count + links.count + files.count > 0;
  if (!isWarning && !risk.first_time_sender) return null;
  return (
    <Notice tone={isWarning ? 'warn' : 'quiet'}>
      {isWarning ? <Text fw={600}>{t.title}</Text> : null}
      <List size="sm">
        {risk.first_time_sender ? <List.Item>{t.firstTime}</List.Item> : null}
        {hidden.count > 0 ? (
          <Findings title={t.hidden(hidden.count)}>
            {hidden.findings.map(({ kind, text }, at) => (
              <List.Item key={at}>
                {t.kinds[kind]}: <q>{text}</q>
              </List.Item>
            ))}
          </Findings>
        ) : null}
        {links.count > 0 ? (
          <Findings title={t.links(links.count)}>
            {links.findings.map(({ text, target_domain: target }, at) => (
              <List.Item key={at}>{t.link(text, target)}</List.Item>
            ))}
          </Findings>
        ) : null}
        {files.count > 0 ? (
          <Findings title={t.files(files.count)}>
            {files.findings.map(({ filename, archive }, at) => {
              const name = filename === null ? t.noName : shownFileName(filename);
              return <List.Item key={at}>{archive === null ? name : t.inside(name, archive)}</List.Item>;
            })}
          </Findings>
        ) : null}
      </List>
    </Notice>
  );
}

function Findings({ title, children }: { title: string; children: ReactNode }) {
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      {title}
      <List size="sm" withPadding>
        {children}
      </List>
    </List.Item>
  );
}
