// The DNS records of a domain: the expected values, in every form that DNS providers require, and the values found.
import { Alert, Button, Group, Select, Text, Title } from '@mantine/core';
import type { DnsRecordAdvice } from '@mailkeel/sdk';
import { useState } from 'react';
import { dns, type DnsTexts } from '../texts/dns.js';
import { useTexts } from '../texts/texts.js';
import { CodeBlock, Copyable } from './code-block.js';
import './dns-records.css';
import { downloadText } from './download.js';
import { Time, useFormat } from './format.js';
import { Icon } from './icon.js';
import { Card } from './page.js';
import { useRecheck } from './recheck.js';
import { Status, type Tone } from './status.js';
import { likelyZone, nameInZone, zoneFile, zonesOf } from './zone-file.js';

type RecordState = keyof DnsTexts['states'];

const PURPOSES = ['dkim', 'return_path', 'spf', 'dmarc', 'inbound', 'tracking'] as const;
const TONES: Record<RecordState, Tone> = {
  ok: 'good',
  unused: 'warn',
  missing: 'warn',
  mismatch: 'bad',
  conflict: 'bad',
  unasked: 'quiet',
  pending: 'busy',
  host_unnamed: 'quiet',
};

function stateOf({ status, found, advice }: DnsRecordAdvice, isChecked: boolean): RecordState {
  if (status === 'ok') return advice === null ? 'ok' : 'unused';
  if (status === 'pending') return isChecked ? 'unasked' : 'pending';
  return status === 'mismatch' && found.length > 1 ? 'conflict' : status;
}

/** Whether every record that can be published is right. */
export function areAllRight(records: readonly Pick<DnsRecordAdvice, 'status'>[]): boolean {
  return records.every(({ status }) => status === 'ok' || status === 'host_unnamed');
}

export interface DnsRecordsProps {
  domain: string;
  records: readonly DnsRecordAdvice[];
  lastCheckedAt: string | null;
  /** Asks the name servers now; answers whether all is right. Absent for who may not. */
  check?: () => Promise<boolean>;
}

export function DnsRecords({ domain, records, lastCheckedAt, check }: DnsRecordsProps) {
  const t = useTexts(dns);
  const format = useFormat();
  const [zone, setZone] = useState(() => likelyZone(domain));
  const named = records.filter(({ status }) => status !== 'host_unnamed');
  const missing = [...new Set(records.flatMap(({ missing_setting }) => missing_setting ?? []))];
  const right = records.filter(({ status }) => status === 'ok').length;
  const needed = records.filter(({ required }) => required);
  const isReady = needed.every(({ status }) => status === 'ok');
  return (
    <Card title={t.title}>
      <div className="mk-dns-bar">
        <div>
          <Group gap="xs">
            <Status of={isReady ? 'ok' : 'missing'}>
              {t.summary(format.count(right), format.count(named.length))}
            </Status>
            <Text size="sm" c="dimmed">
              {lastCheckedAt === null ? (
                t.neverChecked
              ) : (
                <>
                  {t.checked} <Time at={lastCheckedAt} />
                </>
              )}
            </Text>
          </Group>
          <Text size="sm" mt={4}>
            {isReady ? t.requiredRight : t.requiredMissing}
          </Text>
          {records.some(({ status }) => status === 'missing') ? (
            <Text size="sm" c="dimmed" maw={560}>
              {t.publishedAlready}
            </Text>
          ) : null}
        </div>
        <Tools domain={domain} records={records} zone={zone} onZone={setZone} check={check} />
      </div>
      {missing.length === 0 ? null : (
        <Alert color="yellow" my="sm" title={t.unnamedTitle} icon={<Icon name="warning" />}>
          {t.unnamed(missing.join(', '))}
        </Alert>
      )}
      {PURPOSES.map((purpose) => (
        <Purpose
          key={purpose}
          purpose={purpose}
          records={records.filter((record) => record.purpose === purpose)}
          zone={zone}
          isChecked={lastCheckedAt !== null}
        />
      ))}
    </Card>
  );
}

function Tools({
  domain,
  records,
  zone,
  onZone,
  check,
}: {
  domain: string;
  records: readonly DnsRecordAdvice[];
  zone: string;
  onZone: (zone: string) => void;
  check: (() => Promise<boolean>) | undefined;
}) {
  const t = useTexts(dns);
  const zones = zonesOf(domain);
  const save = () =>
    downloadText(
      `${domain}.zone.txt`,
      zoneFile(records, zone, { note: t.zoneNote(domain), exists: t.zoneExists }),
    );
  return (
    <div className="mk-dns-tools">
      {zones.length < 2 ? null : (
        <Select
          label={t.zone}
          description={t.zoneHint}
          data={zones}
          value={zone}
          onChange={(next) => onZone(next ?? zone)}
        />
      )}
      <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={save}>
        {t.zoneFile}
      </Button>
      {check === undefined ? null : <CheckButton check={check} />}
    </div>
  );
}

function CheckButton({ check }: { check: () => Promise<boolean> }) {
  const t = useTexts(dns);
  const format = useFormat();
  const recheck = useRecheck(check);
  return (
    <>
      <Button
        leftSection={<Icon name="refresh" size={16} />}
        loading={recheck.isChecking}
        onClick={recheck.start}
      >
        {t.checkNow}
      </Button>
      {recheck.next === null ? null : (
        <Group gap="xs" w="100%">
          <Text size="sm" c="dimmed">
            {t.nextCheck(format.count(recheck.next))}
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={recheck.stop}>
            {t.stopChecks}
          </Button>
        </Group>
      )}
      {recheck.hasEnded ? (
        <Text size="sm" c="dimmed" w="100%">
          {t.checksEnded}
        </Text>
      ) : null}
    </>
  );
}

function Purpose({
  purpose,
  records,
  zone,
  isChecked,
}: {
  purpose: (typeof PURPOSES)[number];
  records: readonly DnsRecordAdvice[];
  zone: string;
  isChecked: boolean;
}) {
  const t = useTexts(dns);
  if (records.length === 0) return null;
  return (
    <div className="mk-dns-group">
      <Title order={3}>{t.purposes[purpose]}</Title>
      <p>{t.why[purpose]}</p>
      {records.map((record) => {
        const state = stateOf(record, isChecked);
        return (
          <DnsRecordRow
            // Mounted again when its state changes, because a correct record needs no attention.
            key={`${record.type} ${record.host} ${record.value} ${state}`}
            record={record}
            state={state}
            zone={zone}
          />
        );
      })}
    </div>
  );
}

function DnsRecordRow({
  record,
  state,
  zone,
}: {
  record: DnsRecordAdvice;
  state: RecordState;
  zone: string;
}) {
  const t = useTexts(dns);
  return (
    <details className="mk-dns-record" open={state !== 'ok' && state !== 'host_unnamed'}>
      <summary>
        <Icon name="chevron" size={14} />
        <Status of={state} tone={TONES[state]}>
          {t.states[state]}
        </Status>
        <strong>{record.type}</strong>
        <span className="mk-mono mk-dns-host">{record.host}</span>
        {record.required ? (
          <Text span size="xs" fw={600}>
            {t.required}
          </Text>
        ) : null}
      </summary>
      <div className="mk-dns-body">
        <Names record={record} zone={zone} />
        <div className="mk-dns-compare">
          <div>
            <span className="mk-dns-label">{record.type === 'TXT' ? t.value : t.target}</span>
            {record.value === null ? (
              <Text size="sm">{t.unnamedValue(record.missing_setting ?? '')}</Text>
            ) : (
              <CodeBlock code={record.value} wraps label={t.copyValue(`${record.type} ${record.host}`)} />
            )}
          </div>
          {state === 'ok' || state === 'host_unnamed' ? null : (
            <div className="mk-dns-found" data-tone={TONES[state]}>
              {state === 'pending' || state === 'unasked' ? null : <Found found={record.found} />}
              {record.advice === null ? null : <p className="mk-dns-advice">{record.advice}</p>}
            </div>
          )}
        </div>
      </div>
    </details>
  );
}

function Names({ record, zone }: { record: DnsRecordAdvice; zone: string }) {
  const t = useTexts(dns);
  const { host, priority } = record;
  const short = nameInZone(host, zone);
  return (
    <div className="mk-dns-names">
      {short === null ? null : (
        <div>
          <span className="mk-dns-label">{t.nameShort}</span>
          {short === '' ? t.apex : <Copyable value={short} label={t.copyShort(host)} />}
        </div>
      )}
      <div>
        <span className="mk-dns-label">{t.nameFull}</span>
        <Copyable value={host} label={t.copyFull(host)} />
      </div>
      {priority === undefined ? null : (
        <div>
          <span className="mk-dns-label">{t.priority}</span>
          <span className="mk-mono">{priority}</span>
        </div>
      )}
    </div>
  );
}

function Found({ found }: { found: readonly string[] }) {
  const t = useTexts(dns);
  return (
    <div>
      <span className="mk-dns-label">{t.foundNow}</span>
      {found.length === 0 ? (
        t.foundNothing
      ) : (
        <ul style={{ margin: 0, paddingLeft: '1rem' }}>
          {found.map((text) => (
            <li key={text} className="mk-mono" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Shows that a previously correct record is missing. */
export function DriftNotice({
  of,
}: {
  of: { drifting: boolean; failing_since: string | null; detail: string | null } | null;
}) {
  const t = useTexts(dns);
  if (of === null || (!of.drifting && of.detail === null)) return null;
  return (
    <Alert color="yellow" title={t.driftingTitle} icon={<Icon name="warning" />}>
      {of.detail ?? t.drifting}
      {of.failing_since === null ? null : (
        <Text size="sm" mt={4}>
          {t.since} <Time at={of.failing_since} isFull />
        </Text>
      )}
    </Alert>
  );
}
