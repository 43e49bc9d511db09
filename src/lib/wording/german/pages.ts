// German texts of the shared pages, and of the pages on which people set up, accept an invitation or choose a password.
import type { Catalogue } from '../translate.js';

const SHARED: Catalogue = {
  'Every required record is right.': 'Alle erforderlichen Einträge sind richtig.',
  'One required record is not right yet.': 'Ein erforderlicher Eintrag ist noch nicht richtig.',
  '{} required records are not right yet.': '{} erforderliche Einträge sind noch nicht richtig.',
  'DNS records for {}': 'DNS-Einträge für {}',
  'Publish these records at the DNS provider of {}.':
    'Veröffentlichen Sie diese Einträge beim DNS-Anbieter von {}.',
  'Looked up:': 'Abgefragt:',
  'Reload the page to look them up again, at most every 20 seconds.':
    'Laden Sie die Seite neu, um sie erneut abzufragen, höchstens alle 20 Sekunden.',
  'DKIM signature': 'DKIM-Signatur',
  Bounces: 'Bounces',
  SPF: 'SPF',
  DMARC: 'DMARC',
  Replies: 'Antworten',
  'Tracked links': 'Verfolgte Links',
  correct: 'richtig',
  'not found': 'nicht gefunden',
  different: 'abweichend',
  'DNS did not answer': 'DNS hat nicht geantwortet',
  'not available yet': 'noch nicht verfügbar',
  optional: 'freiwillig',
  Priority: 'Priorität',
  Name: 'Name',
  Value: 'Wert',
  Found: 'Gefunden',
  nothing: 'nichts',
  'Delivery of a message': 'Zustellung einer Nachricht',
  To: 'An',
  From: 'Von',
  Status: 'Status',
  Accepted: 'Angenommen',
  Message: 'Nachricht',
  Timeline: 'Verlauf',
  'Next:': 'Als Nächstes:',
  Content: 'Inhalt',
  'The content of the message is not stored.': 'Der Inhalt der Nachricht ist nicht gespeichert.',
  'This message has no text part, and its HTML is not shown here.':
    'Diese Nachricht hat keinen Textteil, und ihr HTML wird hier nicht gezeigt.',
  'This page can be opened until:': 'Diese Seite lässt sich öffnen bis:',
  queued: 'wartet',
  sending: 'wird gesendet',
  sent: 'gesendet',
  opened: 'geöffnet',
  clicked: 'angeklickt',
  bounced: 'unzustellbar',
  complained: 'als Spam gemeldet',
  suppressed: 'gesperrt',
  canceled: 'abgebrochen',
  received: 'empfangen',
};

const PEOPLE: Catalogue = {
  'Set up Mailkeel': 'Mailkeel einrichten',
  'Mailkeel is set up': 'Mailkeel ist eingerichtet',
  'This server has an owner, so its set-up link has ended.':
    'Dieser Server hat einen Inhaber, deshalb gilt sein Einrichtungslink nicht mehr.',
  'Sign in': 'Anmelden',
  'Your address': 'Ihre Adresse',
  'A password': 'Ein Passwort',
  '12 characters or more, not your address, and not a common password.':
    'Mindestens 12 Zeichen, nicht Ihre Adresse und kein verbreitetes Passwort.',
  'This link works once, for 24 hours. It creates your account, as the owner, and two API keys: a test key for the sandbox, which needs no domain and sends nothing, and a live key for real mail.':
    'Dieser Link gilt einmal und 24 Stunden lang. Er legt Ihr Konto als Inhaber an, dazu zwei API-Schlüssel: einen Testschlüssel für die Sandbox, der keine Domain braucht und nichts sendet, und einen Live-Schlüssel für echte Mail.',
  'Create account and keys': 'Konto und Schlüssel anlegen',
  'Your keys, shown only now': 'Ihre Schlüssel, nur jetzt gezeigt',
  'Test key': 'Testschlüssel',
  'Live key': 'Live-Schlüssel',
  'Send a message into the sandbox': 'Eine Nachricht in die Sandbox senden',
  'Sign in to the dashboard': 'Im Dashboard anmelden',
  'Read the API reference': 'API-Referenz lesen',
  'An invitation': 'Eine Einladung',
  'An invitation to Mailkeel': 'Eine Einladung zu Mailkeel',
  'One moment…': 'Einen Moment…',
  'Your name': 'Ihr Name',
  'Choose a password': 'Wählen Sie ein Passwort',
  'The password of your account': 'Das Passwort Ihres Kontos',
  'The code of your authenticator app, or a recovery code':
    'Der Code Ihrer Authenticator-App oder ein Wiederherstellungscode',
  'Your account asks for a code too.': 'Ihr Konto verlangt auch einen Code.',
  Accept: 'Annehmen',
  'You have joined.': 'Sie sind dabei.',
  'ORGANIZATION invites ADDRESS to work with its mail, as ROLE.':
    'ORGANIZATION lädt ADDRESS ein, mit ihrer Mail zu arbeiten, als ROLE.',
  'A new password': 'Ein neues Passwort',
  'A new password for Mailkeel': 'Ein neues Passwort für Mailkeel',
  'Set the password': 'Passwort festlegen',
  'Your new password is set, and you are signed out everywhere.':
    'Ihr neues Passwort gilt, und Sie sind überall abgemeldet.',
};

const PROOF: Catalogue = {
  'Check a proof': 'Einen Nachweis prüfen',
  'This proof is genuine.': 'Dieser Nachweis ist echt.',
  'This proof is genuine, but of a sandbox message, which was delivered to nobody.':
    'Dieser Nachweis ist echt, gehört aber zu einer Sandbox-Nachricht, die niemandem zugestellt wurde.',
  'This proof does not hold. It was changed, or another server signed it.':
    'Dieser Nachweis gilt nicht. Er wurde verändert, oder ein anderer Server hat ihn signiert.',
  'This file is not a proof.': 'Diese Datei ist kein Nachweis.',
  'This browser cannot verify proofs. Use a current browser, and open this page over https.':
    'Dieser Browser kann Nachweise nicht prüfen. Nehmen Sie einen aktuellen, und öffnen Sie die Seite über https.',
  'The public keys of the server could not be read. Try again.':
    'Die öffentlichen Schlüssel des Servers waren nicht lesbar. Versuchen Sie es erneut.',
  'Choose the file proof.json, or drop it here.':
    'Wählen Sie die Datei proof.json, oder ziehen Sie sie hierher.',
  'Your browser verifies it with the public keys of this server. The file is not uploaded.':
    'Ihr Browser prüft sie mit den öffentlichen Schlüsseln dieses Servers. Die Datei wird nicht hochgeladen.',
  Proof: 'Nachweis',
  Subject: 'Betreff',
  Issued: 'Ausgestellt',
};

const DEVICE: Catalogue = {
  'Let a program in': 'Einem Programm Zugang geben',
  'Your password': 'Ihr Passwort',
  'The code that the program shows': 'Der Code, den das Programm zeigt',
  Continue: 'Weiter',
  'asks for an API key, from the address': 'bittet um einen API-Schlüssel, von der Adresse',
  'with the code': 'mit dem Code',
  'Approve only if you have just started this program yourself and it shows the same code.':
    'Stimmen Sie nur zu, wenn Sie dieses Programm gerade selbst gestartet haben und es denselben Code zeigt.',
  Workspace: 'Workspace',
  Environment: 'Umgebung',
  'Test: nothing leaves the sandbox': 'Test: nichts verlässt die Sandbox',
  'Live: real mail': 'Live: echte Mail',
  'It may': 'Es darf',
  'do everything in the workspace': 'alles im Workspace',
  'send messages and read them': 'Nachrichten senden und lesen',
  'read everything': 'alles lesen',
  'do everything in the organization': 'alles in der Organisation',
  Approve: 'Zustimmen',
  Deny: 'Ablehnen',
  'Go to the dashboard': 'Zum Dashboard',
  'Approved. Go back to the program; this page can be closed.':
    'Zugestimmt. Kehren Sie zum Programm zurück; diese Seite kann geschlossen werden.',
  'Denied. The program gets nothing; this page can be closed.':
    'Abgelehnt. Das Programm bekommt nichts; diese Seite kann geschlossen werden.',
};

const NO_PAGE: Catalogue = {
  'This link does not work any more. Ask its sender for a new one.':
    'Dieser Link gilt nicht mehr. Bitten Sie den Absender um einen neuen.',
  'Shared page': 'Geteilte Seite',
  'There is no such page': 'Diese Seite gibt es nicht',
  'The address may be misspelled, or the page was removed.':
    'Vielleicht ist die Adresse falsch geschrieben, oder die Seite wurde entfernt.',
  Dashboard: 'Dashboard',
  Documentation: 'Dokumentation',
};

export const PAGES: Catalogue = { ...SHARED, ...PEOPLE, ...PROOF, ...DEVICE, ...NO_PAGE };
