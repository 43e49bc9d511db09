// Texts of explanations: the situations of a message, the causes of a failed attempt, and the advice for each. Words in braces
// are filled in from the message. A test keeps docs/explain.md in step.
import type { Cause } from './explain-cause.rules.js';

export const ADVICE = {
  nothing: 'Nothing to do.',
  wait: 'Nothing has to be done: it is tried again by itself. To try at once: POST /v1/messages/{message}/retry.',
  wait_quietly: 'Nothing has to be done: it goes as soon as it may.',
  resend: 'When the cause is gone, send it again: POST /v1/messages/{message}/resend.',
  resend_deliberately:
    'It may have arrived. Ask the recipient before sending it again: POST /v1/messages/{message}/resend.',
  raise_lifetime:
    'Mail is tried for POSTHORN_QUEUE_LIFETIME (marketing: POSTHORN_MARKETING_QUEUE_LIFETIME); a longer one outlasts longer failures. An expires_at of the message ends it earlier.',
  send_sooner:
    'To send it sooner or later: PATCH /v1/messages/{message} with send_at; to stop it: POST /v1/messages/{message}/cancel.',
  check_address:
    'Check the address {email} with its owner, correct it where you keep it, and send a new message.',
  lift_suppression:
    'If the address is good after all: DELETE /v1/suppressions/{email}, then POST /v1/messages/{message}/resend.',
  respect_complaint:
    'The recipient called your mail spam. Take the address off your lists; lift the suppression only if the person asks for it.',
  respect_unsubscribe:
    'Unsubscribing ends marketing and sales mail, and transactional mail too unless the organization says otherwise: PATCH /v1/organization with unsubscribe_blocks "marketing". Leaving a list ends the mail of that list alone; a topic on the message, the id of a list, asks for consent for each purpose.',
  check_domain:
    'Look the domain up (dig MX {domain}): a typing error in the address, or a domain that is not renewed.',
  check_dns_servers:
    'If other domains fail likewise, check the servers in POSTHORN_DNS_SERVERS; if only this one does, its name servers are broken.',
  check_port_25:
    'If other destinations fail likewise, your network blocks outgoing port 25: ask your provider to open it, or set POSTHORN_SMARTHOST.',
  check_source_network: 'Check that this machine has the source address {source} and a route from it.',
  add_address_family:
    'The operator gives a source an address of that family: address4 or address6 in POSTHORN_OUTBOUND, or one more in POSTHORN_SOURCE_ADDRESSES.',
  check_own_names:
    'The MX records of {domain} lead to this machine: correct them, or take mail for the domain here.',
  check_private_mx:
    'The mail host has a private address. If it is your own, set POSTHORN_ALLOW_PRIVATE_MX=true.',
  check_smarthost:
    'Correct the user and password in POSTHORN_SMARTHOST or POSTHORN_OUTBOUND, or ask the relay why it turns them down.',
  ask_smarthost:
    'The answer is that of the smarthost {source}: check its URL in POSTHORN_SMARTHOST or POSTHORN_OUTBOUND, and ask whoever runs it; GET /v1/messages/{message}/attempts has the conversation.',
  ask_postmaster:
    'Ask postmaster@{domain}, with the reply and its time; GET /v1/messages/{message}/attempts has the conversation.',
  other_channel: 'Contact the recipient in another way and ask them to empty their mailbox.',
  slow_down:
    'Send {domain} less at once; GET /v1/queue/overrides shows the limits that its replies have set.',
  remove_override:
    'The operator may lift the limit early: GET /v1/queue/overrides shows it, DELETE /v1/queue/overrides/{override} lifts it.',
  resume_destination: 'Resume it: POST /v1/queue/destinations/{domain}/resume.',
  resume_sub_tenant:
    'Resume it for the sub-tenant: POST /v1/queue/destinations/{domain}/resume with the header X-Sub-Tenant-Id: {tenant}.',
  resume_workspace:
    'Ask whoever has a key of the whole workspace: POST /v1/queue/destinations/{domain}/resume.',
  retry_destination: 'To have all its mail tried at once: POST /v1/queue/destinations/{domain}/retry.',
  publish_ptr:
    'Give the sending address a PTR record that names its EHLO host, and that host an A or AAAA record back; posthorn doctor checks both.',
  delist:
    'Look the sending address up at the list that the reply names, end the cause, ask to be removed; until then use another source or POSTHORN_SMARTHOST.',
  mend_reputation:
    'Send less, to people who answer, and look at complaints and bounces; a new address has to be warmed up slowly.',
  publish_spf: 'Publish the SPF and return-path records of the sending domain; {records} lists them.',
  publish_dkim: 'Publish the DKIM record exactly as {records} shows it, then have it checked: {verify}.',
  publish_dmarc:
    'Publish a DMARC record (_dmarc TXT "v=DMARC1; p=none") for the domain in From, and send From a domain whose SPF or DKIM passes.',
  change_content:
    'Change what the reply objects to (links, attachments, wording) and send a new message; repeating it unchanged makes it worse.',
  remove_attachment:
    'Check the attachments and links of the message for malware before anything else is sent.',
  shrink:
    'Make it smaller: link to large files instead of attaching them. Base64 makes a file a third larger.',
  ascii_address:
    "Ask for an address without non-ASCII letters before the @; the recipient's host takes no other.",
  tell_about_tls:
    "Tell postmaster@{domain} that the host's TLS does not fit the policy that the domain publishes; sending without it would give the protection up.",
  ask_for_policy:
    'Ask postmaster@{domain} for mail hosts with REQUIRETLS, and for an MTA-STS policy or DANE records that vouch for them (DANE counts where POSTHORN_DANE is on).',
  check_trust: 'If the certificate comes from an authority of your own, name it in POSTHORN_EXTRA_CA_FILE.',
  relax_require_tls: 'If the message may travel without verified TLS, send it again without require_tls.',
  relax_tls:
    'The limits for this destination require TLS; if mail may go without, the operator changes that.',
  verify_sender: 'Send From an address whose domain has MX or A records and is verified: GET /v1/senders.',
  prove_sender: 'GET /v1/senders shows each sender with its records; its verify operation checks them again.',
  recover_tenant:
    'GET /v1/sub-tenants/{tenant}/audit says why. The mail waits and goes when the sub-tenant is active again.',
  resume_campaign:
    'POST /v1/campaigns/{campaign}/resume lets it go on; its problem says why it paused by itself.',
  raise_throttle:
    'GET /v1/sub-tenants/{tenant}/reputation says whose limit it is; one of yours changes with PATCH ' +
    '/v1/sub-tenants/{tenant} and throttle_per_hour.',
  fix_signing:
    'Make the DKIM key usable: {records} says what is missing, {verify} checks it again. Mail never leaves unsigned.',
  ask_operator: "Ask the operator: the server's log has the reason, under the message's id.",
  add_source: 'The operator can raise the limits of the sending addresses, or add an address.',
  configure_source:
    'The operator names sending addresses in POSTHORN_SOURCE_ADDRESSES or POSTHORN_OUTBOUND, or a relay in POSTHORN_SMARTHOST.',
  retry_template: 'Correct the template or its variables and send a new message.',
  live_key: 'Nothing left the sandbox. To send real mail use a live key.',
} as const;
export type AdviceCode = keyof typeof ADVICE;

/** Situations that no failed attempt explains. `now`, in place of a summary of the past. */
export const SITUATIONS = {
  delivered: ['The mail host of {domain} took the message.', 'nothing'],
  opened: ['The message arrived and was opened.', 'nothing'],
  handed_to_smarthost: [
    'The smarthost took the message; what becomes of it there is not seen here.',
    'nothing',
  ],
  sent: ['The message was sent.', 'nothing'],
  received: ['This is a message that came in.', 'nothing'],
  complained: ['The recipient reported the message as spam.', 'respect_complaint'],
  canceled: ['The message was canceled before it left.', 'resend'],
  canceled_contact_deleted: ['Not sent: the contact was deleted before the campaign came to it.', 'nothing'],
  canceled_removed_from_list: [
    'Not sent: {email} was taken off the list of the campaign before its copy left.',
    'resend',
  ],
  canceled_not_in_segment: [
    'Not sent: {email} does not match the segment of the campaign any more.',
    'resend',
  ],
  simulated: ['The sandbox plays what the address asks for; no mail leaves it.', 'live_key'],

  scheduled: ['The message waits for its time.', 'send_sooner'],
  waiting_turn: ['The message is due and waits for its turn.', 'wait_quietly'],
  in_delivery: ['The message is being delivered right now.', 'wait_quietly'],
  in_delivery_unanswered: ["The whole message was sent; the mail host's answer is awaited.", 'wait_quietly'],
  worker_lost: ['The worker that had the message is gone; it is put back by itself.', 'wait_quietly'],
  lost_from_queue: ['The message is neither finished nor in the queue.', 'ask_operator'],
  may_have_arrived: [
    'The connection was lost after the whole message was sent and before the answer: it may have arrived, and is not sent twice.',
    'resend_deliberately',
  ],

  suppression_pending: [
    'The address was suppressed after the message was accepted; it is dropped when its turn comes.',
    'lift_suppression',
  ],
  suppressed_bounce: [
    'Not sent: earlier mail showed that {email} does not exist.',
    'check_address',
    'lift_suppression',
  ],
  suppressed_complaint: [
    'Not sent: {email} reported earlier mail as spam.',
    'respect_complaint',
    'lift_suppression',
  ],
  suppressed_unsubscribe: [
    'Not sent: {email} has unsubscribed, which ends this kind of mail too as the unsubscribe_blocks of the organization is set.',
    'respect_unsubscribe',
    'lift_suppression',
  ],
  suppressed_manual: ['Not sent: {email} is on the suppression list by hand.', 'lift_suppression'],
  suppressed_left_list: [
    'Not sent: {email} has unsubscribed from the list {list}, which ends the mail of that list alone.',
    'respect_unsubscribe',
  ],
  suppression_lifted: ['Not sent: {email} was suppressed then; it no longer is.', 'resend'],

  campaign_stopped: [
    'The campaign of the message is paused or canceled, so its copies wait.',
    'resume_campaign',
  ],
  tenant_suspended: ['The sub-tenant is suspended, so its mail waits.', 'recover_tenant'],
  tenant_paused: ['The sub-tenant is paused, so its mail waits.', 'recover_tenant'],
  tenant_deleted: ['The sub-tenant was deleted while the message waited.', 'ask_operator'],
  tenant_throttled: [
    'The sub-tenant is throttled: so many of its messages go per hour and no more.',
    'wait_quietly',
    'raise_throttle',
  ],
  held_signing: ['The message cannot be signed, and unsigned it does not leave.', 'fix_signing'],
  held_sender: ['The sender of the message is not verified at present, so its mail waits.', 'prove_sender'],
  held_fault: ['A fault on this server keeps the message; it is looked at again by itself.', 'ask_operator'],

  destination_paused: ['Mail to {domain} is paused.', 'resume_destination'],
  destination_paused_by_workspace: [
    'Mail to {domain} is paused for the whole workspace.',
    'resume_workspace',
  ],
  destination_paused_by_sub_tenant: ['Mail to {domain} is paused for this sub-tenant.', 'resume_sub_tenant'],
  destination_suspended: [
    'A reply of {domain} made this server stop sending there for a while.',
    'wait_quietly',
    'remove_override',
  ],
  tenant_destination_suspended: [
    "A reply of {domain} made this server stop this sub-tenant's mail there for a while.",
    'mend_reputation',
    'remove_override',
  ],
  circuit_open: [
    '{domain} could not be reached; after a pause one message tries again.',
    'check_port_25',
    'retry_destination',
  ],
  rate_limited: [
    'As much mail goes to {domain} as may; this message waits for its share.',
    'wait_quietly',
    'remove_override',
  ],
  concurrency_limited: [
    'As many messages as may be are on their way to {domain}; this one is next in line.',
    'wait_quietly',
  ],
  warm_up: [
    "Today's share of a new sending address for this destination is used up.",
    'wait_quietly',
    'add_source',
  ],
  source_unreachable: [
    'No sending address may be used for this destination now.',
    'check_port_25',
    'check_source_network',
    'add_source',
  ],

  no_source: ['No sending address or smarthost is configured for this destination.', 'configure_source'],

  failed_too_large: ['The composed message is larger than this server sends.', 'shrink'],
  failed_template: ['The message could not be rendered.', 'retry_template'],
  failed_signing: ['The message could not be signed.', 'fix_signing'],
  failed_sender: ['The sender was removed while the message waited.', 'prove_sender'],
  failed_routing: ['There was no way to send the message.', 'ask_operator'],
  failed_fault: ['The message failed on this server.', 'ask_operator'],
} as const satisfies Record<string, readonly [summary: string, ...advice: AdviceCode[]]>;
export type Situation = keyof typeof SITUATIONS;

/** Why an attempt did not deliver, as the second half of a sentence, and what helps. */
export const CAUSE_TEXTS: Readonly<Record<Cause, readonly [why: string, ...advice: AdviceCode[]]>> = {
  no_such_domain: ['the domain {domain} does not exist or has no mail host', 'check_domain', 'check_address'],
  null_mx: ['the domain {domain} says that it takes no mail (null MX)', 'check_address'],
  mail_loop: ['the MX records of {domain} lead back to this server', 'check_own_names'],
  no_usable_host: [
    'no mail host of {domain} has a usable public address',
    'check_domain',
    'check_private_mx',
  ],
  other_address_family: [
    'the mail hosts of {domain} have addresses only of a family (IPv4 or IPv6) that no source has here',
    'add_address_family',
  ],
  dns_failure: ['the mail hosts of {domain} could not be looked up', 'check_dns_servers'],
  connection_refused: ['the mail host refuses connections', 'check_port_25', 'ask_postmaster'],
  connect_timeout: ['the mail host does not answer', 'check_port_25', 'ask_postmaster'],
  network_unreachable: [
    'there is no way to the address of the mail host',
    'check_source_network',
    'check_port_25',
  ],
  no_greeting: ['the mail host took the connection and did not greet', 'ask_postmaster'],
  session_refused: ['the mail host accepts no connections for now', 'slow_down'],
  too_many_connections: ['the mail host has as many connections from here as it takes', 'slow_down'],
  connection_lost: ['the connection broke before the message was accepted', 'ask_postmaster'],
  reply_timeout: ['the mail host stopped answering before it accepted the message', 'ask_postmaster'],
  smarthost_login: ['the smarthost turned down the user or password', 'check_smarthost'],
  tls_handshake: ['no TLS session could be made with the mail host', 'ask_postmaster', 'check_trust'],
  tls_required: [
    'mail to this destination goes over TLS only, and the mail host gives none',
    'ask_postmaster',
    'relax_tls',
  ],
  tls_sts: [
    "the mail host's TLS does not fit the MTA-STS policy of {domain}",
    'tell_about_tls',
    'check_trust',
  ],
  tls_dane: ["the mail host's TLS does not fit its DANE records", 'tell_about_tls'],
  tls_wanted_by_peer: ['the mail host wants TLS, and the session had none', 'ask_postmaster'],
  require_tls: [
    'the message asks for TLS all the way, and the way to {domain} does not give it',
    'relax_require_tls',
    'ask_for_policy',
  ],
  not_delivered_onward: ['it could not be delivered further on', 'check_address', 'ask_postmaster'],
  ambiguous: [
    'the connection was lost after the whole message was sent; it may have arrived',
    'resend_deliberately',
  ],
  greylisted: ['the mail host makes senders that it does not know come back later (greylisting)'],
  put_off: ['the mail host puts it off without a clear reason', 'ask_postmaster'],
  host_trouble: ['the mail host reports trouble of its own', 'ask_postmaster'],
  rate_limited: ['the mail host takes no more from here for now', 'slow_down'],
  mailbox_full: ["the recipient's mailbox is full", 'other_channel'],
  server_full: ['the mail host is out of space', 'ask_postmaster'],
  no_such_mailbox: ['there is no such mailbox', 'check_address'],
  mailbox_disabled: ['the mailbox is closed or disabled', 'check_address'],
  domain_takes_no_mail: ['the mail host takes no mail for {domain}', 'check_domain', 'check_address'],
  blocklisted: ['the sending address is on a blocklist', 'delist'],
  no_reverse_dns: ['the sending address has no matching reverse DNS', 'publish_ptr'],
  poor_reputation: [
    'the mail host does not trust the sending address or domain',
    'mend_reputation',
    'ask_postmaster',
  ],
  content_refused: ['the mail host takes the content for spam', 'change_content'],
  malware_found: [
    'the mail host found malware or phishing in the content',
    'remove_attachment',
    'change_content',
  ],
  spf_failed: ['SPF does not allow the sending address for the domain', 'publish_spf'],
  dkim_failed: ['the DKIM signature did not verify', 'publish_dkim'],
  dmarc_failed: [
    'the domain in From is not authenticated (DMARC)',
    'publish_dkim',
    'publish_spf',
    'publish_dmarc',
  ],
  auth_failed: ['the mail host could not authenticate the sending domain', 'publish_dkim', 'publish_spf'],
  relaying_denied: ['the mail host does not regard {domain} as its own', 'check_domain', 'check_smarthost'],
  sender_refused: ['the mail host refuses the sender address', 'verify_sender'],
  policy: ['a policy of the mail host is against it', 'ask_postmaster'],
  too_large: ['the message is larger than the mail host takes', 'shrink'],
  smtputf8_missing: ['the mail host cannot take an address with non-ASCII letters', 'ascii_address'],
  eight_bit_missing: ['the mail host takes no 8-bit content', 'change_content'],
  protocol: ['the mail host and this server did not understand each other', 'ask_postmaster', 'ask_operator'],
  unknown: ['the mail host gave no reason that is known here', 'ask_postmaster'],
};

/** Values for the words in braces. */
export interface Fillings {
  domain: string;
  message?: string;
  email?: string;
  tenant?: string | null;
  /** Of the last attempt. */
  source?: string | null;
  /** `snd_…`, the identity in From where it is not a sub-tenant's. */
  sender?: string | null;
  campaign?: string | null;
  /** The limit that keeps the message waiting. */
  override?: string | null;
  /** The name, quoted, of the list that the message stands for. */
  list?: string | null;
}

/** Where a word is not known; the texts read on with it. */
const UNKNOWN: Readonly<Record<string, string>> = {
  source: 'that the mail leaves from',
  list: 'that the mail was for',
};

/** A text of this catalogue with its words filled in. */
export function fillIn(text: string, fillings: Fillings): string {
  const { tenant = null, sender = null } = fillings;
  const ofSender = sender === null ? '/v1/senders' : `/v1/senders/${sender}`;
  const own = tenant === null ? ofSender : `/v1/sub-tenants/${tenant}`;
  const words: Record<string, string | null | undefined> = {
    ...fillings,
    records: tenant === null ? `GET ${own}` : `GET ${own}/authentication`,
    // An identity that was removed meanwhile is added, and so checked, again.
    verify: own === '/v1/senders' ? `POST ${own}` : `POST ${own}/verify`,
  };
  return text.replace(
    /\{([a-z]{2,10})\}/g,
    (_, word: string) => words[word] ?? UNKNOWN[word] ?? `(no ${word})`,
  );
}
