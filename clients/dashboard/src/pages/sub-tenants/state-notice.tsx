// Explains the state of a sub-tenant in a sentence: why its mail is on hold, since when, and how to resume it.
import type { SubTenant, SubTenantReputation } from '@mailkeel/sdk';
import { subTenants, type SubTenantTexts } from '../../texts/sub-tenants.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Notice } from '../../ui/notice.js';
import '../../ui/rate-meter.css';
import type { Tone } from '../../ui/status.js';

interface StateFacts {
  tone: Tone;
  sentence: string;
  since: string | null;
  lifts: string | null;
}

interface Facts {
  t: SubTenantTexts | Translated<SubTenantTexts>;
  percent: (part: number | null) => string;
  count: (value: number) => string;
  tenant: SubTenant;
  reputation: SubTenantReputation;
}

/** Reasons in order of precedence: DNS, then a pause, then reputation. */
function stateOf(facts: Facts): StateFacts {
  return ofDns(facts) ?? ofPause(facts) ?? ofReputation(facts);
}

function ofDns({ t, tenant: { status, dns } }: Facts): StateFacts | null {
  if (status === 'suspended') {
    return { tone: 'bad', sentence: t.state.suspended, since: dns.failing_since, lifts: t.lifts.dns };
  }
  if (status === 'failed') return { tone: 'bad', sentence: t.state.failed, since: null, lifts: null };
  if (status === 'pending_verification') {
    return { tone: 'warn', sentence: t.state.pending, since: null, lifts: null };
  }
  if (!dns.drifting) return null;
  return { tone: 'warn', sentence: t.state.drifting, since: dns.failing_since, lifts: t.lifts.dns };
}

function ofPause({ t, reputation: { paused } }: Facts): StateFacts | null {
  if (paused === null) return null;
  const sentences = {
    requested: t.state.pausedRequested,
    complaint_rate: t.state.pausedComplaints,
    bounce_rate: t.state.pausedBounces,
  };
  return { tone: 'bad', sentence: sentences[paused.cause], since: paused.at, lifts: t.lifts.paused };
}

function ofReputation({ t, percent, count, reputation }: Facts): StateFacts {
  const { state, levels, complaint_rate: rate, changed_at: since } = reputation;
  const below = (level: number) => percent(level * levels.recovery_ratio);
  switch (state) {
    case 'throttled':
      return {
        tone: 'bad',
        sentence: t.state.throttled(percent(rate), percent(levels.throttle)),
        since,
        lifts: t.lifts.throttled(count(levels.throttle_per_hour), below(levels.throttle), below(levels.warn)),
      };
    case 'warned':
      return {
        tone: 'warn',
        sentence: t.state.warned(percent(rate), percent(levels.warn)),
        since,
        lifts: t.lifts.warned(below(levels.warn)),
      };
    case 'paused':
      return { tone: 'bad', sentence: t.state.paused, since, lifts: t.lifts.paused };
    case 'ok':
      return {
        tone: 'good',
        sentence: rate === null ? t.state.ok : t.state.okWith(percent(rate), percent(levels.warn)),
        since: null,
        lifts: null,
      };
  }
}

export function StateNotice({ tenant, reputation }: { tenant: SubTenant; reputation: SubTenantReputation }) {
  const t = useTexts(subTenants);
  const { rate: percent, count } = useFormat();
  const { tone, sentence, since, lifts } = stateOf({ t, percent, count, tenant, reputation });
  return (
    <Notice tone={tone}>
      <p>
        <strong>{sentence}</strong>{' '}
        {since === null ? null : (
          <>
            {t.since} <Time at={since} isFull /> (<Time at={since} />
            ).
          </>
        )}
      </p>
      {lifts === null ? null : <p>{lifts}</p>}
    </Notice>
  );
}
