// Head and cards of a page.
import { Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton, type ApiCall } from './calls.js';
import { Icon } from './icon.js';
import { PageLink, type PageAddress } from './links.js';

export interface PageHeadProps {
  title: string;
  /** The purpose of the page, in a sentence. */
  about?: ReactNode;
  /** Beside the title, such as a status. */
  badge?: ReactNode;
  back?: PageAddress & { label: string };
  actions?: ReactNode;
  /** The page's API requests, shown by the "</>" button. */
  calls?: readonly ApiCall[];
}

export function PageHead({ title, about, badge, back, actions, calls }: PageHeadProps) {
  const t = useTexts(common);
  useDocumentTitle(`${title} · Mailkeel`);
  return (
    <div className="mk-page-head">
      <div className="mk-page-title">
        {back === undefined ? null : (
          <PageLink to={back.to} {...(back.search ? { search: back.search } : {})} size="sm">
            <Group gap={4} component="span" display="inline-flex">
              <Icon name="left" size={14} />
              {back.label}
            </Group>
          </PageLink>
        )}
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          {badge}
        </Group>
        {about === undefined ? null : (
          <Text c="dimmed" maw={680}>
            {about}
          </Text>
        )}
      </div>
      <div className="mk-page-actions">
        {actions}
        {calls === undefined ? null : <CallsButton calls={calls} label={t.calls.button} />}
      </div>
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mk-card">
      {title === undefined ? null : (
        <Group justify="space-between" className="mk-card-head">
          <Title order={2}>{title}</Title>
          {actions}
        </Group>
      )}
      {children}
    </section>
  );
}

/** Names and values. Entries that are null are left out. */
export function Facts({
  of,
  isStacked = false,
}: {
  of: readonly (readonly [string, ReactNode] | null)[];
  /** The value below its name, for a narrow card. */
  isStacked?: boolean;
}) {
  return (
    <dl className={isStacked ? 'mk-facts mk-facts-stacked' : 'mk-facts'}>
      {of.map((fact) => {
        if (fact === null) return null;
        const [name, value] = fact;
        return (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** One statistic, linked to the objects that it counts. */
export function Stat({
  label,
  value,
  hint,
  to,
}: {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  /** The list that the figure counts. */
  to?: PageAddress | undefined;
}) {
  return (
    <div className="mk-stat">
      <span className="mk-stat-label">{label}</span>
      <span className="mk-stat-value">
        {to === undefined ? (
          value
        ) : (
          <PageLink {...to} inherit>
            {value}
          </PageLink>
        )}
      </span>
      {hint === undefined ? null : (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  );
}
