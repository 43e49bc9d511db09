// Translates sentences about DNS records of sending domains.
import type { Catalogue } from '../translate.js';

/** A record may be of three types, and German needs no article for them. */
const MISSING: Catalogue = Object.fromEntries(
  (
    [
      ['. Mail cannot be signed until then', '. Bis dahin kann Mail nicht signiert werden'],
      [
        '. Until then, mail is signed with the current key',
        '. Bis dahin wird Mail mit dem aktuellen Schlüssel signiert',
      ],
      [
        '. Until then, mail is signed with the RSA key only',
        '. Bis dahin wird Mail nur mit dem RSA-Schlüssel signiert',
      ],
      [
        '. Mail in transit was signed with this key',
        '. Mail, die noch unterwegs ist, wurde mit diesem Schlüssel signiert',
      ],
      [
        ' so that Mailkeel can rotate the key automatically',
        ', damit Mailkeel den Schlüssel automatisch wechseln kann',
      ],
      [
        '. Until then, bounces go to the domain of this service and SPF does not align',
        '. Bis dahin gehen Bounces an die Domain dieses Dienstes, und SPF passt nicht zum Absender',
      ],
      [
        ' to authorize this service to send for the domain',
        ', um diesem Dienst das Senden für die Domain zu erlauben',
      ],
      [
        '. Major mailbox providers expect a DMARC policy from every sender',
        '. Große Mailanbieter erwarten von jedem Absender eine DMARC-Richtlinie',
      ],
      [' to receive replies on the domain', ', um Antworten unter der Domain zu empfangen'],
      [' to use tracking links on the domain', ', um Tracking-Links unter der Domain zu verwenden'],
    ] as const
  ).flatMap(([english, german]) =>
    ['a', 'an'].map((article) => [
      `Publish ${article} {type} record at {host} with the value shown${english}.`,
      `Veröffentlichen Sie einen {type}-Eintrag bei {host} mit dem angezeigten Wert${german}.`,
    ]),
  ),
);

export const DOMAINS: Catalogue = {
  ...MISSING,
  "No name server has responded for {} yet. Publish the record, or check the domain's name servers.":
    'Für {} hat noch kein Nameserver geantwortet. Veröffentlichen Sie den Eintrag, oder prüfen Sie die Nameserver der Domain.',
  'This record requires a public hostname for the server. Ask the operator to set {}.':
    'Dieser Eintrag braucht einen öffentlichen Hostnamen für den Server. Bitten Sie den Betreiber, {} zu setzen.',
  'The record was found at {} because the DNS provider appends {} to record names. Enter {} as the name instead.':
    'Der Eintrag liegt bei {}, weil der DNS-Anbieter {} an Namen anhängt. Geben Sie dort {} als Namen ein.',
  'The record at {} was not found, although this service serves its DNS. Delegate the zone {} to the service (see zone_delegation and name_server in the health checks).':
    'Der Eintrag bei {} wurde nicht gefunden, obwohl dieser Dienst dort das DNS liefert. Delegieren Sie die Zone {} an den Dienst (siehe zone_delegation und name_server in den Systemprüfungen).',
  "{} points to this service, but links on it do not work ({}). Give the server a certificate for {}. Until then, links use the service's own hostname.":
    '{} zeigt auf diesen Dienst, aber Links darunter funktionieren nicht ({}). Geben Sie dem Server ein Zertifikat für {}. Bis dahin verwenden Links den Hostnamen des Dienstes.',
  'The key at {} is truncated. Enter the complete value. If your DNS provider limits strings to 255 characters, split the value into several strings of one record.':
    'Der Schlüssel bei {} ist abgeschnitten. Geben Sie den vollständigen Wert ein. Erlaubt Ihr DNS-Anbieter nur 255 Zeichen je Zeichenfolge, teilen Sie den Wert innerhalb eines Eintrags auf.',
  'The value at {} contains quotation marks. Enter it without them.':
    'Der Wert bei {} enthält Anführungszeichen. Geben Sie ihn ohne sie ein.',
  'The key at {} does not match. Replace the record with the exact value shown.':
    'Der Schlüssel bei {} stimmt nicht. Ersetzen Sie den Eintrag durch genau den gezeigten Wert.',
  '{} points elsewhere. Change its CNAME to {}.': '{} zeigt woandershin. Ändern Sie den CNAME auf {}.',
  'There are multiple TXT records at {}. Keep only the one with the value shown.':
    'Bei {} gibt es mehrere TXT-Einträge. Behalten Sie nur den mit dem gezeigten Wert.',
  'Another mail server has priority at {}. Make {} the only MX.':
    'Ein anderer Mailserver hat bei {} Vorrang. Machen Sie {} zum einzigen MX.',
  'There are multiple SPF records at {}, which receivers treat as an error. Merge them into one.':
    'Bei {} gibt es mehrere SPF-Einträge, was Empfänger als Fehler werten. Führen Sie sie zusammen.',
  'The SPF record at {} does not include this service. Add the mechanisms of the value shown before "all".':
    'Der SPF-Eintrag bei {} enthält diesen Dienst nicht. Fügen Sie die Mechanismen des gezeigten Werts vor "all" ein.',
  'The DMARC record at {} is invalid. Keep exactly one record that starts with v=DMARC1; p=none (or a stricter policy).':
    'Der DMARC-Eintrag bei {} ist ungültig. Behalten Sie genau einen, der mit v=DMARC1; p=none (oder strenger) beginnt.',
  'Another workspace verified ownership of the domain at {}. Verify the domain again to get new DNS records.':
    'Ein anderer Workspace hat die Domain um {} bestätigt. Prüfen Sie die Domain erneut, um neue DNS-Einträge zu erhalten.',
  'No DKIM key is signing mail.': 'Kein DKIM-Schlüssel signiert Mail.',
  'The DKIM record at {} is missing.': 'Der DKIM-Eintrag bei {} fehlt.',
  'The DKIM record at {} does not match the signing key.':
    'Der DKIM-Eintrag bei {} passt nicht zum signierenden Schlüssel.',
};
