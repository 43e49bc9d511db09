// Tests explanations: a message's history, and the code and the advice for its owner.
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AttemptDetail } from '../../src/messages/attempt.schema.js';
import {
  BOUNCE_CATEGORIES,
  MESSAGE_TRAIL_EVENTS,
  type ErrorDetail,
  type KeyPermission,
} from '../../src/contract/names.js';
import { REPLY_PHASES } from '../../src/outbound/outcome/bounce-class.rules.js';
import {
  EXPLANATION_CODES,
  explain,
  situationOfLimit,
  type ExplanationCode,
} from '../../src/outbound/explain/explain.rules.js';
import {
  ADVICE,
  CAUSE_TEXTS,
  SITUATIONS,
  type AdviceCode,
} from '../../src/outbound/explain/explain-advice.rules.js';
import { CALLS, callsOf, operationsOf } from '../../src/outbound/explain/advice-calls.rules.js';
import { ACTS, adviceFor } from '../../src/outbound/explain/advice-reach.rules.js';
import { createTranslator, GERMAN } from '../../src/lib/wording/index.js';
import { CAUSES } from '../../src/outbound/explain/explain-cause.rules.js';
import {
  LIMIT_CODES,
  type Asker,
  type ExplainFacts,
  type LimitCode,
} from '../../src/outbound/explain/explain-facts.rules.js';
import { anyText } from '../support/any-text.js';
import { runs, sized } from '../support/run-size.js';

const NOW = Date.UTC(2026, 0, 2, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MESSAGE = 'msg_00000000000000000000000001';

type Change = Partial<Omit<ExplainFacts, 'message'>> & { message?: Partial<ExplainFacts['message']> };

function skipped(reason: string): ExplainFacts {
  return facts({
    message: { status: 'canceled' },
    trail: [{ event: 'canceled', at: NOW, metadata: { reason } }],
  });
}

function facts(change: Change = {}): ExplainFacts {
  const { message, ...rest } = change;
  return {
    now: NOW,
    asker: { subTenantId: null, reach: 'operator', permission: 'admin' },
    message: {
      publicId: MESSAGE,
      status: 'queued',
      email: 'ann@example.com',
      domain: 'example.com',
      isSandbox: false,
      subTenantId: 'tnt_1',
      senderId: null,
      campaignId: null,
      scheduledAt: null,
      createdAt: NOW - HOUR,
      updatedAt: NOW,
      provider: null,
      error: null,
      ...message,
    },
    trail: [{ event: 'queued', at: NOW - HOUR, metadata: {} }],
    attempts: [],
    queue: null,
    approval: null,
    suppressions: [],
    tenantStatus: 'verified',
    pause: null,
    limitReason: null,
    ...rest,
  };
}

const QUEUE: NonNullable<ExplainFacts['queue']> = {
  dueAt: NOW - MINUTE,
  expiresAt: NOW + 47 * HOUR,
  attempts: 0,
  leaseUntil: null,
  dotIntentAt: null,
  holdReason: null,
};

function detail(change: Partial<AttemptDetail>): AttemptDetail {
  return {
    outcome: 'deferred',
    phase: 'rcpt',
    code: 451,
    enhanced_code: null,
    category: 'unknown',
    reply: '',
    source: 'default',
    via: 'mta',
    host: 'mx.example.com',
    address: '192.0.2.1',
    local_address: null,
    tls: null,
    times: null,
    duration_ms: 20,
    next_attempt_at: null,
    ...change,
  };
}

/** Waits after its second attempt with this outcome. */
function deferred(change: Partial<AttemptDetail>, more: Change = {}): ExplainFacts {
  return facts({
    message: { status: 'sent', provider: 'mta', ...more.message },
    queue: { ...QUEUE, attempts: 2, dueAt: NOW + 10 * MINUTE },
    attempts: [{ number: 2, at: NOW - MINUTE, detail: detail(change) }],
    ...('limitReason' in more ? { limitReason: more.limitReason ?? null } : {}),
  });
}

function error(change: Partial<ErrorDetail> = {}): ErrorDetail {
  return {
    type: 'soft',
    category: 'unknown',
    code: 550,
    enhanced_code: null,
    message: 'no',
    remote_host: 'mx.example.com',
    occurred_at: new Date(NOW).toISOString(),
    ...change,
  };
}

/** Ended with this attempt. */
function bounced(change: Partial<AttemptDetail>, more: Change = {}, category?: ErrorDetail['category']) {
  return facts({
    ...more,
    message: {
      status: 'bounced',
      provider: 'mta',
      error: error({ category: category ?? 'unknown' }),
      ...more.message,
    },
    attempts: [{ number: 1, at: NOW - MINUTE, detail: detail({ outcome: 'bounced', code: 550, ...change }) }],
  });
}

function expired(change: Partial<AttemptDetail>): ExplainFacts {
  return bounced(change, { message: { createdAt: NOW - 48 * HOUR } }, 'expired');
}

/** Accepted by the mail host, followed by a report by mail six hours later. */
function returned(metadata: Record<string, unknown>): ExplainFacts {
  const category = metadata['category'] as ErrorDetail['category'];
  return facts({
    message: { status: 'bounced', provider: 'mta', error: error({ category, code: null }) },
    attempts: [
      {
        number: 1,
        at: NOW - 7 * HOUR,
        detail: detail({ outcome: 'delivered', code: 250, category: null, reply: 'OK' }),
      },
    ],
    trail: [
      { event: 'queued', at: NOW - 7 * HOUR, metadata: {} },
      { event: 'delivered', at: NOW - 7 * HOUR, metadata: { attempt: 1, code: 250 } },
      {
        event: 'bounced',
        at: NOW - HOUR,
        metadata: { by_mail: true, reporting_mta: 'mx.example.com', remote_host: null, ...metadata },
      },
    ],
  });
}

const limitReason = (code: LimitCode, until: number | null = NOW + HOUR): Change => ({
  queue: QUEUE,
  limitReason: { code, until, detail: '', overrideId: 'ovr_1' },
});
const failed = (category: ErrorDetail['category']): ExplainFacts =>
  facts({ message: { status: 'failed', error: error({ type: 'failure', code: null, category }) } });
const silent = { code: null, enhanced_code: '4.4.1', category: 'network' };
const noTls = {
  code: null,
  enhanced_code: '4.4.1',
  category: 'tls',
  phase: 'tls',
  reply: 'handshake failure',
};
const suppression = (reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual') => ({
  suppressions: [{ id: 'sup_1', subTenantId: null, reason, createdAt: NOW - 30 * HOUR }],
});

type Case = [name: string, facts: ExplainFacts, code: ExplanationCode, advice: AdviceCode];

const FAILURES: Case[] = [
  // it was never sent
  [
    'suppressed by a bounce',
    facts({ message: { status: 'suppressed' }, ...suppression('bounce') }),
    'suppressed_bounce',
    'check_address',
  ],
  [
    'suppressed by a complaint',
    facts({ message: { status: 'suppressed' }, ...suppression('complaint') }),
    'suppressed_complaint',
    'respect_complaint',
  ],
  [
    'suppressed by an opt-out',
    facts({ message: { status: 'suppressed' }, ...suppression('unsubscribe') }),
    'suppressed_unsubscribe',
    'respect_unsubscribe',
  ],
  [
    'suppressed by hand',
    facts({ message: { status: 'suppressed' }, ...suppression('manual') }),
    'suppressed_manual',
    'lift_suppression',
  ],
  [
    'left the list meanwhile',
    facts({
      message: { status: 'suppressed' },
      trail: [{ event: 'suppressed', at: NOW, metadata: { reason: 'left_list' } }],
    }),
    'suppressed_left_list',
    'respect_unsubscribe',
  ],
  [
    'suppressed once, and no longer',
    facts({ message: { status: 'suppressed' } }),
    'suppression_lifted',
    'resend_now',
  ],
  [
    'suppressed while it waits',
    facts({ queue: QUEUE, ...suppression('bounce') }),
    'suppression_pending',
    'lift_and_wait',
  ],
  ['canceled', facts({ message: { status: 'canceled' } }), 'canceled', 'resend_now'],
  ['deleted meanwhile', skipped('contact_deleted'), 'canceled_contact_deleted', 'nothing'],
  ['taken off the list meanwhile', skipped('removed_from_list'), 'canceled_removed_from_list', 'resend'],
  ['no match any more', skipped('not_in_segment'), 'canceled_not_in_segment', 'resend'],
  ['stopped by its owner', skipped('forwarding_stopped'), 'canceled_forwarding_stopped', 'nothing'],
  ['forwarding removed', skipped('forwarding_removed'), 'canceled_forwarding_removed', 'nothing'],
  ['rejected', skipped('rejected'), 'approval_rejected', 'ask_approver'],
  ['not approved in time', skipped('approval_expired'), 'approval_expired', 'resend_now'],
  [
    'waiting for approval',
    facts({ approval: { expiresAt: NOW + HOUR } }),
    'approval_pending',
    'decide_approval',
  ],
  ['too large once composed', failed('too_large'), 'failed_too_large', 'shrink'],
  ['a template that failed', failed('template'), 'failed_template', 'retry_template'],
  ['a signature that failed for good', failed('signing'), 'failed_signing', 'fix_signing'],
  ['no way out', failed('routing'), 'failed_routing', 'ask_operator'],
  ['a deleted sub-tenant', failed('tenant'), 'tenant_deleted', 'ask_operator'],
  ['a removed sender', failed('sender'), 'failed_sender', 'prove_sender'],
  ['a failure of another kind', failed('unknown'), 'failed_fault', 'ask_operator'],
  ['neither finished nor queued', facts(), 'lost_from_queue', 'ask_operator'],

  // it waits for something within Mailkeel
  [
    'a suspended sub-tenant',
    facts({ queue: QUEUE, tenantStatus: 'suspended' }),
    'tenant_suspended',
    'recover_tenant',
  ],
  ['a paused sub-tenant', facts({ queue: QUEUE, tenantStatus: 'paused' }), 'tenant_paused', 'recover_tenant'],
  [
    'a paused campaign',
    facts({
      message: { campaignId: 'cmp_1' },
      queue: { ...QUEUE, dueAt: NOW + MINUTE, holdReason: 'campaign: The campaign is paused.' },
    }),
    'campaign_stopped',
    'resume_campaign',
  ],
  [
    'no signing key',
    facts({ queue: { ...QUEUE, dueAt: NOW + MINUTE, holdReason: 'signing: no active key' } }),
    'held_signing',
    'fix_signing',
  ],
  [
    'held for its sub-tenant',
    facts({ queue: { ...QUEUE, holdReason: 'tenant: suspended' } }),
    'tenant_suspended',
    'recover_tenant',
  ],
  [
    'a suspended sender',
    facts({ queue: { ...QUEUE, holdReason: 'sender: shop.example is suspended' } }),
    'held_sender',
    'prove_sender',
  ],
  ['a fault of ours', facts({ queue: { ...QUEUE, holdReason: 'fault: EIO' } }), 'held_fault', 'ask_operator'],
  [
    'a paused destination',
    facts({ queue: QUEUE, pause: { subTenantId: null, reason: '', createdAt: NOW } }),
    'destination_paused',
    'resume_destination',
  ],
  [
    'a destination paused for all',
    facts({
      queue: QUEUE,
      asker: { subTenantId: 'tnt_1', reach: 'sub_tenant', permission: 'full' },
      pause: { subTenantId: null, reason: 'moving', createdAt: NOW },
    }),
    'destination_paused_by_workspace',
    'resume_workspace',
  ],
  [
    'a destination paused for a sub-tenant',
    facts({ queue: QUEUE, pause: { subTenantId: 'tnt_1', reason: '', createdAt: NOW } }),
    'destination_paused_by_sub_tenant',
    'resume_sub_tenant',
  ],
  [
    'a pause that only a limit knows',
    facts(limitReason('paused', null)),
    'destination_paused',
    'resume_destination',
  ],
  [
    'a suspended destination',
    facts(limitReason('destination_suspended')),
    'destination_suspended',
    'remove_override',
  ],
  [
    'a tenant suspended there',
    facts(limitReason('tenant_suspended')),
    'tenant_destination_suspended',
    'mend_reputation',
  ],
  ['an open circuit', facts(limitReason('circuit_open')), 'circuit_open', 'check_port_25'],
  ['the rate limit', facts(limitReason('rate_limited')), 'rate_limited', 'wait_quietly'],
  ['a full window', facts(limitReason('concurrency_limited', null)), 'concurrency_limited', 'wait_quietly'],
  [
    'a pause that only a limit knows of',
    facts(limitReason('tenant_paused', null)),
    'tenant_paused',
    'recover_tenant',
  ],
  [
    'a suspension that only a limit knows of',
    facts(limitReason('tenant_dns_suspended', null)),
    'tenant_suspended',
    'recover_tenant',
  ],
  [
    'a sub-tenant paused in the sandbox',
    facts({ message: { isSandbox: true }, queue: QUEUE, tenantStatus: 'paused' }),
    'tenant_paused',
    'recover_tenant',
  ],
  [
    'a sub-tenant throttled in the sandbox',
    facts({ message: { isSandbox: true }, ...limitReason('tenant_throttled') }),
    'tenant_throttled',
    'raise_throttle',
  ],
  [
    'a sub-tenant suspended beside its sandbox',
    facts({ message: { isSandbox: true }, queue: QUEUE, tenantStatus: 'suspended' }),
    'simulated',
    'live_key',
  ],
  ['mail held after a restore', facts(limitReason('outbound_held')), 'outbound_held', 'release_restored'],
  ['a throttled sub-tenant', facts(limitReason('tenant_throttled')), 'tenant_throttled', 'raise_throttle'],
  ['warm-up', facts(limitReason('warm_up')), 'warm_up', 'add_source'],
  ['no open source', facts(limitReason('source_unreachable')), 'source_unreachable', 'add_source'],
  ['a suspended source', facts(limitReason('source_suspended')), 'source_suspended', 'resume_source'],
  ['no source at all', facts(limitReason('no_source', null)), 'no_source', 'configure_source'],
  [
    'a lease that ran out',
    facts({ queue: { ...QUEUE, leaseUntil: NOW - 1 } }),
    'worker_lost',
    'wait_quietly',
  ],

  // the way there
  [
    'NXDOMAIN',
    bounced({ phase: 'route', code: null, enhanced_code: '5.1.2', category: 'bad_domain', host: null }),
    'bounced_no_such_domain',
    'check_domain',
  ],
  [
    'null MX',
    bounced({ phase: 'route', code: null, enhanced_code: '5.1.10', category: 'bad_domain', host: null }),
    'bounced_null_mx',
    'check_address',
  ],
  [
    'an MX that is us',
    bounced({ phase: 'route', code: null, enhanced_code: '5.4.6', category: 'network', host: null }),
    'bounced_mail_loop',
    'check_own_names',
  ],
  [
    'only private addresses',
    bounced({ phase: 'route', code: null, enhanced_code: '5.4.4', category: 'network', host: null }),
    'bounced_no_usable_host',
    'check_private_mx',
  ],
  [
    'only addresses of a family that no source has',
    deferred({ phase: 'route', code: null, enhanced_code: '4.4.4', category: 'network', host: null }),
    'deferred_other_address_family',
    'add_address_family',
  ],
  [
    'SERVFAIL',
    deferred({ phase: 'route', code: null, enhanced_code: '4.4.3', category: 'network', host: null }),
    'deferred_dns_failure',
    'check_dns_servers',
  ],
  [
    'ECONNREFUSED',
    deferred({ ...silent, phase: 'connect', reply: 'ECONNREFUSED: connect' }),
    'deferred_connection_refused',
    'check_port_25',
  ],
  [
    'a connect timeout',
    deferred({ ...silent, phase: 'connect', reply: 'no connection within 30000 ms' }),
    'deferred_connect_timeout',
    'check_port_25',
  ],
  [
    'no route',
    deferred({ ...silent, phase: 'connect', reply: 'ENETUNREACH: network is unreachable' }),
    'deferred_network_unreachable',
    'check_source_network',
  ],
  [
    'silence instead of a greeting',
    deferred({ ...silent, phase: 'greeting', reply: 'no reply within 120000 ms' }),
    'deferred_no_greeting',
    'ask_postmaster',
  ],
  [
    'a connection lost at DATA',
    deferred({ ...silent, phase: 'data', reply: 'the peer closed the connection' }),
    'deferred_connection_lost',
    'ask_postmaster',
  ],
  [
    'a report hours after the delivery that a connection further on timed out',
    returned({ code: null, enhanced_code: '4.4.1', category: 'network', reply: 'Connection timed out' }),
    'bounced_not_delivered_onward',
    'ask_postmaster',
  ],
  [
    'a report of the same in a code',
    returned({ code: 451, enhanced_code: '4.4.1', category: 'expired', reply: 'Connection timed out' }),
    'bounced_not_delivered_onward',
    'resend',
  ],
  [
    'no answer to RCPT',
    deferred({ ...silent, phase: 'rcpt', reply: 'no reply within 120000 ms' }),
    'deferred_reply_timeout',
    'ask_postmaster',
  ],
  [
    'never reached in its time',
    expired({ ...silent, phase: 'connect', reply: 'no connection within 30000 ms' }),
    'expired_connect_timeout',
    'raise_lifetime',
  ],
  [
    '421 in the greeting',
    deferred({ phase: 'greeting', code: 421, category: 'network', reply: '4.3.2 try later' }),
    'deferred_session_refused',
    'slow_down',
  ],
  [
    'too many connections',
    deferred({
      phase: 'greeting',
      code: 421,
      category: 'rate_limited',
      reply: '4.7.0 Too many concurrent SMTP connections',
    }),
    'deferred_too_many_connections',
    'slow_down',
  ],
  [
    'a login that the smarthost refuses',
    deferred({ via: 'smarthost', phase: 'auth', code: 535, enhanced_code: '5.7.8', category: 'policy' }),
    'deferred_smarthost_login',
    'check_smarthost',
  ],

  // TLS
  ['a broken handshake', deferred(noTls), 'deferred_tls_handshake', 'ask_postmaster'],
  [
    'no STARTTLS where TLS is configured',
    deferred({ ...noTls, tls_policy: 'configured', reply: 'the peer does not offer STARTTLS' }),
    'deferred_tls_required',
    'relax_tls',
  ],
  [
    'a certificate that MTA-STS refuses',
    deferred({ ...noTls, tls_policy: 'sts', reply: 'certificate not verified: CERT_HAS_EXPIRED' }),
    'deferred_tls_sts',
    'tell_about_tls',
  ],
  [
    'a certificate that DANE refuses',
    deferred({ ...noTls, tls_policy: 'dane', reply: 'no TLSA record matches' }),
    'deferred_tls_dane',
    'tell_about_tls',
  ],
  [
    'no host that the policy allows',
    deferred({
      phase: 'route',
      code: null,
      enhanced_code: '4.7.5',
      category: 'tls',
      host: null,
      reply: 'mx.example.com is not among the hosts of the MTA-STS policy',
    }),
    'deferred_tls_sts',
    'tell_about_tls',
  ],
  [
    'REQUIRETLS that is not offered',
    bounced({ phase: 'mail', enhanced_code: '5.7.30', category: 'tls' }),
    'bounced_require_tls',
    'relax_require_tls',
  ],
  [
    'a peer that wants TLS',
    bounced({
      phase: 'mail',
      code: 530,
      enhanced_code: '5.7.0',
      category: 'tls',
      reply: 'Must issue a STARTTLS command first',
    }),
    'bounced_tls_wanted_by_peer',
    'ask_postmaster',
  ],

  // the peer's reply
  [
    'greylisting',
    deferred({
      code: 450,
      enhanced_code: '4.7.1',
      category: 'greylist',
      reply: 'Greylisted, come back in 300 s',
    }),
    'deferred_greylisted',
    'wait',
  ],
  [
    'a deferral without a reason',
    deferred({ code: 450, enhanced_code: null, category: 'greylist', reply: 'Try again later' }),
    'deferred_put_off',
    'wait',
  ],
  [
    'a deferral that only sounds like greylisting',
    deferred({
      code: 451,
      enhanced_code: null,
      category: 'greylist',
      reply: 'Temporary local problem - please try later',
    }),
    'deferred_host_trouble',
    'wait',
  ],
  [
    'a fault of theirs after the data',
    deferred({
      phase: 'dot',
      code: 451,
      enhanced_code: '4.3.0',
      category: 'network',
      reply: 'Scan timed out',
    }),
    'deferred_host_trouble',
    'ask_postmaster',
  ],
  [
    'a host that is going down',
    deferred({ phase: 'greeting', code: 421, category: 'network', reply: '4.3.2 Service shutting down' }),
    'deferred_host_trouble',
    'wait',
  ],
  [
    'a rate that is too high',
    deferred({
      code: 421,
      enhanced_code: '4.7.28',
      category: 'rate_limited',
      reply: 'unusual rate of unsolicited mail',
    }),
    'deferred_rate_limited',
    'slow_down',
  ],
  [
    'a full mailbox',
    deferred({ code: 452, enhanced_code: '4.2.2', category: 'quota' }),
    'deferred_mailbox_full',
    'other_channel',
  ],
  [
    'a mailbox that stayed full',
    expired({ code: 552, enhanced_code: '5.2.2', category: 'quota' }),
    'expired_mailbox_full',
    'other_channel',
  ],
  [
    'a host without space',
    deferred({ code: 452, enhanced_code: '4.3.1', category: 'quota' }),
    'deferred_server_full',
    'ask_postmaster',
  ],
  [
    'no such mailbox',
    bounced({ enhanced_code: '5.1.1', category: 'invalid_recipient' }, suppression('bounce')),
    'bounced_no_such_mailbox',
    'lift_suppression',
  ],
  [
    'a disabled mailbox',
    bounced({ enhanced_code: '5.2.1', category: 'inactive_mailbox' }),
    'bounced_mailbox_disabled',
    'check_address',
  ],
  [
    'a domain that is not theirs',
    bounced({ enhanced_code: '5.1.2', category: 'bad_domain' }),
    'bounced_domain_takes_no_mail',
    'check_domain',
  ],
  [
    'a blocklist',
    bounced({
      code: 554,
      enhanced_code: '5.7.1',
      category: 'spam_block',
      reply: 'blocked using zen.spamhaus.org',
    }),
    'bounced_blocklisted',
    'delist',
  ],
  [
    'no reverse DNS',
    bounced({ enhanced_code: '5.7.25', category: 'spam_block' }),
    'bounced_no_reverse_dns',
    'publish_ptr',
  ],
  [
    'no reverse DNS in words',
    bounced({ enhanced_code: '5.7.1', category: 'policy', reply: 'Fix reverse DNS for 192.0.2.9' }),
    'bounced_no_reverse_dns',
    'publish_ptr',
  ],
  [
    'a poor reputation',
    deferred({
      code: 421,
      enhanced_code: '4.7.0',
      category: 'spam_block',
      reply: 'suspicious due to the very low reputation of the sending IP',
    }),
    'deferred_poor_reputation',
    'mend_reputation',
  ],
  [
    'spam',
    bounced({
      phase: 'dot',
      enhanced_code: '5.7.1',
      category: 'spam_content',
      reply: 'likely unsolicited mail',
    }),
    'bounced_content_refused',
    'change_content',
  ],
  [
    'spam, said before the content was seen',
    bounced({ phase: 'rcpt', code: 554, category: 'spam_content', reply: 'Message blocked as spam' }),
    'bounced_poor_reputation',
    'mend_reputation',
  ],
  [
    'malware',
    bounced({ phase: 'dot', code: 554, category: 'spam_content', reply: 'Virus found in attachment' }),
    'bounced_malware_found',
    'remove_attachment',
  ],
  ['SPF', bounced({ enhanced_code: '5.7.23', category: 'auth_failed' }), 'bounced_spf_failed', 'publish_spf'],
  [
    'DKIM',
    bounced({ phase: 'dot', enhanced_code: '5.7.20', category: 'auth_failed' }),
    'bounced_dkim_failed',
    'publish_dkim',
  ],
  [
    'DMARC',
    bounced({
      phase: 'dot',
      enhanced_code: '5.7.26',
      category: 'auth_failed',
      reply: 'unauthenticated email is not accepted due to DMARC policy',
    }),
    'bounced_dmarc_failed',
    'publish_dmarc',
  ],
  [
    'DMARC by Microsoft',
    bounced({ phase: 'dot', enhanced_code: '5.7.515', category: 'auth_failed' }),
    'bounced_dmarc_failed',
    'publish_dmarc',
  ],
  [
    'authentication of some kind',
    bounced({
      phase: 'dot',
      enhanced_code: '5.7.1',
      category: 'auth_failed',
      reply: 'SPF and DKIM both failed',
    }),
    'bounced_auth_failed',
    'publish_dkim',
  ],
  [
    'relaying denied',
    bounced({ enhanced_code: '5.7.1', category: 'policy', reply: 'Relaying denied' }),
    'bounced_relaying_denied',
    'check_domain',
  ],
  [
    'a sender domain without mail',
    bounced({ phase: 'mail', enhanced_code: '5.1.8', category: 'policy' }),
    'bounced_sender_refused',
    'verify_sender',
  ],
  [
    'a policy',
    bounced({ enhanced_code: '5.7.1', category: 'policy', reply: 'not allowed by local policy' }),
    'bounced_policy',
    'ask_postmaster',
  ],
  [
    'too large for the peer',
    bounced({ phase: 'mail', code: 552, enhanced_code: '5.3.4', category: 'too_large' }),
    'bounced_too_large',
    'shrink',
  ],
  [
    'no SMTPUTF8',
    bounced({ phase: 'mail', enhanced_code: '5.6.7', category: 'protocol' }),
    'bounced_smtputf8_missing',
    'ascii_address',
  ],
  [
    'no 8BITMIME',
    bounced({ phase: 'mail', code: 554, enhanced_code: '5.6.3', category: 'protocol' }),
    'bounced_eight_bit_missing',
    'send_ascii',
  ],
  [
    'a protocol error',
    bounced({ phase: 'mail', code: 503, enhanced_code: '5.5.1', category: 'protocol' }),
    'bounced_protocol',
    'ask_operator',
  ],
  [
    'no reason at all',
    bounced({ code: 554, category: 'unknown', reply: 'Transaction failed' }),
    'bounced_unknown',
    'ask_postmaster',
  ],
  [
    'a last attempt that was in doubt',
    deferred({ outcome: 'ambiguous', code: null, phase: 'dot', category: 'ambiguous', reply: 'ECONNRESET' }),
    'deferred_ambiguous',
    'resend_deliberately',
  ],
  [
    'left as sent, in doubt',
    facts({
      message: { status: 'sent', provider: 'mta' },
      attempts: [
        { number: 1, at: NOW, detail: detail({ outcome: 'ambiguous', category: 'ambiguous', code: null }) },
      ],
    }),
    'may_have_arrived',
    'resend_deliberately',
  ],
  ['a complaint', facts({ message: { status: 'complained' } }), 'complained', 'respect_complaint'],
];

const OTHERS: Case[] = [
  ['delivered', facts({ message: { status: 'delivered' } }), 'delivered', 'nothing'],
  ['clicked', facts({ message: { status: 'clicked' } }), 'opened', 'nothing'],
  ['received', facts({ message: { status: 'received' } }), 'received', 'nothing'],
  [
    'with the smarthost',
    facts({ message: { status: 'sent', provider: 'smarthost' } }),
    'handed_to_smarthost',
    'nothing',
  ],
  ['sent', facts({ message: { status: 'sent', provider: 'mta' } }), 'sent', 'nothing'],
  ['scheduled', facts({ queue: { ...QUEUE, dueAt: NOW + HOUR } }), 'scheduled', 'send_sooner'],
  ['due', facts({ queue: QUEUE }), 'waiting_turn', 'wait_quietly'],
  ['in delivery', facts({ queue: { ...QUEUE, leaseUntil: NOW + HOUR } }), 'in_delivery', 'wait_quietly'],
  [
    'with the dot written',
    facts({ queue: { ...QUEUE, leaseUntil: NOW + HOUR, dotIntentAt: NOW } }),
    'in_delivery_unanswered',
    'wait_quietly',
  ],
  [
    'suppressed by the simulator',
    facts({ message: { status: 'suppressed', isSandbox: true } }),
    'simulated',
    'live_key',
  ],
  [
    'between steps in the sandbox',
    facts({ message: { isSandbox: true }, queue: { ...QUEUE, attempts: 1 } }),
    'simulated',
    'live_key',
  ],
];

/** The text without placeholders for a person to fill in. */
function filled(text: string): string {
  return text.replace(/\{[^}]*\}|<[a-z_ ]+>|\/:[a-z_]+|undefined|\/null\b|\(no \w+\)/g, '');
}

describe('explain', () => {
  it.each(FAILURES)('%s', (_, given, code, advice) => {
    const found = explain(given);
    expect(found.code).toBe(code);
    expect(found.advice.map((one) => one.code)).toContain(advice);
    expect(found.chain.at(-1)).toMatchObject({ at: NOW, code });
  });

  it.each(OTHERS)('does not report %s as a failure', (_, given, code, advice) => {
    const found = explain(given);
    expect([found.code, found.advice[0]?.code]).toEqual([code, advice]);
  });

  it('covers at least forty different failures', () => {
    expect(new Set(FAILURES.map(([, , code]) => code)).size).toBeGreaterThanOrEqual(40);
    const causes = FAILURES.map(([, , code]) => code.replace(/^(deferred|bounced|expired)_/, ''));
    expect(CAUSES.filter((cause) => !causes.includes(cause))).toEqual([]);
    const all = [...FAILURES, ...OTHERS].map(([, , code]) => code);
    expect(Object.keys(SITUATIONS).filter((name) => !all.includes(name as ExplanationCode))).toEqual([]);
    expect(LIMIT_CODES.filter((code) => !(situationOfLimit(code) in SITUATIONS))).toEqual([]);
  });

  it('describes the events from acceptance to the next attempt', () => {
    const given = deferred(
      {
        code: 451,
        enhanced_code: '4.7.1',
        category: 'greylist',
        reply: '4.7.1 Greylisted\u0007, come back later',
        tls: { version: 'TLSv1.3', cipher: 'x', verified: true, error: null, policy: 'opportunistic' },
        next_attempt_at: new Date(NOW + 10 * MINUTE).toISOString(),
      },
      { limitReason: { code: 'rate_limited', until: NOW + HOUR, detail: '' } },
    );
    const trail: ExplainFacts['trail'] = [
      ...given.trail,
      { event: 'sending', at: NOW - HOUR + 1, metadata: {} },
      { event: 'sent', at: NOW - HOUR + 2, metadata: {} },
      {
        event: 'deferred',
        at: NOW - HOUR + 3,
        metadata: { attempt: 1, code: 421, reply: 'busy', remote_host: 'mx.example.com' },
      },
      { event: 'deferred', at: NOW - MINUTE, metadata: { attempt: 2, code: 451, reply: 'said twice' } },
    ];
    const found = explain({ ...given, trail });
    expect(found.summary).toBe(
      "Not delivered yet (2 attempts): the recipient's mail server temporarily rejects unknown senders (greylisting).",
    );
    expect(found.chain.map(({ code, text }) => [code, text])).toEqual([
      ['queued', 'Accepted.'],
      ['sending', 'Processing started: dequeued, checked, composed and signed.'],
      ['sent', 'Handed over for delivery.'],
      ['deferred', 'Deferred by mx.example.com: 421 busy'],
      [
        'attempt_deferred',
        'Attempt 2: deferred by mx.example.com (192.0.2.1) during RCPT TO, over TLS 1.3 (verified), from source "default": 451 4.7.1 Greylisted , come back later. Next attempt at 2026-01-02T12:10:00.000Z.',
      ],
      ['deferred_greylisted', found.summary],
    ]);
    expect(found.next).toEqual({ at: NOW + HOUR, what: 'Delivery attempt 3' });
    expect(found.advice).toEqual([
      {
        code: 'wait',
        text: ADVICE.wait,
        calls: [
          {
            ...{ operation: 'messages.retry', method: 'POST', sub_tenant_id: null },
            path: `/v1/messages/${MESSAGE}/retry`,
          },
        ],
      },
    ]);
  });

  it('uses the trail for messages without records of attempts', () => {
    const found = explain(
      facts({
        message: {
          status: 'bounced',
          createdAt: NOW - 48 * HOUR,
          error: error({ category: 'expired', code: 450 }),
        },
        trail: [
          {
            event: 'deferred',
            at: NOW - HOUR,
            metadata: { attempt: 8, phase: 'rcpt', code: 450, category: 'greylist' },
          },
          {
            event: 'bounced',
            at: NOW,
            metadata: { attempt: 9, phase: 'rcpt', code: 450, category: 'expired' },
          },
        ],
      }),
    );
    expect(found.code).toBe('expired_put_off');
    expect(found.summary).toContain('Expired after 48 hours');
  });

  it('does not advise to resend a faulty message, or blame a smarthost that was not used', () => {
    const adviceFor = (given: ExplainFacts) => explain(given).advice.map(({ code }) => code);
    const spam = bounced({ phase: 'dot', category: 'spam_content' });
    expect(adviceFor(spam)).toEqual(['change_content']);
    const relaying = { category: 'policy', reply: 'Relaying denied' };
    expect(adviceFor(bounced(relaying))).toEqual(['check_domain', 'resend']);
    expect(adviceFor(bounced({ ...relaying, via: 'smarthost' }))).toContain('check_smarthost');
  });

  it("refers to the operator of the smarthost for the smarthost's replies", () => {
    const found = explain(
      deferred({ via: 'smarthost', source: 'relay', phase: 'starttls', code: null, category: 'tls' }),
    );
    expect(found.advice.map(({ code }) => code)).toEqual(['ask_smarthost', 'check_trust', 'wait']);
    expect(found.advice[0]?.text).toContain('came from smarthost relay');
  });

  it('says that a sandbox delivery was simulated', () => {
    const found = explain(facts({ message: { status: 'delivered', isSandbox: true } }));
    expect(found).toMatchObject({ code: 'delivered', advice: [{ code: 'live_key' }] });
    expect(found.summary).toContain('simulator');
  });

  it('describes what the sender requested', () => {
    const metadata = { scheduled_at: 'T1', expires_at: 'T2', require_tls: true };
    const { chain } = explain(facts({ trail: [{ event: 'queued', at: NOW - HOUR, metadata }] }));
    expect(chain[0]?.text).toBe('Accepted, scheduled for T1, expiring at T2, requiring verified TLS.');
  });

  it('believes a report that arrives after the delivery', () => {
    const found = explain(
      facts({
        message: {
          status: 'bounced',
          error: error({ category: 'invalid_recipient', enhanced_code: '5.1.1' }),
        },
        attempts: [
          { number: 1, at: NOW - HOUR, detail: detail({ outcome: 'delivered', code: 250, category: null }) },
        ],
        trail: [
          { event: 'delivered', at: NOW - HOUR, metadata: { attempt: 1, code: 250 } },
          { event: 'bounced', at: NOW, metadata: { phase: 'dsn', code: 550, category: 'invalid_recipient' } },
        ],
      }),
    );
    expect(found.code).toBe('bounced_no_such_mailbox');
  });

  it('refers to the senders if there is no sub-tenant', () => {
    const found = explain(
      bounced({ enhanced_code: '5.7.20', category: 'auth_failed' }, { message: { subTenantId: null } }),
    );
    expect(found.advice[0]?.calls.map(({ operation }) => operation)).toEqual(['senders.list']);
  });

  it('distinguishes a report hours after the delivery from an interrupted session', () => {
    const found = explain(
      returned({ code: null, enhanced_code: '4.4.1', category: 'network', reply: 'Connection timed out' }),
    );
    expect(found.summary).toBe(
      'Bounced in a delivery report after the mail server had accepted the message: a downstream server could not deliver the message.',
    );
    expect(found.chain.map(({ text }) => text).slice(1, 3)).toEqual([
      'Attempt 1: accepted by mx.example.com (192.0.2.1), without TLS, from source "default": 250 OK',
      'Delivery report from mx.example.com: failed: 4.4.1 Connection timed out',
    ]);
  });

  it.each([
    ['of a sub-tenant', {}],
    ['of the workspace', { subTenantId: null, senderId: 'snd_1', campaignId: 'cmp_1' }],
    ['of a sender that was removed', { subTenantId: null }],
  ])('fills all placeholders in its sentences: mail %s', (_, message) => {
    for (const [name, given, code] of [...FAILURES, ...OTHERS]) {
      const isOfTenant = code.startsWith('tenant_') || code.endsWith('_by_sub_tenant');
      if (isOfTenant && 'subTenantId' in message) continue;
      const { summary, advice, chain } = explain({ ...given, message: { ...given.message, ...message } });
      const sentences = [summary, ...advice.map(({ text }) => text), ...chain.map(({ text }) => text)];
      for (const text of sentences) expect([name, text]).toEqual([name, filled(text)]);
    }
  });

  it('names the limit that delays a message, unless it is part of the configuration', () => {
    const limited = (overrideId?: string): string[] =>
      explain(
        facts({
          queue: QUEUE,
          limitReason: {
            code: 'rate_limited',
            until: NOW,
            detail: '',
            ...(overrideId ? { overrideId } : {}),
          },
        }),
      ).advice.flatMap(({ calls }) => calls.map(({ path }) => path));
    expect(limited('ovr_7')).toContain('/v1/queue/overrides/ovr_7');
    expect(limited()).toEqual([]);
  });

  it('names the last attempt as such', () => {
    const given = deferred({ category: 'greylist' });
    const queue = { ...QUEUE, attempts: 9, dueAt: NOW + HOUR, expiresAt: NOW + HOUR };
    expect(explain({ ...given, queue }).next?.what).toBe('Delivery attempt 10, the last one');
  });

  it('omits the middle of a very long chain', () => {
    const trail = Array.from({ length: 500 }, (_, i) => ({
      event: 'opened' as const,
      at: NOW - 500 + i,
      metadata: {},
    }));
    const { chain } = explain(facts({ message: { status: 'opened' }, trail }));
    expect(chain).toHaveLength(102);
    expect(chain[4]).toMatchObject({ code: 'omitted', text: '400 entries omitted.' });
  });

  it("has a chain in order of time, regardless of the nodes' clocks", () => {
    const anyTime = fc.integer({ min: NOW - 3 * HOUR, max: NOW + HOUR });
    const anyEntry = fc.record({
      event: fc.constantFrom(...MESSAGE_TRAIL_EVENTS),
      at: anyTime,
      metadata: fc.constant({}),
    });
    const anyAttempt = fc.record({
      number: fc.integer({ min: 1, max: 9 }),
      at: anyTime,
      detail: fc.constantFrom(detail({}), detail({ outcome: 'delivered' }), detail({ outcome: 'bounced' })),
    });
    const anyFacts = fc.record({
      trail: fc.array(anyEntry, { maxLength: 120 }),
      attempts: fc.array(anyAttempt, { maxLength: 5 }),
      pause: fc.option(fc.record({ subTenantId: fc.constant(null), reason: anyText(), createdAt: anyTime })),
      suppressions: fc.array(
        fc.record({
          id: fc.constant('sup_1'),
          subTenantId: fc.constant(null),
          reason: fc.constantFrom('bounce' as const, 'manual' as const),
          createdAt: anyTime,
        }),
      ),
    });
    fc.assert(
      fc.property(anyFacts, (given) => {
        const times = explain(facts({ queue: QUEUE, ...given })).chain.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
      runs(500),
    );
  });

  it('includes a pause that began before later mail was accepted', () => {
    const pause = { subTenantId: null, reason: '', createdAt: NOW - 2 * HOUR };
    const { chain } = explain(facts({ queue: QUEUE, pause }));
    expect(chain.map(({ code }) => code)).toEqual(['destination_pause', 'queued', 'destination_paused']);
    expect(chain[0]?.at).toBe(NOW - 2 * HOUR);
  });

  it('explains any reply of a peer in one line of limited length', () => {
    const anyDetail = fc.record({
      phase: fc.constantFrom(...REPLY_PHASES, 'route', null),
      code: fc.option(fc.integer({ min: 200, max: 599 })),
      enhanced_code: fc.option(fc.stringMatching(/^[245]\.\d\.\d{1,2}$/)),
      category: fc.constantFrom(...BOUNCE_CATEGORIES, null),
      reply: anyText({ maxLength: sized({ small: 1_500, full: 5_000 }) }),
    });
    fc.assert(
      fc.property(anyDetail, fc.boolean(), (change, isOver) => {
        const found = explain(isOver ? bounced(change) : deferred(change));
        expect(EXPLANATION_CODES).toContain(found.code);
        expect(found.advice.length).toBeGreaterThan(0);
        for (const { text } of found.chain) {
          expect(text.length).toBeLessThan(700);
          expect(text).not.toMatch(/\p{Cc}/u);
        }
      }),
      runs(500),
    );
  });
});

describe('advice', () => {
  const texts = [
    ...Object.values(ADVICE),
    ...Object.values(SITUATIONS).map(([text]) => text),
    ...Object.values(CAUSE_TEXTS).map(([text]) => text),
  ];

  it('leaves requests to its calls, so that its words fit every client', () => {
    expect(texts.filter((text) => /\/v1\/|\b(?:GET|POST|PATCH|DELETE) /.test(text))).toEqual([]);
  });

  it('suggests existing API calls', () => {
    const { paths } = JSON.parse(
      readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
    ) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) =>
          `${operationId} ${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
      ),
    );
    const suggested = Object.entries(CALLS).map(([id, call]) => `${id} ${call.replace(/\{\w+\}/g, '{}')}`);
    expect(suggested.filter((call) => !known.includes(call))).toEqual([]);
  });

  it('fills in its calls, and omits those that it cannot fill', () => {
    const fillings = { domain: 'a/b.example', message: 'msg_1', tenant: 'tnt_1' };
    const given = facts(suppression('bounce'));
    const paths = (code: AdviceCode) =>
      callsOf(code, fillings, given).map(({ method, path }) => `${method} ${path}`);
    expect(paths('lift_suppression')).toEqual([
      'DELETE /v1/suppressions/sup_1',
      'POST /v1/messages/msg_1/resend',
    ]);
    expect(paths('publish_dkim')).toEqual([
      'GET /v1/sub-tenants/tnt_1/authentication',
      'POST /v1/sub-tenants/tnt_1/verify',
    ]);
    expect(paths('remove_override')).toEqual([]);
    expect(paths('retry_destination')).toEqual(['POST /v1/queue/destinations/a%2Fb.example/retry']);
    expect(callsOf('prove_sender', { domain: 'example.com' }, given).map(({ path }) => path)).toEqual([
      '/v1/senders',
    ]);
  });

  it('mentions a complaint before any other suppression is lifted', () => {
    const both = [...suppression('manual').suppressions, ...suppression('complaint').suppressions];
    const explained = explain(facts({ message: { status: 'suppressed' }, suppressions: both }));
    expect(explained.code).toBe('suppressed_complaint');
    const waiting = explain(facts({ queue: QUEUE, suppressions: both }));
    expect(waiting.advice.map(({ code }) => code)).toEqual(['respect_complaint', 'lift_and_wait']);
  });

  it('names the sub-tenant if the path of a call does not', () => {
    const pause = { subTenantId: 'tnt_1', reason: '', createdAt: NOW };
    const fillings = { domain: 'example.com', tenant: 'tnt_1', sender: 'snd_1' };
    const limited = (code: AdviceCode, given = facts({ pause })) =>
      callsOf(code, fillings, given).map(({ sub_tenant_id: tenant }) => tenant);
    expect(limited('resume_sub_tenant')).toEqual(['tnt_1']);
    expect(limited('verify_sender')).toEqual(['tnt_1']);
    expect(limited('retry_destination')).toEqual([null]);
    const asker = { subTenantId: 'tnt_1', reach: 'workspace' as const, permission: 'full' as const };
    expect(limited('retry_destination', facts({ asker }))).toEqual(['tnt_1']);
    expect(limited('publish_dkim')).toEqual([null, null]);
  });

  it('omits calls that the caller may not make', () => {
    const fillings = { domain: 'example.com', tenant: 'tnt_1', override: 'ovr_7', source: 'a' };
    const operations = (code: AdviceCode, reach: Asker['reach'], permission: KeyPermission = 'admin') =>
      callsOf(code, fillings, facts({ asker: { subTenantId: null, reach, permission } })).map(
        ({ operation }) => operation,
      );
    expect(operations('remove_override', 'operator')).toEqual(['queue.deleteOverride']);
    expect(operations('remove_override', 'workspace')).toEqual([]);
    expect(operations('resume_source', 'workspace')).toEqual([]);
    expect(operations('respect_unsubscribe', 'workspace')).toEqual(['organization.update']);
    expect(operations('respect_unsubscribe', 'sub_tenant')).toEqual([]);
    expect(operations('raise_throttle', 'sub_tenant')).toEqual(['subTenants.getReputation']);
    expect(operations('respect_unsubscribe', 'workspace', 'full')).toEqual([]);
    expect(operations('raise_throttle', 'workspace', 'read')).toEqual(['subTenants.getReputation']);
    expect(operations('resend', 'workspace', 'read')).toEqual([]);
  });
});

it('mentions once that a bounce of the message suppressed its address', () => {
  const { chain } = explain(
    facts({
      message: { status: 'bounced' },
      trail: [
        { event: 'queued', at: NOW - HOUR, metadata: {} },
        { event: 'suppressed', at: NOW, metadata: { reason: 'bounce', added: true } },
      ],
      suppressions: [{ id: 'sup_1', subTenantId: null, reason: 'bounce', createdAt: NOW }],
    }),
  );
  expect(chain.filter(({ text }) => text.includes('added to the suppression list'))).toHaveLength(1);
});

it('is German in every summary, with the remark in its brackets', () => {
  const german = createTranslator(GERMAN);
  const fillings = { '{email}': 'ada@example.com', '{domain}': 'example.com' };
  for (const [summary] of Object.values(SITUATIONS)) {
    const filled = summary.replace(
      /\{\w+\}/g,
      (name) => Object.entries(fillings).find(([key]) => key === name)?.[1] ?? 'x',
    );
    const text = `${filled.slice(0, -1)} (reason: manual).`;
    expect([text, german(text)]).toEqual([text, expect.stringMatching(/ \(Grund: manuell\)\.$/)]);
    expect([text, german(text)]).toEqual([text, expect.not.stringMatching(/\b(?:the|was|is|message)\b/)]);
  }
});

describe('the text of advice', () => {
  const german = createTranslator(GERMAN);
  const ASKERS: [string, Asker][] = [
    ['a key of a sub-tenant', { subTenantId: 'tnt_1', reach: 'sub_tenant', permission: 'full' }],
    ['a key that may only read', { subTenantId: null, reach: 'workspace', permission: 'read' }],
    ['a viewer of a sub-tenant', { subTenantId: 'tnt_1', reach: 'sub_tenant', permission: 'read' }],
    ['a key that may only send', { subTenantId: null, reach: 'workspace', permission: 'send' }],
  ];
  const fillings = {
    ...{ domain: 'example.com', message: 'msg_1', email: 'ada@example.com', tenant: 'tnt_1', source: 'a' },
    ...{ sender: 'snd_1', campaign: 'cmp_1', override: 'ovr_1', list: '"News"' },
  };
  const blocked = {
    pause: { subTenantId: null, reason: '', createdAt: NOW },
    suppressions: [{ id: 'sup_1', subTenantId: null, reason: 'manual' as const, createdAt: NOW }],
  };
  const textFor = (asker: Asker, code: AdviceCode) => adviceFor(code, fillings, facts({ asker, ...blocked }));

  it.each(ASKERS)('commands %s nothing that takes a call which is left out', (_, asker) => {
    const unlimited: Asker = { ...asker, reach: 'operator', permission: 'admin' };
    for (const code of Object.keys(ADVICE) as AdviceCode[]) {
      const { text, calls } = textFor(asker, code);
      const whole = textFor(unlimited, code).calls;
      const left = whole.filter(
        ({ method, operation }) => method !== 'GET' && !calls.some((call) => call.operation === operation),
      );
      if (left.length === 0) continue;
      expect([code, text]).toEqual([code, expect.stringMatching(/Only (?:the|a|an) .* can /)]);
      expect(text).not.toMatch(
        /(?:^|[.,] |and |then )(?:remove|resume|resend|retry|reschedule|verify)\b|You can/i,
      );
      expect([code, german(text)]).toEqual([code, expect.not.stringMatching(/\b(?:the|can|only|with)\b/i)]);
    }
  });

  it('names the owner of a suppression and of a pause', () => {
    const [[, subTenant], [, reader], [, viewer]] = ASKERS as [
      [string, Asker],
      [string, Asker],
      [string, Asker],
    ];
    expect(textFor(subTenant, 'lift_suppression').text).toBe(
      'The workspace suppressed ada@example.com. Only the workspace can remove the suppression.',
    );
    // Additional permissions would not help.
    for (const code of ['lift_suppression', 'resume_workspace'] as const)
      expect(textFor(viewer, code).text).toBe(textFor(subTenant, code).text);
    expect(german(textFor(subTenant, 'lift_suppression').text)).toBe(
      'Der Workspace hat ada@example.com gesperrt. Nur der Workspace kann die Sperre aufheben.',
    );
    expect(textFor(subTenant, 'resume_workspace').text).toBe(
      'The workspace paused delivery to example.com. Only the workspace can resume the destination.',
    );
    expect(textFor(reader, 'resend_now').text).toBe(
      'Only a member or a key with permission to send can resend the message.',
    );
    expect(textFor(reader, 'resend').text).toBe(
      'Fix the cause first. Only a member or a key with permission to send can resend the message.',
    );
    expect(textFor(reader, 'raise_throttle').text).toMatch(
      /Only a member or a key with full access can .+\.$/,
    );
  });

  it('has a phrase for each call that changes something', () => {
    const changes = Object.entries(CALLS).filter(([, call]) => !call.startsWith('GET'));
    expect(changes.map(([id]) => id).filter((id) => !(id in ACTS))).toEqual([]);
  });
});

describe('docs/explain.md', () => {
  const page = readFileSync(new URL('../../docs/explain.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const named = rows.map(([, code = '']) => code);

  it('has exactly one row for every situation, cause and advice, with its text', () => {
    const expected = [
      ...Object.entries(SITUATIONS).map(([code, [text, ...advice]]) => [code, text, advice.join(', ')]),
      ...Object.entries(CAUSE_TEXTS).map(([code, [text, ...advice]]) => [code, text, advice.join(', ')]),
      ...(Object.keys(ADVICE) as AdviceCode[]).map((code) => [
        code,
        ADVICE[code],
        operationsOf(code).join(', '),
      ]),
    ];
    expect(rows.map((row) => row.slice(1, -1))).toEqual(expected);
    expect(named.length).toBeGreaterThan(100);
  });
});
