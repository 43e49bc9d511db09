// German sentences of explanations: situations, causes, advice, and the steps of a message.
import type { Catalogue } from '../translate.js';

const ADVICE: Catalogue = {
  'No action needed.': 'Sie müssen nichts tun.',
  'No action needed. The server retries automatically. You can also retry now.':
    'Sie müssen nichts tun. Der Server versucht es automatisch erneut. Sie können es auch sofort versuchen.',
  'No action needed. The message is sent as soon as possible.':
    'Sie müssen nichts tun. Die Nachricht wird so bald wie möglich gesendet.',
  'Fix the cause, then send the message again.':
    'Beheben Sie die Ursache, und senden Sie die Nachricht dann erneut.',
  'The message may have arrived. Ask the recipient before you send it again.':
    'Die Nachricht ist vielleicht angekommen. Fragen Sie den Empfänger, bevor Sie sie erneut senden.',
  'Mail is retried for MAILKEEL_QUEUE_LIFETIME (marketing: MAILKEEL_MARKETING_QUEUE_LIFETIME). Raise it to outlast longer failures. If the message has its own expiry, that ends it earlier.':
    'Mail wird für die Dauer von MAILKEEL_QUEUE_LIFETIME versucht (Marketing: MAILKEEL_MARKETING_QUEUE_LIFETIME). Erhöhen Sie den Wert, um längere Ausfälle zu überbrücken. Ein eigener Ablauf der Nachricht beendet die Versuche früher.',
  'You can give the message another time, or cancel it.':
    'Sie können die Nachricht auf eine andere Zeit legen oder abbrechen.',
  'Check the address {email} with its owner, correct it where you keep it, and send a new message.':
    'Klären Sie die Adresse {email} mit ihrem Inhaber, berichtigen Sie sie in Ihrem System, und senden Sie eine neue Nachricht.',
  'If the address works, remove {email} from the suppression list and send the message again.':
    'Wenn die Adresse funktioniert, nehmen Sie {email} von der Sperrliste, und senden Sie die Nachricht erneut.',
  'The recipient reported your mail as spam. Take the address off your lists. Lift the suppression only if the person asks for it.':
    'Der Empfänger hat Ihre Mail als Spam gemeldet. Nehmen Sie die Adresse aus Ihren Listen. Heben Sie die Sperre nur auf, wenn die Person darum bittet.',
  'An unsubscribe ends marketing and sales mail, and transactional mail too unless the organization limits it to marketing. Leaving a list ends only the mail of that list. To ask for consent for each purpose, give each message a topic, which is the id of a list.':
    'Eine Abmeldung beendet Marketing- und Vertriebsmail, und auch transaktionale Mail, sofern die Organisation sie nicht auf Marketing beschränkt. Wer eine Liste verlässt, bekommt nur deren Mail nicht mehr. Um für jeden Zweck einzeln um Einwilligung zu bitten, geben Sie jeder Nachricht ein Thema, nämlich die Id einer Liste.',
  'Look the domain up (dig MX {domain}). The address may have a typing error, or the domain was not renewed.':
    'Schlagen Sie die Domain nach (dig MX {domain}). Vielleicht enthält die Adresse einen Tippfehler, oder die Domain wurde nicht verlängert.',
  'If other domains fail too, check the servers in MAILKEEL_DNS_SERVERS. If only this one fails, its name servers are broken.':
    'Wenn auch andere Domains scheitern, prüfen Sie die Server in MAILKEEL_DNS_SERVERS. Wenn nur diese scheitert, sind ihre Nameserver gestört.',
  'If other destinations fail too, your network blocks outgoing port 25. Ask your provider to open it, or set MAILKEEL_SMARTHOST.':
    'Wenn auch andere Ziele scheitern, sperrt Ihr Netz den ausgehenden Port 25. Bitten Sie Ihren Anbieter, ihn zu öffnen, oder setzen Sie MAILKEEL_SMARTHOST.',
  'Check that this machine has the source address {source} and a route from it.':
    'Prüfen Sie, ob dieser Rechner die Absendeadresse {source} und von ihr aus eine Route hat.',
  'The operator can add an address of that family to a source: address4 or address6 in MAILKEEL_OUTBOUND, or another address in MAILKEEL_SOURCE_ADDRESSES.':
    'Der Betreiber kann einer Quelle eine Adresse dieser Familie geben: address4 oder address6 in MAILKEEL_OUTBOUND, oder eine weitere Adresse in MAILKEEL_SOURCE_ADDRESSES.',
  'The MX records of {domain} point to this machine. Correct them, or receive mail for the domain here.':
    'Die MX-Einträge von {domain} zeigen auf diesen Rechner. Berichtigen Sie sie, oder nehmen Sie hier Mail für die Domain an.',
  'The mail host has a private address. If it is your own, set MAILKEEL_ALLOW_PRIVATE_MX=true.':
    'Der Mailserver hat eine private Adresse. Wenn es Ihr eigener ist, setzen Sie MAILKEEL_ALLOW_PRIVATE_MX=true.',
  'Correct the user and password in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, or ask the operator of the relay why it refuses them.':
    'Berichtigen Sie Benutzer und Passwort in MAILKEEL_SMARTHOST oder MAILKEEL_OUTBOUND, oder fragen Sie den Betreiber des Relays, warum es sie ablehnt.',
  'The smarthost {source} gave this answer. Check its URL in MAILKEEL_SMARTHOST or MAILKEEL_OUTBOUND, and ask its operator. The attempts show the conversation.':
    'Diese Antwort kam vom Smarthost {source}. Prüfen Sie seine URL in MAILKEEL_SMARTHOST oder MAILKEEL_OUTBOUND, und fragen Sie seinen Betreiber. Die Versuche zeigen das Gespräch.',
  'Ask postmaster@{domain}, with the reply and its time. The attempts show the conversation.':
    'Fragen Sie postmaster@{domain}, und nennen Sie Antwort und Zeit. Die Versuche zeigen das Gespräch.',
  'Contact the recipient in another way and ask them to empty their mailbox.':
    'Erreichen Sie den Empfänger auf anderem Weg, und bitten Sie ihn, sein Postfach zu leeren.',
  'Send less mail to {domain} at once. The limits that its replies have set are shown in the queue.':
    'Senden Sie weniger Mail auf einmal an {domain}. Die Warteschlange zeigt die Grenzen, die ihre Antworten gesetzt haben.',
  'The operator may lift the limit early.': 'Der Betreiber kann die Grenze vorzeitig aufheben.',
  'The operator reviews and releases it: mailkeel admin restore --review, then --release.':
    'Der Betreiber prüft sie und gibt sie frei: mailkeel admin restore --review, dann --release.',
  'Resume the destination.': 'Setzen Sie das Ziel fort.',
  'Resume the destination for the sub-tenant.': 'Setzen Sie das Ziel für den Mandanten fort.',
  'Resume the destination for the whole workspace.': 'Setzen Sie das Ziel für den ganzen Workspace fort.',
  'You can retry all mail to {domain} now.': 'Sie können alle Mail an {domain} sofort erneut versuchen.',
  'Give the sending address a PTR record that names its EHLO host, and that host an A or AAAA record back; mailkeel doctor checks both.':
    'Geben Sie der Absendeadresse einen PTR-Eintrag mit ihrem EHLO-Namen, und diesem Namen einen A- oder AAAA-Eintrag zurück. mailkeel doctor prüft beides.',
  'Look the sending address up at the list that the reply names, remove the cause, and ask for removal. Until then use another source or MAILKEEL_SMARTHOST.':
    'Suchen Sie die Absendeadresse in der Liste, die die Antwort nennt, beseitigen Sie die Ursache, und bitten Sie um Löschung. Nutzen Sie bis dahin eine andere Quelle oder MAILKEEL_SMARTHOST.',
  'Send less, to people who react, and check complaints and bounces. Warm up a new address slowly.':
    'Senden Sie weniger, und nur an Menschen, die reagieren. Prüfen Sie Beschwerden und Bounces. Wärmen Sie eine neue Adresse langsam auf.',
  'Publish the SPF and return-path records of the sending domain.':
    'Veröffentlichen Sie die Einträge für SPF und Return-Path der Absenderdomain.',
  'Publish the DKIM record of the sending domain exactly as it is shown, then check it.':
    'Veröffentlichen Sie den DKIM-Eintrag der Absenderdomain genau so, wie er angezeigt wird, und lassen Sie ihn dann prüfen.',
  'Publish a DMARC record (_dmarc TXT "v=DMARC1; p=none") for the domain in From, and send From a domain whose SPF or DKIM passes.':
    'Veröffentlichen Sie einen DMARC-Eintrag (_dmarc TXT "v=DMARC1; p=none") für die Domain in From, und senden Sie von einer Domain, deren SPF oder DKIM besteht.',
  'Change the parts that the reply names (links, attachments, wording) and send a new message. Sending it again unchanged harms your reputation.':
    'Ändern Sie, was die Antwort nennt (Links, Anhänge, Wortlaut), und senden Sie eine neue Nachricht. Sie unverändert erneut zu senden, schadet Ihrer Reputation.',
  'Check the attachments and links of the message for malware before you send anything else.':
    'Prüfen Sie Anhänge und Links der Nachricht auf Schadsoftware, bevor Sie weiter senden.',
  'Make the message smaller: link to large files instead of attaching them. Base64 makes a file a third larger.':
    'Verkleinern Sie die Nachricht: Verlinken Sie große Dateien, statt sie anzuhängen. Base64 macht eine Datei um ein Drittel größer.',
  "Ask for an address with ASCII letters only before the @. The recipient's host accepts no other.":
    'Bitten Sie um eine Adresse, die vor dem @ nur ASCII-Zeichen hat. Der Server des Empfängers nimmt keine andere an.',
  "Tell postmaster@{domain} that the host's TLS does not match the policy that the domain publishes. Sending without the policy would give up its protection.":
    'Sagen Sie postmaster@{domain}, dass TLS des Servers nicht zur Richtlinie passt, die die Domain veröffentlicht. Ohne die Richtlinie zu senden, gäbe ihren Schutz auf.',
  'Ask postmaster@{domain} for mail hosts with REQUIRETLS, and for an MTA-STS policy or DANE records that vouch for them (DANE counts where MAILKEEL_DANE is on).':
    'Bitten Sie postmaster@{domain} um Mailserver mit REQUIRETLS und um eine MTA-STS-Richtlinie oder DANE-Einträge dafür (DANE zählt, wo MAILKEEL_DANE eingeschaltet ist).',
  'If the certificate comes from your own authority, name it in MAILKEEL_EXTRA_CA_FILE.':
    'Wenn das Zertifikat von Ihrer eigenen Zertifizierungsstelle stammt, nennen Sie sie in MAILKEEL_EXTRA_CA_FILE.',
  'If the message may be sent without verified TLS, send it again without require_tls.':
    'Wenn die Nachricht ohne geprüftes TLS gesendet werden darf, senden Sie sie erneut ohne require_tls.',
  'The limits for this destination require TLS. If mail may be sent without TLS, the operator can change that.':
    'Die Vorgaben für dieses Ziel verlangen TLS. Darf Mail auch ohne TLS gesendet werden, kann der Betreiber das ändern.',
  'Send From a verified address whose domain has MX or A records.':
    'Senden Sie von einer bestätigten Adresse, deren Domain MX- oder A-Einträge hat.',
  "Publish the records of the sender's domain, then check them again.":
    'Veröffentlichen Sie die Einträge der Absenderdomain, und lassen Sie sie dann erneut prüfen.',
  'The trail of the sub-tenant says why. The mail waits and is sent when the sub-tenant is active again.':
    'Der Verlauf des Mandanten nennt den Grund. Die Mail wartet und wird gesendet, sobald der Mandant wieder aktiv ist.',
  'Resume the campaign. If it paused automatically, its page says why.':
    'Setzen Sie die Kampagne fort. Hat sie automatisch angehalten, nennt ihre Seite den Grund.',
  'The reputation of the sub-tenant shows who set the limit. You can change the limit that you set yourself.':
    'Die Reputation des Mandanten zeigt, wer die Grenze gesetzt hat. Eine Grenze, die Sie selbst gesetzt haben, können Sie ändern.',
  'Make the DKIM key usable: publish the missing records, then check them again. Mail never leaves unsigned.':
    'Machen Sie den DKIM-Schlüssel nutzbar: Veröffentlichen Sie die fehlenden Einträge, und lassen Sie sie erneut prüfen. Unsigniert geht keine Mail hinaus.',
  "Ask the operator: the server's log has the reason, under the message's id.":
    'Fragen Sie den Betreiber: Das Log des Servers nennt den Grund unter der Id der Nachricht.',
  'The operator can raise the limits of the sending addresses, or add an address.':
    'Der Betreiber kann die Grenzen der Absendeadressen erhöhen oder eine Adresse hinzufügen.',
  'The operator can see why the source is suspended and resume it, or route the mail another way.':
    'Der Betreiber kann sehen, warum die Quelle gesperrt ist, sie freigeben oder die Mail anders leiten.',
  'The operator has to name sending addresses in MAILKEEL_SOURCE_ADDRESSES or MAILKEEL_OUTBOUND, or a relay in MAILKEEL_SMARTHOST.':
    'Der Betreiber muss Absendeadressen in MAILKEEL_SOURCE_ADDRESSES oder MAILKEEL_OUTBOUND nennen, oder ein Relay in MAILKEEL_SMARTHOST.',
  'Correct the template or its variables and send a new message.':
    'Berichtigen Sie die Vorlage oder ihre Variablen, und senden Sie eine neue Nachricht.',
  'No mail left the sandbox. To send real mail, use a live key.':
    'Keine Mail hat die Sandbox verlassen. Für echte Mail nehmen Sie einen Live-Schlüssel.',
};

const SITUATIONS: Catalogue = {
  'The mail host of {domain} accepted the message.':
    'Der Mailserver von {domain} hat die Nachricht angenommen.',
  'The message arrived and was opened.': 'Die Nachricht kam an und wurde geöffnet.',
  'The smarthost accepted the message. Its further delivery is not known here.':
    'Der Smarthost hat die Nachricht angenommen. Ihr weiterer Weg ist hier nicht bekannt.',
  'The message was sent.': 'Die Nachricht wurde gesendet.',
  'This is a received message.': 'Das ist eine empfangene Nachricht.',
  'The recipient reported the message as spam.': 'Der Empfänger hat die Nachricht als Spam gemeldet.',
  'The message was canceled before it left.': 'Die Nachricht wurde vor dem Versand abgebrochen.',
  'Not sent: the contact was deleted before the campaign reached it.':
    'Nicht gesendet: Der Kontakt wurde gelöscht, bevor die Kampagne ihn erreichte.',
  'Not sent: {email} was taken off the list of the campaign before its copy left.':
    'Nicht gesendet: {email} wurde aus der Liste der Kampagne genommen, bevor die Mail hinausging.',
  'Not sent: {email} does not match the segment of the campaign any more.':
    'Nicht gesendet: {email} gehört nicht mehr zum Segment der Kampagne.',
  'The sandbox simulates the outcome that the address asks for. No mail leaves it.':
    'Die Sandbox simuliert das Ergebnis, das die Adresse verlangt. Keine Mail verlässt sie.',
  'The message waits for its time.': 'Die Nachricht wartet auf ihre Zeit.',
  'The message is due and waits for its turn.':
    'Die Nachricht ist fällig und wartet, bis sie an der Reihe ist.',
  'The message is being delivered right now.': 'Die Nachricht wird gerade zugestellt.',
  "The whole message was sent; the mail host's answer is awaited.":
    'Die ganze Nachricht ist übertragen; die Antwort des Mailservers steht noch aus.',
  'The worker that had the message has ended. The message returns to the queue by itself.':
    'Der Prozess, der die Nachricht hatte, ist beendet. Sie kehrt automatisch in die Warteschlange zurück.',
  'The message is neither finished nor in the queue.':
    'Die Nachricht ist weder abgeschlossen noch in der Warteschlange.',
  'The connection was lost after the whole message was sent and before the answer. The message may have arrived, so it is not sent again by itself.':
    'Die Verbindung brach ab, nachdem die ganze Nachricht übertragen war und bevor die Antwort kam. Sie ist vielleicht angekommen und wird deshalb nicht automatisch erneut gesendet.',
  'The address was suppressed after the message was accepted. The message will not be sent.':
    'Die Adresse wurde gesperrt, nachdem die Nachricht angenommen war. Sie wird nicht gesendet.',
  'Not sent: earlier mail showed that {email} does not exist.':
    'Nicht gesendet: Frühere Mail hat gezeigt, dass es {email} nicht gibt.',
  'Not sent: {email} reported earlier mail as spam.':
    'Nicht gesendet: {email} hat frühere Mail als Spam gemeldet.',
  'Not sent: {email} has unsubscribed. With the unsubscribe_blocks of the organization, that ends this kind of mail too.':
    'Nicht gesendet: {email} hat sich abgemeldet. Nach der Einstellung der Organisation endet damit auch diese Art von Mail.',
  'Not sent: {email} was put on the suppression list by hand.':
    'Nicht gesendet: {email} wurde von Hand auf die Sperrliste gesetzt.',
  'Not sent: {email} has unsubscribed from the list {list}. Only the mail of that list ends.':
    'Nicht gesendet: {email} hat die Liste {list} verlassen. Nur die Mail dieser Liste endet.',
  'Not sent: {email} was suppressed at that time, and is not any more.':
    'Nicht gesendet: {email} war damals gesperrt und ist es nicht mehr.',
  'The campaign of the message is paused or canceled, so its copies wait.':
    'Die Kampagne der Nachricht ist angehalten oder abgebrochen, deshalb warten ihre Mails.',
  'The sub-tenant is suspended, so its mail waits.': 'Der Mandant ist gesperrt, deshalb wartet seine Mail.',
  'The sub-tenant is paused, so its mail waits.': 'Der Mandant ist angehalten, deshalb wartet seine Mail.',
  'The sub-tenant was deleted while the message waited.':
    'Der Mandant wurde gelöscht, während die Nachricht wartete.',
  'The sub-tenant is throttled: its messages per hour are limited.':
    'Der Mandant ist gedrosselt: Seine Nachrichten je Stunde sind begrenzt.',
  'The message cannot be signed, and unsigned mail is not sent.':
    'Die Nachricht kann nicht signiert werden, und unsignierte Mail wird nicht gesendet.',
  'The sender of the message is not verified at present, so its mail waits.':
    'Der Absender der Nachricht ist derzeit nicht bestätigt, deshalb wartet seine Mail.',
  'A fault on this server holds the message. The server tries again by itself.':
    'Ein Fehler auf diesem Server hält die Nachricht auf. Der Server versucht es automatisch erneut.',
  'A backup was restored, and live mail is held until the operator has seen what may have left already.':
    'Ein Backup wurde zurückgespielt. Echte Mail wartet, bis der Betreiber geprüft hat, was vielleicht schon hinausging.',
  'Mail to {domain} is paused.': 'Mail an {domain} ist angehalten.',
  'Mail to {domain} is paused for the whole workspace.':
    'Mail an {domain} ist für den ganzen Workspace angehalten.',
  'Mail to {domain} is paused for this sub-tenant.': 'Mail an {domain} ist für diesen Mandanten angehalten.',
  'A reply of {domain} made this server stop sending there for a while.':
    'Wegen einer Antwort von {domain} sendet dieser Server dorthin für eine Weile nicht.',
  "A reply of {domain} made this server stop this sub-tenant's mail there for a while.":
    'Wegen einer Antwort von {domain} sendet dieser Server die Mail dieses Mandanten dorthin für eine Weile nicht.',
  '{domain} could not be reached. After a pause one message is tried.':
    '{domain} war nicht zu erreichen. Nach einer Pause wird eine Nachricht versucht.',
  'The rate limit of {domain} is reached. This message waits.':
    'Das Limit für {domain} ist erreicht. Diese Nachricht wartet.',
  'The limit of simultaneous messages to {domain} is reached. This message is next.':
    'Die Zahl gleichzeitiger Nachrichten an {domain} ist erreicht. Diese Nachricht ist die nächste.',
  'The warm-up limit of a new sending address for this destination is reached for today.':
    'Das Aufwärmlimit einer neuen Absendeadresse für dieses Ziel ist für heute erreicht.',
  'No sending address can be used for this destination now.':
    'Für dieses Ziel ist derzeit keine Absendeadresse nutzbar.',
  'The operator has suspended the sending address or smarthost that this mail would leave by.':
    'Der Betreiber hat die Absendeadresse oder den Smarthost gesperrt, über den diese Mail ginge.',
  'No sending address or smarthost is configured for this destination.':
    'Für dieses Ziel ist weder Absendeadresse noch Smarthost eingerichtet.',
  'The composed message is larger than this server sends.':
    'Die fertige Nachricht ist größer, als dieser Server sendet.',
  'The message could not be rendered.': 'Die Vorlage der Nachricht ließ sich nicht ausfüllen.',
  'The message could not be signed.': 'Die Nachricht konnte nicht signiert werden.',
  'The sender was removed while the message waited.':
    'Der Absender wurde entfernt, während die Nachricht wartete.',
  'There was no route for the message.': 'Für die Nachricht gab es keinen Weg.',
  'The message failed on this server.': 'Die Nachricht scheiterte auf diesem Server.',
  'The mailbox simulator took the message; no mail left the sandbox.':
    'Das simulierte Postfach hat die Nachricht angenommen; keine Mail hat die Sandbox verlassen.',
};

const CAUSES: Catalogue = {
  'the domain {domain} does not exist or has no mail host':
    'die Domain {domain} gibt es nicht, oder sie hat keinen Mailserver',
  'the domain {domain} accepts no mail (null MX)': 'die Domain {domain} nimmt keine Mail an (Null-MX)',
  'the MX records of {domain} lead back to this server':
    'die MX-Einträge von {domain} führen zu diesem Server zurück',
  'no mail host of {domain} has a usable public address':
    'kein Mailserver von {domain} hat eine nutzbare öffentliche Adresse',
  'the mail hosts of {domain} have addresses only of a family (IPv4 or IPv6) that no source has here':
    'die Mailserver von {domain} haben nur Adressen einer Familie (IPv4 oder IPv6), die hier keine Quelle hat',
  'the mail hosts of {domain} could not be looked up':
    'die Mailserver von {domain} ließen sich nicht nachschlagen',
  'the mail host refuses connections': 'der Mailserver lehnt Verbindungen ab',
  'the mail host does not answer': 'der Mailserver antwortet nicht',
  'there is no route to the address of the mail host': 'zur Adresse des Mailservers gibt es keine Route',
  'the mail host accepted the connection and sent no greeting':
    'der Mailserver nahm die Verbindung an und schickte keine Begrüßung',
  'the mail host accepts no connections for now': 'der Mailserver nimmt derzeit keine Verbindungen an',
  'the mail host has reached its limit of connections from here':
    'der Mailserver lässt von hier keine weiteren Verbindungen zu',
  'the connection broke before the message was accepted':
    'die Verbindung brach ab, bevor die Nachricht angenommen war',
  'the mail host stopped answering before it accepted the message':
    'der Mailserver verstummte, bevor er die Nachricht annahm',
  'the smarthost refused the user or password': 'der Smarthost lehnte Benutzer oder Passwort ab',
  'no TLS session could be made with the mail host': 'mit dem Mailserver kam keine TLS-Sitzung zustande',
  'mail to this destination needs TLS, and the mail host does not offer it':
    'Mail an dieses Ziel braucht TLS, und der Mailserver bietet es nicht an',
  "the mail host's TLS does not match the MTA-STS policy of {domain}":
    'TLS des Mailservers passt nicht zur MTA-STS-Richtlinie von {domain}',
  "the mail host's TLS does not match its DANE records":
    'TLS des Mailservers passt nicht zu seinen DANE-Einträgen',
  'the mail host requires TLS, and the session had none':
    'der Mailserver verlangt TLS, und die Sitzung hatte keines',
  'the message requires TLS all the way, and the route to {domain} does not offer it':
    'die Nachricht verlangt TLS auf dem ganzen Weg, und der Weg zu {domain} bietet es nicht',
  'a later server could not deliver it': 'ein späterer Server konnte sie nicht zustellen',
  'the connection was lost after the whole message was sent; it may have arrived':
    'die Verbindung brach ab, nachdem die ganze Nachricht übertragen war; sie ist vielleicht angekommen',
  'the mail host asks unknown senders to come back later (greylisting)':
    'der Mailserver bittet unbekannte Absender, später wiederzukommen (Greylisting)',
  'the mail host deferred it without a clear reason':
    'der Mailserver hat sie ohne klaren Grund zurückgestellt',
  'the mail host reports an error of its own': 'der Mailserver meldet einen eigenen Fehler',
  'the mail host limits the mail from here for now': 'der Mailserver begrenzt derzeit die Mail von hier',
  "the recipient's mailbox is full": 'das Postfach des Empfängers ist voll',
  'the mail host is out of space': 'der Mailserver hat keinen Platz mehr',
  'there is no such mailbox': 'dieses Postfach gibt es nicht',
  'the mailbox is closed or disabled': 'das Postfach ist geschlossen oder gesperrt',
  'the mail host accepts no mail for {domain}': 'der Mailserver nimmt keine Mail für {domain} an',
  'the sending address is on a blocklist': 'die Absendeadresse steht auf einer Blockliste',
  'the sending address has no matching reverse DNS': 'die Absendeadresse hat kein passendes Reverse-DNS',
  'the mail host does not trust the sending address or domain':
    'der Mailserver vertraut der Absendeadresse oder der Domain nicht',
  'the mail host regards the content as spam': 'der Mailserver hält den Inhalt für Spam',
  'the mail host found malware or phishing in the content':
    'der Mailserver fand Schadsoftware oder Phishing im Inhalt',
  'SPF does not allow the sending address for the domain':
    'SPF erlaubt die Absendeadresse für die Domain nicht',
  'the DKIM signature did not verify': 'die DKIM-Signatur ließ sich nicht bestätigen',
  'the domain in From is not authenticated (DMARC)': 'die Domain in From ist nicht authentifiziert (DMARC)',
  'the mail host could not authenticate the sending domain':
    'der Mailserver konnte die Absenderdomain nicht authentifizieren',
  'the mail host does not regard {domain} as its own': 'der Mailserver hält {domain} nicht für seine eigene',
  'the mail host refuses the sender address': 'der Mailserver lehnt die Absenderadresse ab',
  'a policy of the mail host forbids it': 'eine Richtlinie des Mailservers verbietet es',
  'the message is larger than the mail host accepts': 'die Nachricht ist größer, als der Mailserver annimmt',
  'the mail host does not accept an address with non-ASCII letters':
    'der Mailserver nimmt keine Adresse mit Nicht-ASCII-Zeichen an',
  'the mail host accepts no 8-bit content': 'der Mailserver nimmt keine 8-Bit-Inhalte an',
  'the mail host and this server did not understand each other':
    'der Mailserver und dieser Server haben sich nicht verstanden',
  'the mail host gave no reason that is known here': 'der Mailserver nannte keinen hier bekannten Grund',
};

const STEPS: Catalogue = {
  '{} entries are left out here.': '{} Einträge sind hier ausgelassen.',
  'Accepted.': 'Angenommen.',
  'Accepted, {}.': 'Angenommen, {}.',
  'Passed on for delivery.': 'Zur Zustellung weitergegeben.',
  'Passed on for delivery by {}: {}.': 'Zur Zustellung über {} weitergegeben: {}.',
  'The address was put on the suppression list ({}).': 'Die Adresse kam auf die Sperrliste ({}).',
  'Not sent: the address is suppressed ({}).': 'Nicht gesendet: Die Adresse ist gesperrt ({}).',
  'Failed: {}': 'Gescheitert: {}',
  'Taken from the queue, checked, composed and signed.':
    'Aus der Warteschlange genommen, geprüft, zusammengesetzt und signiert.',
  'The message was opened.': 'Die Nachricht wurde geöffnet.',
  'A link in the message was clicked.': 'Ein Link der Nachricht wurde angeklickt.',
  'The message was canceled.': 'Die Nachricht wurde abgebrochen.',
  'The recipient unsubscribed.': 'Der Empfänger hat sich abgemeldet.',
  'The message was received.': 'Die Nachricht wurde empfangen.',
  'An automatic answer was received.': 'Eine automatische Antwort kam an.',
  'to be sent at {}': 'zu senden um {}',
  'to be tried until {} at most': 'höchstens zu versuchen bis {}',
  'over verified TLS only': 'nur über geprüftes TLS',
  'Retried by request: the next attempt is due now.':
    'Auf Wunsch erneut versucht: Der nächste Versuch ist jetzt fällig.',
  'Given another time: {}.': 'Auf eine andere Zeit gelegt: {}.',
  'Sent at once, and not at its former time.': 'Sofort gesendet statt zur früheren Zeit.',
  'Put off': 'Zurückgestellt',
  'put off': 'zurückgestellt',
  taken: 'angenommen',
  refused: 'abgelehnt',
  failed: 'gescheitert',
  held: 'aufgehalten',
  'Lost after the whole message was sent': 'Nach der vollständigen Übertragung verloren',
  'lost after the whole message was sent': 'nach der vollständigen Übertragung verloren',
  'put off by {}': 'zurückgestellt von {}',
  'taken by {}': 'angenommen von {}',
  'refused by {}': 'abgelehnt von {}',
  'lost after the whole message was sent by {}': 'nach der vollständigen Übertragung verloren bei {}',
  'Put off by {}: {}': 'Zurückgestellt von {}: {}',
  'Taken by {}: {}': 'Angenommen von {}: {}',
  'Refused by {}: {}': 'Abgelehnt von {}: {}',
  'not delivered': 'nicht zugestellt',
  delayed: 'verzögert',
  delivered: 'zugestellt',
  'no answer': 'keine Antwort',
  ' of {}': ' von {}',
  ' by {}': ' von {}',
  ' by {}{}': ' von {}{}',
  'A delivery report{} says: {}{}': 'Ein Zustellbericht{} meldet: {}{}',
  'A delivery report of {} says: {} by {}: {}': 'Ein Zustellbericht von {} meldet: {} durch {}: {}',
  'A delivery report of {} says: {}.': 'Ein Zustellbericht von {} meldet: {}.',
  'A delivery report says: {}.': 'Ein Zustellbericht meldet: {}.',
  'through the smarthost {}': 'über den Smarthost {}',
  'from source {}': 'von Quelle {}',
  'over {}{}': 'über {}{}',
  'over {}': 'über {}',
  verified: 'geprüft',
  ', verified': ', geprüft',
  'without TLS': 'ohne TLS',
  'at {}': 'bei {}',
  '{} Next at {}.': '{} Nächster Versuch um {}.',
  'Attempt {}: {}: {}{}': 'Versuch {}: {}: {}{}',
  'Attempt {}: {}: {} Next at {}.': 'Versuch {}: {}: {} Nächster Versuch um {}.',
  'Attempt {}: {}: {}': 'Versuch {}: {}: {}',
  'Mail to {} was paused{}.': 'Mail an {} wurde angehalten{}.',
  'the reason was {}': 'der Grund war {}',
  'the reason is {}': 'der Grund ist {}',
  'Not delivered yet ({}): {}.': 'Noch nicht zugestellt ({}): {}.',
  'Taken by the mail host, and returned later by a delivery report: {}.':
    'Vom Mailserver angenommen und später durch einen Zustellbericht zurückgegeben: {}.',
  'Refused for good: {}.': 'Endgültig abgelehnt: {}.',
  'Given up after {}: {}.': 'Aufgegeben nach {}: {}.',
  'that the mail leaves from': 'von der die Mail ausgeht',
  'that the mail was for': 'für die die Mail war',
  '(no {})': '(kein {})',
  'tried once': 'ein Versuch',
  'tried {} times': '{} Versuche',
  '1 minute': '1 Minute',
  '{} minutes': '{} Minuten',
  '{} hours': '{} Stunden',
  'The first attempt.': 'Der erste Versuch.',
  'Attempt {}.': 'Versuch {}.',
  'The next step of the simulation.': 'Der nächste Schritt der Simulation.',
  'It is looked at again.': 'Sie wird erneut geprüft.',
  '{} It is the last.': '{} Es ist der letzte.',
  'Mail to {} is paused: {}': 'Mail an {} ist angehalten: {}',
  '{} message is held by the appliance.': '{} Nachricht wird vom Server aufgehalten.',
  '{} messages are held by the appliance.': '{} Nachrichten werden vom Server aufgehalten.',
  '{} {} held by the appliance.': '{} {} vom Server aufgehalten.',
  'message is': 'Nachricht wird',
  'messages are': 'Nachrichten werden',
};

export const EXPLANATIONS: Catalogue = { ...ADVICE, ...SITUATIONS, ...CAUSES, ...STEPS };
