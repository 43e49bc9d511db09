// Translates explanations: situations, causes, advice, and the steps of a message.
import type { Catalogue } from '../translate.js';

/** Advice whose calls the reader may not make. */
const REACH: Catalogue = {
  'Only {} can {}.': 'Nur {} kann {}.',
  'The workspace suppressed {}. Only {} can {}.': 'Der Workspace hat {} gesperrt. Nur {} kann {}.',
  'The workspace paused delivery to {}. Only {} can {}.':
    'Der Workspace hat die Zustellung an {} pausiert. Nur {} kann {}.',
  'The workspace suppressed {}.': 'Der Workspace hat {} gesperrt.',
  'The workspace paused delivery to {}.': 'Der Workspace hat die Zustellung an {} pausiert.',
  'a member or a key with permission to send': 'ein Mitglied oder ein Schlüssel mit Sendeberechtigung',
  'a member or a key with full access': 'ein Mitglied oder ein Schlüssel mit Vollzugriff',
  'an admin or a key with admin permission': 'ein Administrator oder ein Schlüssel mit Administratorrechten',
  'the workspace': 'der Workspace',
  'the operator': 'der Betreiber',
  'retry the message now': 'die Zustellung jetzt wiederholen',
  'resend the message': 'die Nachricht erneut senden',
  'reschedule or cancel the message': 'die Nachricht neu planen oder abbrechen',
  'cancel the message': 'die Nachricht abbrechen',
  'remove the suppression': 'die Sperre aufheben',
  'change this setting': 'diese Einstellung ändern',
  'remove the limit before it expires': 'das Limit vorzeitig aufheben',
  'resume the destination': 'das Ziel fortsetzen',
  'retry the destination': 'die Zustellung an das Ziel wiederholen',
  'verify the DNS records': 'die DNS-Einträge prüfen',
  'change the limit': 'das Limit ändern',
  'resume the campaign': 'die Kampagne fortsetzen',
  'resume the source': 'die Quelle fortsetzen',
  'Mailkeel retries automatically.': 'Mailkeel versucht es automatisch erneut.',
  'No action needed. Mailkeel retries automatically.':
    'Sie müssen nichts tun. Mailkeel versucht es automatisch erneut.',
  'Fix the cause first.': 'Beheben Sie zuerst die Ursache.',
  'The message may have been delivered.': 'Die Nachricht wurde vielleicht zugestellt.',
  "Publish the sending domain's DKIM record exactly as shown.":
    'Veröffentlichen Sie den DKIM-Eintrag der sendenden Domain genau wie angezeigt.',
  "Publish the DNS records of the sender's domain.":
    'Veröffentlichen Sie die DNS-Einträge der Domain des Absenders.',
  'Publish the missing DKIM records.': 'Veröffentlichen Sie die fehlenden DKIM-Einträge.',
  'Mailkeel never sends unsigned mail.': 'Mailkeel sendet nie unsignierte Mail.',
  'Publish the missing DKIM records. Mailkeel never sends unsigned mail.':
    'Veröffentlichen Sie die fehlenden DKIM-Einträge. Mailkeel sendet nie unsignierte Mail.',
  "The sub-tenant's reputation shows who set the limit.":
    'Die Reputation des Sub-Tenants zeigt, wer das Limit gesetzt hat.',
  'If the campaign was paused automatically, its page shows why.':
    'Wurde die Kampagne automatisch pausiert, nennt ihre Seite den Grund.',
  'Unsubscribing stops marketing and sales mail.': 'Eine Abmeldung beendet Marketing- und Vertriebs-Mail.',
  'It also stops transactional mail, unless the organization limits unsubscribes to marketing.':
    'Sie beendet auch transaktionale Mail, außer die Organisation beschränkt Abmeldungen auf Marketing.',
  'Leaving a list stops mail from that list only.':
    'Das Verlassen einer Liste beendet nur Mail dieser Liste.',
  "To manage consent per purpose, set each message's topic to the ID of a list.":
    'Um Einwilligungen nach Zweck zu verwalten, setzen Sie das Topic jeder Nachricht auf die ID einer Liste.',
};

const ADVICE: Catalogue = {
  'No action needed.': 'Sie müssen nichts tun.',
  'No action needed. Mailkeel retries automatically. You can also retry now.':
    'Sie müssen nichts tun. Mailkeel versucht es automatisch erneut. Sie können die Zustellung auch sofort wiederholen.',
  'No action needed. Mailkeel sends the message as soon as possible.':
    'Sie müssen nichts tun. Mailkeel sendet die Nachricht so bald wie möglich.',
  'Fix the cause, then resend the message.':
    'Beheben Sie die Ursache und senden Sie die Nachricht dann erneut.',
  'Resend the message.': 'Senden Sie die Nachricht erneut.',
  'The message may have been delivered. Check with the recipient before you resend it.':
    'Die Nachricht wurde vielleicht zugestellt. Fragen Sie beim Empfänger nach, bevor Sie sie erneut senden.',
  "Mailkeel retries until MAILKEEL_QUEUE_LIFETIME expires (MAILKEEL_MARKETING_QUEUE_LIFETIME for marketing mail). Increase it to survive longer outages. A message's own expiry still applies if it is earlier.":
    'Mailkeel wiederholt die Zustellung, bis MAILKEEL_QUEUE_LIFETIME abläuft (bei Marketing-Mail MAILKEEL_MARKETING_QUEUE_LIFETIME). Erhöhen Sie den Wert, um längere Ausfälle zu überbrücken. Läuft die Nachricht selbst früher ab, gilt ihr eigener Ablauf.',
  'The audit trail names the approver. Change the message, then send it again.':
    'Das Protokoll der Nachricht nennt die Person, die abgelehnt hat. Ändern Sie die Nachricht und senden Sie sie erneut.',
  'Ask an owner, an admin or a member who can approve messages to decide. You can also cancel the message.':
    'Bitten Sie einen Inhaber, einen Admin oder ein Mitglied mit Freigaberecht um eine Entscheidung. Sie können die Nachricht auch abbrechen.',
  'Reschedule or cancel the message.': 'Planen Sie die Nachricht neu oder brechen Sie sie ab.',
  'Confirm the address {email} with the recipient, correct it in your records, and send a new message.':
    'Klären Sie die Adresse {email} mit dem Empfänger, berichtigen Sie sie in Ihren Daten und senden Sie eine neue Nachricht.',
  'If the address is valid, remove {email} from the suppression list and resend the message.':
    'Wenn die Adresse gültig ist, entfernen Sie {email} von der Sperrliste und senden Sie die Nachricht erneut.',
  'If the address is valid, remove {email} from the suppression list. Mailkeel then sends the message.':
    'Wenn die Adresse gültig ist, entfernen Sie {email} von der Sperrliste. Mailkeel sendet die Nachricht dann.',
  'The recipient reported your mail as spam. Remove the address from your lists. The suppression stays unless the recipient asks for your mail again.':
    'Der Empfänger hat Ihre Mail als Spam gemeldet. Entfernen Sie die Adresse aus Ihren Listen. Die Sperre bleibt bestehen, bis der Empfänger wieder um Ihre Mail bittet.',
  "Unsubscribing stops marketing and sales mail. It also stops transactional mail, unless the organization limits unsubscribes to marketing. Leaving a list stops mail from that list only. To manage consent per purpose, set each message's topic to the ID of a list.":
    'Eine Abmeldung beendet Marketing- und Vertriebsmail. Sie beendet auch transaktionale Mail, sofern die Organisation Abmeldungen nicht auf Marketing beschränkt. Wer eine Liste verlässt, erhält nur deren Mail nicht mehr. Für eine Einwilligung je Zweck geben Sie jeder Nachricht die ID einer Liste als Thema.',
  'Look up the domain (dig MX {domain}). The address may contain a typo, or the domain may have expired.':
    'Fragen Sie die Domain ab (dig MX {domain}). Vielleicht enthält die Adresse einen Tippfehler, oder die Domain ist abgelaufen.',
  'If other domains fail too, check the servers in MAILKEEL_DNS_SERVERS. If only this domain fails, its name servers are broken.':
    'Wenn auch andere Domains scheitern, prüfen Sie die Server in MAILKEEL_DNS_SERVERS. Wenn nur diese Domain scheitert, sind ihre Nameserver gestört.',
  'If other destinations fail too, your network probably blocks outbound port 25. Ask your provider to open it, or set MAILKEEL_SMARTHOST.':
    'Wenn auch andere Ziele scheitern, sperrt Ihr Netz vermutlich den ausgehenden Port 25. Bitten Sie Ihren Anbieter, ihn zu öffnen, oder setzen Sie MAILKEEL_SMARTHOST.',
  'Check that the IP address of source {source} is configured on this server and has a route to the internet.':
    'Prüfen Sie, ob die IP-Adresse der Quelle {source} auf diesem Server eingerichtet ist und eine Route ins Internet hat.',
  'Ask the operator to give a source an address of that family, with address4 or address6 in MAILKEEL_OUTBOUND or another address in MAILKEEL_SOURCE_ADDRESSES.':
    'Bitten Sie den Betreiber, einer Quelle eine Adresse dieser Familie zu geben: mit address4 oder address6 in MAILKEEL_OUTBOUND oder einer weiteren Adresse in MAILKEEL_SOURCE_ADDRESSES.',
  'The MX records of {domain} point to this server. Correct them, or set up Mailkeel to receive mail for the domain.':
    'Die MX-Einträge von {domain} zeigen auf diesen Server. Berichtigen Sie sie, oder richten Sie in Mailkeel den Empfang für die Domain ein.',
  "The recipient's mail server has a private IP address. If it is your own server, set MAILKEEL_ALLOW_PRIVATE_MX=true.":
    'Der Mailserver des Empfängers hat eine private IP-Adresse. Wenn es Ihr eigener Server ist, setzen Sie MAILKEEL_ALLOW_PRIVATE_MX=true.',
  "Correct the username and password in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or ask the smarthost's operator why they are rejected.":
    'Berichtigen Sie Benutzername und Passwort in MAILKEEL_SMARTHOST oder MAILKEEL_OUTBOUND, oder fragen Sie den Betreiber des Smarthosts, warum er sie ablehnt.',
  'The reply came from smarthost {source}. Check its URL in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or contact its operator. The delivery attempts include the SMTP transcript.':
    'Die Antwort kam vom Smarthost {source}. Prüfen Sie seine URL in MAILKEEL_SMARTHOST oder MAILKEEL_OUTBOUND, oder wenden Sie sich an seinen Betreiber. Die Zustellversuche enthalten das SMTP-Protokoll.',
  'Contact postmaster@{domain} and include the reply and its time. The delivery attempts include the SMTP transcript.':
    'Wenden Sie sich an postmaster@{domain} und nennen Sie die Antwort und ihre Uhrzeit. Die Zustellversuche enthalten das SMTP-Protokoll.',
  'Contact the recipient another way and ask them to free up space in their mailbox.':
    'Kontaktieren Sie den Empfänger auf anderem Weg und bitten Sie ihn, in seinem Postfach Platz zu schaffen.',
  'Send mail to {domain} more slowly. The queue shows the limits derived from its replies.':
    'Senden Sie langsamer an {domain}. Die Warteschlange zeigt die Limits, die aus den Antworten abgeleitet wurden.',
  'The operator can remove the limit before it expires.': 'Der Betreiber kann das Limit vorzeitig aufheben.',
  'The operator must review the held mail with mailkeel admin restore --review, then release it with --release.':
    'Der Betreiber muss die zurückgehaltene Mail mit mailkeel admin restore --review prüfen und dann mit --release freigeben.',
  'Resume the destination.': 'Setzen Sie die Zustellung an das Ziel fort.',
  'Resume the destination for this sub-tenant.':
    'Setzen Sie die Zustellung an das Ziel für diesen Mandanten fort.',
  'Resume the destination for the whole workspace.':
    'Setzen Sie die Zustellung an das Ziel für den ganzen Workspace fort.',
  'You can retry all queued mail to {domain} now.':
    'Sie können alle wartende Mail an {domain} sofort erneut zustellen.',
  'Publish a PTR record from the sending IP to its EHLO name, and an A or AAAA record from that name back to the IP. mailkeel doctor checks both.':
    'Veröffentlichen Sie für die Sende-IP einen PTR-Eintrag auf ihren EHLO-Namen und für diesen Namen einen A- oder AAAA-Eintrag zurück auf die IP. mailkeel doctor prüft beides.',
  'Look up the sending IP on the blocklist named in the reply, fix the cause, and request removal. In the meantime, use another source or MAILKEEL_SMARTHOST.':
    'Suchen Sie die Sende-IP auf der Blockliste, die in der Antwort steht, beheben Sie die Ursache und beantragen Sie die Löschung. Nutzen Sie bis dahin eine andere Quelle oder MAILKEEL_SMARTHOST.',
  'Send less mail, target engaged recipients, and review complaints and bounces. Warm up new IPs slowly.':
    'Senden Sie weniger und nur an aktive Empfänger, und prüfen Sie Beschwerden und Bounces. Wärmen Sie neue IPs langsam auf.',
  'Publish the SPF and return-path records of the sending domain.':
    'Veröffentlichen Sie die SPF- und Return-Path-Einträge der Absenderdomain.',
  "Publish the sending domain's DKIM record exactly as shown, then verify it.":
    'Veröffentlichen Sie den DKIM-Eintrag der Absenderdomain genau wie angezeigt und prüfen Sie ihn dann.',
  'Publish a DMARC record (_dmarc TXT "v=DMARC1; p=none") for the From domain, and make sure SPF or DKIM passes for it.':
    'Veröffentlichen Sie einen DMARC-Eintrag (_dmarc TXT "v=DMARC1; p=none") für die From-Domain und stellen Sie sicher, dass SPF oder DKIM dafür besteht.',
  'Change the links, attachments or wording that the reply complains about, and send a new message. Resending the same content harms your reputation.':
    'Ändern Sie die Links, Anhänge oder Formulierungen, die die Antwort beanstandet, und senden Sie eine neue Nachricht. Derselbe Inhalt noch einmal schadet Ihrer Reputation.',
  "Scan the message's attachments and links for malware before you send more mail.":
    'Prüfen Sie Anhänge und Links der Nachricht auf Schadsoftware, bevor Sie weitere Mail senden.',
  'Reduce the message size by linking to large files instead of attaching them. Base64 encoding adds a third to the size of an attachment.':
    'Verkleinern Sie die Nachricht, indem Sie große Dateien verlinken, statt sie anzuhängen. Base64 macht jeden Anhang um ein Drittel größer.',
  'If the address has other characters than ASCII before the @, ask the recipient for another one.':
    'Wenn die Adresse vor dem @ andere Zeichen als ASCII hat, bitten Sie den Empfänger um eine andere.',
  'Send the message with an ASCII header and text in quoted-printable or base64. Mailkeel does not convert forwarded and signed messages, because that would break their signatures.':
    'Senden Sie die Nachricht mit ASCII-Kopfzeilen und einem Text in Quoted-Printable oder Base64. Weitergeleitete und signierte Nachrichten wandelt Mailkeel nicht um, weil das ihre Signaturen brechen würde.',
  "Tell postmaster@{domain} that the mail server's TLS does not match the policy published by the domain. Bypassing the policy would remove its protection.":
    'Teilen Sie postmaster@{domain} mit, dass das TLS des Mailservers nicht zur veröffentlichten Richtlinie der Domain passt. Ohne die Richtlinie entfiele ihr Schutz.',
  'Ask postmaster@{domain} for mail servers that support REQUIRETLS and are authenticated by an MTA-STS policy or DANE records. DANE requires MAILKEEL_DANE to be enabled.':
    'Bitten Sie postmaster@{domain} um Mailserver, die REQUIRETLS unterstützen und durch eine MTA-STS-Richtlinie oder DANE-Einträge beglaubigt sind. Für DANE muss MAILKEEL_DANE eingeschaltet sein.',
  'If a private CA issued the certificate, add the CA to MAILKEEL_EXTRA_CA_FILE.':
    'Wenn das Zertifikat von einer eigenen CA stammt, tragen Sie diese in MAILKEEL_EXTRA_CA_FILE ein.',
  'If verified TLS is not essential for this message, resend it without requiring verified TLS.':
    'Wenn die Nachricht kein geprüftes TLS braucht, senden Sie sie erneut, ohne es zu verlangen.',
  'The limits for this destination require TLS. The operator can allow unencrypted delivery.':
    'Die Limits für dieses Ziel verlangen TLS. Der Betreiber kann unverschlüsselte Zustellung erlauben.',
  'Use a verified From address whose domain has MX or A records.':
    'Verwenden Sie eine bestätigte From-Adresse, deren Domain MX- oder A-Einträge hat.',
  "Publish the DNS records of the sender's domain, then verify them again.":
    'Veröffentlichen Sie die DNS-Einträge der Absenderdomain und prüfen Sie sie dann erneut.',
  "The sub-tenant's audit trail shows the reason. Queued mail is sent when the sub-tenant becomes active again.":
    'Der Verlauf des Mandanten zeigt den Grund. Wartende Mail wird gesendet, sobald der Mandant wieder aktiv ist.',
  'Resume the campaign. If it was paused automatically, the campaign page shows why.':
    'Setzen Sie die Kampagne fort. Wurde sie automatisch pausiert, zeigt die Kampagnenseite den Grund.',
  "The sub-tenant's reputation shows who set the limit. You can change a limit that you set yourself.":
    'Die Reputation des Mandanten zeigt, wer das Limit gesetzt hat. Ein selbst gesetztes Limit können Sie ändern.',
  'Publish the missing DKIM records, then verify them again. Mailkeel never sends unsigned mail.':
    'Veröffentlichen Sie die fehlenden DKIM-Einträge und prüfen Sie sie dann erneut. Mailkeel sendet nie unsignierte Mail.',
  'Contact the operator. The server log records the reason under the message ID.':
    'Wenden Sie sich an den Betreiber. Das Serverprotokoll nennt den Grund unter der ID der Nachricht.',
  'The operator can raise the limits of the sending IPs or add another IP.':
    'Der Betreiber kann die Limits der Sende-IPs erhöhen oder eine weitere IP hinzufügen.',
  'The operator can see why the source is suspended, and can resume it or route mail through another source.':
    'Der Betreiber sieht, warum die Quelle gesperrt ist, und kann sie freigeben oder Mail über eine andere Quelle leiten.',
  'The operator must configure sending IPs in MAILKEEL_SOURCE_ADDRESSES or MAILKEEL_OUTBOUND, or a relay in MAILKEEL_SMARTHOST.':
    'Der Betreiber muss Sende-IPs in MAILKEEL_SOURCE_ADDRESSES oder MAILKEEL_OUTBOUND einrichten, oder ein Relay in MAILKEEL_SMARTHOST.',
  'Fix the template or its variables and send a new message.':
    'Berichtigen Sie die Vorlage oder ihre Variablen und senden Sie eine neue Nachricht.',
  'Sandbox messages are not delivered. To send real mail, use a live API key.':
    'Sandbox-Nachrichten werden nicht zugestellt. Für echte Mail verwenden Sie einen Live-Schlüssel.',
};

const SITUATIONS: Catalogue = {
  'The mail server of {domain} accepted the message.':
    'Der Mailserver von {domain} hat die Nachricht angenommen.',
  'The message was delivered and opened.': 'Die Nachricht wurde zugestellt und geöffnet.',
  'The smarthost accepted the message. Mailkeel cannot track delivery beyond the smarthost.':
    'Der Smarthost hat die Nachricht angenommen. Die weitere Zustellung kann Mailkeel nicht verfolgen.',
  'The message was sent.': 'Die Nachricht wurde gesendet.',
  'This is an inbound message.': 'Dies ist eine empfangene Nachricht.',
  'The recipient reported the message as spam.': 'Der Empfänger hat die Nachricht als Spam gemeldet.',
  'The message was canceled before it was sent.': 'Die Nachricht wurde vor dem Versand abgebrochen.',
  'Not sent because the contact was deleted before the campaign reached it.':
    'Nicht gesendet, weil der Kontakt gelöscht wurde, bevor die Kampagne ihn erreichte.',
  "Not sent because {email} was removed from the campaign's list before its copy was sent.":
    'Nicht gesendet, weil {email} vor dem Versand von der Liste der Kampagne entfernt wurde.',
  "Not sent because {email} no longer matches the campaign's segment.":
    'Nicht gesendet, weil {email} nicht mehr zum Segment der Kampagne gehört.',
  'Not sent because the owner of {email} has stopped the forwarding.':
    'Nicht gesendet, weil der Inhaber von {email} die Weiterleitung beendet hat.',
  'Not sent because the inbox no longer forwards to {email}.':
    'Nicht gesendet, weil der Posteingang nicht mehr an {email} weiterleitet.',
  'The sandbox simulates the outcome that the recipient address requests. Nothing is delivered.':
    'Die Sandbox simuliert das Ergebnis, das die Empfängeradresse vorgibt. Es wird nichts zugestellt.',
  'The message is scheduled for later.': 'Die Nachricht ist für später geplant.',
  'The message is due and queued for delivery.': 'Die Nachricht ist fällig und wartet auf die Zustellung.',
  'The message is being delivered now.': 'Die Nachricht wird gerade zugestellt.',
  "The message was transmitted. Mailkeel is waiting for the recipient's mail server to confirm it.":
    'Die Nachricht wurde übertragen. Mailkeel wartet auf die Bestätigung des empfangenden Mailservers.',
  'The worker delivering the message stopped. The message returns to the queue automatically.':
    'Der Prozess, der die Nachricht zustellte, wurde beendet. Die Nachricht kehrt automatisch in die Warteschlange zurück.',
  'The message has no final status but is not in the queue.':
    'Die Nachricht hat keinen endgültigen Status, ist aber nicht in der Warteschlange.',
  'The connection was lost after the message was transmitted and before it was confirmed. The message may have been delivered, so Mailkeel does not retry it automatically.':
    'Die Verbindung brach ab, nachdem die Nachricht übertragen und bevor sie bestätigt war. Vielleicht wurde die Nachricht zugestellt; deshalb wiederholt Mailkeel den Versand nicht automatisch.',
  'The address was suppressed after the message was accepted, so the message will not be sent.':
    'Die Adresse wurde gesperrt, nachdem die Nachricht angenommen war. Die Nachricht wird nicht gesendet.',
  'Not sent because earlier mail to {email} bounced as undeliverable.':
    'Nicht gesendet, weil frühere Mail an {email} als unzustellbar zurückkam.',
  'Not sent because {email} reported earlier mail as spam.':
    'Nicht gesendet, weil {email} frühere Mail als Spam gemeldet hat.',
  'Not sent because {email} unsubscribed. The organization applies unsubscribes to this type of mail.':
    'Nicht gesendet, weil sich {email} abgemeldet hat. Die Organisation wendet Abmeldungen auch auf diese Art von Mail an.',
  'Not sent because {email} was added to the suppression list manually.':
    'Nicht gesendet, weil {email} von Hand auf die Sperrliste gesetzt wurde.',
  'Not sent because {email} unsubscribed from the list {list}. Mail from other lists is not affected.':
    'Nicht gesendet, weil sich {email} von der Liste {list} abgemeldet hat. Mail anderer Listen ist nicht betroffen.',
  'Not sent because {email} was suppressed at the time. The address is no longer suppressed.':
    'Nicht gesendet, weil {email} damals gesperrt war. Die Adresse ist nicht mehr gesperrt.',
  'The message is waiting for approval, which the send policy of its API key requires.':
    'Die Nachricht wartet auf Freigabe, wie es die Versandrichtlinie ihres API-Schlüssels verlangt.',
  'Not sent because an approver rejected the message.': 'Nicht gesendet, weil die Nachricht abgelehnt wurde.',
  'Not sent because the message was not approved in time.':
    'Nicht gesendet, weil die Nachricht nicht rechtzeitig freigegeben wurde.',
  'Expiry of the approval request': 'Ablauf der Freigabeanfrage',
  'The campaign is paused or canceled, so its messages are on hold.':
    'Die Kampagne ist pausiert oder abgebrochen, daher werden ihre Nachrichten zurückgehalten.',
  'The sub-tenant is suspended, so its mail is on hold.':
    'Der Mandant ist gesperrt, daher wird seine Mail zurückgehalten.',
  'The sub-tenant is paused, so its mail is on hold.':
    'Der Mandant ist pausiert, daher wird seine Mail zurückgehalten.',
  'The sub-tenant was deleted while the message was queued.':
    'Der Mandant wurde gelöscht, während die Nachricht wartete.',
  'The sub-tenant is throttled and has reached its hourly message limit.':
    'Der Mandant ist gedrosselt und hat sein stündliches Nachrichtenlimit erreicht.',
  'The message is on hold because it cannot be DKIM-signed. Mailkeel does not send unsigned mail.':
    'Die Nachricht wird zurückgehalten, weil sie nicht mit DKIM signiert werden kann. Mailkeel sendet keine unsignierte Mail.',
  'The sender is not currently verified, so its mail is on hold.':
    'Der Absender ist derzeit nicht bestätigt, daher wird seine Mail zurückgehalten.',
  'An internal error is delaying the message. Mailkeel retries automatically.':
    'Ein interner Fehler verzögert die Nachricht. Mailkeel versucht es automatisch erneut.',
  'The server was restored from a backup. Live mail is on hold until the operator has reviewed which messages may already have been sent.':
    'Der Server wurde aus einer Sicherung wiederhergestellt. Live-Mail wird zurückgehalten, bis der Betreiber geprüft hat, welche Nachrichten vielleicht schon gesendet wurden.',
  'Delivery to {domain} is paused.': 'Die Zustellung an {domain} ist pausiert.',
  'Delivery to {domain} is paused for the whole workspace.':
    'Die Zustellung an {domain} ist für den ganzen Workspace pausiert.',
  'Delivery to {domain} is paused for this sub-tenant.':
    'Die Zustellung an {domain} ist für diesen Mandanten pausiert.',
  'Mailkeel temporarily stopped delivery to {domain} because of a reply from its mail server.':
    'Mailkeel hat die Zustellung an {domain} wegen einer Antwort des Mailservers vorübergehend gestoppt.',
  "Mailkeel temporarily stopped this sub-tenant's mail to {domain} because of a reply from its mail server.":
    'Mailkeel hat die Mail dieses Mandanten an {domain} wegen einer Antwort des Mailservers vorübergehend gestoppt.',
  'Mailkeel could not connect to {domain}. After a pause, it tries again with one message.':
    'Mailkeel konnte keine Verbindung zu {domain} herstellen. Nach einer Pause folgt ein Versuch mit einer Nachricht.',
  'The rate limit for {domain} has been reached, so the message is waiting.':
    'Das Ratenlimit für {domain} ist erreicht, daher wartet die Nachricht.',
  'The concurrent delivery limit for {domain} has been reached. This message is next.':
    'Das Limit gleichzeitiger Zustellungen an {domain} ist erreicht. Diese Nachricht ist die nächste.',
  "A new sending IP has reached today's warm-up limit for this destination.":
    'Eine neue Sende-IP hat das heutige Aufwärmlimit für dieses Ziel erreicht.',
  'No sending IP can currently reach this destination.': 'Derzeit kann keine Sende-IP dieses Ziel erreichen.',
  'The operator has suspended the sending IP or smarthost used for this message.':
    'Der Betreiber hat die Sende-IP oder den Smarthost für diese Nachricht gesperrt.',
  'No sending IP or smarthost is configured for this destination.':
    'Für dieses Ziel ist weder eine Sende-IP noch ein Smarthost eingerichtet.',
  'The composed message exceeds the maximum message size of this server.':
    'Die fertige Nachricht überschreitet die Höchstgröße dieses Servers.',
  'The message could not be rendered.': 'Die Vorlage der Nachricht ließ sich nicht ausfüllen.',
  'The message could not be DKIM-signed.': 'Die Nachricht konnte nicht mit DKIM signiert werden.',
  'The sender was removed while the message was queued.':
    'Der Absender wurde entfernt, während die Nachricht wartete.',
  'No route was found for the message.': 'Für die Nachricht wurde keine Route gefunden.',
  'The message failed because of an internal error.': 'Die Nachricht scheiterte an einem internen Fehler.',
  'Delivered in the sandbox by the mailbox simulator. No real mail was sent.':
    'In der Sandbox vom Postfachsimulator zugestellt. Es wurde keine echte Mail gesendet.',
};

const CAUSES: Catalogue = {
  'the domain {domain} does not exist or has no mail server':
    'die Domain {domain} existiert nicht oder hat keinen Mailserver',
  'the domain {domain} does not accept mail (null MX)': 'die Domain {domain} nimmt keine Mail an (Null-MX)',
  'the MX records of {domain} point back to this server':
    'die MX-Einträge von {domain} zeigen auf diesen Server zurück',
  'no mail server of {domain} has a usable public IP address':
    'kein Mailserver von {domain} hat eine brauchbare öffentliche IP-Adresse',
  'the mail servers of {domain} use an address family (IPv4 or IPv6) that no sending source supports':
    'die Mailserver von {domain} nutzen eine Adressfamilie (IPv4 oder IPv6), die keine Quelle unterstützt',
  'DNS lookup of the mail servers of {domain} failed':
    'die DNS-Abfrage der Mailserver von {domain} ist gescheitert',
  "the recipient's mail server refused the connection":
    'der Mailserver des Empfängers hat die Verbindung abgelehnt',
  "the recipient's mail server did not respond": 'der Mailserver des Empfängers hat nicht geantwortet',
  "there is no network route to the recipient's mail server":
    'es gibt keine Netzwerkroute zum Mailserver des Empfängers',
  "the recipient's mail server accepted the connection but sent no greeting":
    'der Mailserver des Empfängers nahm die Verbindung an, sandte aber keine Begrüßung',
  "the recipient's mail server is temporarily not accepting connections":
    'der Mailserver des Empfängers nimmt vorübergehend keine Verbindungen an',
  "too many connections are open to the recipient's mail server":
    'zum Mailserver des Empfängers sind zu viele Verbindungen offen',
  'the connection was lost before the message was accepted':
    'die Verbindung brach ab, bevor die Nachricht angenommen war',
  "the recipient's mail server stopped responding before it accepted the message":
    'der Mailserver des Empfängers antwortete nicht mehr, bevor er die Nachricht angenommen hatte',
  'the smarthost rejected the username or password': 'der Smarthost hat Benutzername oder Passwort abgelehnt',
  "the TLS handshake with the recipient's mail server failed":
    'der TLS-Handshake mit dem Mailserver des Empfängers ist gescheitert',
  "TLS is required for this destination but the recipient's mail server does not offer it":
    'für dieses Ziel ist TLS vorgeschrieben, aber der Mailserver des Empfängers bietet es nicht an',
  "the mail server's TLS does not match the MTA-STS policy of {domain}":
    'das TLS des Mailservers passt nicht zur MTA-STS-Richtlinie von {domain}',
  "the mail server's TLS does not match its DANE records":
    'das TLS des Mailservers passt nicht zu seinen DANE-Einträgen',
  "the recipient's mail server requires TLS but the session was not encrypted":
    'der Mailserver des Empfängers verlangt TLS, aber die Sitzung war unverschlüsselt',
  'the message requires TLS end to end but the route to {domain} does not support it':
    'die Nachricht verlangt TLS auf dem ganzen Weg, aber die Route zu {domain} unterstützt es nicht',
  'a downstream server could not deliver the message':
    'ein nachgelagerter Server konnte die Nachricht nicht zustellen',
  'the connection was lost after the message was transmitted, so it may have been delivered':
    'die Verbindung brach nach der Übertragung ab; die Nachricht wurde vielleicht zugestellt',
  "the recipient's mail server temporarily rejects unknown senders (greylisting)":
    'der Mailserver des Empfängers weist unbekannte Absender vorübergehend ab (Greylisting)',
  "the recipient's mail server deferred the message without a clear reason":
    'der Mailserver des Empfängers hat die Nachricht ohne klaren Grund zurückgestellt',
  "the recipient's mail server reported an internal error":
    'der Mailserver des Empfängers meldete einen internen Fehler',
  "the recipient's mail server is limiting the rate of mail from this server":
    'der Mailserver des Empfängers begrenzt die Mailrate dieses Servers',
  "the recipient's mailbox is full": 'das Postfach des Empfängers ist voll',
  "the recipient's mail server is out of storage":
    'der Mailserver des Empfängers hat keinen Speicherplatz mehr',
  'the mailbox does not exist': 'das Postfach existiert nicht',
  'the mailbox is disabled': 'das Postfach ist deaktiviert',
  "the recipient's mail server does not accept mail for {domain}":
    'der Mailserver des Empfängers nimmt keine Mail für {domain} an',
  'the sending IP is on a blocklist': 'die Sende-IP steht auf einer Blockliste',
  'the sending IP has no matching reverse DNS record':
    'die Sende-IP hat keinen passenden Reverse-DNS-Eintrag',
  "the sending IP or domain has a poor reputation with the recipient's mail server":
    'die Sende-IP oder die Absenderdomain hat beim Mailserver des Empfängers eine schlechte Reputation',
  "the recipient's mail server classified the content as spam":
    'der Mailserver des Empfängers hat den Inhalt als Spam eingestuft',
  "the recipient's mail server detected malware or phishing in the content":
    'der Mailserver des Empfängers hat im Inhalt Schadsoftware oder Phishing gefunden',
  'SPF does not authorize the sending IP for the domain': 'SPF autorisiert die Sende-IP nicht für die Domain',
  'DKIM signature verification failed': 'die Prüfung der DKIM-Signatur ist gescheitert',
  'the From domain failed DMARC authentication': 'die From-Domain hat die DMARC-Prüfung nicht bestanden',
  "the recipient's mail server could not authenticate the sending domain":
    'der Mailserver des Empfängers konnte die Absenderdomain nicht authentifizieren',
  "the recipient's mail server does not handle mail for {domain} (relaying denied)":
    'der Mailserver des Empfängers ist nicht für {domain} zuständig (Relaying abgelehnt)',
  "the recipient's mail server rejected the sender address":
    'der Mailserver des Empfängers hat die Absenderadresse abgelehnt',
  "the recipient's mail server rejected the message under a local policy":
    'der Mailserver des Empfängers hat die Nachricht wegen einer eigenen Richtlinie abgelehnt',
  "the message exceeds the size limit of the recipient's mail server":
    'die Nachricht überschreitet das Größenlimit des empfangenden Mailservers',
  "the recipient's mail server does not support non-ASCII characters in addresses and headers":
    'der Mailserver des Empfängers unterstützt keine Zeichen außerhalb von ASCII in Adressen und Kopfzeilen',
  "the recipient's mail server does not support 8-bit content":
    'der Mailserver des Empfängers unterstützt keine 8-Bit-Inhalte',
  "an SMTP protocol error occurred between this server and the recipient's mail server":
    'zwischen diesem Server und dem Mailserver des Empfängers trat ein SMTP-Protokollfehler auf',
  "the recipient's mail server gave no recognizable reason":
    'der Mailserver des Empfängers nannte keinen erkennbaren Grund',
};

const STEPS: Catalogue = {
  '{} entries omitted.': '{} Einträge ausgelassen.',
  'Accepted.': 'Angenommen.',
  'Accepted, {}.': 'Angenommen, {}.',
  'Handed over for delivery.': 'Zur Zustellung übergeben.',
  'Handed over for delivery through {}: {}.': 'Zur Zustellung über {} übergeben: {}.',
  'Handed over for direct delivery: route "{}" delivers {} % directly.':
    'Zur direkten Zustellung übergeben: Route „{}“ stellt {} % direkt zu.',
  'Handed over for direct delivery: route "{}" delivers {} % directly, engaged recipients first.':
    'Zur direkten Zustellung übergeben: Route „{}“ stellt {} % direkt zu, zuerst an aktive Empfänger.',
  'Handed over for direct delivery: route "{}" delivers {} % directly; the side was chosen earlier.':
    'Zur direkten Zustellung übergeben: Route „{}“ stellt {} % direkt zu; der Weg wurde früher gewählt.',
  'Handed over to a smarthost: route "{}" delivers {} % directly.':
    'An einen Smarthost übergeben: Route „{}“ stellt {} % direkt zu.',
  'Handed over to a smarthost: route "{}" delivers {} % directly, engaged recipients first.':
    'An einen Smarthost übergeben: Route „{}“ stellt {} % direkt zu, zuerst an aktive Empfänger.',
  'Handed over to a smarthost: route "{}" delivers {} % directly; the side was chosen earlier.':
    'An einen Smarthost übergeben: Route „{}“ stellt {} % direkt zu; der Weg wurde früher gewählt.',
  'The address was added to the suppression list ({}).': 'Die Adresse wurde auf die Sperrliste gesetzt ({}).',
  'Not sent because the address is suppressed ({}).': 'Nicht gesendet, weil die Adresse gesperrt ist ({}).',
  'Failed: {}': 'Gescheitert: {}',
  'Processing started: dequeued, checked, composed and signed.':
    'Verarbeitung begonnen: aus der Warteschlange geholt, geprüft, zusammengestellt und signiert.',
  'The message was opened.': 'Die Nachricht wurde geöffnet.',
  'A link in the message was clicked.': 'Ein Link der Nachricht wurde angeklickt.',
  'The message was canceled.': 'Die Nachricht wurde abgebrochen.',
  'The recipient unsubscribed.': 'Der Empfänger hat sich abgemeldet.',
  'The message was received.': 'Die Nachricht wurde empfangen.',
  'An automatic reply was received.': 'Eine automatische Antwort ist eingegangen.',
  'Approval was requested, as the send policy of the API key requires.':
    'Freigabe angefordert, wie es die Versandrichtlinie des API-Schlüssels verlangt.',
  '{} changed the message.': '{} hat die Nachricht geändert.',
  '{} approved the message.': '{} hat die Nachricht freigegeben.',
  '{} rejected the message.': '{} hat die Nachricht abgelehnt.',
  '{} rejected the message: {}': '{} hat die Nachricht abgelehnt: {}',
  'An approver': 'Jemand mit Freigaberecht',
  'The approval request expired.': 'Die Freigabeanfrage ist abgelaufen.',
  'scheduled for {}': 'geplant für {}',
  'expiring at {}': 'gültig bis {}',
  'requiring verified TLS': 'nur über geprüftes TLS',
  'Retry requested. The next attempt is due now.':
    'Wiederholung angefordert. Der nächste Versuch ist jetzt fällig.',
  'Rescheduled for {}.': 'Neu geplant für {}.',
  'Rescheduled to send now.': 'Auf sofortigen Versand umgestellt.',
  Deferred: 'Zurückgestellt',
  deferred: 'zurückgestellt',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
  failed: 'gescheitert',
  'On hold': 'Zurückgehalten',
  'on hold': 'zurückgehalten',
  'Not confirmed': 'Nicht bestätigt',
  'not confirmed': 'nicht bestätigt',
  'deferred by {} during {}': 'zurückgestellt von {} bei {}',
  'rejected by {} during {}': 'abgelehnt von {} bei {}',
  'not confirmed by {} during {}': 'nicht bestätigt von {} bei {}',
  'deferred during {}': 'zurückgestellt bei {}',
  'rejected during {}': 'abgelehnt bei {}',
  'not confirmed during {}': 'nicht bestätigt bei {}',
  ' at {}': ' bei {}',
  ' during {}': ' bei {}',
  'end of data': 'Ende der Daten',
  'TLS handshake': 'TLS-Handshake',
  'connection setup': 'Verbindungsaufbau',
  greeting: 'Begrüßung',
  routing: 'Routing',
  'deferred by {}': 'zurückgestellt von {}',
  'accepted by {}': 'angenommen von {}',
  'rejected by {}': 'abgelehnt von {}',
  'not confirmed by {}': 'nicht bestätigt von {}',
  'Deferred by {}: {}': 'Zurückgestellt von {}: {}',
  'Accepted by {}: {}': 'Angenommen von {}: {}',
  'Rejected by {}: {}': 'Abgelehnt von {}: {}',
  delayed: 'verzögert',
  delivered: 'zugestellt',
  'no response': 'keine Antwort',
  ' from {}': ' von {}',
  ' by {}': ' von {}',
  ' by {}{}': ' von {}{}',
  'Delivery report{}: {}{}': 'Zustellbericht{}: {}{}',
  'Delivery report from {}: {} at {}: {}': 'Zustellbericht von {}: {} bei {}: {}',
  'Delivery report from {}: {}.': 'Zustellbericht von {}: {}.',
  'Delivery report: {}.': 'Zustellbericht: {}.',
  'via smarthost "{}"': 'über Smarthost „{}“',
  'from source "{}"': 'von Quelle „{}“',
  'by route "{}"': 'nach Route „{}“',
  'over {} (verified)': 'über {} (geprüft)',
  'over {}': 'über {}',
  verified: 'geprüft',
  'without TLS': 'ohne TLS',
  '{} Next attempt at {}.': '{} Nächster Versuch um {}.',
  'Attempt {}: {}: {}{}': 'Versuch {}: {}: {}{}',
  'Attempt {}: {}: {} Next attempt at {}.': 'Versuch {}: {}: {} Nächster Versuch um {}.',
  'Attempt {}: {}: {}': 'Versuch {}: {}: {}',
  'Delivery to {} was paused{}.': 'Die Zustellung an {} wurde pausiert{}.',
  'reason: {}': 'Grund: {}',
  bounce: 'Bounce',
  complaint: 'Beschwerde',
  unsubscribe: 'Abmeldung',
  manual: 'manuell',
  'suppression reason: {}': 'Sperrgrund: {}',
  'Not delivered yet ({}): {}.': 'Noch nicht zugestellt ({}): {}.',
  'Bounced in a delivery report after the mail server had accepted the message: {}.':
    'Nach der Annahme mit einem Zustellbericht zurückgewiesen: {}.',
  'Bounced: {}.': 'Endgültig abgelehnt: {}.',
  'Expired after {}: {}.': 'Abgelaufen nach {}: {}.',
  'in use': '(unbekannt)',
  'of this message': 'dieser Nachricht',
  '(no {})': '(kein {})',
  '1 attempt': '1 Versuch',
  '{} attempts': '{} Versuche',
  '1 minute': '1 Minute',
  '{} minutes': '{} Minuten',
  '{} hours': '{} Stunden',
  'First delivery attempt': 'Erster Zustellversuch',
  'Delivery attempt {}': 'Zustellversuch {}',
  'Delivery attempt {}, the last one': 'Zustellversuch {}, der letzte',
  'Simulated event': 'Simuliertes Ereignis',
  'Another check of the message': 'Erneute Prüfung der Nachricht',
  '{}, the last one': '{}, der letzte',
  'Delivery to {} is paused: {}': 'Die Zustellung an {} ist pausiert: {}',
  '{} message is on hold.': '{} Nachricht wird zurückgehalten.',
  '{} messages are on hold.': '{} Nachrichten werden zurückgehalten.',
  '{} {} on hold.': '{} {} zurückgehalten.',
  'message is': 'Nachricht wird',
  'messages are': 'Nachrichten werden',
};

/** Why a message was not sent, in its audit trail. */
const SUPPRESSIONS: Catalogue = {
  'The recipient unsubscribed. This blocks marketing and sales mail. It also blocks transactional mail, unless the organization limits unsubscribes to marketing.':
    'Der Empfänger hat sich abgemeldet. Das sperrt Marketing- und Vertriebs-Mail. Es sperrt auch transaktionale Mail, außer die Organisation beschränkt Abmeldungen auf Marketing.',
  'Earlier mail to this address bounced because it does not exist. Mailkeel no longer sends any mail to it.':
    'Frühere Mail an diese Adresse kam zurück, weil es sie nicht gibt. Mailkeel sendet ihr keine Mail mehr.',
  'The recipient reported earlier mail as spam. Mailkeel no longer sends any mail to the address.':
    'Der Empfänger hat frühere Mail als Spam gemeldet. Mailkeel sendet der Adresse keine Mail mehr.',
  'The address was added to the suppression list manually. Mailkeel no longer sends any mail to it.':
    'Die Adresse wurde von Hand auf die Sperrliste gesetzt. Mailkeel sendet ihr keine Mail mehr.',
  'The recipient unsubscribed from {}. This blocks mail from that list only.':
    'Der Empfänger hat sich von {} abgemeldet. Das sperrt nur Mail dieser Liste.',
  'the list "{}"': 'der Liste „{}“',
  'the list of the message': 'der Liste der Nachricht',
};

export const EXPLANATIONS: Catalogue = {
  ...SUPPRESSIONS,
  ...REACH,
  ...ADVICE,
  ...SITUATIONS,
  ...CAUSES,
  ...STEPS,
};
