// Translates shared pages, and the pages for set-up, invitations and passwords.
import type { Catalogue } from '../translate.js';

const SHARED: Catalogue = {
  'All required records are correct.': 'Alle nötigen Einträge sind richtig.',
  '1 required record is missing or incorrect.': '1 nötiger Eintrag fehlt oder ist falsch.',
  '{} required records are missing or incorrect.': '{} nötige Einträge fehlen oder sind falsch.',
  'DNS records for {}': 'DNS-Einträge für {}',
  'Publish these records with the DNS provider of {}.':
    'Veröffentlichen Sie diese Einträge beim DNS-Anbieter von {}.',
  'Last checked:': 'Zuletzt geprüft:',
  'Reload the page to check again. Records are checked no more than once every 20 seconds.':
    'Laden Sie die Seite neu, um erneut zu prüfen. Geprüft wird höchstens alle 20 Sekunden.',
  'DKIM signature': 'DKIM-Signatur',
  Bounces: 'Bounces',
  SPF: 'SPF',
  DMARC: 'DMARC',
  Replies: 'Antworten',
  'Tracking links': 'Tracking-Links',
  correct: 'richtig',
  'not found': 'nicht gefunden',
  different: 'abweichend',
  'no DNS response': 'keine DNS-Antwort',
  'not yet available': 'noch nicht verfügbar',
  optional: 'freiwillig',
  Priority: 'Priorität',
  Name: 'Name',
  Value: 'Wert',
  Found: 'Gefunden',
  nothing: 'nichts',
  'Message delivery': 'Zustellung einer Nachricht',
  To: 'An',
  From: 'Von',
  Status: 'Status',
  Accepted: 'Angenommen',
  Message: 'Nachricht',
  Timeline: 'Verlauf',
  'Next:': 'Als Nächstes:',
  Content: 'Inhalt',
  'The message content is no longer stored.': 'Der Inhalt der Nachricht ist nicht gespeichert.',
  'This message has no plain-text part, and this page does not display HTML.':
    'Diese Nachricht hat keinen Textteil, und diese Seite zeigt kein HTML.',
  'This page is available until:': 'Diese Seite ist verfügbar bis:',
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
  'This server already has an owner, so the setup link is no longer valid.':
    'Dieser Server hat bereits einen Inhaber; der Einrichtungslink gilt nicht mehr.',
  'Sign in': 'Anmelden',
  'Your email address': 'Ihre E-Mail-Adresse',
  'Choose a password': 'Wählen Sie ein Passwort',
  'Use at least 12 characters. Do not use your email address or a common password.':
    'Mindestens 12 Zeichen, nicht Ihre E-Mail-Adresse und kein häufiges Passwort.',
  'This link works once and expires after 24 hours. It creates your owner account and two API keys: a test key for the sandbox, which needs no domain and delivers nothing, and a live key for real mail.':
    'Dieser Link gilt einmal und 24 Stunden lang. Er legt Ihr Inhaberkonto und zwei API-Schlüssel an: einen Testschlüssel für die Sandbox, die keine Domain braucht und nichts zustellt, und einen Live-Schlüssel für echte Mail.',
  'Create account and keys': 'Konto und Schlüssel anlegen',
  'Your API keys (shown only once)': 'Ihre API-Schlüssel (nur einmal sichtbar)',
  'Test key': 'Testschlüssel',
  'Live key': 'Live-Schlüssel',
  'Send a sandbox message': 'Sandbox-Nachricht senden',
  'Sign in to the dashboard': 'Im Dashboard anmelden',
  'Read the API reference': 'API-Referenz lesen',
  'Accept invitation': 'Einladung annehmen',
  'Invitation to Mailkeel': 'Einladung zu Mailkeel',
  'One moment…': 'Einen Moment…',
  'Your name': 'Ihr Name',
  'Your account password': 'Ihr Kontopasswort',
  'Authenticator code or recovery code': 'Authenticator- oder Wiederherstellungscode',
  'Your account also requires a code.': 'Ihr Konto verlangt zusätzlich einen Code.',
  Accept: 'Annehmen',
  'You have joined the organization.': 'Sie gehören jetzt zur Organisation.',
  'ORGANIZATION has invited ADDRESS to join as ROLE.': 'ORGANIZATION lädt ADDRESS ein, als ROLE beizutreten.',
  'New password': 'Neues Passwort',
  'Reset your Mailkeel password': 'Mailkeel-Passwort zurücksetzen',
  'Set password': 'Passwort festlegen',
  'Your password has been changed, and all your sessions have been signed out.':
    'Ihr Passwort wurde geändert, und alle Ihre Sitzungen wurden abgemeldet.',
};

const PROOF: Catalogue = {
  'Verify a proof': 'Nachweis prüfen',
  'The proof is valid.': 'Der Nachweis ist gültig.',
  'The proof is valid, but it is for a sandbox message that was not delivered to anyone.':
    'Der Nachweis ist gültig, gilt aber einer Sandbox-Nachricht, die nicht wirklich zugestellt wurde.',
  'The proof is invalid. It was modified or signed by another server.':
    'Der Nachweis ist ungültig. Er wurde verändert oder von einem anderen Server signiert.',
  'This file is not a proof.': 'Diese Datei ist kein Nachweis.',
  'This browser cannot verify proofs. Use a current browser and open this page over https.':
    'Dieser Browser kann keine Nachweise prüfen. Öffnen Sie diese Seite in einem aktuellen Browser über https.',
  "The server's public keys could not be loaded. Try again.":
    'Die öffentlichen Schlüssel des Servers ließen sich nicht laden. Versuchen Sie es erneut.',
  'Choose a proof.json file, or drop it here.':
    'Wählen Sie eine Datei proof.json, oder ziehen Sie sie hierher.',
  "Your browser verifies the file with this server's public keys. The file is not uploaded.":
    'Ihr Browser prüft die Datei mit den öffentlichen Schlüsseln dieses Servers. Sie wird nicht hochgeladen.',
  Proof: 'Nachweis',
  Subject: 'Betreff',
  Issued: 'Ausgestellt',
  'Approved by': 'Freigegeben von',
};

const DEVICE: Catalogue = {
  'Authorize an application': 'Anwendung autorisieren',
  'Your password': 'Ihr Passwort',
  'Code shown by the application': 'Code aus der Anwendung',
  Continue: 'Weiter',
  'is requesting an API key from the IP address': 'fordert einen API-Schlüssel an, von der IP-Adresse',
  'with the code': 'mit dem Code',
  'Approve only if you just started this application and it shows the same code.':
    'Stimmen Sie nur zu, wenn Sie diese Anwendung gerade selbst gestartet haben und sie denselben Code zeigt.',
  Workspace: 'Workspace',
  Environment: 'Umgebung',
  'Test: sandbox only': 'Test: nur Sandbox',
  'Live: real mail': 'Live: echte Mail',
  Permission: 'Berechtigung',
  'Full access to the workspace': 'Voller Zugriff auf den Workspace',
  'Send and read messages': 'Nachrichten senden und lesen',
  'Read-only access': 'Nur Lesezugriff',
  'Full access to the organization': 'Voller Zugriff auf die Organisation',
  Approve: 'Zustimmen',
  Deny: 'Ablehnen',
  'Connect an application': 'Anwendung verbinden',
  'requests access to your mail.': 'möchte auf Ihre E-Mails zugreifen.',
  'The application is operated by this host and calls itself “NAME”.':
    'Diese Adresse betreibt die Anwendung, die sich „NAME“ nennt.',
  'The application is operated by this host.': 'Diese Adresse betreibt die Anwendung.',
  'The application calls itself “NAME”. This name is not verified.':
    'Die Anwendung nennt sich „NAME“. Dieser Name ist nicht geprüft.',
  'The application has no name.': 'Die Anwendung hat keinen Namen.',
  'The application is installed on this device. Any application on this device can use this name, so continue only if you just started it.':
    'Die Anwendung ist auf diesem Gerät installiert. Jede Anwendung auf diesem Gerät kann diesen Namen verwenden. Fahren Sie nur fort, wenn Sie sie gerade selbst gestartet haben.',
  'The application runs on this computer. Any program on this computer can use this name, so continue only if you just started it.':
    'Die Anwendung läuft auf diesem Computer. Jedes Programm auf diesem Computer kann diesen Namen verwenden. Fahren Sie nur fort, wenn Sie die Anwendung gerade selbst gestartet haben.',
  'After your decision, your browser returns to': 'Nach Ihrer Entscheidung kehrt Ihr Browser zurück zu',
  'The application asks for permission to send.': 'Die Anwendung bittet um die Berechtigung zu senden.',
  'Send policy': 'Versandrichtlinie',
  'Allowed recipients': 'Erlaubte Empfänger',
  'One address or domain per line, or thread_participants or contacts. Leave empty to allow all recipients.':
    'Eine Adresse oder Domain pro Zeile, auch thread_participants oder contacts. Ohne Angabe sind alle Empfänger erlaubt.',
  'Allowed senders': 'Erlaubte Absender',
  'Leave empty to allow all verified senders.': 'Ohne Angabe sind alle verifizierten Absender erlaubt.',
  'Messages per day': 'Nachrichten pro Tag',
  'Refuse attachments': 'Anhänge ablehnen',
  'Approval by a person': 'Freigabe durch eine Person',
  'Not required': 'Nicht erforderlich',
  'For messages outside the lists': 'Für Nachrichten außerhalb der Listen',
  'For every message': 'Für jede Nachricht',
  'You can disconnect the application at any time on the API keys page.':
    'Sie können die Anwendung jederzeit auf der Seite „API-Schlüssel“ trennen.',
  Connect: 'Verbinden',
  'You can close this page if your application has opened.':
    'Sie können diese Seite schließen, wenn sich Ihre Anwendung geöffnet hat.',
  'Go to the dashboard': 'Zum Dashboard',
  'Approved. Return to the application. You can close this page.':
    'Zugelassen. Kehren Sie zur Anwendung zurück. Sie können diese Seite schließen.',
  'Denied. The application does not receive an API key. You can close this page.':
    'Abgelehnt. Die Anwendung erhält keinen API-Schlüssel. Sie können diese Seite schließen.',
};

const NO_PAGE: Catalogue = {
  'This link is no longer valid. Ask the person who sent it for a new one.':
    'Dieser Link ist nicht mehr gültig. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  'Shared page': 'Geteilte Seite',
  'Page not found': 'Seite nicht gefunden',
  'The address may be misspelled, or the page may have been removed.':
    'Vielleicht ist die Adresse falsch geschrieben, oder die Seite wurde entfernt.',
  Dashboard: 'Dashboard',
  Documentation: 'Dokumentation',
};

export const PAGES: Catalogue = { ...SHARED, ...PEOPLE, ...PROOF, ...DEVICE, ...NO_PAGE };
