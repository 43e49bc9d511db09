// German sentences of the checks before a campaign is sent.
import type { Catalogue } from '../translate.js';

export const CAMPAIGNS: Catalogue = {
  'The list is there.': 'Die Liste ist vorhanden.',
  'The list has been deleted.': 'Die Liste wurde gelöscht.',
  'The campaign has no list yet. Choose one.': 'Die Kampagne hat noch keine Liste. Wählen Sie eine.',
  'The sender may be used.': 'Der Absender darf verwendet werden.',
  'The organization has a postal address.': 'Die Organisation hat eine Postanschrift.',
  'The organization has no postal address; the footer of every copy needs it.':
    'Die Organisation hat keine Postanschrift; die Fußzeile jeder Mail braucht sie.',
  'All templates are there, for messages of this type.':
    'Alle Vorlagen sind vorhanden, für Nachrichten dieser Art.',
  'No recipient gets a copy.': 'Kein Empfänger bekommt eine Mail.',
  'The copies of {} recipients were made.': 'Die Mails für {} Empfänger wurden erstellt.',
  'The copies of {} of {} recipients could not be made; those people are left out.':
    'Die Mails für {} von {} Empfängern ließen sich nicht erstellen; diese werden ausgelassen.',
  'Nobody is on the list, or carries the tag.': 'Niemand steht auf der Liste oder trägt das Schlagwort.',
  'None of the {} people may be written to.': 'An keine der {} Personen darf geschrieben werden.',
  'Of {} people, {} get a copy.': 'Von {} Personen bekommen {} eine Mail.',
  'Nobody is left out.': 'Niemand wird ausgelassen.',
  'Left out, because suppressed, unsubscribed, bounced or gone from the list: {}.':
    'Ausgelassen, weil gesperrt, abgemeldet, unzustellbar oder nicht mehr auf der Liste: {}.',
  'Every name that the templates read is filled for everybody.':
    'Jeder Name in den Vorlagen ist für alle gefüllt.',
  'A name is empty for some recipients, first {} for {}.':
    'Ein Name ist für einige Empfänger leer, zuerst {} für {}.',
  '{} names are empty for some recipients, first {} for {}.':
    '{} Namen sind für einige Empfänger leer, zuerst {} für {}.',
  '{} empty for some recipients, first {} for {}.': '{} für einige Empfänger leer, zuerst {} für {}.',
  'A name is': 'Ein Name ist',
  '{} names are': '{} Namen sind',
  'The copies have no placeholders that nothing fills.': 'Die Mails haben keine ungefüllten Platzhalter.',
  'The copies show {} that nothing fills. Placeholders are written as {{name}}.':
    'Die Mails zeigen {}, das nichts füllt. Platzhalter schreibt man {{name}}.',
  'The subject is empty.': 'Der Betreff ist leer.',
  'The subject still has a placeholder.': 'Der Betreff hat noch einen Platzhalter.',
  'The subject is there.': 'Der Betreff ist vorhanden.',
  'The subject has more than {} characters; mail programs show less.':
    'Der Betreff hat mehr als {} Zeichen; Mailprogramme zeigen weniger.',
  'There are no links.': 'Es gibt keine Links.',
  'All links are complete.': 'Alle Links sind vollständig.',
  'Links that do not work in a mail: {}.': 'Links, die in einer Mail nicht funktionieren: {}.',
  'Dead: {}.': 'Tot: {}.',
  'Not known from here: whether {} work.': 'Von hier nicht festzustellen: ob {} funktionieren.',
  'No links were checked.': 'Keine Links wurden geprüft.',
  'All checked links work.': 'Alle geprüften Links funktionieren.',
  'There is no text part.': 'Es gibt keinen Textteil.',
  'The text part is derived from the html.': 'Der Textteil wird aus dem HTML abgeleitet.',
  'There is a text part.': 'Es gibt einen Textteil.',
  'No mail program cuts the html off.': 'Kein Mailprogramm schneidet das HTML ab.',
  'The html has {} bytes; Gmail cuts it off after {}.':
    'Das HTML hat {} Bytes; Gmail schneidet es nach {} ab.',
  'Every image says what it shows.': 'Jedes Bild hat einen Alternativtext.',
  'Without alt text: {}; many people see mail without them.':
    'Ohne Alternativtext: {}; viele sehen Mail ohne Bilder.',
  'There is no copy to look at.': 'Es gibt keine Mail zum Ansehen.',
  'Every copy shows the postal address.': 'Jede Mail zeigt die Postanschrift.',
  'Some copies do not show the postal address, or hide it by their own styles.':
    'Einige Mails zeigen die Postanschrift nicht oder verstecken sie durch eigene Stile.',
  'Every copy shows the unsubscribe link.': 'Jede Mail zeigt den Abmeldelink.',
  'Some copies do not show the unsubscribe link, or hide it by their own styles.':
    'Einige Mails zeigen den Abmeldelink nicht oder verstecken ihn durch eigene Stile.',
  'Nothing limits the number of sends.': 'Die Zahl der Sendungen ist nicht begrenzt.',
  'The plan has {} sends left.': 'Der Tarif hat noch {} Sendungen.',
  'The plan has {} sends left in this {}; {} are needed. The other recipients get theirs when the plan has sends again.':
    'Der Tarif hat in diesem {2} noch {1} Sendungen; {3} sind nötig. Die übrigen Empfänger bekommen ihre Mail, sobald der Tarif wieder Sendungen hat.',
  day: 'Tag',
  month: 'Monat',
};
