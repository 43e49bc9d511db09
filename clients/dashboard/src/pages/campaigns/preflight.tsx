// Shows the problems of a campaign before it is sent, and how to fix them.
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Campaign, CampaignPreflight, CampaignPreflightCheck } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { campaignResults } from '../../texts/campaign-results.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, type PageAddress } from '../../ui/links.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

/** Each run requests links of other sites, so results are kept for a while. */
export function usePreflight(id: string, isOff = false) {
  return useRead(['campaigns', id, 'preflight'], (api, signal) => api.campaigns.preflight(id, { signal }), {
    isOff,
    keepsLast: true,
  });
}

const ORDER = ['fail', 'warn', 'unknown', 'pass'];

export function Preflight({ campaign }: { campaign: Campaign }) {
  const found = usePreflight(campaign.id);
  return (
    <Shown of={found} lines={10}>
      {(preflight) => (
        <Checks
          campaign={campaign}
          preflight={preflight}
          isBusy={found.isFetching}
          again={() => void found.refetch()}
        />
      )}
    </Shown>
  );
}

function Checks({
  campaign,
  preflight,
  isBusy,
  again,
}: {
  campaign: Campaign;
  preflight: CampaignPreflight;
  isBusy: boolean;
  again: () => void;
}) {
  const t = useTexts(campaigns).check;
  const format = useFormat();
  const checks = preflight.checks.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const open = checks.filter(({ status }) => status !== 'pass');
  const passed = checks.filter(({ status }) => status === 'pass');
  return (
    <Stack gap="lg">
      <Alert
        color={preflight.ready ? 'green' : 'red'}
        icon={<Icon name={preflight.ready ? 'check' : 'warning'} />}
        title={preflight.ready ? t.ready : t.notReady}
        role="status"
      >
        <Group justify="space-between">
          <Text size="sm">
            {preflight.ready ? t.readyHint : t.notReadyHint} {t.at}: {format.time(preflight.checked_at)}
          </Text>
          <Button variant="default" size="xs" loading={isBusy} onClick={again}>
            {t.run}
          </Button>
        </Group>
      </Alert>
      {open.length === 0 ? null : (
        <ul className="mk-checks">
          {open.map((check) => (
            <OpenCheck key={check.code} campaign={campaign} check={check} />
          ))}
        </ul>
      )}
      <section>
        <Title order={2} mb="sm">
          {t.passed(passed.length)}
        </Title>
        <ul className="mk-checks">
          {passed.map((check) => (
            <li key={check.code}>
              <Status of="pass" />
              <strong>{t.codes[check.code] ?? check.code}</strong>
              <span>{check.message}</span>
            </li>
          ))}
        </ul>
      </section>
    </Stack>
  );
}

function OpenCheck({ campaign, check }: { campaign: Campaign; check: CampaignPreflightCheck }) {
  const t = useTexts(campaigns).check;
  const remedies = useRemedies(campaign);
  const remedy = remedies[check.code];
  const advice = t.advice[check.code];
  const lines = linesOf(check.details);
  return (
    <li data-open="true">
      <Status of={check.status} />
      <strong>{t.codes[check.code] ?? check.code}</strong>
      <div>
        <Text>{check.message}</Text>
        {advice === undefined ? null : (
          <Text size="sm" c="dimmed">
            {advice}
          </Text>
        )}
        {remedy === undefined ? null : (
          <PageLink {...remedy.at} size="sm">
            {remedy.label}
          </PageLink>
        )}
        {lines.length === 0 ? null : <Cases lines={lines} campaignId={campaign.id} />}
      </div>
    </li>
  );
}

interface Remedy {
  at: PageAddress;
  label: string;
}

function useRemedies({ id, template_id: template }: Campaign): Record<string, Remedy> {
  const t = useTexts(campaigns).check;
  const plan = { at: { to: `/campaigns/${id}` }, label: t.toPlan };
  const copies = { at: { to: `/campaigns/${id}`, search: { tab: 'copies' } }, label: t.toCopies };
  const content = template === null ? plan : { at: { to: `/templates/${template}` }, label: t.toTemplate };
  return {
    ...{ list: plan, template: plan, audience: plan, subject: plan },
    sender: { at: { to: '/senders' }, label: t.toSenders },
    postal_address: { at: { to: '/settings' }, label: t.toSettings },
    ...{ copies, variables: copies },
    ...{
      placeholders: content,
      links: content,
      dead_links: content,
      text_part: content,
      html_size: content,
      images: content,
    },
    ...{ footer: content, unsubscribe_link: content },
  };
}

interface Case {
  text: string;
  note: string;
  /** A recipient whose copy has the problem. */
  email: string | null;
}

/** The cases that the details of a check name, whatever the check. */
function linesOf(details: Record<string, unknown> | null): Case[] {
  return Object.entries(details ?? {}).flatMap(([name, value]) => {
    if (name === 'by_reason' && typeof value === 'object' && value !== null) {
      return Object.entries(value).map(([text, count]) => ({ text, note: String(count), email: null }));
    }
    if (!Array.isArray(value)) return [];
    return value.map((one: unknown) => caseOf(one));
  });
}

function caseOf(one: unknown): Case {
  if (typeof one === 'string') return { text: one, note: '', email: one.includes('@') ? one : null };
  const fields = one as Partial<Record<string, unknown>>;
  const text = [fields['url'], fields['email'], fields['name']].find((value) => typeof value === 'string');
  const note = [fields['problem'], fields['reason'], fields['message'], fields['recipients']].find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const emails: unknown = fields['emails'];
  const first: unknown = Array.isArray(emails) ? emails[0] : null;
  const email = typeof fields['email'] === 'string' ? fields['email'] : first;
  return {
    text: typeof text === 'string' ? text : '',
    note: String(note ?? ''),
    email: typeof email === 'string' ? email : null,
  };
}

const LINK_PROBLEMS = ['empty', 'placeholder', 'relative', 'not_http', 'invalid'];

function Cases({ lines, campaignId }: { lines: readonly Case[]; campaignId: string }) {
  const t = useTexts(campaigns).check;
  const { reasons } = useTexts(campaignResults);
  return (
    <details className="mk-cases">
      <summary>
        {t.details} ({lines.length})
      </summary>
      <ul>
        {lines.map(({ text, note, email }, index) => (
          <li key={`${text} ${index}`}>
            {email === null ? (
              <span className="mk-mono">{reasons[text] ?? text}</span>
            ) : (
              <PageLink to={`/campaigns/${campaignId}`} search={{ tab: 'copies', recipient: email }}>
                {text}
              </PageLink>
            )}
            {note === '' ? null : (
              <Text span size="sm" c="dimmed">
                {' '}
                · {LINK_PROBLEMS.includes(note) ? t.linkProblems[note] : note}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
