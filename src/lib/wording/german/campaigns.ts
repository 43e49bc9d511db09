// Translates sentences of the checks before a campaign is sent.
import type { Catalogue } from '../translate.js';

export const CAMPAIGNS: Catalogue = {
  'The list exists.': 'Die Liste ist vorhanden.',
  'The list was deleted.': 'Die Liste wurde gelöscht.',
  'The campaign does not have a list. Choose one.': 'Die Kampagne hat keine Liste. Wählen Sie eine.',
  'The sender is verified.': 'Der Absender ist verifiziert.',
  'The organization has a postal address.': 'Die Organisation hat eine Postanschrift.',
  'The organization does not have a postal address, which the footer of every copy requires.':
    'Der Organisation fehlt die Postanschrift, die jede Fassung im Footer braucht.',
  'All templates exist and match this message type.':
    'Alle Vorlagen sind vorhanden und passen zu dieser Nachrichtenart.',
  'The campaign has no recipients.': 'Die Kampagne hat keine Empfänger.',
  'Copies were rendered for {} recipients.': 'Für {} Empfänger wurden Fassungen erstellt.',
  'Rendering failed for {} of {} recipients. These recipients are skipped.':
    'Für {} von {} Empfängern ist die Fassung gescheitert. Sie werden übersprungen.',
  'No contacts are on the list or have the tag.': 'Kein Kontakt ist auf der Liste oder hat das Schlagwort.',
  'None of the {} contacts can receive mail.': 'Keiner der {} Kontakte kann Mail erhalten.',
  'Out of {} contacts, {} will receive a copy.': 'Von {} Kontakten erhalten {} eine Fassung.',
  'No contacts are skipped.': 'Kein Kontakt wird übersprungen.',
  'Skipped because they are suppressed, unsubscribed, bounced or removed from the list: {}.':
    'Übersprungen, weil gesperrt, abgemeldet, gebounct oder von der Liste entfernt: {}.',
  'All template variables have a value for every recipient.':
    'Alle Variablen haben für jeden Empfänger einen Wert.',
  'A variable is empty for some recipients, including {} (recipients affected: {}).':
    'Eine Variable ist bei manchen Empfängern leer: {} (betroffene Empfänger: {}).',
  '{} variables are empty for some recipients, including {} (recipients affected: {}).':
    '{} Variablen sind bei manchen Empfängern leer, darunter {} (betroffene Empfänger: {}).',
  '{} empty for some recipients, including {} (recipients affected: {}).':
    '{} bei manchen Empfängern leer, darunter {} (betroffene Empfänger: {}).',
  'A variable is': 'Eine Variable ist',
  '{} variables are': '{} Variablen sind',
  'The copies contain no unfilled placeholders.': 'Die Fassungen enthalten keine unausgefüllten Platzhalter.',
  'The copies contain unfilled placeholders: {}. Write placeholders as {{name}}.':
    'Die Fassungen enthalten unausgefüllte Platzhalter: {}. Platzhalter schreibt man {{name}}.',
  'The subject is empty.': 'Der Betreff ist leer.',
  'The subject contains an unfilled placeholder.': 'Der Betreff enthält einen unausgefüllten Platzhalter.',
  'The subject is set.': 'Der Betreff ist gesetzt.',
  'The subject exceeds {} characters and may be cut off in the inbox.':
    'Der Betreff überschreitet {} Zeichen und wird im Posteingang vielleicht abgeschnitten.',
  'There are no links.': 'Es gibt keine Links.',
  'All links are absolute URLs.': 'Alle Links sind vollständige URLs.',
  'Links that do not work in email: {}.': 'Links, die in E-Mails nicht funktionieren: {}.',
  'Broken links: {}.': 'Defekte Links: {}.',
  'Could not check {} from this server.': 'Von diesem Server aus nicht prüfbar: {}.',
  'No links were checked.': 'Keine Links wurden geprüft.',
  'All checked links work.': 'Alle geprüften Links funktionieren.',
  'There is no plain-text part.': 'Es gibt keinen Textteil.',
  'The plain-text part is generated from the html.': 'Der Textteil wird aus dem HTML erzeugt.',
  'There is a plain-text part.': 'Es gibt einen Textteil.',
  'The html is below the size at which Gmail clips messages.':
    'Das HTML ist kleiner als die Grenze, ab der Gmail kürzt.',
  'The html has {} bytes. Gmail clips messages after {}.':
    'Das HTML hat {} Bytes. Gmail kürzt Nachrichten nach {}.',
  'Every image has alt text.': 'Jedes Bild hat einen Alternativtext.',
  'Images without alt text: {}. Many email clients block images by default.':
    'Bilder ohne Alternativtext: {}. Viele Mailprogramme blenden Bilder zunächst aus.',
  'No copy is available to check.': 'Es gibt keine Fassung zum Prüfen.',
  'Every copy shows the postal address.': 'Jede Mail zeigt die Postanschrift.',
  'Some copies do not show the postal address, or their own styles hide it.':
    'Manche Fassungen zeigen die Postanschrift nicht, oder ihre Stile verbergen sie.',
  'Every copy shows the unsubscribe link.': 'Jede Mail zeigt den Abmeldelink.',
  'Some copies do not show the unsubscribe link, or their own styles hide it.':
    'Manche Fassungen zeigen den Abmeldelink nicht, oder ihre Stile verbergen ihn.',
  'The plan has no sending limit.': 'Der Tarif hat kein Sendelimit.',
  'The plan has {} sends remaining.': 'Der Tarif hat noch {} Sendungen frei.',
  'The plan has {} sends remaining this {}, but the campaign needs {}. The other recipients get their copies when the quota resets.':
    'Der Tarif hat in diesem Zeitraum ({2}) noch {1} Sendungen frei, die Kampagne braucht aber {3}. Die übrigen Empfänger erhalten ihre Fassung, sobald das Kontingent erneuert ist.',
  day: 'Tag',
  month: 'Monat',
};
