// German sentences of the checks of the host.
import type { Catalogue } from '../translate.js';

const HOST: Catalogue = {
  'the list does not answer ({})': 'die Liste antwortet nicht ({})',
  'the list refuses our resolver ({})': 'die Liste lehnt unseren Resolver ab ({})',
  'the list answers yes to everything': 'die Liste sagt zu allem ja',
  'The checks ran less than a minute ago. Look at what they found, or ask again later.':
    'Die Prüfungen liefen vor weniger als einer Minute. Sehen Sie deren Ergebnis an, oder fragen Sie später erneut.',
  'The first start makes the data folder.': 'Der erste Start legt den Datenordner an.',
  'data folder': 'Datenordner',
  'not there yet': 'noch nicht vorhanden',
  'a greeting as {}': 'eine Begrüßung als {}',
  '{} has no address': '{} hat keine Adresse',
  'Publish an address of {}.': 'Veröffentlichen Sie eine Adresse von {}.',
  'no greeting': 'keine Begrüßung',
  "Another program answers there. Point {} to this machine, or forward port {} to Mailkeel's.":
    'Dort antwortet ein anderes Programm. Lassen Sie {} auf diesen Rechner zeigen, oder leiten Sie Port {} an den von Mailkeel weiter.',
  'Start the server. Let it listen on port {} (MAILKEEL_INBOUND_PORT), or forward that port to its own.':
    'Starten Sie den Server. Lassen Sie ihn auf Port {} hören (MAILKEEL_INBOUND_PORT), oder leiten Sie diesen Port an seinen weiter.',
  'Try from elsewhere whether {} can be reached on port {}; a firewall may block it.':
    'Versuchen Sie von anderswo, ob {} auf Port {} erreichbar ist; vielleicht sperrt ihn eine Firewall.',
  'for {}, from an authority that others know': 'für {}, von einer Stelle, die andere kennen',
  'The first start makes a self-signed one.': 'Der erste Start erstellt ein selbstsigniertes.',
  'Correct the files of MAILKEEL_TLS_CERT and MAILKEEL_TLS_KEY.':
    'Berichtigen Sie die Dateien von MAILKEEL_TLS_CERT und MAILKEEL_TLS_KEY.',
  '{}, ends {}': '{}, endet {}',
  'Renew the file of MAILKEEL_TLS_CERT.': 'Erneuern Sie die Datei von MAILKEEL_TLS_CERT.',
  'The log says why it was not renewed.': 'Das Log sagt, warum es nicht erneuert wurde.',
  '{}, for {}': '{}, für {}',
  'Get a certificate for {}: that is the name that servers and mail programs connect to.':
    'Beschaffen Sie ein Zertifikat für {}: Mit diesem Namen verbinden sich Server und Mailprogramme.',
  'Servers accept it; mail programs that verify certificates refuse it. Set MAILKEEL_ACME_EMAIL, or MAILKEEL_TLS_CERT.':
    'Server nehmen es an; Mailprogramme, die Zertifikate prüfen, lehnen es ab. Setzen Sie MAILKEEL_ACME_EMAIL oder MAILKEEL_TLS_CERT.',
  ' Until then set MAILKEEL_MTA_STS_MODE to testing.':
    ' Setzen Sie bis dahin MAILKEEL_MTA_STS_MODE auf testing.',
  '{} Until then set MAILKEEL_MTA_STS_MODE to testing.':
    '{} Setzen Sie bis dahin MAILKEEL_MTA_STS_MODE auf testing.',
  'NS records': 'NS-Einträge',
  'Name a resolver that knows the whole DNS in MAILKEEL_DNS_SERVERS.':
    'Nennen Sie in MAILKEEL_DNS_SERVERS einen Resolver, der das ganze DNS kennt.',
  'an answer without them': 'eine Antwort ohne sie',
  'Without DNS no mail leaves. Check MAILKEEL_DNS_SERVERS or /etc/resolv.conf.':
    'Ohne DNS geht keine Mail hinaus. Prüfen Sie MAILKEEL_DNS_SERVERS oder /etc/resolv.conf.',
  'no answer ({})': 'keine Antwort ({})',
  'a resolver on this machine that validates': 'ein validierender Resolver auf diesem Rechner',
  validated: 'validiert',
  'DANE is switched on but cannot be used. Run a validating resolver such as unbound on this machine.':
    'DANE ist eingeschaltet, aber nicht nutzbar. Betreiben Sie auf diesem Rechner einen validierenden Resolver wie unbound.',
  'Let NTP set the clock: signatures, certificates and retry times depend on it.':
    'Lassen Sie NTP die Uhr stellen: Signaturen, Zertifikate und Wiederholungen hängen davon ab.',
  'the time': 'die Zeit',
  'no peer to compare with': 'kein Vergleich möglich',
  'Name one: MAILKEEL_PREFLIGHT_CLOCK_URL.': 'Nennen Sie einen: MAILKEEL_PREFLIGHT_CLOCK_URL.',
  'within {} s': 'höchstens {} s Abweichung',
  '{} s behind': '{} s nach',
  '{} s ahead': '{} s vor',
  '2 GiB and 5 % free': '2 GiB und 5 % frei',
  '{} MiB free ({} %)': '{} MiB frei ({} %)',
  'Free some disk space. When the disk is full, no mail is accepted.':
    'Schaffen Sie Platz auf der Platte. Ist sie voll, wird keine Mail angenommen.',
  writable: 'beschreibbar',
  'Let the user that runs the program write to MAILKEEL_DATA_DIR.':
    'Geben Sie dem Benutzer des Programms Schreibrecht auf MAILKEEL_DATA_DIR.',
  'https:// and a public host name': 'https:// und ein öffentlicher Hostname',
  'Set MAILKEEL_PUBLIC_URL to the https address under which recipients reach this appliance.':
    'Setzen Sie MAILKEEL_PUBLIC_URL auf die https-Adresse, unter der Empfänger diesen Server erreichen.',
  'links in mail lead to no public host name': 'Links in Mails führen zu keinem öffentlichen Hostnamen',
  'http: one-click unsubscribe needs https (RFC 8058)':
    'http: Die Abmeldung mit einem Klick braucht https (RFC 8058)',
  'Publish the {} record that mailkeel admin dns shows for {}.':
    'Veröffentlichen Sie den {}-Eintrag, den mailkeel admin dns für {} zeigt.',
  'the look-up failed': 'die Abfrage scheiterte',
  'no record': 'kein Eintrag',
  'no record; it is optional': 'kein Eintrag; er ist freiwillig',
  'Set MAILKEEL_HOSTNAME to a name that you have in the public DNS.':
    'Setzen Sie MAILKEEL_HOSTNAME auf einen Namen, den Sie im öffentlichen DNS haben.',
  'a full host name with an address': 'ein vollständiger Hostname mit einer Adresse',
  'a name of this machine only': 'ein Name nur dieses Rechners',
  'Publish its address. {}': 'Veröffentlichen Sie seine Adresse. {}',
};

const OTHERS: Catalogue = {
  'a connection': 'eine Verbindung',
  '{} wait': '{} warten',
};

const REPORTS: Catalogue = {
  'The mail server did not offer STARTTLS: see the check inbound_port, and whether another program or a firewall answers on port 25.':
    'Der Mailserver bot kein STARTTLS an: Sehen Sie die Prüfung inbound_port an, und ob auf Port 25 ein anderes Programm oder eine Firewall antwortet.',
  'The certificate lacks the name of the mail host: set MAILKEEL_HOSTNAME to the name in the MX record, or have that name in the certificate.':
    'Dem Zertifikat fehlt der Name des Mailservers: Setzen Sie MAILKEEL_HOSTNAME auf den Namen im MX-Eintrag, oder nehmen Sie diesen in das Zertifikat auf.',
  'The certificate had expired: see the check certificate, and renew it.':
    'Das Zertifikat war abgelaufen: Sehen Sie die Prüfung certificate an, und erneuern Sie es.',
  'Use a certificate of a public authority, with its whole chain.':
    'Nehmen Sie das Zertifikat einer öffentlichen Stelle mit der ganzen Kette.',
  'The certificate could not be verified: see the check certificate.':
    'Das Zertifikat ließ sich nicht prüfen: Sehen Sie die Prüfung certificate an.',
  'The TLSA record does not fit the certificate: publish the one of the certificate in use.':
    'Der TLSA-Eintrag passt nicht zum Zertifikat: Veröffentlichen Sie den des Zertifikats in Gebrauch.',
  'DNSSEC of the domain is broken: check its DS record and its signatures.':
    'DNSSEC der Domain ist gestört: Prüfen Sie ihren DS-Eintrag und ihre Signaturen.',
  'The sender wants DANE and found no usable TLSA record: publish one, or withdraw it whole.':
    'Der Absender verlangt DANE und fand keinen nutzbaren TLSA-Eintrag: Veröffentlichen Sie einen, oder entfernen Sie alle.',
  'The MTA-STS policy could not be fetched: https://mta-sts.<domain>/.well-known/mta-sts.txt must answer with a valid certificate.':
    'Die MTA-STS-Richtlinie war nicht abrufbar: https://mta-sts.<domain>/.well-known/mta-sts.txt muss mit gültigem Zertifikat antworten.',
  'The MTA-STS policy or its record is invalid: publish the records that mailkeel admin dns shows.':
    'Die MTA-STS-Richtlinie oder ihr Eintrag ist ungültig: Veröffentlichen Sie die Einträge, die mailkeel admin dns zeigt.',
  'The certificate is not valid for MTA-STS: use one of a public authority for the name in the MX record.':
    'Das Zertifikat gilt nicht für MTA-STS: Nehmen Sie das einer öffentlichen Stelle für den Namen im MX-Eintrag.',
  'The summary of TLS reports by result says more.':
    'Die Übersicht der TLS-Berichte nach Ergebnis sagt mehr.',
  'Our signature did not verify: compare the published DKIM record with mailkeel admin dns, and see whether a smarthost changes mail.':
    'Unsere Signatur ließ sich nicht bestätigen: Vergleichen Sie den DKIM-Eintrag mit mailkeel admin dns, und prüfen Sie, ob ein Smarthost Mail verändert.',
  'Mail without a signature of the domain left here: see the DKIM keys of the domain.':
    'Von hier ging Mail ohne Signatur der Domain hinaus: Prüfen Sie die DKIM-Schlüssel der Domain.',
  'Mail left without a signature: see the DKIM keys of the domain, and what the smarthost does.':
    'Mail ging ohne Signatur hinaus: Prüfen Sie die DKIM-Schlüssel der Domain und den Smarthost.',
  'The summary of DMARC reports by source says more.':
    'Die Übersicht der DMARC-Berichte nach Quelle sagt mehr.',
  'no reporter with {} or more failed TLS sessions, {} % of its own, within {} days':
    'kein Melder mit {} oder mehr gescheiterten TLS-Sitzungen, {} % der eigenen, innerhalb von {} Tagen',
  'no TLS report of the last {} days': 'kein TLS-Bericht der letzten {} Tage',
  '{} of {} TLS sessions failed': '{} von {} TLS-Sitzungen scheiterten',
  'no reporter with {} or more of our mails that DMARC did not pass, {} % of them, within {} days':
    'kein Melder mit {} oder mehr unserer Mails, die DMARC nicht bestanden, {} % davon, innerhalb von {} Tagen',
  'no DMARC report of the last {} days': 'kein DMARC-Bericht der letzten {} Tage',
  'DMARC did not pass {} of {} mails from here': '{} von {} Mails von hier bestanden DMARC nicht',
  '; and {} more reporters': '; und {} weitere Melder',
  '{}; and {} more reporters': '{}; und {} weitere Melder',
  '{} The warning ends {} days after the last failure.':
    '{} Die Warnung endet {} Tage nach dem letzten Fehler.',
  'no reason given': 'ohne Grund',
  'reporters beyond the limit': 'Melder jenseits der Grenze',
  '{} {} of {} ({}), last on {}': '{} {} von {} ({}), zuletzt am {}',
  'TXT "{}"': 'TXT "{}"',
  'the look-up failed ({})': 'die Abfrage scheiterte ({})',
  '{}; none is needed while all verified domains are of {}':
    '{}; keiner ist nötig, solange alle bestätigten Domains zu {} gehören',
  'other organizations': 'andere Organisationen',
  '{} and the like': '{} und ähnliche',
  'Publish the TXT record "{}" at {}: without it receivers send no DMARC reports about {} here (RFC 9990, RFC 7489 section 7.1).':
    'Veröffentlichen Sie den TXT-Eintrag "{}" bei {}: Ohne ihn senden Empfänger keine DMARC-Berichte über {} hierher (RFC 9990, RFC 7489 Abschnitt 7.1).',
};

const STORE: Catalogue = {
  'little free space in it': 'wenig freier Platz darin',
  'kept by a database server': 'von einem Datenbankserver verwaltet',
  '{}, of it {} free; log {}': '{}, davon {} frei; Log {}',
  'An older release made the file. Stop the server and run: mailkeel admin vacuum':
    'Eine ältere Version hat die Datei angelegt. Halten Sie den Server an, und führen Sie aus: mailkeel admin vacuum',
  'Another program keeps reading the database, so its log cannot be written back. Stop that program.':
    'Ein anderes Programm liest ständig in der Datenbank, deshalb kann ihr Log nicht zurückgeschrieben werden. Beenden Sie es.',
  'room for 30 days': 'Platz für 30 Tage',
  'not enough data: {} of {} days were measured': 'zu wenig Daten: {} von {} Tagen sind gemessen',
  'in {} days the data {} by {} a day': 'in {} Tagen {} die Daten um {} am Tag',
  grew: 'wuchsen',
  shrank: 'schrumpften',
  '{}; no end in sight': '{}; kein Ende abzusehen',
  '{}, and {} of room went; the disk is full in {} days, on {}':
    '{}, und {} Platz gingen weg; die Platte ist in {} Tagen voll, am {}',
  'kept for ever': 'unbegrenzt aufbewahrt',
  'Most of it is not the database: look at the logs, backups and other files on that disk.':
    'Das meiste ist nicht die Datenbank: Sehen Sie nach Logs, Backups und anderen Dateien auf dieser Platte.',
  'Keep less (docs/retention.md) or enlarge the disk; room that retention frees is used again.':
    'Bewahren Sie weniger auf (docs/retention.md), oder vergrößern Sie die Platte. Frei gewordener Platz wird wieder benutzt.',
  'The largest tables, and what shortens them: {}.': 'Die größten Tabellen, und was sie verkleinert: {}.',
  'no damaged pages': 'keine beschädigten Seiten',
  'Stop the server and restore a backup: docs/runbook.md, "A damaged database".':
    'Halten Sie den Server an, und spielen Sie ein Backup zurück: docs/runbook.md, "A damaged database".',
  'none was met; the whole file is checked within an hour of the start':
    'keine gefunden; die ganze Datei wird innerhalb einer Stunde nach dem Start geprüft',
  'none in the check of {}': 'keine bei der Prüfung von {}',
  'a verified backup, not long ago': 'ein geprüftes Backup aus jüngster Zeit',
  'kept by a database server: its own tools make the backups':
    'von einem Datenbankserver verwaltet: Seine eigenen Werkzeuge machen die Backups',
  'the last one failed at {}: {}': 'das letzte scheiterte um {}: {}',
  'Remove the cause and try it: mailkeel admin backup':
    'Beseitigen Sie die Ursache, und versuchen Sie: mailkeel admin backup',
  'Set MAILKEEL_BACKUP_SCHEDULE and MAILKEEL_BACKUP_TO, or make one by hand: mailkeel admin backup':
    'Setzen Sie MAILKEEL_BACKUP_SCHEDULE und MAILKEEL_BACKUP_TO, oder machen Sie eines von Hand: mailkeel admin backup',
  'The schedule makes the next one; by hand: mailkeel admin backup':
    'Der Zeitplan macht das nächste; von Hand: mailkeel admin backup',
  'no backup was made yet': 'noch kein Backup gemacht',
  '{} in {}, {}': '{} in {}, {}',
  'mail is read as it comes in': 'Mail wird gelesen, sobald sie eingeht',
  '{} inbound mails could not be processed and are parked':
    '{} eingegangene Mails ließen sich nicht verarbeiten und liegen bereit',
  'List them with: mailkeel admin inbound --state failed. Then inbound save, retry or delete each. The log has the error.':
    'Listen Sie sie auf: mailkeel admin inbound --state failed. Dann für jede inbound save, retry oder delete. Das Log nennt den Fehler.',
  'More mail comes in than this machine can process, or the store cannot be written. See the log.':
    'Es geht mehr Mail ein, als dieser Rechner verarbeiten kann, oder der Speicher ist nicht beschreibbar. Siehe Log.',
  'a living node with each role': 'für jede Rolle ein lebender Knoten',
  'each role has a node': 'jede Rolle hat einen Knoten',
  'no living node has it: its work waits': 'kein lebender Knoten hat sie: ihre Arbeit wartet',
  'Start a node whose MAILKEEL_ROLES has {}, or leave the setting out on one.':
    'Starten Sie einen Knoten, dessen MAILKEEL_ROLES {} enthält, oder lassen Sie die Einstellung bei einem weg.',
  "within {} s of the database's clock": 'höchstens {} s neben der Uhr der Datenbank',
  'Let NTP set the clocks of this machine and of the database.':
    'Lassen Sie NTP die Uhren dieses Rechners und der Datenbank stellen.',
  'a connection to PostgreSQL within 5 s': 'eine Verbindung zu PostgreSQL innerhalb von 5 s',
  'available in time since the start': 'seit dem Start rechtzeitig verfügbar',
  'unavailable {} times since the start, last at {}': 'seit dem Start {}-mal nicht verfügbar, zuletzt um {}',
  'Unless PostgreSQL restarted at that time, raise its max_connections or the CONNECTION LIMIT of the role (docs/postgresql.md).':
    'Falls PostgreSQL da nicht neu startete, erhöhen Sie max_connections oder das CONNECTION LIMIT der Rolle (docs/postgresql.md).',
  'resumed within a day': 'innerhalb eines Tages wieder in Betrieb',
  'suspended since {}: {}': 'gesperrt seit {}: {}',
  'No mail leaves by it. If the reason is gone: mailkeel sources resume {}':
    'Über sie geht keine Mail hinaus. Wenn der Grund weg ist: mailkeel sources resume {}',
};

const ZONE: Catalogue = {
  ', with the addresses of those that are below the zone':
    ', mit den Adressen derer, die unter der Zone liegen',
  'Publish NS records at {}, in the zone above it, with {}{}.':
    'Veröffentlichen Sie NS-Einträge bei {}, in der Zone darüber, mit {}{}.',
  'Publish NS records at {}, in the zone above it, with {}, with the addresses of those that are below the zone.':
    'Veröffentlichen Sie NS-Einträge bei {}, in der Zone darüber, mit {}, samt den Adressen derer, die unter der Zone liegen.',
  'If the delegation is there, see the checks of the name servers. The next run checks again.':
    'Wenn die Delegation vorhanden ist, sehen Sie die Prüfungen der Nameserver an. Der nächste Lauf prüft erneut.',
  'answers for {}': 'Antworten für {}',
  'Publish an address of {}; where it is below the zone, set MAILKEEL_DNS_ADDRESSES.':
    'Veröffentlichen Sie eine Adresse von {}; liegt er unter der Zone, setzen Sie MAILKEEL_DNS_ADDRESSES.',
  'no address': 'keine Adresse',
  "Another program answers there. Forward port 53 of {}, UDP and TCP, to Mailkeel's (MAILKEEL_DNS_PORT).":
    'Dort antwortet ein anderes Programm. Leiten Sie Port 53 von {}, UDP und TCP, an den von Mailkeel weiter (MAILKEEL_DNS_PORT).',
  'Try from elsewhere: dig @{} {} SOA, also with +tcp. The start-up banner says whether the port could be opened; a firewall may block it.':
    'Versuchen Sie von anderswo: dig @{} {} SOA, auch mit +tcp. Die Ausgabe beim Start sagt, ob der Port offen ist; vielleicht sperrt ihn eine Firewall.',
  'it has the zone from {}': 'er hat die Zone von {}',
  'by TCP: {}': 'über TCP: {}',
  'it does not have the zone': 'er hat die Zone nicht',
  'by UDP: {}': 'über UDP: {}',
  'Nothing to do. The next run checks again.': 'Sie müssen nichts tun. Der nächste Lauf prüft erneut.',
  '{} at {}': '{} bei {}',
  'an answer': 'eine Antwort',
};

const SOURCES: Catalogue = {
  'a PTR record': 'ein PTR-Eintrag',
  'a PTR name with the address {}': 'ein PTR-Name mit der Adresse {}',
  'Ask the provider of the address to set its reverse name to {}.':
    'Bitten Sie den Anbieter der Adresse, ihren Reverse-Namen auf {} zu setzen.',
  '{} leads to {}': '{} führt zu {}',
  '{}: no address': '{}: keine Adresse',
  'Publish {} as an address of {}, or change the PTR.':
    'Veröffentlichen Sie {} als Adresse von {}, oder ändern Sie den PTR.',
  " or set the source's EHLO name (MAILKEEL_HOSTNAME) to {}":
    ' oder setzen Sie den EHLO-Namen der Quelle (MAILKEEL_HOSTNAME) auf {}',
  'Set the PTR of {} to {}{}.': 'Setzen Sie den PTR von {} auf {}{}.',
  "Set the PTR of {} to {} or set the source's EHLO name (MAILKEEL_HOSTNAME) to {}.":
    'Setzen Sie den PTR von {} auf {}, oder den EHLO-Namen der Quelle (MAILKEEL_HOSTNAME) auf {}.',
  'pass for {}': 'pass für {}',
  'no SPF record': 'kein SPF-Eintrag',
  'Publish the TXT record "v=spf1 {} -all" at {}.':
    'Veröffentlichen Sie den TXT-Eintrag "v=spf1 {} -all" bei {}.',
  'Add {} to the SPF record of {}.': 'Nehmen Sie {} in den SPF-Eintrag von {} auf.',
  'Correct the SPF record of {}: receivers ignore a broken one.':
    'Berichtigen Sie den SPF-Eintrag von {}: Empfänger beachten einen fehlerhaften nicht.',
  '{} among its addresses': '{} unter seinen Adressen',
  "Publish {} as an address of {}: the SPF records of your tenants' domains contain a:{}.":
    'Veröffentlichen Sie {} als Adresse von {}: Die SPF-Einträge der Domains Ihrer Mandanten enthalten a:{}.',
  'not listed': 'nicht gelistet',
  'Look up the reason at {}, remove the cause, and ask for removal there.':
    'Sehen Sie bei {} nach dem Grund, beseitigen Sie die Ursache, und bitten Sie dort um Löschung.',
  'listed ({})': 'gelistet ({})',
  'Take {} out of MAILKEEL_DNSBLS, or ask it through a resolver of your own.':
    'Nehmen Sie {} aus MAILKEEL_DNSBLS heraus, oder fragen Sie über einen eigenen Resolver.',
  'a mail host reached on port {}': 'ein über Port {} erreichter Mailserver',
  'The peer refuses this address. Read its answer.':
    'Die Gegenstelle lehnt diese Adresse ab. Lesen Sie ihre Antwort.',
  'Add the address to this machine, or remove it from the sources.':
    'Geben Sie dem Rechner die Adresse, oder nehmen Sie sie aus den Quellen.',
  'Check that this machine has a route to the network, and that its resolver answers.':
    'Prüfen Sie, ob der Rechner eine Route ins Netz hat und sein Resolver antwortet.',
  'no mail host to try': 'kein Mailserver zum Versuchen',
  "Outbound port {} seems to be blocked. Ask your network's provider to open it, or send through MAILKEEL_SMARTHOST.":
    'Der ausgehende Port {} scheint gesperrt. Bitten Sie Ihren Netzanbieter, ihn zu öffnen, oder senden Sie über MAILKEEL_SMARTHOST.',
  'its name has no address now': 'sein Name hat derzeit keine Adresse',
  'Check the name of the smarthost.': 'Prüfen Sie den Namen des Smarthosts.',
  'Check its name and port, and that it accepts connections from this machine.':
    'Prüfen Sie Namen und Port, und ob er Verbindungen von diesem Rechner annimmt.',
  'MX 10 {}': 'MX 10 {}',
  'Publish the address of {}, or set {}.': 'Veröffentlichen Sie die Adresse von {}, oder setzen Sie {}.',
  'Publish the record MX 10 {} at {}.': 'Veröffentlichen Sie den Eintrag MX 10 {} bei {}.',
  'no MX record and no address': 'weder MX-Eintrag noch Adresse',
  'no MX record; its address is {}': 'kein MX-Eintrag; seine Adresse ist {}',
  'a null MX: the domain takes no mail': 'ein Null-MX: Die Domain nimmt keine Mail an',
  'no answer within the time limit': 'keine Antwort innerhalb der Frist',
  'the check failed: {}': 'die Prüfung scheiterte: {}',
  'no way to the network': 'kein Weg ins Netz',
  '{} is private: which address receivers see is not known':
    '{} ist privat: Welche Adresse Empfänger sehen, ist nicht bekannt',
  'Publish the address of the EHLO name, or name the public one in the sources.':
    'Veröffentlichen Sie die Adresse des EHLO-Namens, oder nennen Sie die öffentliche in den Quellen.',
};

export const CHECKS: Catalogue = { ...HOST, ...OTHERS, ...REPORTS, ...STORE, ...ZONE, ...SOURCES };
