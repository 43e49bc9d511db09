// Tests the classification of replies as real servers word them, one table per category: phase, code and text; provider; result.
import { describe, expect, it } from 'vitest';
import type { BounceCategory } from '../../src/contract/names.js';
import {
  compileBounceRules,
  REPLY_PHASES,
  type ReplyPhase,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import {
  classifyReply,
  type ExplainedVerdict,
  type Suppression,
} from '../../src/outbound/outcome/disposition.rules.js';
import { compileProviders, UNKNOWN_PROVIDER } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const providers = compileProviders(readShipped('providers'));
const rules = compileBounceRules(readShipped('bounce-rules'), providers);

/** `suppress`: bounced, and the address is suppressed. `repeat`: suppressed only if it happens again on another day. */
type Outcome = 'retry' | 'fail' | 'repeat' | 'suppress';
type Row = [reply: `${ReplyPhase} ${string}`, outcome: Outcome, provider?: string];

const TABLES: Partial<Record<BounceCategory, Row[]>> = {
  invalid_recipient: [
    [
      `rcpt 550 5.1.1 <ann@example.org> (from <b-${'a'.repeat(43)}@bounce.example.org>): unknown user`,
      'suppress',
    ],
    ["rcpt 550 We don't have a mailbox called ann", 'repeat'],
    ['rcpt 550 ann no longer works here', 'repeat'],
    ['rcpt 550 Gebruiker onbekend', 'repeat'],
    ['rcpt 550 收件人不存在', 'repeat'],
    ['rcpt 550 宛先のメールアドレスが存在しません', 'repeat'],
    ['rcpt 550 사용자를 찾을 수 없습니다', 'repeat'],
    ['rcpt 550 Пользователь не найден', 'repeat'],
    ['rcpt 550 Użytkownik nie istnieje', 'repeat'],
    ['rcpt 550 Kullanıcı bulunamadı', 'repeat'],
    ['rcpt 550 Not in our directory', 'repeat'],
    // Exim, of a local part that it does not have
    ['rcpt 550 Unrouteable address', 'repeat'],
    ['rcpt 552 Mailbox does not exist', 'repeat'],
    ['dsn 550 5.4.1 Recipient not found', 'repeat'],
    [
      'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
      'suppress',
    ],
    [
      'rcpt 550 5.1.1 The email account that you tried to reach 5.1.1 does not exist. Please try',
      'suppress',
      'google',
    ],
    [
      'rcpt 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      'suppress',
      'microsoft_365',
    ],
    ['rcpt 550 5.4.1 Recipient address rejected: Access denied. AS(201806281)', 'repeat', 'microsoft_365'],
    [
      'rcpt 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
      'repeat',
      'microsoft_consumer',
    ],
    [
      "rcpt 554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0]",
      'suppress',
      'yahoo',
    ],
    ['rcpt 552 1 Requested mail action aborted, mailbox not found', 'repeat', 'yahoo'],
    ['rcpt 550 #5.1.0 Address rejected.', 'suppress', 'cisco'],
    ['rcpt 550 Requested action not taken: mailbox unavailable', 'repeat', 'gmx'],
    [
      'rcpt 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
      'suppress',
      'orange',
    ],
    ['rcpt 550 5.1.1 Not our customer', 'suppress', 'comcast'],
    ['rcpt 550 5.7.1 No such user!', 'repeat', 'yandex'],
    ['rcpt 550 User not found: ann@163.com', 'repeat', 'netease'],
    ['rcpt 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550', 'repeat', 'mimecast'],
    ['rcpt 550 Mailbox not found.', 'repeat', 'qq'],
    ['rcpt 550 sorry, no mailbox here by that name. (#5.1.1)', 'suppress'],
    ['rcpt 511 sorry, no mailbox here by that name (#5.1.1 - chkuser)', 'repeat'],
    ['rcpt 550 No Such User Here', 'repeat'],
    ['rcpt 550 There is no such user', 'repeat'],
    ['rcpt 553 5.3.0 <ann@example.org>... No such user here', 'repeat'],
    ['rcpt 550 5.1.4 Ambiguous destination', 'suppress'],
    ['rcpt 551 5.1.6 User has moved; please try another address', 'suppress'],
    ['rcpt 550 5.7.17 Mailbox owner has changed', 'repeat'],
    ['rcpt 550 Unbekannter Empfänger', 'repeat'],
    ['rcpt 550 Destinataire inconnu', 'repeat'],
    ['rcpt 550 Usuario desconocido', 'repeat'],
    // The basic code decides between retry and fail.
    ['rcpt 550 4.1.1 <ann@example.org>: Recipient address rejected: undeliverable address', 'repeat'],
    [
      'rcpt 450 4.1.1 <ann@example.org>: Recipient address rejected: User unknown in local recipient table',
      'retry',
    ],
    ['rcpt 450 5.1.1 User unknown', 'retry'],
    ['rcpt 421 5.1.1 User unknown, closing connection', 'retry'],
    // A transaction has one recipient, so a refusal of its address after the data is about it.
    ['dot 550 5.1.1 User unknown', 'suppress'],
    ['dsn 550 5.1.1 RESOLVER.ADR.RecipNotFound; not found', 'suppress'],
    // The content of an address is its owner's choice.
    ['rcpt 550 5.1.1 <mailbox.full@spamhaus.example>: User unknown', 'suppress'],
    ['rcpt 550 Unknown user greylisted@rbl.example', 'repeat'],
  ],
  inactive_mailbox: [
    ['rcpt 550 5.2.1 The email account that you tried to reach is disabled.', 'suppress', 'google'],
    ['rcpt 550 5.2.1 The email account that you tried to reach is inactive.', 'suppress', 'google'],
    [
      'rcpt 554 30 Sorry, your message to ann@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
      'repeat',
      'yahoo',
    ],
    ['rcpt 550 5.7.13 User account disabled', 'repeat'],
    ['rcpt 550 User suspended: ann@163.com', 'repeat', 'netease'],
    [
      'rcpt 550 Message was not accepted. Local mailbox ann@mail.ru is unavailable: account is disabled',
      'repeat',
      'mail_ru',
    ],
    ['rcpt 550 This account has been suspended', 'repeat'],
    ['rcpt 550 Account closed', 'repeat'],
    ['rcpt 554 Recipient mailbox is inactive', 'repeat'],
    ['rcpt 550 <ann@example.org>... Mailbox is dormant', 'repeat'],
    ['rcpt 450 4.2.1 Mailbox temporarily disabled', 'retry'],
  ],
  bad_domain: [
    ["rcpt 550 The domain example.org doesn't accept mail", 'repeat'],
    ["rcpt 550 The domain doesn't receive email", 'repeat'],
    ['rcpt 550 No MX records found for example.org', 'repeat'],
    ['dsn 554 all relevant MX records point to non-existent hosts', 'repeat'],
    ['dsn 550 5.4.4 unable to look up host example.org: Unknown host', 'repeat'],
    ['rcpt 553 5.1.2 We were not able to find the recipient domain.', 'suppress', 'google'],
    ['rcpt 556 5.1.10 Recipient address has null MX', 'suppress'],
    ['rcpt 550 Unrouteable domain', 'repeat'],
    ['rcpt 550 Domain example.org does not exist here', 'repeat'],
    ['rcpt 550 5.7.18 Domain owner has changed', 'repeat'],
    ['dsn 550 5.4.310 DNS domain example.org does not exist', 'repeat'],
    [
      'dsn 550 5.4.4 Host or domain name not found. Name service error for name=example.org type=A: Host not found',
      'repeat',
    ],
    ['rcpt 556 no mail here', 'fail'],
  ],
  quota: [
    ['rcpt 550 Das Postfach ist voll', 'retry'],
    ['rcpt 550 收件人邮箱已满', 'retry'],
    ['rcpt 550 メールボックスの容量を超えています', 'retry'],
    ['rcpt 550 메일함 용량이 초과되었습니다', 'retry'],
    ['rcpt 550 Почтовый ящик получателя переполнен', 'retry'],
    ['rcpt 550 Skrzynka odbiorcy jest pełna', 'retry'],
    ['rcpt 550 Posta kutusu dolu', 'retry'],
    ['dsn 554 User mailbox exceeds allowed size', 'retry'],
    ['rcpt 452 4.2.2 The email account that you tried to reach is over quota.', 'retry', 'google'],
    [
      'rcpt 552 5.2.2 The email account that you tried to reach is over quota and inactive.',
      'retry',
      'google',
    ],
    [
      'dot 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
      'retry',
      'microsoft_365',
    ],
    ['rcpt 552 5.2.2 <ann@icloud.com>: user is over quota', 'retry', 'apple'],
    ['rcpt 552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]', 'retry', 'orange'],
    ['rcpt 552 Requested mail action aborted: exceeded storage allocation', 'retry', 'gmx'],
    ['rcpt 550 Mailbox is full', 'retry'],
    ['rcpt 550 5.7.1 <ann@example.org>: Recipient address rejected: Mailbox quota exceeded', 'retry'],
    ['rcpt 553 Mailbox space not enough', 'retry', 'qq'],
    ['rcpt 450 Mailfolder is full', 'retry'],
    ['rcpt 550 5.1.1 User unknown or quota used up', 'retry'],
    ['mail 452 4.3.1 Insufficient system storage', 'retry'],
    ['data 452 Insufficient disk space', 'retry'],
    ['rcpt 552', 'retry'],
  ],
  greylist: [
    [
      'rcpt 450 4.2.0 <ann@example.org>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.org.html',
      'retry',
    ],
    ['rcpt 451 4.7.1 Greylisting in action, please come back in 00:04:59', 'retry'],
    ['rcpt 451 4.7.1 Graylisted for 5 minutes', 'retry'],
    ['rcpt 450 4.7.1 Grey listing: try again in 300 seconds', 'retry'],
    ['rcpt 451 Temporarily rejected. Please try again later', 'retry'],
    ['rcpt 450 Unknown sender/recipient pair: retry later', 'retry'],
    ['rcpt 451 4.7.1 new sender, please wait', 'retry'],
    ['rcpt 451 Retry too soon, the minimum delay has not passed', 'retry'],
    ['rcpt 451 mail.example.com is not yet authorized to deliver mail from you. Please try later.', 'retry'],
    [
      'rcpt 450 4.1.1 <ann@example.org>: Recipient address rejected: unverified address: Address verification in progress',
      'retry',
    ],
    [
      'rcpt 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451',
      'retry',
      'mimecast',
    ],
    [
      'rcpt 451 4.7.1 Sorry, the service is currently unavailable. Please come back later.',
      'retry',
      'yandex',
    ],
    ['dot 421 4.7.0 [GL01] Message from (192.0.2.1) temporarily deferred', 'retry', 'yahoo'],
    ['rcpt 451 4.7.1 Service unavailable - try again later', 'retry'],
    ['rcpt 450 4.7.1 <ann@example.org>: Recipient address rejected: Try again later', 'retry'],
    ['dot 451 4.7.1 Try again later; rspamd greylist', 'retry'],
    ['dot 550 Greylisted, please try again', 'retry'],
    ['rcpt 450', 'retry'],
    ['rcpt 451 no', 'retry'],
  ],
  rate_limited: [
    ['rcpt 550 5.5.0 Too many invalid recipients', 'retry'],
    ['rcpt 450 4.2.1 The user you are trying to contact is receiving mail at a rate that', 'retry', 'google'],
    ['rcpt 550 5.2.1 The user you are trying to contact is receiving mail at a rate that', 'retry', 'google'],
    [
      'mail 421 4.7.28 Our system has detected an unusual rate of 4.7.28 unsolicited mail originating from your IP address.',
      'retry',
      'google',
    ],
    [
      'mail 451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)',
      'retry',
      'microsoft_365',
    ],
    [
      'mail 451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation. (S775)',
      'retry',
      'microsoft_consumer',
    ],
    [
      'mail 421 RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.',
      'retry',
      'microsoft_consumer',
    ],
    ['mail 550 RP-002 The mail server IP has exceeded the connection limit', 'retry', 'microsoft_consumer'],
    ['dot 432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded', 'retry', 'microsoft_365'],
    [
      'mail 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
      'retry',
      'yahoo',
    ],
    ['mail 421 4.7.0 [TS02] Messages from 192.0.2.1 temporarily deferred', 'retry', 'yahoo'],
    ['greeting 421 4.7.0 [IPTS04] Messages temporarily deferred', 'retry', 'yahoo'],
    [
      'greeting 421 mwinf5c01 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]',
      'retry',
      'orange',
    ],
    ['greeting 421 4.1.0 192.0.2.1 Throttled - RL000010', 'retry', 'comcast'],
    ['greeting 421 HL:ITC 163 mx1', 'retry', 'netease'],
    ['mail 550 Ip frequency limited.', 'retry', 'qq'],
    ['rcpt 452 4.5.3 Too many recipients', 'retry'],
    ['rcpt 552 5.5.3 Too many recipients', 'retry'],
    ['rcpt 452', 'retry'],
    ['greeting 421 4.7.0 Error: too many connections from 192.0.2.1', 'retry'],
    ['greeting 421 Too many concurrent SMTP connections; please try again later.', 'retry'],
    ['rcpt 450 4.7.1 Error: too much mail from 192.0.2.1; hourly limit', 'retry'],
    ['rcpt 452 Too many recipients received this hour', 'retry', 'cisco'],
    ['dot 550 5.4.5 Daily user sending limit exceeded.', 'retry', 'google'],
    ['mail 421 4.7.1 Ratelimit exceeded', 'retry', 'mail_ru'],
  ],
  spam_block: [
    ['rcpt 554 5.7.1 mailbox unavailable - reputation', 'fail'],
    ['dot 421 4.7.0 [CS01] Message rejected due to local policy', 'retry', 'apple'],
    ['mail 550 5.7.1 Client host rejected OFR_102 [102]', 'retry', 'orange'],
    [
      'mail 550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.',
      'retry',
      'cisco',
    ],
    // A list of addresses: another address or a later time can succeed.
    [
      'rcpt 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1',
      'retry',
    ],
    [
      'greeting 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1',
      'retry',
      'barracuda',
    ],
    ['rcpt 550 192.0.2.1 is listed at bl.spamcop.net', 'retry'],
    [
      'mail 550 5.7.1 Unfortunately, messages from [192.0.2.1] were not sent. Part of their network is on our block list (S3140).',
      'retry',
      'microsoft_consumer',
    ],
    [
      'mail 550 SC-001 (BAY004-MC1F1) Unfortunately, messages from 192.0.2.1 were not sent',
      'retry',
      'microsoft_consumer',
    ],
    ['rcpt 550 5.7.606 Access denied, banned sending IP [192.0.2.1]', 'retry', 'microsoft_365'],
    ['rcpt 550 5.7.511 Access denied, banned sender[192.0.2.1].', 'retry', 'microsoft_365'],
    [
      'rcpt 550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.',
      'retry',
      'microsoft_365',
    ],
    [
      'dot 550 5.7.1 [192.0.2.1 12] Our system has detected an unusual rate of unsolicited mail originating from your IP address. Mail has been blocked.',
      'retry',
      'google',
    ],
    [
      'dot 421 4.7.0 [192.0.2.1 15] This message is suspicious due to the very low reputation of the sending IP address.',
      'retry',
      'google',
    ],
    ['mail 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1', 'retry', 'yahoo'],
    [
      'mail 553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed.',
      'retry',
      'yahoo',
    ],
    ['dot 550 5.7.1 Mail from IP 192.0.2.1 was rejected due to listing in Proofpoint PDR.', 'retry', 'apple'],
    [
      'greeting 554 gmx.net (mxgmx016) Nemesis ESMTP Service not available No SMTP service IP address is black listed.',
      'retry',
      'gmx',
    ],
    ['greeting 554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help)', 'retry', 't_online'],
    ['greeting 554 BL000001: blocked for spam', 'retry', 'comcast'],
    ['mail 550 5.5.0 Service refuse. Veuillez essayer plus tard. LPN007_510', 'retry', 'laposte'],
    ['mail 550 Local CT IP Reputation - (reject)', 'retry', 'mimecast'],
    ['rcpt 554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1', 'retry', 'proofpoint'],
    [
      "greeting 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
      'retry',
      'cisco',
    ],
    [
      'rcpt 550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Trend Micro RBL+',
      'retry',
      'trend_micro',
    ],
    ['mail 550 Access from ip address 192.0.2.1 blocked.', 'retry', 'mail_ru'],
    ['rcpt 554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied', 'retry'],
    ['rcpt 550 5.1.1 Your host is blacklisted', 'retry'],
    ['rcpt 451 4.7.1 192.0.2.1 is on our deny list', 'retry'],
    ['rcpt 550 Rejected: 192.0.2.1 listed at dnsbl', 'retry'],
    // A list of domains applies to every address of Mailkeel.
    [
      'dot 554 5.7.1 Service unavailable; Sender address [news@example.net] blocked using dbl.spamhaus.org',
      'fail',
    ],
    ['dot 554 5.7.1 sender has a poor reputation', 'fail'],
    ['mail 550 5.7.502 Access denied, banned sender', 'fail', 'microsoft_365'],
  ],
  spam_content: [
    ['rcpt 550 5.1.1 Not for spammers', 'fail'],
    ['dot 550 Unsolicited bulk mail is not wanted here', 'fail'],
    [
      'dot 550 5.7.1 [192.0.2.1 12] Our system has detected that this message is 5.7.1 likely unsolicited mail.',
      'fail',
      'google',
    ],
    [
      'dot 552 5.7.0 This message was blocked because its content presents a potential security issue.',
      'fail',
      'google',
    ],
    ['dot 554 Message not allowed - [PH01] Email not accepted for policy reasons.', 'fail', 'yahoo'],
    ['dot 554 5.7.1 [HM07] Message rejected due to local policy.', 'fail', 'apple'],
    ['dot 550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506]', 'fail', 'orange'],
    ['dot 554 5.7.1 [1] Message rejected under suspicion of SPAM', 'fail', 'yandex'],
    ['dot 550 spam message rejected.', 'fail', 'mail_ru'],
    ['dot 550 Mail content denied.', 'fail', 'qq'],
    ['dot 554 DT:SPM 163 mx1', 'fail', 'netease'],
    ['dot 554 5.7.1 Message identified as SPAM', 'fail'],
    ['dot 550 High probability of spam', 'fail'],
    ['dot 550 5.7.1 This message contains a virus: Eicar-Test-Signature', 'fail'],
    ['dot 554 5.7.1 Blacklisted URL in message. See http://lookup.uribl.com', 'fail'],
    ['dot 550 This message was classified as SPAM and may not be delivered', 'fail'],
    ['dot 451 4.7.1 Suspected spam, held back', 'retry'],
  ],
  auth_failed: [
    ['rcpt 550 rejecting spoofed message', 'fail'],
    ['rcpt 550 5.1.1 Your network is unknown', 'fail'],
    [
      'dot 550 5.7.24 Your email has been blocked because the sender domain does not pass authentication checks',
      'fail',
      'google',
    ],
    ['rcpt 550 Unknown client host', 'fail'],
    ['rcpt 554 Your IP address could not be found: ip address not found in the DNS', 'fail'],
    ['dot 550 5.7.26 This mail has been blocked because the sender is unauthenticated.', 'fail', 'google'],
    ['dot 421 4.7.26 This mail has been rate limited because it is unauthenticated.', 'retry', 'google'],
    [
      'dot 421 4.7.32 Your email has been rate limited because the From: header is not aligned',
      'retry',
      'google',
    ],
    ['dot 550 5.7.30 Gmail requires all senders to authenticate with DKIM', 'fail', 'google'],
    ['rcpt 550 5.7.25 The IP address sending this message does not have a PTR record', 'fail', 'google'],
    [
      'dot 550 5.7.515 Access denied, sending domain example.net does not meet the required authentication level.',
      'fail',
      'microsoft_consumer',
    ],
    [
      'dot 550 5.7.509 Access denied, sending domain example.net does not pass DMARC verification',
      'fail',
      'microsoft_365',
    ],
    [
      'rcpt 550 5.7.23 The message was rejected because of Sender Policy Framework violation',
      'fail',
      'microsoft_365',
    ],
    ['rcpt 550 Requested action not taken: mailbox unavailable Reject due to SPF policy.', 'fail', 'gmx'],
    ['mail 554 Bad DNS PTR resource record.', 'fail', 'gmx'],
    [
      'rcpt 554 5.7.1 <ann@example.org>: Recipient address rejected: Please see http://www.openspf.net/Why?s=mfrom',
      'fail',
    ],
    ['dot 550 5.7.1 Email rejected per DMARC policy for example.net', 'fail'],
    ['dot 550 DKIM Sender Invalid - envelope rejected', 'fail', 'mimecast'],
    ['rcpt 550 5.7.1 192.0.2.1 is not allowed to send mail from example.net', 'fail'],
    ['rcpt 450 4.7.25 Client host rejected: cannot find your reverse hostname, [192.0.2.1]', 'retry'],
    ['dot 550 5.7.20 No passing DKIM signature found', 'fail'],
    ['dot 550 5.7.29 ARC validation failure', 'fail'],
  ],
  policy: [
    // Mailkeel's own return path, and no other address
    [`rcpt 550 5.1.0 <b-${'a'.repeat(43)}@bounce.example.org>: Address rejected`, 'fail'],
    ['rcpt 550 5.1.0 MAIL FROM address rejected', 'fail'],
    ['rcpt 550 5.1.1 发件人地址不存在', 'fail'],
    ['rcpt 550 No such user - refused by an ACL', 'fail'],
    ['rcpt 550 5.1.1 Access denied', 'fail'],
    ["rcpt 550 This domain doesn't accept mail from example.net", 'fail'],
    ['rcpt 550 The recipient has blocked you: personal blacklist', 'fail'],
    ['dsn 550 5.1.0 Sender rejected', 'fail'],
    ['rcpt 554 5.7.1 <ann@example.org>: Relay access denied', 'fail'],
    ['rcpt 550 relaying denied', 'fail'],
    ['rcpt 550 5.7.1 Unable to relay', 'fail'],
    ['rcpt 550 5.7.64 TenantAttribution; Relay Access Denied', 'fail', 'microsoft_365'],
    ['rcpt 550 5.7.1 RESOLVER.RST.AuthRequired; authentication required', 'fail', 'microsoft_365'],
    [
      'dot 550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent.',
      'fail',
      'google',
    ],
    ['dot 554 5.7.9 Message not accepted for policy reasons.', 'fail', 'yahoo'],
    ['dot 554 Transaction failed Reject due to policy restrictions.', 'fail', 'gmx'],
    ['rcpt 550 Administrative prohibition - envelope blocked', 'fail', 'mimecast'],
    ['rcpt 550 5.7.1 <ann@example.org>: Recipient address rejected: Access denied', 'fail'],
    // About Mailkeel's sender or name rather than the recipient, so never suppressed, regardless of the command.
    ['mail 553 5.1.8 Sender domain not found', 'fail'],
    ['mail 553 5.1.7 The sender address is not a valid address', 'fail'],
    ['mail 550 5.7.27 Sender address has null MX', 'fail'],
    ['mail 550 5.1.1 unknown', 'fail'],
    ['mail 450 4.1.8 <news@example.net>: Sender address rejected: Domain not found', 'retry'],
    ['rcpt 550 <news@example.net>: Sender address rejected: Domain not found', 'fail'],
    ['rcpt 550 5.1.0 <news@example.net> sender rejected', 'fail'],
    ['rcpt 550 Sender verify failed', 'fail'],
    ['rcpt 550 5.7.1 <mail.example.net>: Helo command rejected: Host not found', 'fail'],
    ['rcpt 504 5.5.2 <mail>: Helo command rejected: need fully-qualified hostname', 'fail'],
    ['mail 550 no', 'fail'],
    ['auth 535 5.7.8 Authentication credentials invalid', 'retry'],
  ],
  tls: [
    ['mail 530 5.7.0 Must issue a STARTTLS command first', 'fail'],
    ['mail 550 5.7.10 Encryption needed', 'fail'],
    ['rcpt 550 5.7.30 REQUIRETLS support required', 'fail'],
    ['ehlo 550 5.7.30 REQUIRETLS is needed and not offered', 'retry', 'google'],
    ['mail 451 4.7.10 Encryption needed', 'retry'],
    ['dot 550 5.7.29 This message is not sent over a TLS connection', 'fail', 'google'],
    ['mail 550 TLS encryption required by policy', 'fail'],
    ['starttls 454 TLS currently unavailable', 'retry'],
  ],
  too_large: [
    ['dot 554 The size of 40 MB exceeds what we take', 'fail'],
    ['mail 552 5.3.4 Message size exceeds fixed maximum message size', 'fail'],
    ['dot 552 5.2.3 Your message exceeded the size limits', 'fail', 'google'],
    ['dot 552 Message too large', 'fail'],
    ['mail 552 too big', 'fail'],
    ['dot 550 Message size too large; 10485760 allowed', 'fail'],
    ['dot 523 the message length is too long', 'fail'],
    ['dot 554 5.7.16 Message too big for the specified priority', 'fail'],
  ],
  network: [
    // Before MAIL, the host refuses Mailkeel: another host, another source address or a later time can succeed.
    ['greeting 521 mail.example.org does not accept mail', 'retry'],
    ['greeting 521 5.3.2 Service currently unavailable', 'retry'],
    ['rcpt 451 4.3.0 Mail server temporarily rejected message.', 'retry', 'google'],
    ['rcpt 451 4.7.0 Temporary server error. Please try again later. PRX2', 'retry', 'microsoft_365'],
    ['rcpt 451 4.7.0 Temporary server error. Please try again later. PRX4', 'retry'],
    ['dot 451 4.3.0 Error: queue file write error', 'retry'],
    ['greeting 421 4.3.2 Service not active', 'retry'],
    ['ehlo 421 shutting down', 'retry'],
    ['connect 451 service temporarily unavailable', 'retry'],
    ['rcpt 450 4.4.3 Temporary lookup failure', 'retry'],
    ['dot 554 5.4.6 Routing loop detected', 'fail'],
    ['dot 554 5.4.14 Hop count exceeded - possible mail loop', 'fail', 'microsoft_365'],
    ['dot 554 too many hops', 'fail'],
    ['rcpt 451 Resources temporarily not available - Please try again later [#4.16.5].', 'retry', 'yahoo'],
  ],
  protocol: [
    ['dot 550 5.1.1 Unknown address in a header', 'fail'],
    ['mail 501 5.5.4 Invalid argument', 'fail'],
    ['dot 555 5.5.2 Syntax error, goodbye', 'fail', 'google'],
    ['data 503 5.5.1 Bad sequence of commands', 'fail'],
    ['ehlo 502 command not implemented', 'retry'],
    ['dot 550 5.6.11 SMTPSEND.BareLinefeedsAreIllegal; bare line feeds', 'fail', 'microsoft_365'],
    [
      'dot 550 5.7.1 Messages missing a valid address in the From: header are not accepted. See RFC 5322',
      'fail',
      'google',
    ],
    ['mail 550 5.6.7 Non-ASCII addresses not permitted for that sender', 'fail', 'google'],
    ['rcpt 354 out of step', 'retry'],
    ['mail 250 ok', 'retry'],
  ],
  expired: [
    ['dsn 554 Message was too long in the queue', 'fail'],
    ['dsn 550 4.4.7 QUEUE.Expired; message expired', 'fail'],
    ['dsn 554 Connection timed out: retry timeout exceeded', 'fail'],
    ['dsn 550 5.4.300 Message expired', 'fail', 'microsoft_365'],
  ],
  unknown: [
    ['rcpt 550 5.2.1 mailbox temporarily disabled, try later', 'retry'],
    ['rcpt 550 5.1.1 User unknown: lookup failure', 'retry'],
    // Not enough to suppress the address.
    ['rcpt 550 Rejected', 'fail'],
    ['rcpt 550 5.0.0 no', 'fail'],
    ['dot 554 Transaction failed', 'fail'],
    ['dot 451 Requested action aborted: local error', 'retry'],
    ['rcpt 450 no', 'retry', 'google'],
    ['rcpt 451 no', 'retry', 'yahoo'],
  ],
};

function parse(reply: string): { phase: ReplyPhase; code: number; text: string } {
  const [name, code, ...words] = reply.split(' ');
  const phase = REPLY_PHASES.find((known) => known === name);
  if (!phase) throw new Error(`no phase in ${reply}`);
  return { phase, code: Number(code), text: words.join(' ') };
}

function decide(reply: string, provider?: string, enhanced?: string): ExplainedVerdict {
  const given = { ...parse(reply), provider: provider ?? null, enhanced: enhanced ?? null };
  return classifyReply(given, rules);
}

const SUPPRESSIONS: Partial<Record<Outcome, Suppression>> = { suppress: 'now', repeat: 'repeated' };

for (const [category, rows] of Object.entries(TABLES)) {
  describe(category, () => {
    it.each(rows)('%s: %s', (reply, outcome, provider) => {
      const verdict = decide(reply, provider);
      expect(verdict, verdict.by).toMatchObject({
        category,
        disposition: outcome === 'retry' ? 'retry' : 'fail',
        suppress: SUPPRESSIONS[outcome] ?? (category === 'quota' ? expect.any(String) : 'never'),
      });
    });
  });
}

describe('the shipped rules', () => {
  const rowsOf = Object.values(TABLES).flat();

  it('have several examples of replies for each category', () => {
    const counts = Object.values(TABLES).map((rows) => rows.length);
    expect(counts.length).toBeGreaterThanOrEqual(15);
    expect(rowsOf.length).toBeGreaterThan(180);
  });

  it('each decide an example', () => {
    const used = new Set(rowsOf.map(([reply, , provider]) => decide(reply, provider).by));
    const unused = [...rules.first, ...rules.texts, ...rules.doubts].filter((rule) => !used.has(rule.place));
    expect(unused.map((rule) => rule.pattern.source)).toEqual([]);
  });

  it('for a provider belong to a provider with hosts', () => {
    const named = [...rules.first, ...rules.texts].flatMap((rule) => rule.providers ?? []);
    for (const name of named) expect(name === null || providers.names.has(name), String(name)).toBe(true);
    expect(named.length).toBeGreaterThan(40);
    expect(providers.names.has(UNKNOWN_PROVIDER)).toBe(false);
  });

  it('name the rule that decided', () => {
    const by = (reply: string, enhanced?: string): string => decide(reply, undefined, enhanced).by;
    expect(by('rcpt 550 x', '5.1.1')).toBe('enhanced 1.1');
    expect(by('rcpt 550 x', '5.7.99')).toBe('enhanced 7.*');
    expect(by('rcpt 550 x')).toBe('basic 550');
    expect(by('dot 250 x')).toBe('success');
    expect(by('rcpt 450 greylisted')).toMatch(/^first\[\d+\]$/);
    expect(by('rcpt 550 no such user')).toMatch(/^texts\[\d+\]$/);
  });
});
