// German sentences about the DNS records of sending domains.
import type { Catalogue } from '../translate.js';

/** A record may be of three types; German needs no article for them. */
const MISSING: Catalogue = Object.fromEntries(
  (
    [
      ['; mail cannot be signed before', '; vorher kann keine Mail signiert werden'],
      [
        '; until then mail is signed with the key that it is to replace',
        '; bis dahin signiert der Schlüssel, den er ersetzen soll',
      ],
      ['; until then mail is signed with the RSA key only', '; bis dahin signiert nur der RSA-Schlüssel'],
      ['; mail in transit was signed with its key', '; Mail unterwegs wurde mit seinem Schlüssel signiert'],
      [
        ', so that the key can be replaced without your help',
        ', damit der Schlüssel ohne Ihr Zutun wechseln kann',
      ],
      [
        '; until then bounces come back to the domain of the service, and SPF does not align',
        '; bis dahin kommen Bounces zur Domain des Dienstes zurück, und SPF passt nicht zum Absender',
      ],
      [
        ', so that receivers know who may send for the domain',
        ', damit Empfänger wissen, wer für die Domain senden darf',
      ],
      [
        '; large receivers expect a DMARC policy of every sender',
        '; große Empfänger erwarten von jedem Absender eine DMARC-Richtlinie',
      ],
      [' to receive replies under the domain', ', um Antworten unter der Domain zu empfangen'],
      [' to have tracked links under the domain', ', damit verfolgte Links unter der Domain liegen'],
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
  "Nobody has answered for {} yet; publish the record, or check the domain's name servers.":
    'Für {} hat noch niemand geantwortet. Veröffentlichen Sie den Eintrag, oder prüfen Sie die Nameserver der Domain.',
  'This record would name the server, which has no public name yet. Ask the operator to set {}.':
    'Dieser Eintrag würde den Server nennen, der noch keinen öffentlichen Namen hat. Bitten Sie den Betreiber, {} zu setzen.',
  'The record is at {}: the DNS panel appends {} to names. Enter {} as its name there.':
    'Der Eintrag steht bei {}: Die DNS-Verwaltung hängt {} an Namen an. Geben Sie dort {} als Namen ein.',
  'The record at {} was not found, although this service answers for it. Delegate the zone {} to the service (see zone_delegation and name_server of its health checks).':
    'Der Eintrag bei {} wurde nicht gefunden, obwohl dieser Dienst dafür antwortet. Delegieren Sie die Zone {} an den Dienst (siehe zone_delegation und name_server der Prüfungen).',
  "{} leads to this service, but links under it cannot be followed ({}); give the server a certificate for {}. Until then links are under the service's own name.":
    '{} führt zu diesem Dienst, aber Links darunter funktionieren nicht ({}). Geben Sie dem Server ein Zertifikat für {}. Bis dahin liegen Links unter dem Namen des Dienstes.',
  'The key at {} ends too early. Enter the whole value; where a text may have 255 characters only, split it into several texts of the same record.':
    'Der Schlüssel bei {} endet zu früh. Geben Sie den ganzen Wert ein. Darf ein Text nur 255 Zeichen haben, teilen Sie ihn in mehrere Texte desselben Eintrags.',
  'The value at {} holds quotation marks; enter it without them.':
    'Der Wert bei {} enthält Anführungszeichen; geben Sie ihn ohne sie ein.',
  'The key at {} is a different one. Replace the record by the value shown, without changing a character.':
    'Bei {} steht ein anderer Schlüssel. Ersetzen Sie den Eintrag durch den angezeigten Wert, ohne ein Zeichen zu ändern.',
  '{} leads elsewhere; let its CNAME be {}.': '{} führt anderswohin; setzen Sie den CNAME auf {}.',
  'There are several TXT records at {}; keep only the one with the value shown.':
    'Bei {} stehen mehrere TXT-Einträge; behalten Sie nur den mit dem angezeigten Wert.',
  'Another mail host comes first at {}; let {} be the only MX.':
    'Bei {} kommt ein anderer Mailserver zuerst; lassen Sie {} der einzige MX sein.',
  'There are several SPF records at {}, which receivers treat as an error; join them into one.':
    'Bei {} stehen mehrere SPF-Einträge, was Empfänger als Fehler werten; fassen Sie sie zu einem zusammen.',
  'The SPF record at {} does not name this service; add the mechanisms of the value shown before its "all".':
    'Der SPF-Eintrag bei {} nennt diesen Dienst nicht; fügen Sie die Mechanismen des angezeigten Werts vor seinem "all" ein.',
  'The DMARC record at {} cannot be read; keep exactly one, beginning with v=DMARC1; p=none (or stricter).':
    'Der DMARC-Eintrag bei {} ist nicht lesbar; behalten Sie genau einen, der mit v=DMARC1; p=none (oder strenger) beginnt.',
  'Another workspace has proved at {} that it controls the domain. Verify makes new records for a newer proof.':
    'Ein anderer Workspace hat um {} nachgewiesen, dass er die Domain kontrolliert. Eine erneute Prüfung erstellt Einträge für einen neueren Nachweis.',
  'No key signs.': 'Kein Schlüssel signiert.',
  'The DKIM record at {} is missing.': 'Der DKIM-Eintrag bei {} fehlt.',
  'The DKIM record at {} does not hold the key that signs.':
    'Der DKIM-Eintrag bei {} enthält nicht den Schlüssel, der signiert.',
};
