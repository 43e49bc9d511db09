// Translates why account imports wait or end, and why objects of other vendors are left out.
import type { Catalogue } from '../translate.js';

const ENDS: Catalogue = {
  '{} rejected the credentials.': '{} hat die Zugangsdaten abgelehnt.',
  '{} cannot be reached: {}.': '{} ist nicht erreichbar: {}.',
  '{} answered {} in a format that Mailkeel does not recognize.':
    '{} hat auf {} in einem Format geantwortet, das Mailkeel nicht kennt.',
  '{} limits the rate of requests.': '{} begrenzt die Zahl der Anfragen.',
  '{} answered with status {}.': '{} hat mit dem Status {} geantwortet.',
  '{} answered with the unexpected status {}.': '{} hat mit dem unerwarteten Status {} geantwortet.',
  '{} returned the same page twice.': '{} hat dieselbe Seite zweimal geliefert.',
  '{} has more objects than one import may have.': '{} hat mehr Objekte, als ein Import haben darf.',
  'SendGrid could not export the contacts.': 'SendGrid konnte die Kontakte nicht exportieren.',
  'A contact file from SendGrid cannot be read.': 'Eine Datei mit Kontakten von SendGrid ist nicht lesbar.',
  'Mailgun returned a page without a link to the next page.':
    'Mailgun hat eine Seite ohne Link zur nächsten geliefert.',
  'The file is no longer available.': 'Die Datei ist nicht mehr vorhanden.',
  'The file has no header.': 'Die Datei hat keine Kopfzeile.',
  'Line {} of the file is not a JSON object.': 'Zeile {} der Datei ist kein JSON-Objekt.',
  'Line {} of the file is not a valid object of the type {}.':
    'Zeile {} der Datei ist kein gültiges Objekt des Typs {}.',
  'The limit of {} unfinished account imports has been reached. Retry when one of them is complete.':
    'Das Limit von {} unfertigen Kontoimporten ist erreicht. Versuchen Sie es erneut, wenn einer davon abgeschlossen ist.',
  'The account import is already finished.': 'Der Kontoimport ist bereits beendet.',
};

const FIELDS: Catalogue = {
  'is required for this source': 'ist für diese Quelle erforderlich',
  'is not used by this source': 'wird von dieser Quelle nicht verwendet',
  'is not usable. {}': 'ist nicht verwendbar. {}',
  'must not be {}, which {} does not support': 'darf nicht {} sein, denn das unterstützt {} nicht',
  'must be an AWS region such as eu-west-1': 'muss eine AWS-Region sein, zum Beispiel eu-west-1',
  'must contain only these values: {codes}': 'darf nur diese Werte enthalten: {codes}',
  'is not a workspace export. The first line must be the header of an export':
    'ist kein Workspace-Export. Die erste Zeile muss die Kopfzeile eines Exports sein',
  'has the format {}, but this server reads {}': 'hat das Format {}, dieser Server liest aber {}',
  'is incomplete, because its last line is not the trailer. Download the export again':
    'ist unvollständig, weil die Schlusszeile fehlt. Laden Sie den Export noch einmal herunter',
  'has {} objects, but its trailer counts {}. Download the export again':
    'hat {} Objekte, laut Schlusszeile aber {}. Laden Sie den Export noch einmal herunter',
};

const FILES: Catalogue = {
  'is empty': 'ist leer',
  'is damaged or incomplete, because it is not a readable zip archive':
    'ist beschädigt oder unvollständig, denn sie ist kein lesbares ZIP-Archiv',
  'has entry names that are too long': 'enthält zu lange Namen von Einträgen',
  'has more than {} entries': 'hat mehr als {} Einträge',
  'is encrypted. Upload it without a password': 'ist verschlüsselt. Laden Sie sie ohne Passwort hoch',
  'is too large when unpacked': 'ist entpackt zu groß',
  'is larger than 16 GiB when unpacked': 'ist entpackt größer als 16 GiB',
  'is damaged or incomplete, because it cannot be unpacked':
    'ist beschädigt oder unvollständig, denn sie lässt sich nicht entpacken',
  'is not a Mailchimp export. Upload the ZIP file of an account or audience export, or a CSV file from it with the columns that Mailchimp adds, such as MEMBER_RATING':
    'ist kein Mailchimp-Export. Laden Sie die ZIP-Datei eines Konto- oder Audience-Exports hoch, oder eine CSV-Datei daraus mit den Spalten, die Mailchimp ergänzt, zum Beispiel MEMBER_RATING',
  'has several audiences, which keep their names. Import it without name':
    'hat mehrere Audiences, die ihre Namen behalten. Importieren Sie sie ohne name',
  'has more than {} audiences': 'hat mehr als {} Audiences',
  'has a row or table definitions larger than 16 MiB':
    'hat eine Zeile oder Tabellendefinitionen, die größer als 16 MiB sind',
  'is not a dump that {} wrote as plain text, with comments':
    'ist kein Dump, den {} als Text mit Kommentaren geschrieben hat',
  'is encoded in {}. Create the dump in UTF-8': 'ist in {} kodiert. Erstellen Sie den Dump in UTF-8',
  'is incomplete, because it does not end with the line "{}". Create the dump again':
    'ist unvollständig, denn sie endet nicht mit der Zeile „{}“. Erstellen Sie den Dump noch einmal',
  'does not name the columns of the table {}. Create the dump with table definitions':
    'nennt die Spalten der Tabelle {} nicht. Erstellen Sie den Dump mit den Tabellendefinitionen',
  'has a row of the table {} with {} values instead of {}':
    'hat eine Zeile der Tabelle {} mit {} statt {} Werten',
  'is a dump in the custom format. Convert it with pg_restore --file=listmonk.sql, or create it with pg_dump --format=plain':
    'ist ein Dump im Format „custom“. Wandeln Sie ihn mit pg_restore --file=listmonk.sql um, oder erstellen Sie ihn mit pg_dump --format=plain',
  'is not a dump of a listmonk database, because it has no subscribers':
    'ist kein Dump einer Datenbank von listmonk, denn sie hat keine Abonnenten (subscribers)',
  'has more than {} lists': 'hat mehr als {} Listen',
  'has the table {} after the table subscribers. Create the dump with pg_dump, without --data-only':
    'hat die Tabelle {} nach der Tabelle subscribers. Erstellen Sie den Dump mit pg_dump ohne --data-only',
  'has more list memberships, bounces or settings than Mailkeel can hold in memory. Import from an API instead, if the source has one':
    'hat mehr Listenmitgliedschaften, Bounces oder Einstellungen, als Mailkeel im Speicher halten kann. Importieren Sie stattdessen über eine API, falls die Quelle eine hat',
  'Other large files are being read. Retry in a few minutes.':
    'Gerade werden andere große Dateien gelesen. Versuchen Sie es in einigen Minuten erneut.',
  'does not begin with the Postal configuration. Create the dump with mariadb-dump --databases postal postal-server-1':
    'beginnt nicht mit der Postal-Konfiguration. Erstellen Sie den Dump mit mariadb-dump --databases postal postal-server-1',
  'has a subscriber with more than {} list memberships or bounces':
    'hat einen Abonnenten mit mehr als {} Listenmitgliedschaften oder Bounces',
  'has several servers. Set name to one of {}': 'hat mehrere Server. Setzen Sie name auf einen von {}',
};

const LEFT_OUT: Catalogue = {
  'Write the text in place of {}, which is a Mailchimp setting.':
    'Schreiben Sie den Text anstelle von {}, das eine Einstellung von Mailchimp ist.',
  'The contact has no email address.': 'Der Kontakt hat keine E-Mail-Adresse.',
  'The object is larger than 4 MiB.': 'Das Objekt ist größer als 4 MiB.',
  'The template is larger than 1 MiB.': 'Die Vorlage ist größer als 1 MiB.',
  'The file has no column with email addresses.': 'Die Datei hat keine Spalte mit E-Mail-Adressen.',
  'The file contains SMS marketing contacts, which are not imported.':
    'Die Datei enthält SMS-Marketing-Kontakte, die nicht importiert werden.',
  'The domain only receives mail.': 'Die Domain empfängt nur E-Mails.',
  'The dump contains no suppressions of the server. If the server has suppressions, add its database to the dump.':
    'Der Dump enthält keine Sperren des Servers. Falls der Server Sperren hat, nehmen Sie seine Datenbank in den Dump auf.',
  'The row is not valid CSV.': 'Die Zeile ist kein gültiges CSV.',
  'The credentials do not permit reading these objects, or the {} account does not have them (status {}).':
    'Die Zugangsdaten erlauben es nicht, diese Objekte zu lesen, oder das Konto bei {} hat sie nicht (Status {}).',
  'The template is a layout for the content of campaigns. Copy its header and footer into the templates that need them.':
    'Die Vorlage ist ein Rahmen für den Inhalt von Kampagnen. Kopieren Sie Kopf und Fuß in die Vorlagen, die sie brauchen.',
  'Templates cannot define other templates: {}.': 'Vorlagen können keine anderen Vorlagen definieren: {}.',
  'Mailkeel has no equivalent of {}.': 'Mailkeel hat keine Entsprechung für {}.',
  'Mailkeel has no equivalent of the events of the webhook.':
    'Mailkeel hat keine Entsprechung für die Ereignisse des Webhooks.',
  'The condition is not a single field: {}.': 'Die Bedingung ist kein einzelnes Feld: {}.',
  'There is no open block to close.': 'Hier ist kein offener Block, der geschlossen werden könnte.',
  'The name of a variable is invalid: {}.': 'Der Name einer Variable ist ungültig: {}.',
  'The fallback contains both kinds of quotation marks: {}.':
    'Der Ersatzwert enthält beide Arten von Anführungszeichen: {}.',
  'The default of {} contains both kinds of quotation marks.':
    'Der Ersatzwert von {} enthält beide Arten von Anführungszeichen.',
  'The template belongs to the visual editor of listmonk.':
    'Die Vorlage gehört zum visuellen Editor von listmonk.',
  'The segment is a SendGrid query. Create a segment with a filter.':
    'Das Segment ist eine SendGrid-Abfrage. Erstellen Sie ein Segment mit einem Filter.',
  'Legacy templates get their substitutions from each message.':
    'Ältere Vorlagen erhalten ihre Ersetzungen mit jeder Nachricht.',
  'The recipient unsubscribed from single tags. Use a list as the topic of such mail.':
    'Der Empfänger hat sich nur von einzelnen Tags abgemeldet. Verwenden Sie für solche Nachrichten eine Liste als Topic.',
  "Mailgun's Go templates cannot be translated.": 'Go-Vorlagen von Mailgun können nicht übersetzt werden.',
  'The domain is managed by Amazon.': 'Die Domain wird von Amazon verwaltet.',
  'The sandbox domain belongs to Mailgun.': 'Die Sandbox-Domain gehört Mailgun.',
  'The layout becomes a part of each template that uses it.':
    'Das Layout wird Teil jeder Vorlage, die es verwendet.',
  'The template is not active.': 'Die Vorlage ist nicht aktiv.',
  'Postmark requires an account token to read domains.':
    'Zum Lesen von Domains verlangt Postmark ein Account-Token.',
  'The template has no active version.': 'Die Vorlage hat keine aktive Version.',
  'The webhook is disabled.': 'Der Webhook ist deaktiviert.',
  'The webhook was imported disabled and with a new secret. Rotate the secret, update the receiver, and enable the webhook.':
    'Der Webhook wurde deaktiviert und mit einem neuen Geheimnis importiert. Erneuern Sie das Geheimnis, tragen Sie es beim Empfänger ein, und aktivieren Sie den Webhook.',
  'The webhook was imported disabled, with a new secret, and without its inboxes. Set the inboxes, rotate the secret, update the receiver, and enable the webhook.':
    'Der Webhook wurde deaktiviert, mit einem neuen Geheimnis und ohne seine Posteingänge importiert. Legen Sie die Posteingänge fest, erneuern Sie das Geheimnis, tragen Sie es beim Empfänger ein, und aktivieren Sie den Webhook.',
  'The sequence was imported paused. Check it, and resume it.':
    'Die Sequenz wurde pausiert importiert. Prüfen Sie sie, und setzen Sie sie fort.',
  'The campaign was scheduled and was imported as a draft. Check it, and schedule it again.':
    'Die Kampagne war geplant und wurde als Entwurf importiert. Prüfen Sie sie, und planen Sie sie erneut.',
  'The broadcast was sent.': 'Der Broadcast wurde gesendet.',
  'Only the first Reply-To address of the broadcast was imported.':
    'Nur die erste Antwortadresse des Broadcasts wurde importiert.',
  'The preview text of the broadcast was not imported.':
    'Der Vorschautext des Broadcasts wurde nicht importiert.',
  'The topic of the broadcast was not imported.': 'Das Thema des Broadcasts wurde nicht importiert.',
  'The list {} was not imported.': 'Die Liste {} wurde nicht importiert.',
  'The template {} was not imported.': 'Die Vorlage {} wurde nicht importiert.',
  'The sub-tenant of this object was not imported.': 'Der Mandant dieses Objekts wurde nicht importiert.',
  'An import into a sub-tenant cannot create sub-tenants.':
    'Ein Import in einen Mandanten kann keine Mandanten erstellen.',
  'Imported from another Mailkeel server.': 'Von einem anderen Mailkeel-Server importiert.',
};

export const ACCOUNT_IMPORTS: Catalogue = { ...ENDS, ...FIELDS, ...FILES, ...LEFT_OUT };
