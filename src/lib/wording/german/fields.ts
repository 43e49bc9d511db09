// Translates sentences about the fields of a request.
import type { Catalogue } from '../translate.js';

export const FIELDS: Catalogue = {
  'is required': 'fehlt',
  'is not a known field': 'ist kein bekanntes Feld',
  'is not a known field. Did you mean {}?': 'ist kein bekanntes Feld. Meinten Sie {}?',
  'a JSON body is required': 'ein JSON-Inhalt fehlt',
  'this operation does not accept a body': 'dieser Vorgang akzeptiert keinen Inhalt',
  'contains a NUL character': 'enthält ein NUL-Zeichen',
  'contains a line break': 'enthält einen Zeilenumbruch',
  'contains a control character': 'enthält ein Steuerzeichen',
  'contains a number that is too large': 'enthält eine zu große Zahl',
  'is nested more than {} levels deep': 'ist tiefer als {} Ebenen verschachtelt',
  'must be true': 'muss wahr sein',
  'must be false': 'muss falsch sein',
  'must be null': 'muss leer sein',
  'must be "{codes}"': 'muss „{codes}“ sein',
  'must be one of {codes}': 'muss einer dieser Werte sein: {codes}',
  'must be a string': 'muss ein Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must be an integer': 'muss eine ganze Zahl sein',
  'must be a boolean': 'muss wahr oder falsch sein',
  'must be an array': 'muss eine Liste sein',
  'must be an object': 'muss ein Objekt sein',
  'must be a string or null': 'muss ein Text oder leer sein',
  'must be a number or null': 'muss eine Zahl oder leer sein',
  'must be an integer or null': 'muss eine ganze Zahl oder leer sein',
  'must be a boolean or null': 'muss wahr oder falsch oder leer sein',
  'must be an array or null': 'muss eine Liste oder leer sein',
  'must be an object or null': 'muss ein Objekt oder leer sein',
  'must be a string or an object': 'muss ein Text oder ein Objekt sein',
  'must be a string or an array': 'muss ein Text oder eine Liste sein',
  'must be an array or a string': 'muss eine Liste oder ein Text sein',
  'must be an object or an array': 'muss ein Objekt oder eine Liste sein',
  'must be a string or a number': 'muss ein Text oder eine Zahl sein',
  'must not exceed 16 KiB of JSON (currently {} bytes)':
    'darf höchstens 16 KiB JSON haben (derzeit {} Bytes)',
  'must contain only lowercase letters, digits, - and _':
    'darf nur Kleinbuchstaben, Ziffern, - und _ enthalten',
  'must be 1 to {} characters for a batch, because each message gets a key derived from it':
    'muss bei einem Stapel 1 bis {} Zeichen haben, weil jede Nachricht einen daraus abgeleiteten Schlüssel erhält',
  'must be base64 without line breaks, padded with =':
    'muss Base64 ohne Zeilenumbrüche sein, mit = aufgefüllt',
  'must be a media type such as application/pdf': 'muss ein Medientyp wie application/pdf sein',
  'must not be a multipart type': 'darf kein Multipart-Typ sein',
  'must be 1 to 200 printable ASCII characters without spaces or angle brackets':
    'muss 1 bis 200 druckbare ASCII-Zeichen ohne Leerzeichen und spitze Klammern haben',
  'must be a date and time such as 2026-03-01T09:00:00Z or 2026-03-01T10:00:00+01:00':
    'muss Datum und Uhrzeit sein, etwa 2026-03-01T09:00:00Z oder 2026-03-01T10:00:00+01:00',
  'must be an object with `all` or `any`': 'muss ein Objekt mit `all` oder `any` sein',
  'A contact can have up to {} tags.': 'Ein Kontakt kann bis zu {} Schlagwörter haben.',
  'must have either `all` or `any` and no other fields':
    'muss entweder `all` oder `any` und keine weiteren Felder haben',
  'must be a condition {field, op, value} or a group':
    'muss eine Bedingung aus field, op und value oder eine Gruppe sein',
  'must be a date such as 2026-03-01': 'muss ein Datum sein, etwa 2026-03-01',
  'must be one of {codes}, metadata.<key> or ignore':
    'muss einer dieser Werte sein: {codes}, metadata.<key> oder ignore',
  'must be >= {}': 'muss mindestens {} sein',
  'must be <= {}': 'darf höchstens {} sein',
  'must not have fewer than {} characters': 'muss mindestens {} Zeichen haben',
  'must not have more than {} characters': 'darf höchstens {} Zeichen haben',
  'must not have fewer than {} items': 'muss mindestens {} Einträge haben',
  'must not have more than {} items': 'darf höchstens {} Einträge haben',
  'must not have duplicate items': 'darf keinen Eintrag doppelt haben',
  'must match format "{}"': 'muss die Form „{}“ haben',
  'must match pattern "{}"': 'muss dem Muster „{}“ entsprechen',
  'must be a date or a time such as 2026-03-01T09:00:00Z':
    'muss ein Datum oder eine Zeit sein, etwa 2026-03-01T09:00:00Z',
  'must be a time such as 2027-01-01T00:00:00Z': 'muss eine Zeit wie 2027-01-01T00:00:00Z sein',
  'must be 0 or a duration of up to 30d, such as 24h': 'muss 0 oder eine Dauer bis 30d sein, etwa 24h',
  'must be list: and the ID of a list': 'muss list: und die ID einer Liste sein',
  'must be a domain, such as example.com': 'muss eine Domain sein, etwa example.com',
  'can only be set on keys with the permission send':
    'ist nur bei Schlüsseln mit der Berechtigung send möglich',
  'is in the past': 'liegt in der Vergangenheit',
  'is in the future': 'liegt in der Zukunft',
  'must be omitted': 'muss weggelassen werden',
  'is neither a member of the organization nor an API key of the workspace':
    'ist weder ein Mitglied der Organisation noch ein API-Schlüssel des Workspace',
  '{} is not a verified inbound domain of yours. Verify the domain first':
    '{} ist keine verifizierte Empfangsdomain von Ihnen. Verifizieren Sie die Domain zuerst',
  '{} does not receive mail yet. Publish its MX record and check the domain again':
    '{} empfängt noch keine Mail. Veröffentlichen Sie den MX-Eintrag und prüfen Sie die Domain erneut',
  'is not an active API key of this environment': 'ist kein aktiver API-Schlüssel dieser Umgebung',
  'must be an API key with the permission send': 'muss ein API-Schlüssel mit der Berechtigung send sein',
  'or domain is required, but not both': 'oder domain ist erforderlich, aber nicht beides',
  'must not begin with reply+ or unsubscribe+, which Mailkeel signs':
    'darf nicht mit reply+ oder unsubscribe+ beginnen, die Mailkeel signiert',
  'is required because {} cannot receive replies. {}':
    'ist nötig, weil {} keine Antworten empfangen kann. {}',
  'must be later than send_at': 'muss später als send_at sein',
  'must be later than since': 'muss später als since sein',
  'must be before `to`': 'muss vor `to` liegen',
  'must be before expires_at ({})': 'muss vor expires_at liegen ({})',
  'month must be 01 to 12': 'Monat muss 01 bis 12 sein',
  'day must be 01 to {} in this month': 'Tag muss in diesem Monat 01 bis {} sein',
  'the time is in the past': 'die Zeit liegt in der Vergangenheit',
  'the time is more than a year ahead': 'die Zeit liegt mehr als ein Jahr in der Zukunft',
  'the offset is missing: end with Z or an offset such as +01:00':
    'die Zeitzone fehlt: Enden Sie mit Z oder einem Abstand wie +01:00',
  'the offset must be Z or such as +01:00': 'die Zeitzone muss Z sein oder ein Abstand wie +01:00',
  'hour must be 00 to 23': 'Stunde muss 00 bis 23 sein',
  'minute must be 00 to 59': 'Minute muss 00 bis 59 sein',
  'must be specified exactly once': 'muss genau einmal angegeben werden',
  'must be specified exactly once and must not be empty':
    'muss genau einmal angegeben werden und darf nicht leer sein',
  'must be 1 to {} printable ASCII characters': 'muss 1 bis {} druckbare ASCII-Zeichen haben',
  'must be a single line of plain text': 'muss eine Zeile reiner Text sein',
  'must be a single line of text': 'muss eine Zeile Text sein',
  'must not be empty. Use null to remove it': 'darf nicht leer sein. Mit null entfernen Sie es',
  'must be an http or https URL without a password': 'muss eine http- oder https-URL ohne Passwort sein',
  'must be a web origin such as https://www.example.com':
    'muss ein Ursprung wie https://www.example.com sein',
  'must be a single address such as ann@example.com or Ann <ann@example.com>':
    'muss eine einzelne Adresse sein, etwa ann@example.com oder Ann <ann@example.com>',
  'must be 1 to {} characters long': 'muss 1 bis {} Zeichen lang sein',
  'must be at least {} characters long': 'muss mindestens {} Zeichen lang sein',
  'must be at most {} characters long': 'darf höchstens {} Zeichen lang sein',
  'must contain at least {} different characters': 'muss mindestens {} verschiedene Zeichen enthalten',
  'must not exceed {} characters of JSON': 'darf höchstens {} Zeichen JSON haben',
  'must be at most {} bytes (currently {})': 'darf höchstens {} Bytes haben (derzeit {})',
  'must not be the email address': 'darf nicht die E-Mail-Adresse sein',
  'is a commonly used password': 'ist ein häufig verwendetes Passwort',
  'is incorrect, or the account is temporarily locked':
    'ist falsch, oder das Konto ist vorübergehend gesperrt',
  'is not the current code from the authenticator app': 'ist nicht der aktuelle Code der Authenticator-App',
  'must contain at most {} tags of up to {} characters each':
    'darf höchstens {} Schlagwörter mit je bis zu {} Zeichen enthalten',
  'would give the contact more than {} tags ({})': 'würde dem Kontakt mehr als {} Schlagwörter geben ({})',
  'must have at most {} keys': 'darf höchstens {} Schlüssel haben',
  'must be a list of 1 to {} values': 'muss eine Liste mit 1 bis {} Werten sein',
  'has {} conditions, but the limit is {}': 'hat {} Bedingungen, das Limit ist {}',
  'must not be null for a segment': 'darf bei einem Segment nicht null sein',
  'is a segment, which contacts cannot be added to':
    'ist ein Segment, dem sich keine Kontakte hinzufügen lassen',
  'must be true if no filter is given': 'muss true sein, wenn kein Filter angegeben ist',
  'has no header row with column names': 'hat keine Kopfzeile mit Spaltennamen',
  'is a duplicate column': 'ist eine doppelte Spalte',
  'is not a known column. Known columns: {}': 'ist keine bekannte Spalte. Bekannte Spalten: {}',
  'is an email address. Only domains have DNS records':
    'ist eine E-Mail-Adresse. Nur Domains haben DNS-Einträge',
  'specify either `email` or `domain`': 'geben Sie entweder `email` oder `domain` an',
  'only an address can have a name': 'nur eine Adresse kann einen Namen haben',
  'specify either `email` or `contact_id`': 'geben Sie entweder `email` oder `contact_id` an',
  'specify exactly one of `email`, `contact_id` and `contact_ids`':
    'geben Sie genau eines von `email`, `contact_id` und `contact_ids` an',
  'can only be used with `email`': 'ist nur zusammen mit `email` möglich',
  'can only be used with order=asc and without `cursor`': 'ist nur mit order=asc und ohne `cursor` möglich',
  '{} is not a known event': '{} ist kein bekanntes Ereignis',
  'is not an inbox of this environment': 'ist kein Posteingang dieser Umgebung',
  "is not an inbox of the endpoint's sub-tenant":
    'ist kein Posteingang des Mandanten, zu dem der Endpunkt gehört',
  'specify either `template` or `template_id`': 'geben Sie entweder `template` oder `template_id` an',
  'must be omitted if a template is given': 'muss weggelassen werden, wenn eine Vorlage angegeben ist',
  'must be omitted because templates are always rendered':
    'muss weggelassen werden, weil Vorlagen immer ausgefüllt werden',
  'cannot be true with `render: false`, because variables are not filled in':
    'kann mit `render: false` nicht true sein, weil dann keine Variablen ausgefüllt werden',
  'cannot be combined with headers.Auto-Submitted': 'kann nicht mit headers.Auto-Submitted kombiniert werden',
  'cannot be combined with {}, which is counted separately':
    'kann nicht mit {} kombiniert werden, das getrennt gezählt wird',
  'Hourly statistics are not available by {}. Use day':
    'Stundenwerte gibt es nicht nach {}. Verwenden Sie day',
  'specify `subject`, `html` or both': 'geben Sie `subject`, `html` oder beides an',
  'the template is for {} messages': 'die Vorlage ist für Nachrichten der Art {}',
  'has {} files, but the limit is {}': 'hat {} Dateien, das Limit ist {}',
  'has {} messages, but the limit is {}': 'hat {} Nachrichten, das Limit ist {}',
  'the message is {} bytes, but the limit is {}': 'die Nachricht hat {} Bytes, das Limit ist {}',
  'to, cc and bcc contain {} recipients, but the limit is {}':
    'to, cc und bcc enthalten {} Empfänger, das Limit ist {}',
  'already has a variant': 'hat bereits eine Variante',
  'already exists': 'ist bereits vorhanden',
  'is the tag of a variant. Use another name':
    'ist das Schlagwort einer Variante. Verwenden Sie einen anderen Namen',
  'is for {} messages, but the campaign sends {}':
    'ist für Nachrichten der Art {}, die Kampagne sendet aber {}',
  'another step already has this id': 'ein anderer Schritt hat diese id bereits',
  'must be 1 to 40 lowercase letters, digits, - or _':
    'muss 1 bis 40 Kleinbuchstaben, Ziffern, - oder _ haben',
  'must have an origin listed in form_origins of the list':
    'muss einen Ursprung aus form_origins der Liste haben',
  'must not contain links or email addresses': 'darf weder Links noch E-Mail-Adressen enthalten',
  'must be at most {} {}s, and {} days, before `to`': 'darf höchstens {} {}s und {} Tage vor `to` liegen',
  'must be at most {} days before `to`': 'darf höchstens {} Tage vor `to` liegen',
  'must be the ID of a step in this request': 'muss die ID eines Schritts dieser Anfrage sein',
  'is not available in the format {}': 'ist im Format {} nicht verfügbar',
  '{} is not available in the format {}': '{} ist im Format {} nicht verfügbar',
  'not an IP address': 'keine IP-Adresse',
  'a reserved address': 'eine reservierte Adresse',
  'must be base64 without line breaks': 'muss Base64 ohne Zeilenumbrüche sein',
  'is not a complete PNG image': 'ist kein vollständiges PNG-Bild',
  'is not a complete SVG image': 'ist kein vollständiges SVG-Bild',
  'must be at most {} pixels wide and high': 'darf höchstens {} Pixel breit und hoch sein',
  'must be SVG without a document type declaration': 'muss SVG ohne Dokumenttyp sein',
  'must be SVG without scripts': 'muss SVG ohne Skripte sein',
  'cannot be combined with from and to': 'geht nicht zusammen mit from und to',
  'hourly statistics are available for the last 32 days only. Use day':
    'Stundenwerte gibt es nur für die letzten 32 Tage. Verwenden Sie day',
};
