// Translates why messages failed, wait or were refused, and what alerts and webhook deliveries report.
import type { Catalogue } from '../translate.js';

const FAILURES: Catalogue = {
  'The message no longer exists.': 'Die Nachricht existiert nicht mehr.',
  'The composed message has {} bytes, but the limit is {}.':
    'Die fertige Nachricht hat {} Bytes, das Limit ist {}.',
  'The sub-tenant was deleted.': 'Der Mandant wurde gelöscht.',
  'The sub-tenant is paused.': 'Der Mandant ist pausiert.',
  'The sub-tenant is suspended.': 'Der Mandant ist gesperrt.',
  'The campaign is paused or canceled.': 'Die Kampagne ist pausiert oder abgebrochen.',
  'The sender {} is suspended because its DKIM record is not in DNS.':
    'Der Absender {} ist gesperrt, weil sein DKIM-Eintrag nicht im DNS steht.',
  'The sender {} is no longer verified.': 'Der Absender {} ist nicht mehr verifiziert.',
  "The sub-tenant's domain {} is no longer verified.":
    'Die Domain {} des Mandanten ist nicht mehr verifiziert.',
  '{} can no longer be used because the sender or its domain was removed.':
    '{} kann nicht mehr verwendet werden, weil der Absender oder seine Domain entfernt wurde.',
  'There is no active DKIM key for {}.': 'Für {} gibt es keinen aktiven DKIM-Schlüssel.',
  "The contact's address was erased.": 'Die Adresse des Kontakts wurde gelöscht.',
  'Not delivered in time. Last reply: {}': 'Nicht rechtzeitig zugestellt. Letzte Antwort: {}',
  'Mailkeel stopped after sending the message and before the server replied.':
    'Mailkeel wurde beendet, nachdem die Nachricht übertragen war und bevor der Server geantwortet hatte.',
  'Restored from a backup: {}.': 'Aus einer Sicherung wiederhergestellt: {}.',
  'The message contains a {}.': 'Die Nachricht enthält ein unzulässiges Zeichen ({}).',
  'The message has no From field.': 'Der Nachricht fehlt das Feld From.',
  'The From field has {} addresses; exactly one is allowed.':
    'Das Feld From hat {} Adressen; erlaubt ist genau eine.',
  'The From field has no unambiguous address.': 'Das Feld From hat keine eindeutige Adresse.',
  'The Sender field must have exactly one address.': 'Das Feld Sender muss genau eine Adresse haben.',
  'A Resent-From or Resent-Sender field has no address.':
    'Einem Feld Resent-From oder Resent-Sender fehlt die Adresse.',
};

const CATEGORIES: Catalogue = {
  'The address does not exist.': 'Die Adresse existiert nicht.',
  'The mailbox is disabled.': 'Das Postfach ist deaktiviert.',
  'The domain does not exist or does not accept mail.':
    'Die Domain existiert nicht oder nimmt keine Mail an.',
  'The mailbox is full.': 'Das Postfach ist voll.',
  "The recipient's mail server kept deferring the message until it expired.":
    'Der Mailserver des Empfängers hat die Nachricht zurückgestellt, bis sie ablief.',
  "The recipient's mail server is limiting the rate of mail.":
    'Der Mailserver des Empfängers begrenzt die Menge an Mail.',
  "The recipient's mail server blocks mail from the sending IP.":
    'Der Mailserver des Empfängers blockiert Mail von der Sende-IP.',
  "The recipient's mail server classified the message as spam.":
    'Der Mailserver des Empfängers hat die Nachricht als Spam eingestuft.',
  "The message failed the authentication (SPF, DKIM or DMARC) that the recipient's mail server requires.":
    'Die Nachricht hat die Authentifizierung (SPF, DKIM oder DMARC) nicht bestanden, die der Mailserver des Empfängers verlangt.',
  'A policy of the recipient or their mail server rejected the message.':
    'Eine Richtlinie des Empfängers oder seines Mailservers hat die Nachricht abgelehnt.',
  'A connection with the required encryption could not be established.':
    'Eine Verbindung mit der verlangten Verschlüsselung kam nicht zustande.',
  "The message exceeds the size limit of the recipient's mail server.":
    'Die Nachricht überschreitet das Größenlimit des empfangenden Mailservers.',
  "The recipient's mail server could not be reached.": 'Der Mailserver des Empfängers war nicht erreichbar.',
  "The recipient's mail server rejected the message because of a protocol error.":
    'Der Mailserver des Empfängers hat die Nachricht wegen eines Protokollfehlers abgelehnt.',
  'The message expired before it could be delivered.':
    'Die Nachricht ist abgelaufen, bevor sie zugestellt werden konnte.',
  "The connection was lost before the recipient's mail server confirmed the message.":
    'Die Verbindung brach ab, bevor der Mailserver des Empfängers die Nachricht bestätigt hatte.',
  "The recipient's mail server gave no recognizable reason.":
    'Der Mailserver des Empfängers nannte keinen erkennbaren Grund.',
};

const ROUTES: Catalogue = {
  'The domain {} does not exist': 'Die Domain {} existiert nicht',
  'The domain {} does not accept mail (null MX)': 'Die Domain {} nimmt keine Mail an (Null-MX)',
  '{} has no mail server and no address': '{} hat weder einen Mailserver noch eine Adresse',
  'DNS lookup of the mail servers of {} failed ({})':
    'Die DNS-Abfrage der Mailserver von {} ist gescheitert ({})',
  'DNS lookup of the address of {} failed ({})': 'Die DNS-Abfrage der Adresse von {} ist gescheitert ({})',
  'No mail server of {} can currently be found: {}': 'Zurzeit ist kein Mailserver von {} zu finden: {}',
  'No mail server of {} can be used: {}': 'Kein Mailserver von {} ist verwendbar: {}',
  'No mail host of {} may be used: {}': 'Kein Mailserver von {} darf verwendet werden: {}',
  'No source has the address family of the mail servers of {}: {}':
    'Keine Quelle hat die Adressfamilie der Mailserver von {}: {}',
  'Mail for {} would loop back to this server: {}': 'Mail an {} käme zu diesem Server zurück: {}',
  '{} is this server': '{} ist dieser Server',
  '{} is an address, not a host name': '{} ist eine Adresse, kein Hostname',
  '{} was not looked up': '{} wurde nicht abgefragt',
  '{} has no IP address': '{} hat keine IP-Adresse',
  '{} has no IPv{} address, and no source supports another address family':
    '{} hat keine IPv{}-Adresse, und keine Quelle unterstützt eine andere Adressfamilie',
};

const LIMITS: Catalogue = {
  '{} is temporarily not used because {}.': '{} wird vorübergehend nicht verwendet. Grund: {}.',
  '{} could not be reached from {}.': '{} war von {} aus nicht erreichbar.',
  '{} messages are currently being delivered there.': 'Dorthin werden gerade {} Nachrichten zugestellt.',
  'The first messages are currently being delivered there.':
    'Dorthin werden gerade die ersten Nachrichten zugestellt.',
  'Another node is delivering on this path.': 'Ein anderer Knoten stellt auf diesem Weg zu.',
  'No running node has the role mta.': 'Kein laufender Knoten hat die Rolle mta.',
  'No node has the IP address of the source.': 'Kein Knoten hat die IP-Adresse der Quelle.',
  '{} has reached its rate limit{}.': '{} hat die zulässige Senderate erreicht{}.',
  ' (rule {})': ' (Regel {})',
  '{} is being warmed up and has reached its current limit.':
    '{} wird aufgewärmt und hat das derzeitige Limit erreicht.',
  'A backup was restored. The operator must review the held mail and release it.':
    'Eine Sicherung wurde wiederhergestellt. Der Betreiber muss die zurückgehaltene Mail prüfen und freigeben.',
  'The route is being planned again.': 'Die Route wird neu geplant.',
  'The sub-tenant is limited to {} messages per hour{}.':
    'Der Mandant ist auf {} Nachrichten pro Stunde begrenzt{}.',
  ' because of its reputation': ', wegen seiner Reputation',
  'The mail servers are being looked up.': 'Die Mailserver werden abgefragt.',
  'The message is not in the queue. To send a finished message again, resend it.':
    'Die Nachricht ist nicht in der Warteschlange. Eine abgeschlossene Nachricht lässt sich erneut senden.',
  'The message is scheduled for later. Reschedule it to send it now.':
    'Die Nachricht ist für später geplant. Planen Sie sie um, um sie jetzt zu senden.',
  'The source or smarthost does not exist.': 'Die Quelle oder der Smarthost existiert nicht.',
  'You have reached the limit of {} routes. Delete one first.':
    'Das Limit von {} Routen ist erreicht. Löschen Sie zuerst eine.',
  'Pool {} is not used by any route.': 'Keine Route verwendet den Pool {}.',
  'Smarthost {} is not used by any route.': 'Keine Route verwendet den Smarthost {}.',
  'Source {} is not in any pool.': 'Die Quelle {} gehört zu keinem Pool.',
  "Source {} has no IPv4 address and can't reach hosts without IPv6.":
    'Die Quelle {} hat keine IPv4-Adresse und erreicht keine Hosts ohne IPv6.',
  'No route is configured.': 'Keine Route ist eingerichtet.',
  '{} has no sources.': '{} hat keine Quellen.',
  'The operator has suspended {} {}.': 'Der Betreiber hat {} {} gesperrt.',
  'the source': 'die Quelle',
  'the smarthost': 'den Smarthost',
  'A simulated step of this message is still pending. Try again when the simulation is finished.':
    'Ein simulierter Schritt dieser Nachricht steht noch aus. Versuchen Sie es nach dem Ende der Simulation erneut.',
  'The message is {}. You can simulate {} once it has been sent.':
    'Die Nachricht hat den Status {}. Simulieren lässt sich {}, sobald sie gesendet ist.',
  'The message is {}, but {} can only follow {}.':
    'Die Nachricht hat den Status {}, aber {} kann nur auf {} folgen.',
};

const HEADERS: Catalogue = {
  'The field can be specified only once.': 'Das Feld darf nur einmal vorkommen.',
  'The custom fields exceed 32 KiB in total.': 'Die eigenen Felder überschreiten zusammen 32 KiB.',
  'The field requires a List-Unsubscribe with an https URI.':
    'Das Feld verlangt ein List-Unsubscribe mit einer https-URI.',
  'Header names must consist of printable ASCII characters without spaces or colons.':
    'Header-Namen müssen aus druckbaren ASCII-Zeichen ohne Leerzeichen und Doppelpunkte bestehen.',
  'The header name exceeds 76 characters.': 'Der Header-Name ist länger als 76 Zeichen.',
  'This field can be set only by Mailkeel or by mail systems.':
    'Dieses Feld können nur Mailkeel oder Mailsysteme setzen.',
  'Mailkeel sets this field in marketing and sales mail and in mail with a topic.':
    'In Marketing- und Vertriebs-Mail und in Mail mit einem Thema setzt Mailkeel dieses Feld.',
  'The value contains a line break.': 'Der Wert enthält einen Zeilenumbruch.',
  'The value contains a control character.': 'Der Wert enthält ein Steuerzeichen.',
  'The value is empty.': 'Der Wert ist leer.',
  'The value exceeds 8,192 characters.': 'Der Wert ist länger als 8.192 Zeichen.',
  'The value of this field must be ASCII.': 'Der Wert dieses Feldes muss ASCII sein.',
  'The value contains more than 998 characters that cannot be folded.':
    'Der Wert enthält mehr als 998 Zeichen, die sich nicht umbrechen lassen.',
  'The value must be one id in angle brackets, such as <4711@example.com>, of at most 500 characters.':
    'Der Wert muss eine ID in spitzen Klammern sein, etwa <4711@example.com>, mit höchstens 500 Zeichen.',
  'The value must be one or more https and mailto URIs, each in angle brackets, with commas between them.':
    'Der Wert muss aus https- und mailto-URIs bestehen, jede in spitzen Klammern und durch Kommas getrennt.',
  'The value must be {}.': 'Der Wert muss {} sein.',
};

const RECEIVED: Catalogue = {
  'The header has several From fields. The first was used.':
    'Der Kopf hat mehrere From-Felder. Das erste wurde verwendet.',
  'The {} is longer than {} characters; it was truncated. The full {} is among the parts.':
    'Der Inhalt ({}) ist länger als {} Zeichen und wurde gekürzt. Vollständig ({}) steht er bei den Teilen.',
  'The header is longer than {} bytes, so the rest was omitted.':
    'Der Kopf ist länger als {} Bytes, der Rest wurde weggelassen.',
  'The message has no header.': 'Die Nachricht hat keinen Kopf.',
  '{} header lines are not fields and were omitted.':
    '{} Kopfzeilen sind keine Felder und wurden weggelassen.',
  'The header has more than {} fields, so {} were omitted.':
    'Der Kopf hat mehr als {} Felder, {} wurden weggelassen.',
};

const WEBHOOKS: Catalogue = {
  'Disabled by request.': 'Auf Anforderung deaktiviert.',
  'The endpoint is being deleted.': 'Der Endpunkt wird gelöscht.',
  'The endpoint returned 410 Gone.': 'Der Endpunkt hat mit 410 Gone geantwortet.',
  'The last {} deliveries failed.': 'Die letzten {} Zustellungen sind gescheitert.',
  'redirects are not followed': 'Weiterleitungen werden nicht befolgt',
  'To receive events on your own machine, run `mailkeel listen --forward-to URL`. It does not need an endpoint. On a private network, the operator sets MAILKEEL_WEBHOOK_ALLOW_PRIVATE=true.':
    'Um Ereignisse auf dem eigenen Rechner zu empfangen, starten Sie `mailkeel listen --forward-to URL`. Dazu ist kein Endpunkt nötig. In einem privaten Netz setzt der Betreiber MAILKEEL_WEBHOOK_ALLOW_PRIVATE=true.',
};

const ALERTS: Catalogue = {
  'Outbound mail is on hold after a restore':
    'Ausgehende Mail wird nach einer Wiederherstellung zurückgehalten',
  'No mail is sent until an operator runs mailkeel admin restore --review and then --release.':
    'Keine Mail wird gesendet, bis ein Betreiber mailkeel admin restore --review und danach --release ausführt.',
  'Transactional mail is late': 'Transaktionale Mail ist verspätet',
  'A message to {} has been due for over 15 minutes.':
    'Eine Nachricht an {} ist seit über 15 Minuten fällig.',
  'The share of route {} was lowered to {} %': 'Der Anteil der Route {} wurde auf {} % gesenkt',
  '{} The share does not rise until an operator resumes it.':
    '{} Der Anteil steigt erst wieder, wenn ein Betreiber den Anstieg fortsetzt.',
  'Raised as planned.': 'Planmäßig erhöht.',
  'The bounce rate of direct mail was {} %, and the limit is {} %.':
    'Die Bounce-Rate der direkten Mail betrug {} %, das Limit ist {} %.',
  'The complaint rate of direct mail was {} %, and the limit is {} %.':
    'Die Beschwerderate der direkten Mail betrug {} %, das Limit ist {} %.',
  'Webhook deliveries are late': 'Webhook-Zustellungen sind verspätet',
  'A delivery to an enabled endpoint has been due for over 15 minutes.':
    'Eine Zustellung an einen aktiven Endpunkt ist seit über 15 Minuten fällig.',
  'Webhook endpoint disabled: {}': 'Webhook-Endpunkt deaktiviert: {}',
  'an endpoint': 'ein Endpunkt',
  'Sub-tenant throttled: {}': 'Mandant gedrosselt: {}',
  'Its complaint rate exceeds the limit, so its mail is throttled.':
    'Seine Beschwerderate überschreitet das Limit, deshalb wird seine Mail gedrosselt.',
  'Sub-tenant paused: {}': 'Mandant pausiert: {}',
  'Its {} exceeds the limit, so its mail is on hold.':
    'Ein Limit ist überschritten ({}), deshalb wird seine Mail zurückgehalten.',
  'bounce rate': 'Bounce-Rate',
  'complaint rate': 'Beschwerderate',
  'A message is waiting for approval': 'Eine Nachricht wartet auf Freigabe',
  '{} messages are waiting for approval': '{} Nachrichten warten auf Freigabe',
  'Workspace: {}.': 'Workspace: {}.',
  'DNS records of {} are wrong': 'DNS-Einträge von {} sind falsch',
  'Its mail is on hold until the records are restored.':
    'Ihre Mail wird zurückgehalten, bis die Einträge wiederhergestellt sind.',
  'Its mail is put on hold after six hours unless the records are restored.':
    'Ihre Mail wird nach sechs Stunden zurückgehalten, wenn die Einträge nicht wiederhergestellt sind.',
  'The disk is almost full': 'Die Platte ist fast voll',
  'The disk will be full soon': 'Die Platte ist bald voll',
  'The database is damaged': 'Die Datenbank ist beschädigt',
  'The TLS certificate needs attention': 'Das TLS-Zertifikat braucht Aufmerksamkeit',
  'No node is running for a role': 'Für eine Rolle läuft kein Knoten',
  'Inbound mail is not being processed': 'Eingehende Mail wird nicht verarbeitet',
  'The last backup failed': 'Die letzte Sicherung ist gescheitert',
  'A scheduled backup is overdue': 'Eine geplante Sicherung ist überfällig',
  'It was due at {}. Check the server log for errors, or create a backup with mailkeel admin backup.':
    'Sie war fällig um {}. Suchen Sie im Protokoll des Servers nach Fehlern, oder erstellen Sie eine Sicherung mit mailkeel admin backup.',
  'The replica does not respond': 'Die Replik antwortet nicht',
  '{} has not responded since {}: {}.': '{} antwortet nicht seit {}: {}.',
  'The replica is over a minute behind': 'Die Replik hinkt über eine Minute hinterher',
  'The oldest change missing from {} was made {} seconds ago.':
    'Die älteste Änderung, die in {} fehlt, ist {} Sekunden alt.',
  'The replica has no full copy': 'Die Replik hat keine vollständige Kopie',
  'The full copy in {} is not complete, so this server cannot be restored from it. Check the server log for errors.':
    'Die vollständige Kopie in {} ist nicht fertig, deshalb lässt sich dieser Server nicht daraus wiederherstellen. Suchen Sie im Protokoll des Servers nach Fehlern.',
  'Host check failed: {}': 'Prüfung des Servers gescheitert: {}',
  'Test alert': 'Testalarm',
  'This is a test alert. Alerts are delivered here.':
    'Dies ist ein Testalarm. Alarme werden hierher zugestellt.',
  'The mail is {}.': 'Die Mail hat den Status {}.',
  'The alert webhook was removed.': 'Der Webhook für Alarme wurde entfernt.',
};

export const DELIVERY: Catalogue = {
  ...FAILURES,
  ...CATEGORIES,
  ...ROUTES,
  ...LIMITS,
  ...HEADERS,
  ...RECEIVED,
  ...WEBHOOKS,
  ...ALERTS,
};
