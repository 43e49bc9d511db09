// Texts of explanations: the situations of a message, the causes of a failed attempt, and the advice for each. Words in braces
// are filled in from the message. The texts fit every door: the calls beside an advice become buttons, commands or requests. A test
// keeps docs/explain.md in step.
import type { Cause } from './explain-cause.rules.js';

export const ADVICE = {
  nothing: 'No action needed.',
  wait: 'No action needed. The server retries automatically. You can also retry now.',
  wait_quietly: 'No action needed. The message is sent as soon as possible.',
  resend: 'Fix the cause, then send the message again.',
  resend_deliberately: 'The message may have arrived. Ask the recipient before you send it again.',
  raise_lifetime:
    'Mail is retried for MAILKEEL_QUEUE_LIFETIME (marketing: MAILKEEL_MARKETING_QUEUE_LIFETIME). Raise it to outlast longer failures. If the message has its own expiry, that ends it earlier.',
  send_sooner: 'You can give the message another time, or cancel it.',
  check_address:
    'Check the address {email} with its owner, correct it where you keep it, and send a new message.',
  lift_suppression:
    'If the address works, remove {email} from the suppression list and send the message again.',
  respect_complaint:
    'The recipient reported your mail as spam. Take the address off your lists. Lift the suppression only if the person asks for it.',
  respect_unsubscribe:
    'An unsubscribe ends marketing and sales mail, and transactional mail too unless the organization limits it to marketing. Leaving a list ends only the mail of that list. To ask for consent for each purpose, give each message a topic, which is the id of a list.',
  check_domain:
    'Look the domain up (dig MX {domain}). The address may have a typing error, or the domain was not renewed.',
  check_dns_servers:
    'If other domains fail too, check the servers in MAILKEEL_DNS_SERVERS. If only this one fails, its name servers are broken.',
  check_port_25:
    'If other destinations fail too, your network blocks outgoing port 25. Ask your provider to open it, or set MAILKEEL_SMARTHOST.',
  check_source_network: 'Check that this machine has the source address {source} and a route from it.',
  add_address_family:
    'The operator can add an address of that family to a source: address4 or address6 in MAILKEEL_OUTBOUND, or another address in MAILKEEL_SOURCE_ADDRESSES.',
  check_own_names:
    'The MX records of {domain} point to this machine. Correct them, or receive mail for the domain here.',
  check_private_mx:
    'The mail host has a private address. If it is your own, set MAILKEEL_ALLOW_PRIVATE_MX=true.',
  check_smarthost:
    'Correct the user and password in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or ask the operator of the relay why it refuses them.',
  ask_smarthost:
    'The smarthost {source} gave this answer. Check its URL in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, and ask its operator. The attempts show the conversation.',
  ask_postmaster: 'Ask postmaster@{domain}, with the reply and its time. The attempts show the conversation.',
  other_channel: 'Contact the recipient in another way and ask them to empty their mailbox.',
  slow_down:
    'Send less mail to {domain} at once. The limits that its replies have set are shown in the queue.',
  remove_override: 'The operator may lift the limit early.',
  release_restored: 'The operator reviews and releases it: mailkeel admin restore --review, then --release.',
  resume_destination: 'Resume the destination.',
  resume_sub_tenant: 'Resume the destination for the sub-tenant.',
  resume_workspace: 'Resume the destination for the whole workspace.',
  retry_destination: 'You can retry all mail to {domain} now.',
  publish_ptr:
    'Give the sending address a PTR record that names its EHLO host, and that host an A or AAAA record back; mailkeel doctor checks both.',
  delist:
    'Look the sending address up at the list that the reply names, remove the cause, and ask for removal. Until then use another source or MAILKEEL_SMARTHOST.',
  mend_reputation:
    'Send less, to people who react, and check complaints and bounces. Warm up a new address slowly.',
  publish_spf: 'Publish the SPF and return-path records of the sending domain.',
  publish_dkim: 'Publish the DKIM record of the sending domain exactly as it is shown, then check it.',
  publish_dmarc:
    'Publish a DMARC record (_dmarc TXT "v=DMARC1; p=none") for the domain in From, and send From a domain whose SPF or DKIM passes.',
  change_content:
    'Change the parts that the reply names (links, attachments, wording) and send a new message. Sending it again unchanged harms your reputation.',
  remove_attachment:
    'Check the attachments and links of the message for malware before you send anything else.',
  shrink:
    'Make the message smaller: link to large files instead of attaching them. Base64 makes a file a third larger.',
  ascii_address:
    "Ask for an address with ASCII letters only before the @. The recipient's host accepts no other.",
  tell_about_tls:
    "Tell postmaster@{domain} that the host's TLS does not match the policy that the domain publishes. Sending without the policy would give up its protection.",
  ask_for_policy:
    'Ask postmaster@{domain} for mail hosts with REQUIRETLS, and for an MTA-STS policy or DANE records that vouch for them (DANE counts where MAILKEEL_DANE is on).',
  check_trust: 'If the certificate comes from your own authority, name it in MAILKEEL_EXTRA_CA_FILE.',
  relax_require_tls: 'If the message may be sent without verified TLS, send it again without require_tls.',
  relax_tls:
    'The limits for this destination require TLS. If mail may be sent without TLS, the operator can change that.',
  verify_sender: 'Send From a verified address whose domain has MX or A records.',
  prove_sender: "Publish the records of the sender's domain, then check them again.",
  recover_tenant:
    'The trail of the sub-tenant says why. The mail waits and is sent when the sub-tenant is active again.',
  resume_campaign: 'Resume the campaign. If it paused automatically, its page says why.',
  raise_throttle:
    'The reputation of the sub-tenant shows who set the limit. You can change the limit that you set yourself.',
  fix_signing:
    'Make the DKIM key usable: publish the missing records, then check them again. Mail never leaves unsigned.',
  ask_operator: "Ask the operator: the server's log has the reason, under the message's id.",
  add_source: 'The operator can raise the limits of the sending addresses, or add an address.',
  resume_source:
    'The operator can see why the source is suspended and resume it, or route the mail another way.',
  configure_source:
    'The operator has to name sending addresses in MAILKEEL_SOURCE_ADDRESSES or MAILKEEL_OUTBOUND, or a relay in MAILKEEL_SMARTHOST.',
  retry_template: 'Correct the template or its variables and send a new message.',
  live_key: 'No mail left the sandbox. To send real mail, use a live key.',
} as const;
export type AdviceCode = keyof typeof ADVICE;

/** Situations that no failed attempt explains. `now`, in place of a summary of the past. */
export const SITUATIONS = {
  delivered: ['The mail host of {domain} accepted the message.', 'nothing'],
  opened: ['The message arrived and was opened.', 'nothing'],
  handed_to_smarthost: [
    'The smarthost accepted the message. Its further delivery is not known here.',
    'nothing',
  ],
  sent: ['The message was sent.', 'nothing'],
  received: ['This is a received message.', 'nothing'],
  complained: ['The recipient reported the message as spam.', 'respect_complaint'],
  canceled: ['The message was canceled before it left.', 'resend'],
  canceled_contact_deleted: ['Not sent: the contact was deleted before the campaign reached it.', 'nothing'],
  canceled_removed_from_list: [
    'Not sent: {email} was taken off the list of the campaign before its copy left.',
    'resend',
  ],
  canceled_not_in_segment: [
    'Not sent: {email} does not match the segment of the campaign any more.',
    'resend',
  ],
  simulated: ['The sandbox simulates the outcome that the address asks for. No mail leaves it.', 'live_key'],

  scheduled: ['The message waits for its time.', 'send_sooner'],
  waiting_turn: ['The message is due and waits for its turn.', 'wait_quietly'],
  in_delivery: ['The message is being delivered right now.', 'wait_quietly'],
  in_delivery_unanswered: ["The whole message was sent; the mail host's answer is awaited.", 'wait_quietly'],
  worker_lost: [
    'The worker that had the message has ended. The message returns to the queue by itself.',
    'wait_quietly',
  ],
  lost_from_queue: ['The message is neither finished nor in the queue.', 'ask_operator'],
  may_have_arrived: [
    'The connection was lost after the whole message was sent and before the answer. The message may have arrived, so it is not sent again by itself.',
    'resend_deliberately',
  ],

  suppression_pending: [
    'The address was suppressed after the message was accepted. The message will not be sent.',
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
    'Not sent: {email} has unsubscribed. With the unsubscribe_blocks of the organization, that ends this kind of mail too.',
    'respect_unsubscribe',
    'lift_suppression',
  ],
  suppressed_manual: ['Not sent: {email} was put on the suppression list by hand.', 'lift_suppression'],
  suppressed_left_list: [
    'Not sent: {email} has unsubscribed from the list {list}. Only the mail of that list ends.',
    'respect_unsubscribe',
  ],
  suppression_lifted: ['Not sent: {email} was suppressed at that time, and is not any more.', 'resend'],

  campaign_stopped: [
    'The campaign of the message is paused or canceled, so its copies wait.',
    'resume_campaign',
  ],
  tenant_suspended: ['The sub-tenant is suspended, so its mail waits.', 'recover_tenant'],
  tenant_paused: ['The sub-tenant is paused, so its mail waits.', 'recover_tenant'],
  tenant_deleted: ['The sub-tenant was deleted while the message waited.', 'ask_operator'],
  tenant_throttled: [
    'The sub-tenant is throttled: its messages per hour are limited.',
    'wait_quietly',
    'raise_throttle',
  ],
  held_signing: ['The message cannot be signed, and unsigned mail is not sent.', 'fix_signing'],
  held_sender: ['The sender of the message is not verified at present, so its mail waits.', 'prove_sender'],
  held_fault: ['A fault on this server holds the message. The server tries again by itself.', 'ask_operator'],

  outbound_held: [
    'A backup was restored, and live mail is held until the operator has seen what may have left already.',
    'release_restored',
  ],
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
    '{domain} could not be reached. After a pause one message is tried.',
    'check_port_25',
    'retry_destination',
  ],
  rate_limited: [
    'The rate limit of {domain} is reached. This message waits.',
    'wait_quietly',
    'remove_override',
  ],
  concurrency_limited: [
    'The limit of simultaneous messages to {domain} is reached. This message is next.',
    'wait_quietly',
  ],
  warm_up: [
    'The warm-up limit of a new sending address for this destination is reached for today.',
    'wait_quietly',
    'add_source',
  ],
  source_unreachable: [
    'No sending address can be used for this destination now.',
    'check_port_25',
    'check_source_network',
    'add_source',
  ],

  source_suspended: [
    'The operator has suspended the sending address or smarthost that this mail would leave by.',
    'wait_quietly',
    'resume_source',
  ],
  no_source: ['No sending address or smarthost is configured for this destination.', 'configure_source'],

  failed_too_large: ['The composed message is larger than this server sends.', 'shrink'],
  failed_template: ['The message could not be rendered.', 'retry_template'],
  failed_signing: ['The message could not be signed.', 'fix_signing'],
  failed_sender: ['The sender was removed while the message waited.', 'prove_sender'],
  failed_routing: ['There was no route for the message.', 'ask_operator'],
  failed_fault: ['The message failed on this server.', 'ask_operator'],
} as const satisfies Record<string, readonly [summary: string, ...advice: AdviceCode[]]>;
export type Situation = keyof typeof SITUATIONS;

/** Why an attempt did not deliver, as the second half of a sentence, and what helps. */
export const CAUSE_TEXTS: Readonly<Record<Cause, readonly [why: string, ...advice: AdviceCode[]]>> = {
  no_such_domain: ['the domain {domain} does not exist or has no mail host', 'check_domain', 'check_address'],
  null_mx: ['the domain {domain} accepts no mail (null MX)', 'check_address'],
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
    'there is no route to the address of the mail host',
    'check_source_network',
    'check_port_25',
  ],
  no_greeting: ['the mail host accepted the connection and sent no greeting', 'ask_postmaster'],
  session_refused: ['the mail host accepts no connections for now', 'slow_down'],
  too_many_connections: ['the mail host has reached its limit of connections from here', 'slow_down'],
  connection_lost: ['the connection broke before the message was accepted', 'ask_postmaster'],
  reply_timeout: ['the mail host stopped answering before it accepted the message', 'ask_postmaster'],
  smarthost_login: ['the smarthost refused the user or password', 'check_smarthost'],
  tls_handshake: ['no TLS session could be made with the mail host', 'ask_postmaster', 'check_trust'],
  tls_required: [
    'mail to this destination needs TLS, and the mail host does not offer it',
    'ask_postmaster',
    'relax_tls',
  ],
  tls_sts: [
    "the mail host's TLS does not match the MTA-STS policy of {domain}",
    'tell_about_tls',
    'check_trust',
  ],
  tls_dane: ["the mail host's TLS does not match its DANE records", 'tell_about_tls'],
  tls_wanted_by_peer: ['the mail host requires TLS, and the session had none', 'ask_postmaster'],
  require_tls: [
    'the message requires TLS all the way, and the route to {domain} does not offer it',
    'relax_require_tls',
    'ask_for_policy',
  ],
  not_delivered_onward: ['a later server could not deliver it', 'check_address', 'ask_postmaster'],
  ambiguous: [
    'the connection was lost after the whole message was sent; it may have arrived',
    'resend_deliberately',
  ],
  greylisted: ['the mail host asks unknown senders to come back later (greylisting)'],
  put_off: ['the mail host deferred it without a clear reason', 'ask_postmaster'],
  host_trouble: ['the mail host reports an error of its own', 'ask_postmaster'],
  rate_limited: ['the mail host limits the mail from here for now', 'slow_down'],
  mailbox_full: ["the recipient's mailbox is full", 'other_channel'],
  server_full: ['the mail host is out of space', 'ask_postmaster'],
  no_such_mailbox: ['there is no such mailbox', 'check_address'],
  mailbox_disabled: ['the mailbox is closed or disabled', 'check_address'],
  domain_takes_no_mail: ['the mail host accepts no mail for {domain}', 'check_domain', 'check_address'],
  blocklisted: ['the sending address is on a blocklist', 'delist'],
  no_reverse_dns: ['the sending address has no matching reverse DNS', 'publish_ptr'],
  poor_reputation: [
    'the mail host does not trust the sending address or domain',
    'mend_reputation',
    'ask_postmaster',
  ],
  content_refused: ['the mail host regards the content as spam', 'change_content'],
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
  policy: ['a policy of the mail host forbids it', 'ask_postmaster'],
  too_large: ['the message is larger than the mail host accepts', 'shrink'],
  smtputf8_missing: ['the mail host does not accept an address with non-ASCII letters', 'ascii_address'],
  eight_bit_missing: ['the mail host accepts no 8-bit content', 'change_content'],
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
export type UnknownWords = Readonly<Record<string, string>>;
const UNKNOWN: UnknownWords = {
  source: 'that the mail leaves from',
  list: 'that the mail was for',
};

/** A text of this catalogue with its words filled in; `unknown` stands in for words that are not known. */
export function fillIn(text: string, fillings: Fillings, unknown: UnknownWords = UNKNOWN): string {
  const words: Readonly<Record<string, string | null | undefined>> = { ...fillings };
  return text.replace(
    /\{([a-z]{2,10})\}/g,
    (_, word: string) => words[word] ?? unknown[word] ?? `(no ${word})`,
  );
}
