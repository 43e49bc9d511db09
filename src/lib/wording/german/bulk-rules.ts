// German sentences about the rules of mail providers for bulk senders.
import type { Catalogue } from '../translate.js';

export const BULK_RULES: Catalogue = {
  'No mail of the last 30 days shows it.': 'Keine Mail der letzten 30 Tage zeigt es.',
  'Send mail, then look again.': 'Senden Sie Mail, und sehen Sie dann erneut nach.',
  'The provider refused {} for this rule.': 'Der Anbieter hat {} wegen dieser Regel abgelehnt.',
  '{} It has accepted mail since. {}': '{} Seither hat er Mail angenommen. {}',
  'Read the reply. It says what the provider misses.':
    'Lesen Sie die Antwort. Sie sagt, was dem Anbieter fehlt.',
  ' The provider asks for it from {} messages a day on.':
    ' Der Anbieter verlangt es ab {} Nachrichten am Tag.',
  'There is no verified sending domain.': 'Es gibt keine bestätigte Absenderdomain.',
  'Set up a sending domain and publish its DNS records.':
    'Richten Sie eine Absenderdomain ein, und veröffentlichen Sie ihre DNS-Einträge.',
  'Nobody has answered for the {} record of {} yet.':
    'Für den {}-Eintrag von {} hat noch niemand geantwortet.',
  'Verify the domain again.': 'Lassen Sie die Domain erneut prüfen.',
  'Only you know whether each recipient has asked for this mail.':
    'Nur Sie wissen, ob jeder Empfänger um diese Mail gebeten hat.',
  'Write to people who have asked for it, and keep the record of it. A sign-up form with confirmation does both.':
    'Schreiben Sie an Menschen, die darum gebeten haben, und bewahren Sie den Nachweis auf. Ein Anmeldeformular mit Bestätigung leistet beides.',
  'The SPF record of the return path of {} does not cover the addresses that mail leaves from.':
    'Der SPF-Eintrag des Return-Path von {} deckt die Adressen nicht ab, von denen Mail ausgeht.',
  'Publish the return-path TXT record shown under DNS.':
    'Veröffentlichen Sie den unter DNS angezeigten TXT-Eintrag des Return-Path.',
  'SPF passes under a return path below {}, so it aligns.':
    'SPF besteht mit einem Return-Path unter {} und passt damit zum Absender.',
  'Publish the return-path MX and TXT records shown under DNS. Then SPF aligns with From.':
    'Veröffentlichen Sie die unter DNS angezeigten MX- und TXT-Einträge des Return-Path. Dann passt SPF zu From.',
  'Mail of {} has the return path of the service, whose SPF record was not checked yet.':
    'Mail von {} hat den Return-Path des Dienstes, dessen SPF-Eintrag noch nicht geprüft wurde.',
  'Mail of {} has the return path of the service, whose SPF record does not pass.':
    'Mail von {} hat den Return-Path des Dienstes, dessen SPF-Eintrag nicht besteht.',
  'SPF passes for the return path of the service. It does not align with {}: DMARC rests on DKIM alone.':
    'SPF besteht für den Return-Path des Dienstes. Er passt nicht zu {}: DMARC stützt sich allein auf DKIM.',
  'The DKIM record of {} is missing or holds another key, so signatures fail.':
    'Der DKIM-Eintrag von {} fehlt oder enthält einen anderen Schlüssel, deshalb scheitern Signaturen.',
  'Publish the DKIM records shown under DNS.': 'Veröffentlichen Sie die unter DNS angezeigten DKIM-Einträge.',
  'Rotate the DKIM key. New keys have 2,048 bits.':
    'Erneuern Sie den DKIM-Schlüssel. Neue Schlüssel haben 2.048 Bit.',
  'The DKIM key of {} has fewer than {} bits.': 'Der DKIM-Schlüssel von {} hat weniger als {} Bit.',
  ' {} looked at: signed.': ' {} angesehen: signiert.',
  'The keys that sign stand in DNS of {}.{}': 'Die Schlüssel, die signieren, stehen im DNS von {}.{}',
  '{} has no valid DMARC record.': '{} hat keinen gültigen DMARC-Eintrag.',
  'Publish the DMARC record shown under DNS. p=none is enough.':
    'Veröffentlichen Sie den unter DNS angezeigten DMARC-Eintrag. p=none genügt.',
  '{} has a valid DMARC record.': '{} hat einen gültigen DMARC-Eintrag.',
  "Advised: add rua=mailto:… to the record of {}, to get the providers' reports.":
    'Empfehlung: Ergänzen Sie rua=mailto:… im Eintrag von {}, um die Berichte der Anbieter zu bekommen.',
  'No signed message of the last 30 days can be shown again.':
    'Keine signierte Nachricht der letzten 30 Tage lässt sich noch zeigen.',
  '{} of {} looked at have no DKIM signature of the domain in From.':
    '{} von {} angesehenen haben keine DKIM-Signatur der Domain in From.',
  'Send from a domain that is set up here, with its DKIM records published.':
    'Senden Sie von einer hier eingerichteten Domain, deren DKIM-Einträge veröffentlicht sind.',
  '{} looked at: each has a DKIM signature of the domain in From.':
    '{} angesehen: Jede hat eine DKIM-Signatur der Domain in From.',
  'Mail leaves by a smarthost. Its operator sets the reverse names.':
    'Mail geht über einen Smarthost. Sein Betreiber setzt die Reverse-Namen.',
  'Ask the operator of the smarthost.': 'Fragen Sie den Betreiber des Smarthosts.',
  'The operator of this service sets it with the hoster of the addresses.':
    'Der Betreiber dieses Dienstes setzt ihn beim Anbieter der Adressen.',
  'The reverse names of the sending addresses were not checked yet.':
    'Die Reverse-Namen der Absendeadressen wurden noch nicht geprüft.',
  'Each sending address has a reverse name, and the name leads back to it.':
    'Jede Absendeadresse hat einen Reverse-Namen, und der Name führt zu ihr zurück.',
  'A sending address has no reverse name, or one that does not lead back to it.':
    'Eine Absendeadresse hat keinen Reverse-Namen, oder einen, der nicht zu ihr zurückführt.',
  'TLS in all of {}.': 'TLS bei allen {}.',
  '{} of {} went without TLS.': '{} von {} gingen ohne TLS hinaus.',
  'Read the attempts of the message: they say why there was no TLS.':
    'Lesen Sie die Versuche der Nachricht: Sie sagen, warum es kein TLS gab.',
  '{} looked at: one From, a Date and a Message-ID, no field twice.':
    '{} angesehen: ein From, ein Date und eine Message-ID, kein Feld doppelt.',
  'Repair the program that hands the message over.':
    'Berichtigen Sie das Programm, das die Nachricht übergibt.',
  'No marketing or sales mail of the last 30 days shows it.':
    'Keine Marketing- oder Vertriebsmail der letzten 30 Tage zeigt es.',
  '{} looked at: both header fields are there, and DKIM signs them.':
    '{} angesehen: Beide Kopffelder sind vorhanden, und DKIM signiert sie.',
  'The service adds both fields. An https address takes MAILKEEL_PUBLIC_URL with https.':
    'Der Dienst fügt beide Felder hinzu. Eine https-Adresse setzt MAILKEEL_PUBLIC_URL mit https voraus.',
  '{} looked at: each has a link to unsubscribe.': '{} angesehen: Jede hat einen Abmeldelink.',
  'A marketing or sales message has no link to unsubscribe that could be found in its body.':
    'In einer Marketing- oder Vertriebsnachricht fand sich kein Abmeldelink.',
  'Put {{unsubscribe_url}} into the template.': 'Nehmen Sie {{unsubscribe_url}} in die Vorlage auf.',
  'Nobody has unsubscribed in the last 30 days.': 'In den letzten 30 Tagen hat sich niemand abgemeldet.',
  '{} of {} addresses got marketing or sales mail later than {} hours after they had unsubscribed.':
    '{} von {} Adressen bekamen Marketing- oder Vertriebsmail später als {} Stunden nach der Abmeldung.',
  'Look at the message. Do not lift suppressions of people who have unsubscribed.':
    'Sehen Sie die Nachricht an. Heben Sie keine Sperren von Menschen auf, die sich abgemeldet haben.',
  'none got such mail afterwards': 'keine bekam danach solche Mail',
  'the last mail came at most {} minutes afterwards': 'die letzte Mail kam höchstens {} Minuten danach',
  '{} addresses unsubscribed: {}.': '{} Adressen meldeten sich ab: {}.',
  'at the providers that report complaints': 'bei den Anbietern, die Beschwerden melden',
  'that the provider has reported': 'die der Anbieter gemeldet hat',
  'No complaint has come about {} delivered.': 'Zu {} zugestellten kam keine Beschwerde.',
  '{} complaints {}, of {} delivered: {} %.': '{} Beschwerden {}, bei {} zugestellten: {} %.',
  'Find the campaign that people complain about, and write only to people who have asked for it.':
    'Finden Sie die Kampagne, über die sich Menschen beschweren, und schreiben Sie nur an die, die darum gebeten haben.',
  '{} The limit is 0.30 %.': '{} Die Grenze liegt bei 0,30 %.',
  '{} It should stay below 0.10 %.': '{} Sie sollte unter 0,10 % bleiben.',
  'Google reports no single complaints. {} The true rate may be higher.':
    'Google meldet keine einzelnen Beschwerden. {} Die wahre Quote kann höher sein.',
  'Look at the spam rate in Google Postmaster Tools.':
    'Sehen Sie die Spamquote in den Google Postmaster Tools nach.',
  '{} Fewer than {} say too little.': '{} Weniger als {} sagen zu wenig.',
  'Complaints come only if the address or domain is registered with the provider for its feedback loop.':
    'Beschwerden kommen nur, wenn die Adresse oder Domain beim Anbieter für dessen Feedback-Loop angemeldet ist.',
  'No address of a mail provider in From of {}.': 'Keine Adresse eines Mailanbieters in From von {}.',
  'From is an address at {}, which belongs to a mail provider. It cannot pass DMARC.':
    'From ist eine Adresse bei {}, das einem Mailanbieter gehört. Sie kann DMARC nicht bestehen.',
  'Send from a domain of your own. Put that address into Reply-To.':
    'Senden Sie von einer eigenen Domain. Setzen Sie diese Adresse in Reply-To.',
  'A line of the header is not a field.': 'Eine Zeile des Kopfs ist kein Feld.',
  'It has more than one {} field.': 'Sie hat mehr als ein Feld {}.',
  'It has no From field.': 'Sie hat kein Feld From.',
  'Its From field does not hold exactly one address.': 'Ihr Feld From enthält nicht genau eine Adresse.',
  'It has no valid Date field.': 'Sie hat kein gültiges Feld Date.',
  'It has no valid Message-ID field.': 'Sie hat kein gültiges Feld Message-ID.',
  'It has no List-Unsubscribe field.': 'Sie hat kein Feld List-Unsubscribe.',
  'List-Unsubscribe has no https address.': 'List-Unsubscribe hat keine https-Adresse.',
  'It has no field List-Unsubscribe-Post: List-Unsubscribe=One-Click.':
    'Sie hat kein Feld List-Unsubscribe-Post: List-Unsubscribe=One-Click.',
  'No DKIM signature covers both fields.': 'Keine DKIM-Signatur deckt beide Felder ab.',
  '1 message': '1 Nachricht',
  '{} messages': '{} Nachrichten',
};
