// Translates sentences about mail providers' rules for bulk senders.
import type { Catalogue } from '../translate.js';

export const BULK_RULES: Catalogue = {
  'No mail from the last 30 days is available to check this rule.':
    'Für diese Regel gibt es aus den letzten 30 Tagen keine Mail zum Prüfen.',
  'Send mail, then check again.': 'Senden Sie Mail und prüfen Sie dann erneut.',
  'The provider rejected {} under this rule.': 'Der Anbieter hat {} nach dieser Regel abgelehnt.',
  '{} It has accepted mail since then. {}': '{} Seitdem hat er wieder Mail angenommen. {}',
  "Read the reply for the provider's requirement.": 'Die Antwort nennt, was der Anbieter verlangt.',
  ' The provider requires this for {} or more messages per day.':
    ' Der Anbieter verlangt dies ab {} Nachrichten pro Tag.',
  'No sending domain is verified.': 'Keine Absenderdomain ist bestätigt.',
  'Set up a sending domain and publish its DNS records.':
    'Richten Sie eine Absenderdomain ein, und veröffentlichen Sie ihre DNS-Einträge.',
  'No name server has responded for the {} record of {} yet.':
    'Für den {}-Eintrag von {} hat noch kein Nameserver geantwortet.',
  'Verify the domain again.': 'Lassen Sie die Domain erneut prüfen.',
  'Mailkeel cannot check whether your recipients asked for this mail.':
    'Mailkeel kann nicht prüfen, ob Ihre Empfänger diese Mail angefordert haben.',
  'Send only to people who opted in, and record their consent. A sign-up form with confirmation does both.':
    'Schreiben Sie nur Personen, die eingewilligt haben, und halten Sie die Einwilligung fest. Ein Anmeldeformular mit Bestätigung leistet beides.',
  'The SPF record of the return path of {} does not include the sending IPs.':
    'Der SPF-Eintrag des Return-Paths von {} enthält die Sende-IPs nicht.',
  'Publish the return-path TXT record shown under DNS.':
    'Veröffentlichen Sie den unter DNS gezeigten TXT-Eintrag des Return-Paths.',
  'SPF passes with a return path on {}, so it aligns.':
    'SPF besteht mit einem Return-Path unter {} und ist damit ausgerichtet.',
  'Publish the return-path MX and TXT records shown under DNS so that SPF aligns with From.':
    'Veröffentlichen Sie die unter DNS gezeigten MX- und TXT-Einträge des Return-Paths, damit SPF zu From passt.',
  'Mail from {} uses the return path of the service, whose SPF record has not been checked yet.':
    'Mail von {} verwendet den Return-Path des Dienstes, dessen SPF-Eintrag noch nicht geprüft wurde.',
  'Mail from {} uses the return path of the service, whose SPF record fails.':
    'Mail von {} verwendet den Return-Path des Dienstes, dessen SPF-Eintrag nicht besteht.',
  'SPF passes with the return path of the service but does not align with {}, so DMARC relies on DKIM alone.':
    'SPF besteht mit dem Return-Path des Dienstes, passt aber nicht zu {}. DMARC beruht allein auf DKIM.',
  'The DKIM record of {} is missing or contains another key, so signatures fail.':
    'Der DKIM-Eintrag von {} fehlt oder enthält einen anderen Schlüssel, daher scheitern Signaturen.',
  'Publish the DKIM records shown under DNS.': 'Veröffentlichen Sie die unter DNS angezeigten DKIM-Einträge.',
  'Rotate the DKIM key. New keys have 2,048 bits.':
    'Wechseln Sie den DKIM-Schlüssel. Neue Schlüssel haben 2.048 Bit.',
  'The DKIM key of {} has fewer than {} bits.': 'Der DKIM-Schlüssel von {} hat weniger als {} Bit.',
  ' {} checked: all signed.': ' {} geprüft: alle signiert.',
  'The signing keys of {} are published in DNS.{}':
    'Die signierenden Schlüssel von {} sind im DNS veröffentlicht.{}',
  '{} does not have a valid DMARC record.': '{} hat keinen gültigen DMARC-Eintrag.',
  'Publish the DMARC record shown under DNS. p=none is sufficient.':
    'Veröffentlichen Sie den unter DNS gezeigten DMARC-Eintrag. p=none genügt.',
  '{} has a valid DMARC record.': '{} hat einen gültigen DMARC-Eintrag.',
  'Recommended: add rua=mailto:… to the record of {} to receive reports from mailbox providers.':
    'Empfohlen: Ergänzen Sie rua=mailto:… im Eintrag von {}, um Berichte der Anbieter zu erhalten.',
  'No signed message from the last 30 days is available to check.':
    'Aus den letzten 30 Tagen gibt es keine signierte Nachricht zum Prüfen.',
  '{} of {} checked messages have no DKIM signature for the From domain.':
    '{} von {} geprüften haben keine DKIM-Signatur der From-Domain.',
  'Send from a domain that is set up in Mailkeel and has its DKIM records published.':
    'Senden Sie von einer Domain, die in Mailkeel eingerichtet ist und deren DKIM-Einträge veröffentlicht sind.',
  '{} checked: all have a DKIM signature for the From domain.':
    '{} geprüft: alle haben eine DKIM-Signatur der From-Domain.',
  'Mail is sent through a smarthost, and its operator sets the reverse DNS names.':
    'Mail wird über einen Smarthost gesendet, dessen Betreiber die Reverse-DNS-Namen setzt.',
  'Contact the operator of the smarthost.': 'Wenden Sie sich an den Betreiber des Smarthosts.',
  'The operator of this service sets reverse DNS at the hosting provider.':
    'Der Betreiber dieses Dienstes setzt Reverse-DNS beim Hosting-Anbieter.',
  'Reverse DNS of the sending IPs has not been checked yet.':
    'Reverse-DNS der Sende-IPs wurde noch nicht geprüft.',
  'Every sending IP has a reverse DNS name that resolves back to it.':
    'Jede Sende-IP hat einen Reverse-DNS-Namen, der auf sie zurückführt.',
  'A sending IP has no reverse DNS name, or a name that does not resolve back to it.':
    'Eine Sende-IP hat keinen Reverse-DNS-Namen, oder er führt nicht auf sie zurück.',
  '{} delivered, all over TLS.': '{} zugestellt, alle über TLS.',
  '{} of {} were sent without TLS.': '{} von {} wurden ohne TLS gesendet.',
  'See the delivery attempts of the message for the reason.':
    'Den Grund nennen die Zustellversuche der Nachricht.',
  '{} checked: all have one From, a Date and a Message-ID, and no duplicate fields.':
    '{} geprüft: alle haben ein From, ein Date und eine Message-ID und keine doppelten Felder.',
  'Fix the application that submits the message.':
    'Korrigieren Sie die Anwendung, die die Nachricht übergibt.',
  'No marketing or sales mail from the last 30 days is available to check this rule.':
    'Für diese Regel gibt es aus den letzten 30 Tagen keine Marketing- oder Vertriebsmail zum Prüfen.',
  '{} checked: both header fields are present and DKIM-signed.':
    '{} geprüft: beide Kopfzeilen sind vorhanden und mit DKIM signiert.',
  'Mailkeel adds both fields. The https address requires an https MAILKEEL_PUBLIC_URL.':
    'Mailkeel fügt beide Felder hinzu. Die https-Adresse setzt eine MAILKEEL_PUBLIC_URL mit https voraus.',
  '{} checked: all contain an unsubscribe link.': '{} geprüft: alle enthalten einen Abmeldelink.',
  'No unsubscribe link was found in the body of a marketing or sales message.':
    'Im Text einer Marketing- oder Vertriebsnachricht wurde kein Abmeldelink gefunden.',
  'Add {{unsubscribe_url}} to the template.': 'Ergänzen Sie {{unsubscribe_url}} in der Vorlage.',
  'No one unsubscribed in the last 30 days.': 'In den letzten 30 Tagen hat sich niemand abgemeldet.',
  '{} of {} addresses received marketing or sales mail more than {} hours after unsubscribing.':
    '{} von {} Adressen erhielten mehr als {} Stunden nach der Abmeldung noch Marketing- oder Vertriebsmail.',
  'Review the message. Do not remove suppressions of people who unsubscribed.':
    'Prüfen Sie die Nachricht. Heben Sie Sperren von Abgemeldeten nicht auf.',
  'none received marketing or sales mail afterwards': 'keine erhielt danach Marketing- oder Vertriebsmail',
  'the last mail was sent within {} minutes': 'die letzte Mail ging binnen {} Minuten',
  '{} addresses unsubscribed: {}.': '{} Adressen meldeten sich ab: {}.',
  'at providers that report complaints': 'bei Anbietern, die Beschwerden melden',
  'reported by the provider': 'vom Anbieter gemeldet',
  'No complaints about {} delivered.': 'Keine Beschwerden bei {} (zugestellt).',
  '{} complaints {}, out of {} delivered ({} %).': '{} Beschwerden {}, bei {} (zugestellt): {} %.',
  'Identify the campaign that causes complaints, and send only to people who opted in.':
    'Ermitteln Sie die Kampagne, die Beschwerden auslöst, und schreiben Sie nur Personen, die eingewilligt haben.',
  '{} The limit is 0.30 %.': '{} Die Grenze liegt bei 0,30 %.',
  '{} Keep the rate below 0.10 %.': '{} Die Quote sollte unter 0,10 % bleiben.',
  'Google does not report individual complaints. {} The actual rate may be higher.':
    'Google meldet keine einzelnen Beschwerden. {} Die wahre Quote kann höher sein.',
  'Check the spam rate in Google Postmaster Tools.':
    'Prüfen Sie die Spamquote in den Google Postmaster Tools.',
  '{} Fewer than {} are not enough for a reliable rate.':
    '{} Weniger als {} ergeben keine verlässliche Quote.',
  'The provider sends complaints only if the IP or domain is registered for its feedback loop.':
    'Der Anbieter meldet Beschwerden nur, wenn IP oder Domain für seine Feedback-Loop registriert ist.',
  'No mailbox provider address in the From of {}.': 'Keine Adresse eines Mailanbieters in From von {}.',
  "The From address is at {}, a mailbox provider's domain, and cannot pass DMARC.":
    'Die From-Adresse gehört zu {}, der Domain eines Mailanbieters, und kann DMARC nicht bestehen.',
  'Send from your own domain, and use that address as Reply-To.':
    'Senden Sie von einer eigenen Domain und nutzen Sie jene Adresse als Reply-To.',
  'The header contains a line that is not a field.': 'Der Kopf enthält eine Zeile, die kein Feld ist.',
  'The header contains more than one {} field.': 'Der Kopf enthält mehr als ein Feld {}.',
  'The From field is missing.': 'Das Feld From fehlt.',
  'The From field must contain exactly one address.': 'Das Feld From muss genau eine Adresse enthalten.',
  'The Date field is missing or invalid.': 'Das Feld Date fehlt oder ist ungültig.',
  'The Message-ID field is missing or invalid.': 'Das Feld Message-ID fehlt oder ist ungültig.',
  'The List-Unsubscribe field is missing.': 'Das Feld List-Unsubscribe fehlt.',
  'List-Unsubscribe does not contain an https address.': 'List-Unsubscribe enthält keine https-Adresse.',
  'The field List-Unsubscribe-Post: List-Unsubscribe=One-Click is missing.':
    'Das Feld List-Unsubscribe-Post: List-Unsubscribe=One-Click fehlt.',
  'No DKIM signature covers both fields.': 'Keine DKIM-Signatur deckt beide Felder ab.',
  '1 message': '1 Nachricht',
  '{} messages': '{} Nachrichten',
};
