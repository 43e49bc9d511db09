// Texts of explanations: the situations of a message, the causes of a failed attempt, and the advice for each. Words in braces are
// filled in from the message. The texts work in the dashboard, the command line and the API, which show the calls of an advice as
// buttons, commands or requests. A test keeps docs/explain.md in step.
import type { Cause } from './explain-cause.rules.js';

export const ADVICE = {
  nothing: 'No action needed.',
  wait: 'No action needed. Mailkeel retries automatically. You can also retry now.',
  wait_quietly: 'No action needed. Mailkeel sends the message as soon as possible.',
  resend: 'Fix the cause, then resend the message.',
  resend_now: 'Resend the message.',
  resend_deliberately: 'The message may have been delivered. Check with the recipient before you resend it.',
  raise_lifetime:
    "Mailkeel retries until MAILKEEL_QUEUE_LIFETIME expires (MAILKEEL_MARKETING_QUEUE_LIFETIME for marketing mail). Increase it to survive longer outages. A message's own expiry still applies if it is earlier.",
  ask_approver: 'The audit trail names the approver. Change the message, then send it again.',
  decide_approval:
    'Ask an owner, an admin or a member who can approve messages to decide. You can also cancel the message.',
  send_sooner: 'Reschedule or cancel the message.',
  check_address:
    'Confirm the address {email} with the recipient, correct it in your records, and send a new message.',
  lift_suppression:
    'If the address is valid, remove {email} from the suppression list and resend the message.',
  lift_and_wait:
    'If the address is valid, remove {email} from the suppression list. Mailkeel then sends the message.',
  respect_complaint:
    'The recipient reported your mail as spam. Remove the address from your lists. The suppression stays unless the recipient asks for your mail again.',
  respect_unsubscribe:
    "Unsubscribing stops marketing and sales mail. It also stops transactional mail, unless the organization limits unsubscribes to marketing. Leaving a list stops mail from that list only. To manage consent per purpose, set each message's topic to the ID of a list.",
  check_domain:
    'Look up the domain (dig MX {domain}). The address may contain a typo, or the domain may have expired.',
  check_dns_servers:
    'If other domains fail too, check the servers in MAILKEEL_DNS_SERVERS. If only this domain fails, its name servers are broken.',
  check_port_25:
    'If other destinations fail too, your network probably blocks outbound port 25. Ask your provider to open it, or set MAILKEEL_SMARTHOST.',
  check_source_network:
    'Check that the IP address of source {source} is configured on this server and has a route to the internet.',
  add_address_family:
    'Ask the operator to give a source an address of that family, with address4 or address6 in MAILKEEL_OUTBOUND or another address in MAILKEEL_SOURCE_ADDRESSES.',
  check_own_names:
    'The MX records of {domain} point to this server. Correct them, or set up Mailkeel to receive mail for the domain.',
  check_private_mx:
    "The recipient's mail server has a private IP address. If it is your own server, set MAILKEEL_ALLOW_PRIVATE_MX=true.",
  check_smarthost:
    "Correct the username and password in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or ask the smarthost's operator why they are rejected.",
  ask_smarthost:
    'The reply came from smarthost {source}. Check its URL in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or contact its operator. The delivery attempts include the SMTP transcript.',
  ask_postmaster:
    'Contact postmaster@{domain} and include the reply and its time. The delivery attempts include the SMTP transcript.',
  other_channel: 'Contact the recipient another way and ask them to free up space in their mailbox.',
  slow_down: 'Send mail to {domain} more slowly. The queue shows the limits derived from its replies.',
  remove_override: 'The operator can remove the limit before it expires.',
  release_restored:
    'The operator must review the held mail with mailkeel admin restore --review, then release it with --release.',
  resume_destination: 'Resume the destination.',
  resume_sub_tenant: 'Resume the destination for this sub-tenant.',
  resume_workspace: 'Resume the destination for the whole workspace.',
  retry_destination: 'You can retry all queued mail to {domain} now.',
  publish_ptr:
    'Publish a PTR record from the sending IP to its EHLO name, and an A or AAAA record from that name back to the IP. mailkeel doctor checks both.',
  delist:
    'Look up the sending IP on the blocklist named in the reply, fix the cause, and request removal. In the meantime, use another source or MAILKEEL_SMARTHOST.',
  mend_reputation:
    'Send less mail, target engaged recipients, and review complaints and bounces. Warm up new IPs slowly.',
  publish_spf: 'Publish the SPF and return-path records of the sending domain.',
  publish_dkim: "Publish the sending domain's DKIM record exactly as shown, then verify it.",
  publish_dmarc:
    'Publish a DMARC record (_dmarc TXT "v=DMARC1; p=none") for the From domain, and make sure SPF or DKIM passes for it.',
  change_content:
    'Change the links, attachments or wording that the reply complains about, and send a new message. Resending the same content harms your reputation.',
  remove_attachment: "Scan the message's attachments and links for malware before you send more mail.",
  shrink:
    'Reduce the message size by linking to large files instead of attaching them. Base64 encoding adds a third to the size of an attachment.',
  ascii_address:
    'If the address has other characters than ASCII before the @, ask the recipient for another one.',
  send_ascii:
    'Send the message with an ASCII header and text in quoted-printable or base64. Mailkeel does not convert forwarded and signed messages, because that would break their signatures.',
  tell_about_tls:
    "Tell postmaster@{domain} that the mail server's TLS does not match the policy published by the domain. Bypassing the policy would remove its protection.",
  ask_for_policy:
    'Ask postmaster@{domain} for mail servers that support REQUIRETLS and are authenticated by an MTA-STS policy or DANE records. DANE requires MAILKEEL_DANE to be enabled.',
  check_trust: 'If a private CA issued the certificate, add the CA to MAILKEEL_EXTRA_CA_FILE.',
  relax_require_tls:
    'If verified TLS is not essential for this message, resend it without requiring verified TLS.',
  relax_tls: 'The limits for this destination require TLS. The operator can allow unencrypted delivery.',
  verify_sender: 'Use a verified From address whose domain has MX or A records.',
  prove_sender: "Publish the DNS records of the sender's domain, then verify them again.",
  recover_tenant:
    "The sub-tenant's audit trail shows the reason. Queued mail is sent when the sub-tenant becomes active again.",
  resume_campaign: 'Resume the campaign. If it was paused automatically, the campaign page shows why.',
  raise_throttle:
    "The sub-tenant's reputation shows who set the limit. You can change a limit that you set yourself.",
  fix_signing:
    'Publish the missing DKIM records, then verify them again. Mailkeel never sends unsigned mail.',
  ask_operator: 'Contact the operator. The server log records the reason under the message ID.',
  add_source: 'The operator can raise the limits of the sending IPs or add another IP.',
  resume_source:
    'The operator can see why the source is suspended, and can resume it or route mail through another source.',
  configure_source:
    'The operator must configure sending IPs in MAILKEEL_SOURCE_ADDRESSES or MAILKEEL_OUTBOUND, or a relay in MAILKEEL_SMARTHOST.',
  retry_template: 'Fix the template or its variables and send a new message.',
  live_key: 'Sandbox messages are not delivered. To send real mail, use a live API key.',
} as const;
export type AdviceCode = keyof typeof ADVICE;

/** Situations that no failed attempt explains. `now`, in place of a summary of the past. */
export const SITUATIONS = {
  delivered: ['The mail server of {domain} accepted the message.', 'nothing'],
  opened: ['The message was delivered and opened.', 'nothing'],
  handed_to_smarthost: [
    'The smarthost accepted the message. Mailkeel cannot track delivery beyond the smarthost.',
    'nothing',
  ],
  sent: ['The message was sent.', 'nothing'],
  received: ['This is an inbound message.', 'nothing'],
  complained: ['The recipient reported the message as spam.', 'respect_complaint'],
  canceled: ['The message was canceled before it was sent.', 'resend_now'],
  canceled_contact_deleted: [
    'Not sent because the contact was deleted before the campaign reached it.',
    'nothing',
  ],
  canceled_removed_from_list: [
    "Not sent because {email} was removed from the campaign's list before its copy was sent.",
    'resend',
  ],
  canceled_not_in_segment: ["Not sent because {email} no longer matches the campaign's segment.", 'resend'],
  canceled_forwarding_stopped: [
    'Not sent because the owner of {email} has stopped the forwarding.',
    'nothing',
  ],
  canceled_forwarding_removed: ['Not sent because the inbox no longer forwards to {email}.', 'nothing'],
  simulated: [
    'The sandbox simulates the outcome that the recipient address requests. Nothing is delivered.',
    'live_key',
  ],

  scheduled: ['The message is scheduled for later.', 'send_sooner'],
  waiting_turn: ['The message is due and queued for delivery.', 'wait_quietly'],
  in_delivery: ['The message is being delivered now.', 'wait_quietly'],
  in_delivery_unanswered: [
    "The message was transmitted. Mailkeel is waiting for the recipient's mail server to confirm it.",
    'wait_quietly',
  ],
  worker_lost: [
    'The worker delivering the message stopped. The message returns to the queue automatically.',
    'wait_quietly',
  ],
  lost_from_queue: ['The message has no final status but is not in the queue.', 'ask_operator'],
  may_have_arrived: [
    'The connection was lost after the message was transmitted and before it was confirmed. The message may have been delivered, so Mailkeel does not retry it automatically.',
    'resend_deliberately',
  ],

  suppression_pending: [
    'The address was suppressed after the message was accepted, so the message will not be sent.',
    'lift_and_wait',
  ],
  suppressed_bounce: [
    'Not sent because earlier mail to {email} bounced as undeliverable.',
    'check_address',
    'lift_suppression',
  ],
  suppressed_complaint: [
    'Not sent because {email} reported earlier mail as spam.',
    'respect_complaint',
    'lift_suppression',
  ],
  suppressed_unsubscribe: [
    'Not sent because {email} unsubscribed. The organization applies unsubscribes to this type of mail.',
    'respect_unsubscribe',
    'lift_suppression',
  ],
  suppressed_manual: [
    'Not sent because {email} was added to the suppression list manually.',
    'lift_suppression',
  ],
  suppressed_left_list: [
    'Not sent because {email} unsubscribed from the list {list}. Mail from other lists is not affected.',
    'respect_unsubscribe',
  ],
  suppression_lifted: [
    'Not sent because {email} was suppressed at the time. The address is no longer suppressed.',
    'resend_now',
  ],

  approval_pending: [
    'The message is waiting for approval, which the send policy of its API key requires.',
    'decide_approval',
  ],
  approval_rejected: ['Not sent because an approver rejected the message.', 'ask_approver'],
  approval_expired: ['Not sent because the message was not approved in time.', 'resend_now'],

  campaign_stopped: ['The campaign is paused or canceled, so its messages are on hold.', 'resume_campaign'],
  tenant_suspended: ['The sub-tenant is suspended, so its mail is on hold.', 'recover_tenant'],
  tenant_paused: ['The sub-tenant is paused, so its mail is on hold.', 'recover_tenant'],
  tenant_deleted: ['The sub-tenant was deleted while the message was queued.', 'ask_operator'],
  tenant_throttled: [
    'The sub-tenant is throttled and has reached its hourly message limit.',
    'wait_quietly',
    'raise_throttle',
  ],
  held_signing: [
    'The message is on hold because it cannot be DKIM-signed. Mailkeel does not send unsigned mail.',
    'fix_signing',
  ],
  held_sender: ['The sender is not currently verified, so its mail is on hold.', 'prove_sender'],
  held_fault: ['An internal error is delaying the message. Mailkeel retries automatically.', 'ask_operator'],

  outbound_held: [
    'The server was restored from a backup. Live mail is on hold until the operator has reviewed which messages may already have been sent.',
    'release_restored',
  ],
  destination_paused: ['Delivery to {domain} is paused.', 'resume_destination'],
  destination_paused_by_workspace: [
    'Delivery to {domain} is paused for the whole workspace.',
    'resume_workspace',
  ],
  destination_paused_by_sub_tenant: [
    'Delivery to {domain} is paused for this sub-tenant.',
    'resume_sub_tenant',
  ],
  destination_suspended: [
    'Mailkeel temporarily stopped delivery to {domain} because of a reply from its mail server.',
    'wait_quietly',
    'remove_override',
  ],
  tenant_destination_suspended: [
    "Mailkeel temporarily stopped this sub-tenant's mail to {domain} because of a reply from its mail server.",
    'mend_reputation',
    'remove_override',
  ],
  circuit_open: [
    'Mailkeel could not connect to {domain}. After a pause, it tries again with one message.',
    'check_port_25',
    'retry_destination',
  ],
  rate_limited: [
    'The rate limit for {domain} has been reached, so the message is waiting.',
    'wait_quietly',
    'remove_override',
  ],
  concurrency_limited: [
    'The concurrent delivery limit for {domain} has been reached. This message is next.',
    'wait_quietly',
  ],
  warm_up: [
    "A new sending IP has reached today's warm-up limit for this destination.",
    'wait_quietly',
    'add_source',
  ],
  source_unreachable: [
    'No sending IP can currently reach this destination.',
    'check_port_25',
    'check_source_network',
    'add_source',
  ],

  source_suspended: [
    'The operator has suspended the sending IP or smarthost used for this message.',
    'wait_quietly',
    'resume_source',
  ],
  no_source: ['No sending IP or smarthost is configured for this destination.', 'configure_source'],

  failed_too_large: ['The composed message exceeds the maximum message size of this server.', 'shrink'],
  failed_template: ['The message could not be rendered.', 'retry_template'],
  failed_signing: ['The message could not be DKIM-signed.', 'fix_signing'],
  failed_sender: ['The sender was removed while the message was queued.', 'prove_sender'],
  failed_routing: ['No route was found for the message.', 'ask_operator'],
  failed_fault: ['The message failed because of an internal error.', 'ask_operator'],
} as const satisfies Record<string, readonly [summary: string, ...advice: AdviceCode[]]>;
export type Situation = keyof typeof SITUATIONS;

/** Why an attempt did not deliver, as the second half of a sentence, and what helps. */
export const CAUSE_TEXTS: Readonly<Record<Cause, readonly [why: string, ...advice: AdviceCode[]]>> = {
  no_such_domain: [
    'the domain {domain} does not exist or has no mail server',
    'check_domain',
    'check_address',
  ],
  null_mx: ['the domain {domain} does not accept mail (null MX)', 'check_address'],
  mail_loop: ['the MX records of {domain} point back to this server', 'check_own_names'],
  no_usable_host: [
    'no mail server of {domain} has a usable public IP address',
    'check_domain',
    'check_private_mx',
  ],
  other_address_family: [
    'the mail servers of {domain} use an address family (IPv4 or IPv6) that no sending source supports',
    'add_address_family',
  ],
  dns_failure: ['DNS lookup of the mail servers of {domain} failed', 'check_dns_servers'],
  connection_refused: [
    "the recipient's mail server refused the connection",
    'check_port_25',
    'ask_postmaster',
  ],
  connect_timeout: ["the recipient's mail server did not respond", 'check_port_25', 'ask_postmaster'],
  network_unreachable: [
    "there is no network route to the recipient's mail server",
    'check_source_network',
    'check_port_25',
  ],
  no_greeting: ["the recipient's mail server accepted the connection but sent no greeting", 'ask_postmaster'],
  session_refused: ["the recipient's mail server is temporarily not accepting connections", 'slow_down'],
  too_many_connections: ["too many connections are open to the recipient's mail server", 'slow_down'],
  connection_lost: ['the connection was lost before the message was accepted', 'ask_postmaster'],
  reply_timeout: [
    "the recipient's mail server stopped responding before it accepted the message",
    'ask_postmaster',
  ],
  smarthost_login: ['the smarthost rejected the username or password', 'check_smarthost'],
  tls_handshake: [
    "the TLS handshake with the recipient's mail server failed",
    'ask_postmaster',
    'check_trust',
  ],
  tls_required: [
    "TLS is required for this destination but the recipient's mail server does not offer it",
    'ask_postmaster',
    'relax_tls',
  ],
  tls_sts: [
    "the mail server's TLS does not match the MTA-STS policy of {domain}",
    'tell_about_tls',
    'check_trust',
  ],
  tls_dane: ["the mail server's TLS does not match its DANE records", 'tell_about_tls'],
  tls_wanted_by_peer: [
    "the recipient's mail server requires TLS but the session was not encrypted",
    'ask_postmaster',
  ],
  require_tls: [
    'the message requires TLS end to end but the route to {domain} does not support it',
    'relax_require_tls',
    'ask_for_policy',
  ],
  not_delivered_onward: [
    'a downstream server could not deliver the message',
    'check_address',
    'ask_postmaster',
  ],
  ambiguous: [
    'the connection was lost after the message was transmitted, so it may have been delivered',
    'resend_deliberately',
  ],
  greylisted: ["the recipient's mail server temporarily rejects unknown senders (greylisting)"],
  put_off: ["the recipient's mail server deferred the message without a clear reason", 'ask_postmaster'],
  host_trouble: ["the recipient's mail server reported an internal error", 'ask_postmaster'],
  rate_limited: ["the recipient's mail server is limiting the rate of mail from this server", 'slow_down'],
  mailbox_full: ["the recipient's mailbox is full", 'other_channel'],
  server_full: ["the recipient's mail server is out of storage", 'ask_postmaster'],
  no_such_mailbox: ['the mailbox does not exist', 'check_address'],
  mailbox_disabled: ['the mailbox is disabled', 'check_address'],
  domain_takes_no_mail: [
    "the recipient's mail server does not accept mail for {domain}",
    'check_domain',
    'check_address',
  ],
  blocklisted: ['the sending IP is on a blocklist', 'delist'],
  no_reverse_dns: ['the sending IP has no matching reverse DNS record', 'publish_ptr'],
  poor_reputation: [
    "the sending IP or domain has a poor reputation with the recipient's mail server",
    'mend_reputation',
    'ask_postmaster',
  ],
  content_refused: ["the recipient's mail server classified the content as spam", 'change_content'],
  malware_found: [
    "the recipient's mail server detected malware or phishing in the content",
    'remove_attachment',
    'change_content',
  ],
  spf_failed: ['SPF does not authorize the sending IP for the domain', 'publish_spf'],
  dkim_failed: ['DKIM signature verification failed', 'publish_dkim'],
  dmarc_failed: [
    'the From domain failed DMARC authentication',
    'publish_dkim',
    'publish_spf',
    'publish_dmarc',
  ],
  auth_failed: [
    "the recipient's mail server could not authenticate the sending domain",
    'publish_dkim',
    'publish_spf',
  ],
  relaying_denied: [
    "the recipient's mail server does not handle mail for {domain} (relaying denied)",
    'check_domain',
    'check_smarthost',
  ],
  sender_refused: ["the recipient's mail server rejected the sender address", 'verify_sender'],
  policy: ["the recipient's mail server rejected the message under a local policy", 'ask_postmaster'],
  too_large: ["the message exceeds the size limit of the recipient's mail server", 'shrink'],
  smtputf8_missing: [
    "the recipient's mail server does not support non-ASCII characters in addresses and headers",
    'ascii_address',
    'send_ascii',
  ],
  eight_bit_missing: ["the recipient's mail server does not support 8-bit content", 'send_ascii'],
  protocol: [
    "an SMTP protocol error occurred between this server and the recipient's mail server",
    'ask_postmaster',
    'ask_operator',
  ],
  unknown: ["the recipient's mail server gave no recognizable reason", 'ask_postmaster'],
};

/** Values for the words in braces. */
export interface Fillings {
  domain: string;
  message?: string;
  email?: string;
  tenant?: string | null;
  /** Of the last attempt. */
  source?: string | null;
  /** `snd_…`, the identity in From if it is not a sub-tenant's. */
  sender?: string | null;
  campaign?: string | null;
  /** The limit that keeps the message waiting. */
  override?: string | null;
  /** The quoted name of the list that is the message's topic. */
  list?: string | null;
}

/** Used for unknown words, so that the texts remain readable. */
export type UnknownWords = Readonly<Record<string, string>>;
const UNKNOWN: UnknownWords = {
  source: 'in use',
  list: 'of this message',
};

/** Returns a text of this catalogue with its words filled in. `unknown` replaces words that are not known. */
export function fillIn(text: string, fillings: Fillings, unknown: UnknownWords = UNKNOWN): string {
  const words: Readonly<Record<string, string | null | undefined>> = { ...fillings };
  return text.replace(
    /\{([a-z]{2,10})\}/g,
    (_, word: string) => words[word] ?? unknown[word] ?? `(no ${word})`,
  );
}
