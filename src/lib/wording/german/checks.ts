// Translates sentences of host checks.
import type { Catalogue } from '../translate.js';

const HOST: Catalogue = {
  'the blocklist did not respond ({})': 'die Blockliste antwortet nicht ({})',
  'the blocklist rejects queries from this resolver ({})':
    'die Blockliste weist Anfragen dieses Resolvers ab ({})',
  'the blocklist lists every address': 'die Blockliste führt jede Adresse auf',
  'The checks ran less than a minute ago. Use their results, or run them again later.':
    'Die Prüfungen liefen vor weniger als einer Minute. Verwenden Sie deren Ergebnis oder starten Sie sie später erneut.',
  'The data directory is created on first start.': 'Das Datenverzeichnis wird beim ersten Start angelegt.',
  'data folder': 'Datenordner',
  'not created yet': 'noch nicht angelegt',
  'SMTP greeting from {}': 'SMTP-Begrüßung von {}',
  '{} has no IP address': '{} hat keine IP-Adresse',
  'Publish an A or AAAA record for {}.': 'Veröffentlichen Sie einen A- oder AAAA-Eintrag für {}.',
  'no SMTP greeting': 'keine SMTP-Begrüßung',
  'Another program responds at that address. Point {} to this server, or forward port {} to Mailkeel.':
    'Dort antwortet ein anderes Programm. Richten Sie {} auf diesen Server, oder leiten Sie Port {} an Mailkeel weiter.',
  'Start the server and let it listen on port {} (MAILKEEL_INBOUND_PORT), or forward that port to it.':
    'Starten Sie den Server und lassen Sie ihn auf Port {} lauschen (MAILKEEL_INBOUND_PORT), oder leiten Sie diesen Port an ihn weiter.',
  'Test from another network whether {} is reachable on port {}. A firewall may be blocking it.':
    'Prüfen Sie aus einem anderen Netz, ob {} auf Port {} erreichbar ist. Vielleicht sperrt ihn eine Firewall.',
  'for {}, from a publicly trusted CA': 'für {}, von einer öffentlich anerkannten CA',
  'A self-signed certificate is created on first start.':
    'Ein selbst signiertes Zertifikat wird beim ersten Start erstellt.',
  'Correct the files in MAILKEEL_TLS_CERT and MAILKEEL_TLS_KEY.':
    'Berichtigen Sie die Dateien aus MAILKEEL_TLS_CERT und MAILKEEL_TLS_KEY.',
  '{}, expires {}': '{}, läuft ab {}',
  'Renew the certificate in MAILKEEL_TLS_CERT.': 'Erneuern Sie das Zertifikat aus MAILKEEL_TLS_CERT.',
  'See the server log for the reason that renewal failed.':
    'Den Grund für die gescheiterte Erneuerung nennt das Serverprotokoll.',
  '{}, for {}': '{}, für {}',
  'Get a certificate for {}, the name that mail servers and clients connect to.':
    'Besorgen Sie ein Zertifikat für {}; mit diesem Namen verbinden sich Mailserver und Mailprogramme.',
  'Mail servers accept this certificate, but mail clients that verify certificates reject it. Set MAILKEEL_ACME_EMAIL or MAILKEEL_TLS_CERT.':
    'Mailserver akzeptieren dieses Zertifikat, prüfende Mailprogramme lehnen es ab. Setzen Sie MAILKEEL_ACME_EMAIL oder MAILKEEL_TLS_CERT.',
  ' Until then, set MAILKEEL_MTA_STS_MODE to testing.':
    ' Setzen Sie MAILKEEL_MTA_STS_MODE bis dahin auf testing.',
  '{} Until then, set MAILKEEL_MTA_STS_MODE to testing.':
    '{} Setzen Sie MAILKEEL_MTA_STS_MODE bis dahin auf testing.',
  'NS records': 'NS-Einträge',
  'Set MAILKEEL_DNS_SERVERS to a resolver that can resolve all public DNS names.':
    'Setzen Sie MAILKEEL_DNS_SERVERS auf einen Resolver, der das gesamte öffentliche DNS auflöst.',
  'response without NS records': 'Antwort ohne NS-Einträge',
  'Mailkeel cannot deliver mail without DNS. Check MAILKEEL_DNS_SERVERS or /etc/resolv.conf.':
    'Ohne DNS kann Mailkeel keine Mail zustellen. Prüfen Sie MAILKEEL_DNS_SERVERS oder /etc/resolv.conf.',
  'no response ({})': 'keine Antwort ({})',
  'a validating resolver on this server': 'ein validierender Resolver auf diesem Server',
  validated: 'validiert',
  'DANE is enabled but cannot be used. Run a validating resolver such as unbound on this server.':
    'DANE ist eingeschaltet, aber nicht nutzbar. Betreiben Sie auf diesem Server einen validierenden Resolver wie unbound.',
  'Synchronize the clock with NTP. Signatures, certificates and retry times depend on it.':
    'Synchronisieren Sie die Uhr mit NTP. Signaturen, Zertifikate und Wiederholungen hängen davon ab.',
  'correct time': 'richtige Uhrzeit',
  'no time server to compare with': 'kein Zeitserver zum Vergleichen',
  'Set MAILKEEL_PREFLIGHT_CLOCK_URL.': 'Setzen Sie MAILKEEL_PREFLIGHT_CLOCK_URL.',
  'within {} s': 'höchstens {} s Abweichung',
  '{} s behind': '{} s nach',
  '{} s ahead': '{} s vor',
  '2 GiB and 5 % free': '2 GiB und 5 % frei',
  '{} MiB free ({} %)': '{} MiB frei ({} %)',
  'Free up disk space. Mailkeel stops accepting mail when the disk is full.':
    'Schaffen Sie Speicherplatz. Ist die Platte voll, nimmt Mailkeel keine Mail mehr an.',
  writable: 'beschreibbar',
  'Give the user that runs Mailkeel write access to MAILKEEL_DATA_DIR.':
    'Geben Sie dem Benutzer, der Mailkeel ausführt, Schreibrechte auf MAILKEEL_DATA_DIR.',
  'https:// and a public hostname': 'https:// und ein öffentlicher Hostname',
  'Set MAILKEEL_PUBLIC_URL to the HTTPS URL where recipients can reach this server.':
    'Setzen Sie MAILKEEL_PUBLIC_URL auf die HTTPS-URL, unter der Empfänger diesen Server erreichen.',
  'links in mail do not use a public hostname': 'Links in Mails haben keinen öffentlichen Hostnamen',
  'http only, but one-click unsubscribe requires https (RFC 8058)':
    'nur http, aber Abmelden mit einem Klick erfordert https (RFC 8058)',
  'Publish the {} record that mailkeel admin dns shows for {}.':
    'Veröffentlichen Sie den {}-Eintrag, den mailkeel admin dns für {} anzeigt.',
  'DNS lookup failed': 'DNS-Abfrage gescheitert',
  'no record': 'kein Eintrag',
  'no record (optional)': 'kein Eintrag (optional)',
  'Set MAILKEEL_HOSTNAME to a name that you control in public DNS.':
    'Setzen Sie MAILKEEL_HOSTNAME auf einen Namen, den Sie im öffentlichen DNS verwalten.',
  'a fully qualified hostname with an IP address': 'ein vollständiger Hostname mit IP-Adresse',
  'a local hostname': 'ein lokaler Hostname',
  'Publish an A or AAAA record for it. {}': 'Veröffentlichen Sie dafür einen A- oder AAAA-Eintrag. {}',
};

const OTHERS: Catalogue = {
  'a connection': 'eine Verbindung',
  '{} waiting': '{} warten',
};

const REPORTS: Catalogue = {
  'The mail server did not offer STARTTLS. See the inbound_port check, and find out whether another program or a firewall responds on port 25.':
    'Der Mailserver bot kein STARTTLS an. Sehen Sie die Prüfung inbound_port an und stellen Sie fest, ob auf Port 25 ein anderes Programm oder eine Firewall antwortet.',
  "The certificate does not cover the mail server's name. Set MAILKEEL_HOSTNAME to the name in the MX record, or get a certificate for that name.":
    'Das Zertifikat gilt nicht für den Namen des Mailservers. Setzen Sie MAILKEEL_HOSTNAME auf den Namen im MX-Eintrag, oder besorgen Sie ein Zertifikat für diesen Namen.',
  'The certificate has expired. See the certificate check, and renew it.':
    'Das Zertifikat ist abgelaufen. Sehen Sie die Prüfung certificate an und erneuern Sie es.',
  'Use a certificate from a public CA, including its full chain.':
    'Verwenden Sie ein Zertifikat einer öffentlichen CA samt vollständiger Kette.',
  'The certificate could not be verified. See the certificate check.':
    'Das Zertifikat war nicht prüfbar. Sehen Sie die Prüfung certificate an.',
  'The TLSA record does not match the certificate. Publish the record for the certificate in use.':
    'Der TLSA-Eintrag passt nicht zum Zertifikat. Veröffentlichen Sie den Eintrag für das verwendete Zertifikat.',
  'DNSSEC validation failed for the domain. Check its DS record and signatures.':
    'Die DNSSEC-Prüfung der Domain ist gescheitert. Prüfen Sie DS-Eintrag und Signaturen.',
  'The sending server requires DANE but found no usable TLSA record. Publish a valid record, or remove all TLSA records.':
    'Der sendende Server verlangt DANE, fand aber keinen brauchbaren TLSA-Eintrag. Veröffentlichen Sie einen gültigen, oder entfernen Sie alle TLSA-Einträge.',
  'The MTA-STS policy could not be fetched. https://mta-sts.<domain>/.well-known/mta-sts.txt must be served with a valid certificate.':
    'Die MTA-STS-Richtlinie war nicht abrufbar. https://mta-sts.<domain>/.well-known/mta-sts.txt muss mit gültigem Zertifikat ausgeliefert werden.',
  'The MTA-STS policy or its DNS record is invalid. Publish the records that mailkeel admin dns shows.':
    'Die MTA-STS-Richtlinie oder ihr DNS-Eintrag ist ungültig. Veröffentlichen Sie die Einträge, die mailkeel admin dns anzeigt.',
  'The certificate is not valid for MTA-STS. Use a certificate from a public CA for the name in the MX record.':
    'Das Zertifikat ist für MTA-STS ungültig. Verwenden Sie eines von einer öffentlichen CA für den Namen im MX-Eintrag.',
  'See the summary of TLS reports by result.': 'Sehen Sie die Übersicht der TLS-Berichte nach Ergebnis an.',
  'DKIM verification failed. Compare the published DKIM record with mailkeel admin dns, and check whether a smarthost modifies messages.':
    'Die DKIM-Prüfung ist gescheitert. Vergleichen Sie den veröffentlichten DKIM-Eintrag mit mailkeel admin dns, und prüfen Sie, ob ein Smarthost Nachrichten verändert.',
  "Mail was sent without a signature of the domain. Check the domain's DKIM keys.":
    'Mail wurde ohne Signatur der Domain gesendet. Prüfen Sie die DKIM-Schlüssel der Domain.',
  "Mail was sent without a signature. Check the domain's DKIM keys, and check whether the smarthost modifies messages.":
    'Mail wurde ohne Signatur gesendet. Prüfen Sie die DKIM-Schlüssel der Domain, und ob der Smarthost Nachrichten verändert.',
  'See the summary of DMARC reports by source.': 'Sehen Sie die Übersicht der DMARC-Berichte nach Quelle an.',
  'no reporter with at least {} failed TLS sessions and {} % failures within {} days':
    'kein Melder mit mindestens {} gescheiterten TLS-Sitzungen und {} % Fehlern binnen {} Tagen',
  'no TLS reports in the last {} days': 'keine TLS-Berichte in den letzten {} Tagen',
  '{} of {} TLS sessions failed': '{} von {} TLS-Sitzungen scheiterten',
  'no reporter with at least {} DMARC failures and a failure rate of {} % within {} days':
    'kein Melder mit mindestens {} DMARC-Fehlern und einer Fehlerquote von {} % binnen {} Tagen',
  'no DMARC reports in the last {} days': 'keine DMARC-Berichte in den letzten {} Tagen',
  '{} of {} messages from this server failed DMARC':
    '{} von {} Nachrichten dieses Servers haben DMARC nicht bestanden',
  ', and {} more reporters': ', und {} weitere Melder',
  '{}, and {} more reporters': '{}, und {} weitere Melder',
  '{} This warning clears {} days after the last failure.':
    '{} Diese Warnung endet {} Tage nach dem letzten Fehler.',
  'no reason given': 'ohne Grund',
  'reporters not tracked individually': 'nicht einzeln erfasste Melder',
  '{} {} of {} ({}), most recently on {}': '{} {} von {} ({}), zuletzt am {}',
  'TXT "{}"': 'TXT "{}"',
  'DNS lookup failed ({})': 'DNS-Abfrage gescheitert ({})',
  '{} (not needed because all verified domains belong to {})':
    '{} (nicht nötig, weil alle bestätigten Domains zu {} gehören)',
  'other organizations': 'andere Organisationen',
  '{} and similar domains': '{} und ähnliche Domains',
  'Publish the TXT record "{}" at {}. Without it, receivers do not send DMARC reports about {} to this server (RFC 9990, RFC 7489 section 7.1).':
    'Veröffentlichen Sie den TXT-Eintrag "{}" bei {}. Ohne ihn senden Empfänger diesem Server keine DMARC-Berichte über {} (RFC 9990, RFC 7489 Abschnitt 7.1).',
};

const STORE: Catalogue = {
  'little unused space in the file': 'wenig ungenutzter Platz in der Datei',
  'managed by the database server': 'vom Datenbankserver verwaltet',
  '{}, {} unused; log {}': '{}, {} ungenutzt; Log {}',
  'The file was created by an older release. Stop the server and run: mailkeel admin vacuum':
    'Die Datei stammt von einer älteren Version. Stoppen Sie den Server und führen Sie aus: mailkeel admin vacuum',
  'Another program keeps a read transaction open, so the log cannot be checkpointed. Stop that program.':
    'Ein anderes Programm hält eine Lesetransaktion offen, daher kann das Log nicht zurückgeschrieben werden. Beenden Sie dieses Programm.',
  'disk space for 30 days': 'Speicherplatz für 30 Tage',
  'not enough data ({} of {} days measured)': 'nicht genug Daten ({} von {} Tagen gemessen)',
  'over {} days, the data {} by {} per day': 'binnen {} Tagen sind die Daten {} um {} pro Tag',
  grew: 'gewachsen',
  shrank: 'geschrumpft',
  '{}; the disk is not expected to fill up': '{}; die Platte läuft voraussichtlich nicht voll',
  '{} and free space decreased by {} per day; the disk will be full in {} days, on {}':
    '{}, und der freie Platz nahm um {} pro Tag ab; die Platte ist in {} Tagen voll, am {}',
  'never deleted': 'nie gelöscht',
  'Most of the growth is outside the database. Check the logs, backups and other files on the disk.':
    'Der Zuwachs liegt größtenteils außerhalb der Datenbank. Prüfen Sie Protokolle, Sicherungen und andere Dateien auf der Platte.',
  'Shorten retention (docs/retention.md) or enlarge the disk. The database reuses space freed by retention.':
    'Verkürzen Sie die Aufbewahrung (docs/retention.md) oder vergrößern Sie die Platte. Frei gewordener Platz wird wiederverwendet.',
  'The largest tables and the settings that shrink them: {}.':
    'Die größten Tabellen und die Einstellungen, die sie verkleinern: {}.',
  'no damaged pages': 'keine beschädigten Seiten',
  'Stop the server and restore a backup. See docs/runbook.md, "A damaged database".':
    'Stoppen Sie den Server und spielen Sie eine Sicherung ein. Siehe docs/runbook.md, "A damaged database".',
  'none found so far; the whole file is checked within an hour of startup':
    'bisher keine gefunden; die ganze Datei wird binnen einer Stunde nach dem Start geprüft',
  'none found in the check of {}': 'keine gefunden bei der Prüfung vom {}',
  'a full copy, and every change within a minute':
    'eine vollständige Kopie und jede Änderung binnen einer Minute',
  'up to date': 'aktuell',
  'up to date; last full copy {}': 'aktuell; letzte vollständige Kopie {}',
  'has not responded since {}: {}': 'antwortet nicht seit {}: {}',
  'Check its network, credentials and free space. Mailkeel retries automatically.':
    'Prüfen Sie Netz, Zugangsdaten und freien Platz. Mailkeel versucht es automatisch weiter.',
  'Check its network, credentials and free space. Mailkeel retries automatically, and refuses requests that write until it responds.':
    'Prüfen Sie Netz, Zugangsdaten und freien Platz. Mailkeel versucht es automatisch weiter und lehnt bis dahin schreibende Anfragen ab.',
  '{} seconds behind; {} MiB waiting': '{} Sekunden im Rückstand; {} MiB warten',
  'Changes arrive faster than they can be stored. Check the bandwidth to the replica.':
    'Änderungen entstehen schneller, als sie gespeichert werden. Prüfen Sie die Bandbreite zur Replik.',
  'on the same disk as the database': 'auf derselben Platte wie die Datenbank',
  'Set MAILKEEL_REPLICA_TO to a bucket or a folder on another disk. Check that the other disk is mounted.':
    'Setzen Sie MAILKEEL_REPLICA_TO auf einen Bucket oder einen Ordner auf einer anderen Platte. Prüfen Sie, ob die andere Platte eingehängt ist.',
  'the full copy is not complete yet': 'die vollständige Kopie ist noch nicht fertig',
  'Wait until it is stored. Until then, this server cannot be restored from the replica.':
    'Warten Sie, bis sie gespeichert ist. Bis dahin lässt sich dieser Server nicht aus der Replik wiederherstellen.',
  'a recent verified backup': 'eine aktuelle, geprüfte Sicherung',
  'managed by the database server; use its backup tools':
    'vom Datenbankserver verwaltet; nutzen Sie dessen Sicherungswerkzeuge',
  'the last backup failed at {}: {}': 'die letzte Sicherung scheiterte um {}: {}',
  'Fix the cause, then test it with: mailkeel admin backup':
    'Beheben Sie die Ursache und testen Sie dann mit: mailkeel admin backup',
  'Set MAILKEEL_BACKUP_SCHEDULE and MAILKEEL_BACKUP_TO, or create a backup now with: mailkeel admin backup':
    'Setzen Sie MAILKEEL_BACKUP_SCHEDULE und MAILKEEL_BACKUP_TO, oder erstellen Sie jetzt eine Sicherung: mailkeel admin backup',
  'The next scheduled backup runs automatically. To create one now, run: mailkeel admin backup':
    'Die nächste geplante Sicherung läuft automatisch. Sofort geht es mit: mailkeel admin backup',
  'no backups yet': 'noch keine Sicherungen',
  '{} in {}, {}': '{} in {}, {}',
  'inbound mail is processed on arrival': 'eingehende Mail wird bei Ankunft verarbeitet',
  '{} inbound messages could not be processed and are parked':
    '{} eingegangene Nachrichten ließen sich nicht verarbeiten und sind geparkt',
  'List them with: mailkeel admin inbound --state failed. Then save, retry or delete each one. The server log contains the errors.':
    'Listen Sie sie auf mit: mailkeel admin inbound --state failed. Speichern, wiederholen oder löschen Sie dann jede einzeln. Die Fehler stehen im Serverprotokoll.',
  'Inbound mail arrives faster than this server can process it, or the database is not writable. See the server log.':
    'Mail trifft schneller ein, als dieser Server sie verarbeitet, oder die Datenbank ist nicht beschreibbar. Sehen Sie im Serverprotokoll nach.',
  'a running node for every role': 'ein laufender Knoten für jede Rolle',
  'every role has a node': 'jede Rolle hat einen Knoten',
  'no running node has this role, so its work is waiting':
    'kein laufender Knoten hat diese Rolle; ihre Arbeit wartet',
  'Start a node with {} in MAILKEEL_ROLES, or start one without that setting.':
    'Starten Sie einen Knoten mit {} in MAILKEEL_ROLES, oder einen ohne diese Einstellung.',
  'within {} s of the database clock': 'höchstens {} s Abweichung von der Datenbankuhr',
  'Synchronize the clocks of this server and the database with NTP.':
    'Synchronisieren Sie die Uhren dieses Servers und der Datenbank mit NTP.',
  'a connection to PostgreSQL within 5 s': 'eine Verbindung zu PostgreSQL innerhalb von 5 s',
  'always available since startup': 'seit dem Start stets verfügbar',
  'unavailable {} times since startup, most recently at {}':
    '{}-mal nicht verfügbar seit dem Start, zuletzt um {}',
  "If PostgreSQL did not restart at that time, raise max_connections or the role's CONNECTION LIMIT (docs/postgresql.md).":
    'Falls PostgreSQL damals nicht neu gestartet wurde, erhöhen Sie max_connections oder das CONNECTION LIMIT der Rolle (docs/postgresql.md).',
  'resumed within a day': 'innerhalb eines Tages wieder in Betrieb',
  'suspended since {}: {}': 'gesperrt seit {}: {}',
  'No mail is sent through this source. When the cause is fixed, run: mailkeel sources resume {}':
    'Über diese Quelle wird keine Mail gesendet. Wenn die Ursache behoben ist, führen Sie aus: mailkeel sources resume {}',
};

const ZONE: Catalogue = {
  '. Add glue addresses for the names inside the zone':
    '. Ergänzen Sie Glue-Adressen für die Namen innerhalb der Zone',
  'Publish NS records for {} in the parent zone, pointing to {}{}.':
    'Veröffentlichen Sie für {} NS-Einträge in der übergeordneten Zone, die auf {}{} zeigen.',
  'Publish NS records for {} in the parent zone, pointing to {}. Add glue addresses for the names inside the zone.':
    'Veröffentlichen Sie für {} NS-Einträge in der übergeordneten Zone, die auf {} zeigen. Ergänzen Sie Glue-Adressen für die Namen innerhalb der Zone.',
  'If the delegation is correct, see the name server checks. The next run checks again.':
    'Wenn die Delegation stimmt, sehen Sie die Prüfungen der Nameserver an. Der nächste Lauf prüft erneut.',
  'responds for {}': 'antwortet für {}',
  'Publish an A or AAAA record for {}. If the name is inside the zone, set MAILKEEL_DNS_ADDRESSES.':
    'Veröffentlichen Sie einen A- oder AAAA-Eintrag für {}. Liegt der Name in der Zone, setzen Sie MAILKEEL_DNS_ADDRESSES.',
  'no IP address': 'keine IP-Adresse',
  "Another program responds at that address. Forward UDP and TCP port 53 of {} to Mailkeel's DNS port (MAILKEEL_DNS_PORT).":
    'Dort antwortet ein anderes Programm. Leiten Sie UDP- und TCP-Port 53 von {} an den DNS-Port von Mailkeel weiter (MAILKEEL_DNS_PORT).',
  'Test from another network with dig @{} {} SOA, and again with +tcp. The startup banner shows whether the port is open. A firewall may be blocking it.':
    'Testen Sie aus einem anderen Netz mit dig @{} {} SOA und noch einmal mit +tcp. Die Startmeldung zeigt, ob der Port offen ist. Vielleicht sperrt ihn eine Firewall.',
  'serves the zone from {}': 'liefert die Zone von {}',
  'over TCP: {}': 'über TCP: {}',
  'does not serve the zone': 'liefert die Zone nicht',
  'over UDP: {}': 'über UDP: {}',
  'No action needed. The next run checks again.': 'Sie müssen nichts tun. Der nächste Lauf prüft erneut.',
  '{} at {}': '{} bei {}',
  'a response': 'eine Antwort',
};

const SOURCES: Catalogue = {
  'a PTR record': 'ein PTR-Eintrag',
  'a PTR name that resolves to {}': 'ein PTR-Name, der auf {} auflöst',
  'Ask your hosting provider to set the reverse DNS of the address to {}.':
    'Bitten Sie Ihren Hosting-Anbieter, den Reverse-DNS-Namen der Adresse auf {} zu setzen.',
  '{} resolves to {}': '{} löst auf {} auf',
  '{} has no address': '{} hat keine Adresse',
  'Publish {} as an address of {}, or change the PTR record.':
    'Veröffentlichen Sie {} als Adresse von {}, oder ändern Sie den PTR-Eintrag.',
  " or set the source's EHLO name (MAILKEEL_HOSTNAME) to {}":
    ' oder setzen Sie den EHLO-Namen der Quelle (MAILKEEL_HOSTNAME) auf {}',
  'Set the PTR record of {} to {}{}.': 'Setzen Sie den PTR-Eintrag von {} auf {}{}.',
  "Set the PTR record of {} to {} or set the source's EHLO name (MAILKEEL_HOSTNAME) to {}.":
    'Setzen Sie den PTR-Eintrag von {} auf {}, oder den EHLO-Namen der Quelle (MAILKEEL_HOSTNAME) auf {}.',
  'pass for {}': 'pass für {}',
  'no SPF record': 'kein SPF-Eintrag',
  'Publish the TXT record "v=spf1 {} -all" at {}.':
    'Veröffentlichen Sie den TXT-Eintrag "v=spf1 {} -all" bei {}.',
  'Add {} to the SPF record of {}.': 'Nehmen Sie {} in den SPF-Eintrag von {} auf.',
  'Correct the SPF record of {}. Receivers ignore invalid records.':
    'Berichtigen Sie den SPF-Eintrag von {}. Empfänger ignorieren ungültige Einträge.',
  'includes {}': 'enthält {}',
  "Publish {} as an address of {}, because the SPF records of your sub-tenants' domains contain a:{}.":
    'Veröffentlichen Sie {} als Adresse von {}, denn die SPF-Einträge der Domains Ihrer Mandanten enthalten a:{}.',
  'not listed': 'nicht gelistet',
  'Look up the reason at {}, fix the cause, and request removal there.':
    'Ermitteln Sie den Grund bei {}, beheben Sie die Ursache und beantragen Sie dort die Löschung.',
  'listed ({})': 'gelistet ({})',
  'Remove {} from MAILKEEL_DNSBLS, or query it through your own resolver.':
    'Entfernen Sie {} aus MAILKEEL_DNSBLS, oder fragen Sie es über einen eigenen Resolver ab.',
  'a mail server reachable on port {}': 'ein auf Port {} erreichbarer Mailserver',
  'The remote server rejects this IP address. See its reply.':
    'Die Gegenseite lehnt diese IP-Adresse ab. Sehen Sie ihre Antwort an.',
  'Configure the address on this server, or remove it from the sources.':
    'Richten Sie die Adresse auf diesem Server ein, oder entfernen Sie sie aus den Quellen.',
  "Check this server's network route and DNS resolver.":
    'Prüfen Sie Netzwerkroute und DNS-Resolver dieses Servers.',
  'no mail server to test against': 'kein Mailserver zum Testen',
  'Outbound port {} appears to be blocked. Ask your provider to open it, or send through MAILKEEL_SMARTHOST.':
    'Der ausgehende Port {} scheint gesperrt zu sein. Bitten Sie Ihren Anbieter, ihn zu öffnen, oder senden Sie über MAILKEEL_SMARTHOST.',
  'its hostname does not currently resolve': 'der Hostname löst derzeit nicht auf',
  'Check the hostname of the smarthost.': 'Prüfen Sie den Hostnamen des Smarthosts.',
  "Check the smarthost's hostname and port, and that it accepts connections from this server.":
    'Prüfen Sie Hostnamen und Port des Smarthosts, und ob er Verbindungen von diesem Server annimmt.',
  'MX 10 {}': 'MX 10 {}',
  'Publish an A or AAAA record for {}, or set {}.':
    'Veröffentlichen Sie einen A- oder AAAA-Eintrag für {}, oder setzen Sie {}.',
  'Publish the record MX 10 {} at {}.': 'Veröffentlichen Sie den Eintrag MX 10 {} bei {}.',
  'no MX record and no address': 'weder MX-Eintrag noch Adresse',
  'no MX record, but an address record: {}': 'kein MX-Eintrag, aber ein Adresseintrag: {}',
  'a null MX record (the domain does not accept mail)':
    'ein Null-MX-Eintrag (die Domain nimmt keine Mail an)',
  'no response within the time limit': 'keine Antwort innerhalb der Frist',
  'the check failed: {}': 'die Prüfung scheiterte: {}',
  'no network route': 'keine Netzwerkroute',
  '{} is private, so the public IP address is unknown':
    '{} ist privat; die öffentliche IP-Adresse ist unbekannt',
  'Publish an A or AAAA record for the EHLO name, or set the public IP address in the sources.':
    'Veröffentlichen Sie einen A- oder AAAA-Eintrag für den EHLO-Namen, oder geben Sie die öffentliche IP-Adresse in den Quellen an.',
};

export const CHECKS: Catalogue = { ...HOST, ...OTHERS, ...REPORTS, ...STORE, ...ZONE, ...SOURCES };
