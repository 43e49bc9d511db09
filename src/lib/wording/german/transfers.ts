// Translates why addresses, rows and files of imports are refused, and why transfers end early.
import type { Catalogue } from '../translate.js';

const ADDRESSES: Catalogue = {
  'The address is missing.': 'Die Adresse fehlt.',
  'The address contains a control character or a line break.':
    'Die Adresse enthält ein Steuerzeichen oder einen Zeilenumbruch.',
  'The address has no @.': 'Der Adresse fehlt das @.',
  'The quotes before the @ do not match.': 'Die Anführungszeichen vor dem @ passen nicht zusammen.',
  'The address has nothing before the @.': 'Vor dem @ der Adresse steht nichts.',
  'The address contains a space.': 'Die Adresse enthält ein Leerzeichen.',
  'The address has more than one @.': 'Die Adresse hat mehr als ein @.',
  'The part before the @ is not ASCII. Such addresses (SMTPUTF8) are not supported.':
    'Der Teil vor dem @ ist nicht ASCII. Solche Adressen (SMTPUTF8) werden nicht unterstützt.',
  'The part before the @ is longer than 64 characters.': 'Der Teil vor dem @ ist länger als 64 Zeichen.',
  'The part before the @ contains a character that is not allowed.':
    'Der Teil vor dem @ enthält ein unzulässiges Zeichen.',
  'The address is longer than 254 characters.': 'Die Adresse ist länger als 254 Zeichen.',
  'The address is too long: at most 254 characters.': 'Die Adresse ist zu lang: höchstens 254 Zeichen.',
  'The address has no domain.': 'Der Adresse fehlt die Domain.',
  'The domain contains a space.': 'Die Domain enthält ein Leerzeichen.',
  'Address literals are not supported. Use a domain name.':
    'IP-Adressen in eckigen Klammern werden nicht unterstützt. Verwenden Sie einen Domainnamen.',
  'The domain is too long.': 'Die Domain ist zu lang.',
  'The domain is not a valid domain name.': 'Die Domain ist kein gültiger Domainname.',
  'The domain has an empty label.': 'Die Domain hat einen leeren Abschnitt.',
  'The domain has a label longer than 63 characters.':
    'Die Domain hat einen Abschnitt mit mehr als 63 Zeichen.',
  'The domain contains a character that is not allowed.': 'Die Domain enthält ein unzulässiges Zeichen.',
  'A label of the domain starts or ends with a hyphen.':
    'Ein Abschnitt der Domain beginnt oder endet mit einem Bindestrich.',
  'The domain must have at least two labels, like example.com.':
    'Die Domain muss mindestens zwei Abschnitte haben, wie example.com.',
  'The domain ends in a number. Use a domain name.':
    'Die Domain endet mit einer Zahl. Verwenden Sie einen Domainnamen.',
};

const FILES: Catalogue = {
  'The body is not a JSON array. Send one object per line as application/x-ndjson.':
    'Der Inhalt ist kein JSON-Array. Senden Sie ein Objekt je Zeile als application/x-ndjson.',
  'The body continues after the JSON array.': 'Nach dem JSON-Array folgt noch etwas.',
  'The JSON array is incomplete. {} items were read.':
    'Das JSON-Array ist unvollständig. {} Einträge wurden gelesen.',
  'The file is an Excel workbook. Save it as CSV and send the CSV file.':
    'Die Datei ist eine Excel-Arbeitsmappe. Speichern Sie sie als CSV, und senden Sie die CSV-Datei.',
  'Column {} looks like a subscription status. Map it to status, {}{} or ignore.':
    'Die Spalte {} sieht wie ein Abonnementstatus aus. Ordnen Sie sie status, {}{} oder ignore zu.',
  'The header row has more than {} columns.': 'Die Kopfzeile hat mehr als {} Spalten.',
  'The column {} occurs twice.': 'Die Spalte {} kommt zweimal vor.',
  'A column name is longer than {} characters.': 'Ein Spaltenname ist länger als {} Zeichen.',
  'The first row must contain the column names, including email. It contains: {}. Map the column with the addresses to email.':
    'Die erste Zeile muss die Spaltennamen enthalten, darunter email. Sie enthält: {}. Ordnen Sie die Spalte mit den Adressen email zu.',
  'Files with several columns require a header row.': 'Dateien mit mehreren Spalten brauchen eine Kopfzeile.',
};

const ROWS: Catalogue = {
  'The row is longer than {} KiB.': 'Die Zeile ist länger als {} KiB.',
  'The quotation marks of the row do not match.': 'Die Anführungszeichen der Zeile passen nicht zusammen.',
  'The row is not UTF-8.': 'Die Zeile ist nicht UTF-8.',
  'The row contains a NUL character.': 'Die Zeile enthält ein NUL-Zeichen.',
  'The row {}.': 'Die Zeile {}.',
  'is not valid JSON: {}': 'ist kein gültiges JSON: {}',
  'has more than {} values': 'hat mehr als {} Werte',
  'has a number of more than 1000 digits': 'hat eine Zahl mit mehr als 1000 Ziffern',
  'contains half of a surrogate pair, which has no UTF-8 form':
    'enthält ein halbes Surrogatpaar, das sich nicht als UTF-8 schreiben lässt',
  'contains a number that is too large': 'enthält eine zu große Zahl',
  'contains a whole number that would lose digits; give it as a string':
    'enthält eine ganze Zahl, die Ziffern verlöre; geben Sie sie als Text an',
  'metadata {}.': 'metadata {}.',
  'metadata must be an object.': 'metadata muss ein Objekt sein.',
  'metadata must be a JSON object.': 'metadata muss ein JSON-Objekt sein.',
  'tags must be an array of strings.': 'tags muss ein Array von Texten sein.',
  'The row has {} cells, but the header row has {}.': 'Die Zeile hat {} Zellen, die Kopfzeile aber {}.',
  'The row must be an object with an email field.': 'Die Zeile muss ein Objekt mit dem Feld email sein.',
  'The entry must be an email address or an object with an email field.':
    'Der Eintrag muss eine E-Mail-Adresse oder ein Objekt mit dem Feld email sein.',
  '{} must be a string.': '{} muss ein Text sein.',
  '{} is not a known field.': '{} ist kein bekanntes Feld.',
  'A tag is longer than {} characters.': 'Ein Schlagwort ist länger als {} Zeichen.',
  'A field name is longer than {} characters.': 'Ein Feldname ist länger als {} Zeichen.',
  'The name is longer than {} characters.': 'Der Name ist länger als {} Zeichen.',
  'The phone number is longer than {} characters.': 'Die Telefonnummer ist länger als {} Zeichen.',
  'The name {}.': 'Der Name {}.',
  'The phone number {}.': 'Die Telefonnummer {}.',
  'A tag {}.': 'Ein Schlagwort {}.',
  '{} is "{}", which does not show whether the contact can receive mail.':
    '{} ist „{}“. Daraus geht nicht hervor, ob der Kontakt Mail erhalten darf.',
  'The contact would have more than {} tags.': 'Der Kontakt hätte mehr als {} Schlagwörter.',
  'The row names a different sub-tenant than the import.':
    'Die Zeile nennt einen anderen Mandanten als der Import.',
  'The entry names a different sub-tenant than the request.':
    'Der Eintrag nennt einen anderen Mandanten als die Anfrage.',
  'A contact of a sub-tenant cannot be added to a list of the workspace.':
    'Ein Kontakt eines Mandanten kann nicht auf eine Liste des Workspaces gesetzt werden.',
  'The sub-tenant does not exist.': 'Der Mandant existiert nicht.',
  'The contact neither unsubscribed nor bounced.':
    'Der Kontakt hat sich weder abgemeldet noch kam Mail an ihn zurück.',
  'The status is temporary, so the address is not suppressed.':
    'Der Status ist vorübergehend, deshalb wird die Adresse nicht gesperrt.',
};

const ENDS: Catalogue = {
  'A list of the workspace only contains its own contacts, and a list of a sub-tenant only those of the sub-tenant.':
    'Eine Liste des Workspaces enthält nur dessen eigene Kontakte, eine Liste eines Mandanten nur die des Mandanten.',
  'The list was deleted.': 'Die Liste wurde gelöscht.',
  'The file is no longer available.': 'Die Datei ist nicht mehr vorhanden.',
  'The uploaded file is no longer available.': 'Die hochgeladene Datei ist nicht mehr vorhanden.',
  'The list of selected objects is no longer available.':
    'Die Liste der ausgewählten Objekte ist nicht mehr vorhanden.',
  'The filter matches more than {} objects. Nothing was changed. Narrow the filter.':
    'Der Filter trifft auf mehr als {} Objekte zu. Nichts wurde geändert. Fassen Sie ihn enger.',
  "The plan's sending limit has been reached. Messages that were already resent are not affected.":
    'Das Versandlimit des Tarifs ist erreicht. Bereits erneut gesendete Nachrichten sind nicht betroffen.',
  'This workspace or sub-tenant has reached its file storage limit (MAILKEEL_FILE_QUOTA). Delete exports that you no longer need.':
    'Dieser Workspace oder Mandant hat sein Speicherlimit für Dateien erreicht (MAILKEEL_FILE_QUOTA). Löschen Sie Exporte, die Sie nicht mehr brauchen.',
  'Stopped after repeated internal errors. See the server log.':
    'Nach wiederholten internen Fehlern beendet. Näheres steht im Protokoll des Servers.',
  'The address was suppressed before its copy was created, so there is nothing to resend. Send a new message.':
    'Die Adresse wurde gesperrt, bevor ihre Fassung erstellt war; es gibt nichts erneut zu senden. Senden Sie eine neue Nachricht.',
};

export const TRANSFERS: Catalogue = { ...ADDRESSES, ...FILES, ...ROWS, ...ENDS };
