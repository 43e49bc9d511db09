// German sentences of refusals that concern a whole request.
import type { Catalogue } from '../translate.js';

/** Of the codes of refusals. */
const CODES: Catalogue = {
  'The request could not be read: broken JSON, or headers that contradict the body.':
    'Die Anfrage war nicht lesbar: fehlerhaftes JSON, oder Kopfzeilen, die dem Inhalt widersprechen.',
  'The cursor was not issued by this list.': 'Der Cursor stammt nicht von dieser Liste.',
  'The event is of a history that a restore from a backup has undone. Go on after details.resume_after, and compare what you have with the appliance.':
    'Das Ereignis gehört zu einem Verlauf, den das Zurückspielen eines Backups aufgehoben hat. Fahren Sie nach details.resume_after fort, und gleichen Sie Ihre Daten ab.',
  'The Idempotency-Key header and the idempotency_key field differ.':
    'Die Kopfzeile Idempotency-Key und das Feld idempotency_key widersprechen sich.',
  'The key, the X-Sub-Tenant-Id header and the sub_tenant_id field name different sub-tenants.':
    'Der Schlüssel, die Kopfzeile X-Sub-Tenant-Id und das Feld sub_tenant_id nennen verschiedene Mandanten.',
  'The API key is missing, unknown, revoked or expired.':
    'Der API-Schlüssel fehlt, ist unbekannt, widerrufen oder abgelaufen.',
  'The address, the password or the code is wrong, or the account is locked for a while.':
    'Adresse, Passwort oder Code ist falsch, oder das Konto ist vorübergehend gesperrt.',
  'The account has a second factor: send totp or recovery_code with the password.':
    'Das Konto hat einen zweiten Faktor: Geben Sie zum Passwort einen Code oder Wiederherstellungscode an.',
  'The plan has no sends left in this day or month.':
    'Der Tarif hat für diesen Tag oder Monat keine Sendungen mehr.',
  'The key does not have the permission that this operation needs.':
    'Dem Schlüssel fehlt die Berechtigung für diesen Vorgang.',
  'This operation is for people who have signed in; a key cannot use it.':
    'Dieser Vorgang ist angemeldeten Personen vorbehalten; ein Schlüssel kann ihn nicht ausführen.',
  'A change by a signed-in person needs the X-CSRF-Token of the session.':
    'Änderungen angemeldeter Personen brauchen das X-CSRF-Token der Sitzung.',
  'The key may not be used from this client address.':
    'Der Schlüssel darf von dieser Adresse aus nicht verwendet werden.',
  'The sub-tenant is paused; or it is suspended, and the send is live.':
    'Der Mandant ist angehalten, oder er ist gesperrt und die Sendung ist echt.',
  'No such object in the scope of this key.': 'Das gibt es im Bereich dieses Schlüssels nicht.',
  "The address is not one of the campaign's recipients.":
    'Die Adresse gehört nicht zu den Empfängern der Kampagne.',
  'The path is known, but not for this method; the header Allow names those it has.':
    'Diese Methode gibt es für den Pfad nicht; die Kopfzeile Allow nennt die vorhandenen.',
  'The request did not arrive in time; the connection is closed.':
    'Die Anfrage kam nicht rechtzeitig an; die Verbindung ist geschlossen.',
  'The state of the object does not allow this, or the object already exists.':
    'Der Zustand erlaubt das nicht, oder es gibt das Objekt bereits.',
  'If-Match names another version of the object: it was changed after you read it. Read it again and repeat the change; `details.updated_at` is the time of its last change.':
    'Das Objekt wurde geändert, nachdem Sie es gelesen haben. Laden Sie es neu, und wiederholen Sie die Änderung.',
  'An organization keeps at least one owner.': 'Eine Organisation behält mindestens einen Inhaber.',
  'The address belongs to a member of the organization.':
    'Die Adresse gehört einem Mitglied der Organisation.',
  'The idempotency key was used before with a different request.':
    'Der Idempotenzschlüssel wurde schon für eine andere Anfrage verwendet.',
  'A request with this idempotency key is still being worked on; repeat it in a moment for its answer.':
    'Eine Anfrage mit diesem Idempotenzschlüssel läuft noch; wiederholen Sie sie gleich für die Antwort.',
  'The first request with this idempotency key took effect, but its answer was not stored; details.id names the object that it made.':
    'Die erste Anfrage mit diesem Idempotenzschlüssel wurde ausgeführt, ihre Antwort aber nicht gespeichert; details.id nennt das entstandene Objekt.',
  'The domain or name is already in use here.': 'Die Domain oder der Name ist hier bereits vergeben.',
  'The list is a segment: its filter decides who is in it, and contacts cannot be added or removed.':
    'Die Liste ist ein Segment: Ihr Filter bestimmt die Mitglieder; Kontakte lassen sich nicht hinzufügen oder entfernen.',
  'The person has left this list on their own; `resubscribe: true` puts them back.':
    'Die Person hat diese Liste selbst verlassen; `resubscribe: true` nimmt sie wieder auf.',
  'Another template has this slug.': 'Eine andere Vorlage hat dieses Kürzel.',
  'Only a scheduled or queued message can be canceled or rescheduled.':
    'Nur eine geplante oder wartende Nachricht kann abgebrochen oder verlegt werden.',
  'Outcomes are simulated for sandbox messages, made with a test key.':
    'Ergebnisse werden nur für Sandbox-Nachrichten simuliert, die ein Testschlüssel erzeugt hat.',
  'The simulated outcome cannot follow the earlier outcome of the message.':
    'Das simulierte Ergebnis kann nicht auf das frühere Ergebnis der Nachricht folgen.',
  'The campaign has been sent, or is being sent; only a draft or a scheduled one can be changed.':
    'Die Kampagne wurde oder wird gesendet; nur ein Entwurf oder eine geplante lässt sich ändern.',
  'The campaign has no list or no template yet; details.fields names what is missing.':
    'Der Kampagne fehlt noch eine Liste oder eine Vorlage.',
  'The campaign is canceled.': 'Die Kampagne ist abgebrochen.',
  'Sequences, unfinished campaigns or the confirmation mail of lists use the template; `details` names them. `force=true` deletes it anyway.':
    'Sequenzen, laufende Kampagnen oder Bestätigungsmails von Listen verwenden die Vorlage; `details` nennt sie. `force=true` löscht sie trotzdem.',
  'The contact is in this sequence already.': 'Der Kontakt ist bereits in dieser Sequenz.',
  'The address is suppressed, or the contact has opted out, bounced or complained.':
    'Die Adresse ist gesperrt, oder der Kontakt hat sich abgemeldet, ist unzustellbar oder hat sich beschwert.',
  'The files of exports and imports of the workspace or sub-tenant have reached their quota. Delete exports that are no longer needed.':
    'Die Dateien von Exporten und Importen haben ihr Kontingent erreicht. Löschen Sie Exporte, die Sie nicht mehr brauchen.',
  'The body is larger than this operation accepts.': 'Der Inhalt ist größer, als dieser Vorgang annimmt.',
  'The body must be application/json.': 'Der Inhalt muss application/json sein.',
  'One or more fields are invalid; details.fields names each.': 'Ein oder mehrere Felder sind ungültig.',
  'Marketing and sales messages go to contacts only.':
    'Marketing- und Vertriebsnachrichten gehen nur an Kontakte.',
  'Marketing and sales messages need a postal address. An admin sets it for the organization.':
    'Marketing- und Vertriebsnachrichten brauchen eine Postanschrift. Ein Administrator trägt sie bei der Organisation ein.',
  'The request has no subject and the template supplies none.':
    'Die Anfrage hat keinen Betreff, und die Vorlage liefert keinen.',
  'The message has neither html, nor text, nor a template.':
    'Die Nachricht hat weder HTML noch Text noch eine Vorlage.',
  'The message has no `from`, and there is no default sender. Name a sender, or make one the default.':
    'Die Nachricht hat keinen Absender, und es gibt keinen Standardabsender. Nennen Sie einen, oder legen Sie einen als Standard fest.',
  'The From address is neither on a verified domain nor a verified sender.':
    'Die Absenderadresse liegt auf keiner bestätigten Domain und ist kein bestätigter Absender.',
  'The template has a syntax error or exceeds a limit.':
    'Die Vorlage hat einen Syntaxfehler oder überschreitet eine Grenze.',
  'The template named in the request does not exist.': 'Die genannte Vorlage gibt es nicht.',
  'The list named in the request does not exist.': 'Die genannte Liste gibt es nicht.',
  'A campaign has at most 4 variants.': 'Eine Kampagne hat höchstens 4 Varianten.',
  'The sub-tenant named in the request does not exist.': 'Den genannten Mandanten gibt es nicht.',
  'The webhook URL does not lead to a public http(s) address.':
    'Die Webhook-URL führt zu keiner öffentlichen http(s)-Adresse.',
  'Too many requests; Retry-After says when to try again.':
    'Zu viele Anfragen. Versuchen Sie es später erneut.',
  'The request line and header fields are larger than 16 KiB; the connection is closed.':
    'Anfragezeile und Kopfzeilen sind größer als 16 KiB; die Verbindung ist geschlossen.',
  'The server failed. The operator finds the fault in the log by the request id.':
    'Auf dem Server ist ein Fehler aufgetreten. Der Betreiber findet ihn im Log unter der Id der Anfrage.',
  'The store or the server is overloaded; nothing was stored. Try again.':
    'Der Speicher oder der Server ist überlastet; nichts wurde gespeichert. Versuchen Sie es erneut.',
  'A damaged part of the database is needed for this; nothing was stored. The operator finds in the log what to do.':
    'Dafür wird ein beschädigter Teil der Datenbank gebraucht; nichts wurde gespeichert. Das Log sagt dem Betreiber, was zu tun ist.',
  'Reading took too long. Ask for less: a shorter period, or a filter that matches fewer objects.':
    'Das Lesen dauerte zu lange. Fragen Sie weniger ab: einen kürzeren Zeitraum, oder mit engerem Filter.',
};

const REQUESTS: Catalogue = {
  'Too many large requests arrive at the same time. Nothing of this one was stored. Send it again in a moment.':
    'Gerade kommen zu viele große Anfragen an. Nichts von dieser wurde gespeichert. Senden Sie sie gleich erneut.',
  'The body ended before it was complete.': 'Der Inhalt endete vorzeitig.',
  'The body is not as long as Content-Length says.': 'Der Inhalt ist nicht so lang, wie Content-Length sagt.',
  'The body is not valid UTF-8.': 'Der Inhalt ist kein gültiges UTF-8.',
  'An object in the body has a field twice.': 'Ein Objekt im Inhalt hat ein Feld doppelt.',
  'The path of the URL is not validly percent-encoded.': 'Der Pfad der URL ist nicht richtig kodiert.',
  'A part of the path is too long.': 'Ein Teil des Pfads ist zu lang.',
  'The charset {} cannot be read. Send the file as UTF-8.':
    'Der Zeichensatz {} ist nicht lesbar. Senden Sie die Datei als UTF-8.',
  'The form has no file.': 'Das Formular enthält keine Datei.',
  'The body is larger than the {} bytes of this operation.':
    'Der Inhalt ist größer als die {} Bytes dieses Vorgangs.',
  'The header {} is not known; did you mean {}?': 'Die Kopfzeile {} ist unbekannt; meinten Sie {}?',
  'There is no {} {}.': '{} {} gibt es nicht.',
  'The key is of another {}.': 'Der Schlüssel gehört zu einem anderen Bereich ({}).',
  'The header {} and {} contradict each other.': 'Die Kopfzeile {} und {} widersprechen sich.',
  'The role of the person who made the key is {}; this operation needs {}.':
    'Wer den Schlüssel erstellt hat, hat die Rolle {}; dieser Vorgang braucht {}.',
  'This operation concerns the whole organization. Use a live key, or sign in.':
    'Dieser Vorgang betrifft die ganze Organisation. Nehmen Sie einen Live-Schlüssel, oder melden Sie sich an.',
  'Too many failed authentications from this address; try again later.':
    'Zu viele gescheiterte Anmeldungen von dieser Adresse. Versuchen Sie es später erneut.',
  'The session has ended; sign in again.': 'Die Sitzung ist beendet. Melden Sie sich erneut an.',
  'No such workspace.': 'Diesen Workspace gibt es nicht.',
  'Your role is {}; this operation needs {}.': 'Ihre Rolle ist {}; dieser Vorgang braucht {}.',
  'The workspace has used its {} requests of this minute.':
    'Der Workspace hat seine {} Anfragen dieser Minute verbraucht.',
  'The sub-tenant has used its {} requests of this minute.':
    'Der Mandant hat seine {} Anfragen dieser Minute verbraucht.',
  'At most {} sub-tenants, senders and key rotations can be requested in a minute.':
    'Höchstens {} Mandanten, Absender und Schlüsselwechsel sind je Minute möglich.',
  'Too many attempts from this address; try again later.':
    'Zu viele Versuche von dieser Adresse. Versuchen Sie es später erneut.',
  'A key that is pinned to a sub-tenant cannot do this; use a key of the workspace.':
    'Ein Schlüssel eines Mandanten kann das nicht; nehmen Sie einen Schlüssel des Workspace.',
  'This link does not work any more. Ask its sender for a new one.':
    'Dieser Link gilt nicht mehr. Bitten Sie den Absender um einen neuen.',
  'There are already {} saved blocks. Delete one of them first.':
    'Es gibt bereits {} gespeicherte Blöcke. Löschen Sie zuerst einen davon.',
  'The saved block belongs to the workspace.': 'Der gespeicherte Block gehört dem Workspace.',
  'There are already {} share links that work. End one of them first.':
    'Es gelten bereits {} Freigabelinks. Beenden Sie zuerst einen davon.',
  'Too many destinations are traced. Try again in half a minute.':
    'Zu viele Ziele werden gerade verfolgt. Versuchen Sie es in einer halben Minute erneut.',
  'The destination is paused for the whole workspace.': 'Das Ziel ist für den ganzen Workspace angehalten.',
  'Mail for {} was retried less than a minute ago; try again later.':
    'Mail an {} wurde vor weniger als einer Minute versucht. Versuchen Sie es später erneut.',
  'The server is ending; connect again in a moment.':
    'Der Server fährt herunter. Verbinden Sie sich gleich erneut.',
  'There are {} event streams already; try again later.':
    'Es gibt bereits {} Ereignisströme. Versuchen Sie es später erneut.',
  'The workspace has {} event streams already.': 'Der Workspace hat bereits {} Ereignisströme.',
  'The sub-tenant has {} event streams already.': 'Der Mandant hat bereits {} Ereignisströme.',
  "Only the operator may {}. Use a key of permission admin of the operator's workspace.":
    'Das darf nur der Betreiber ({}). Nehmen Sie einen Schlüssel mit der Berechtigung admin aus seinem Workspace.',
  'A request for one sub-tenant cannot reach the plan. Leave out X-Sub-Tenant-Id, or use a key that is not pinned.':
    'Eine Anfrage für einen Mandanten erreicht den Tarif nicht. Nehmen Sie einen Schlüssel des Workspace.',
  'A request for one sub-tenant cannot reach workspaces. Leave out X-Sub-Tenant-Id, or use a key that is not pinned.':
    'Eine Anfrage für einen Mandanten erreicht die Workspaces nicht. Nehmen Sie einen Schlüssel des Workspace.',
  'A request for one sub-tenant cannot reach the organization. Leave out X-Sub-Tenant-Id, or use a key that is not pinned.':
    'Eine Anfrage für einen Mandanten erreicht die Organisation nicht. Nehmen Sie einen Schlüssel des Workspace.',
  'A request for one sub-tenant cannot reach the people of the organization. Leave out X-Sub-Tenant-Id, or use a key that is not pinned.':
    'Eine Anfrage für einen Mandanten erreicht die Personen der Organisation nicht. Nehmen Sie einen Schlüssel des Workspace.',
  'The plan allows {} {} a {}; {} are used.': 'Der Tarif erlaubt {} {} je {}; {} sind verbraucht.',
  'The server is shutting down.': 'Der Server fährt herunter.',
  'The store does not answer in time.': 'Der Speicher antwortet nicht rechtzeitig.',
  'The database cannot keep the file at the moment. Try again.':
    'Die Datenbank kann die Datei gerade nicht speichern. Versuchen Sie es erneut.',
};

const FORMS: Catalogue = {
  "The receiver's last reply asked to wait until {}.":
    'Die letzte Antwort des Empfängers bat um Geduld bis {}.',
  'The rendered {} {}.': 'Das ausgefüllte Feld {} {}.',
  'The sender has no such list.': 'Der Absender hat keine solche Liste.',
  'The file has {} octets; Range asks for others.': 'Die Datei hat {} Bytes; Range verlangt andere.',
  'This is not the id of an event of the workspace.': 'Das ist nicht die Id eines Ereignisses des Workspace.',
  '{} is neither on a verified domain nor a verified sender.':
    '{} liegt auf keiner bestätigten Domain und ist kein bestätigter Absender.',
  '{} is neither on a verified domain nor a verified sender. Mail of a sub-tenant names it: sub_tenant_id, or the header X-Sub-Tenant-Id.':
    '{} liegt auf keiner bestätigten Domain und ist kein bestätigter Absender. Mail eines Mandanten nennt ihn: sub_tenant_id, oder die Kopfzeile X-Sub-Tenant-Id.',
  'to: is required': 'to: fehlt',
  'The body {}.': 'Der Inhalt {}.',
  'The form {}.': 'Das Formular {}.',
  'The body is empty.': 'Der Inhalt ist leer.',
  '{} must be live or test.': '{} muss live oder test sein.',
  '{} must be given once, with a value.': '{} muss einmal mit einem Wert angegeben werden.',
  'The extensions of a chunk are too large.': 'Die Erweiterungen eines Blocks sind zu groß.',
  'This is not a valid HTTP request.': 'Das ist keine gültige HTTP-Anfrage.',
  'This installation was built without {}.': 'Dieser Installation fehlt {}.',
  'The operator has named no contact: MAILKEEL_SECURITY_CONTACT.':
    'Der Betreiber hat keinen Kontakt genannt: MAILKEEL_SECURITY_CONTACT.',
  'The permission of the key is {}; this operation concerns the whole organization and needs admin. Sign in to do it, or use a key made with: mailkeel admin keys create --mode live --permission admin':
    'Der Schlüssel hat die Berechtigung {}; dieser Vorgang betrifft die ganze Organisation und braucht admin. Melden Sie sich an, oder nehmen Sie einen Schlüssel aus: mailkeel admin keys create --mode live --permission admin',
  'The permission of the key is {}; this operation needs {}{}.':
    'Der Schlüssel hat die Berechtigung {}; dieser Vorgang braucht {}{}.',
  '{} has other records already. Use a name of its own for links.':
    '{} hat bereits andere Einträge. Nehmen Sie für Links einen eigenen Namen.',
  '{} is not written to: {}.': 'An {} wird nicht geschrieben: {}.',
  'is missing, and so are text and subject: nothing is to be filled':
    'fehlt, ebenso Text und Betreff: Es gibt nichts auszufüllen',
  'The filter names a list that does not exist: {}.': 'Der Filter nennt eine Liste, die es nicht gibt: {}.',
  '{} is a segment; a segment is not made of segments':
    '{} ist ein Segment; ein Segment besteht nicht aus Segmenten',
  '{} Ask for mode txt.': '{} Verlangen Sie den Modus txt.',
  'The campaign is canceled and cannot {} any more.':
    'Die Kampagne ist abgebrochen; das ist nicht mehr möglich ({}).',
  'The campaign has been sent and cannot {} any more.':
    'Die Kampagne wurde gesendet; das ist nicht mehr möglich ({}).',
  'The campaign is being sent (status {}) and cannot {} any more.':
    'Die Kampagne wird gesendet (Status {}); das ist nicht mehr möglich ({}).',
  'A campaign with status {} cannot {}.': 'Bei einer Kampagne im Status {} ist das nicht möglich ({}).',
  'The appliance has a workspace number {} already.':
    'Der Server hat bereits einen Workspace mit der Nummer {}.',
};

const PEOPLE: Catalogue = {
  'Too many sign-ins at once; try again in a moment.':
    'Gerade melden sich zu viele an. Versuchen Sie es gleich erneut.',
  'The account has changed in the meantime; try again.':
    'Das Konto wurde inzwischen geändert. Versuchen Sie es erneut.',
  'The account is gone.': 'Das Konto gibt es nicht mehr.',
  'The account already has an authenticator app. Turn it off first.':
    'Das Konto hat bereits eine Authenticator-App. Schalten Sie sie zuerst ab.',
  'There is no new authenticator app to confirm.': 'Es gibt keine neue Authenticator-App zu bestätigen.',
  'The account has no authenticator app.': 'Das Konto hat keine Authenticator-App.',
  'There is an account with this address already.': 'Zu dieser Adresse gibt es bereits ein Konto.',
  'This link was used or replaced, or has expired.':
    'Dieser Link wurde benutzt oder ersetzt, oder er ist abgelaufen.',
  'This set-up link was used, has expired, or was replaced. Restart the server to get a new one.':
    'Dieser Einrichtungslink wurde benutzt, ist abgelaufen oder ersetzt. Starten Sie den Server neu, um einen neuen zu erhalten.',
  'This invitation was accepted, revoked or replaced, or has expired.':
    'Diese Einladung wurde angenommen, widerrufen oder ersetzt, oder sie ist abgelaufen.',
  'The address is being invited at this moment.': 'Die Adresse wird gerade eingeladen.',
  'The invitation was accepted or revoked before.': 'Die Einladung wurde bereits angenommen oder widerrufen.',
  'This address was invited less than a minute ago.':
    'Diese Adresse wurde vor weniger als einer Minute eingeladen.',
  'Only owners and admins can change people. Ask one of them.':
    'Nur Inhaber und Administratoren können Personen ändern. Fragen Sie jemanden davon.',
  'Only an owner can change owners. Ask an owner.':
    'Nur ein Inhaber kann Inhaber ändern. Fragen Sie einen Inhaber.',
  'The role has changed in the meantime.': 'Die Rolle wurde inzwischen geändert.',
  'The key expires or is limited to addresses, so it cannot add people. Use another key, or sign in.':
    'Der Schlüssel läuft ab oder ist auf Adressen beschränkt und kann deshalb niemanden hinzufügen. Nehmen Sie einen anderen, oder melden Sie sich an.',
  'The organization has an owner, so its set-up link has ended. Sign in instead.':
    'Die Organisation hat einen Inhaber, deshalb gilt ihr Einrichtungslink nicht mehr. Melden Sie sich an.',
  'Many programs of this network are waiting to be signed in; try again in some minutes.':
    'Viele Programme dieses Netzes warten auf eine Anmeldung. Versuchen Sie es in einigen Minuten erneut.',
  'The code was taken at the same moment. Try again.':
    'Der Code wurde im selben Moment vergeben. Versuchen Sie es erneut.',
  'This device code is unknown, or its key was fetched.':
    'Dieser Gerätecode ist unbekannt, oder sein Schlüssel wurde schon abgeholt.',
  'The key of this device code was fetched.': 'Der Schlüssel dieses Gerätecodes wurde schon abgeholt.',
  'The API key is unknown or revoked.': 'Der API-Schlüssel ist unbekannt oder widerrufen.',
  'The key was replaced. Its end can only be moved to an earlier time.':
    'Der Schlüssel wurde ersetzt. Sein Ende lässt sich nur vorziehen.',
  'The key was changed at the same time; try again.':
    'Der Schlüssel wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The key was replaced by {}.': 'Der Schlüssel wurde durch {} ersetzt.',
  'The key has expired.': 'Der Schlüssel ist abgelaufen.',
  'The calling key expires. New keys must expire no later than it does.':
    'Der verwendete Schlüssel läuft ab. Neue dürfen nicht später ablaufen.',
  'The calling key is limited to addresses. New keys may only have addresses out of these.':
    'Der verwendete Schlüssel ist auf Adressen beschränkt. Neue dürfen nur Adressen daraus haben.',
  'The workspace has the most API keys that it may have ({}). Revoke some that are not used.':
    'Der Workspace hat die höchste Zahl von API-Schlüsseln ({}). Widerrufen Sie unbenutzte.',
  'The account of the key is gone.': 'Das Konto des Schlüssels gibt es nicht mehr.',
  'A test key cannot make, change or revoke live keys.':
    'Ein Testschlüssel kann Live-Schlüssel weder erstellen noch ändern noch widerrufen.',
  'Only a signed-in person can make a key of permission admin. Sign in, or run: mailkeel admin keys create':
    'Einen Schlüssel mit der Berechtigung admin kann nur eine angemeldete Person erstellen. Melden Sie sich an, oder führen Sie aus: mailkeel admin keys create',
  'A key of permission admin cannot be pinned to a sub-tenant.':
    'Ein Schlüssel mit der Berechtigung admin kann nicht an einen Mandanten gebunden werden.',
  'The key has permission admin: other keys cannot change, replace or revoke it.':
    'Der Schlüssel hat die Berechtigung admin: Andere Schlüssel können ihn nicht ändern, ersetzen oder widerrufen.',
  'The appliance has the most workspaces that it may have ({}). The operator can raise MAILKEEL_WORKSPACES.':
    'Der Server hat die höchste Zahl von Workspaces ({}). Der Betreiber kann MAILKEEL_WORKSPACES erhöhen.',
  'A test key cannot make or change workspaces.':
    'Ein Testschlüssel kann Workspaces weder erstellen noch ändern.',
};

const MAIL: Catalogue = {
  'DKIM keys sign live mail. Use a live key.':
    'DKIM-Schlüssel signieren echte Mail. Nehmen Sie einen Live-Schlüssel.',
  '{} is the zone of this appliance itself. Use a name one label below it.':
    '{} ist die Zone dieses Servers selbst. Nehmen Sie einen Namen eine Ebene darunter.',
  'A sending domain below {} must have one label only, such as customer.{}.':
    'Eine Absenderdomain unter {} darf nur eine Ebene haben, etwa customer.{}.',
  '{} is a reserved name. Use another label.': '{} ist ein reservierter Name. Nehmen Sie einen anderen.',
  'The domain was changed at the same time; try again.':
    'Die Domain wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The DKIM keys changed at the same time; try again.':
    'Die DKIM-Schlüssel wurden gleichzeitig geändert. Versuchen Sie es erneut.',
  'Another workspace has proved this domain; verify makes new records.':
    'Ein anderer Workspace hat diese Domain nachgewiesen; eine Prüfung erstellt neue Einträge.',
  'The sub-tenant is below our zone, where its keys are published for it.':
    'Der Mandant liegt unter unserer Zone, die seine Schlüssel selbst veröffentlicht.',
  'New keys already wait for their DNS records. Publish these first.':
    'Neue Schlüssel warten bereits auf ihre DNS-Einträge. Veröffentlichen Sie zuerst diese.',
  'Both names for keys are in use: one by the key that signs, the other until {} by the former key. Try again then.':
    'Beide Namen für Schlüssel sind belegt: einer vom aktiven, der andere bis {} vom früheren. Versuchen Sie es dann erneut.',
  'Aliases need a zone of the appliance (MAILKEEL_DNS_ZONE), and there is none.':
    'Aliasse brauchen eine Zone des Servers (MAILKEEL_DNS_ZONE), und es gibt keine.',
  'A domain cannot be the From address. Add an address on it, and make that the default.':
    'Eine Domain kann nicht die Absenderadresse sein. Fügen Sie eine Adresse darauf hinzu, und machen Sie diese zum Standard.',
  'Only a verified sender can be the default.': 'Nur ein bestätigter Absender kann der Standard sein.',
  '{} is a sender already.': '{} ist bereits ein Absender.',
  '{} is on a verified domain, so it would be verified at once. Use a live key to add it.':
    '{} liegt auf einer bestätigten Domain und wäre sofort bestätigt. Nehmen Sie dafür einen Live-Schlüssel.',
  'The confirmation is sent as real mail. Use a live key to have it sent.':
    'Die Bestätigung geht als echte Mail hinaus. Nehmen Sie dafür einen Live-Schlüssel.',
  'The sender is used by live mail. Use a live key to change it.':
    'Echte Mail verwendet den Absender. Nehmen Sie zum Ändern einen Live-Schlüssel.',
  'The confirmation was mailed less than a minute ago.':
    'Die Bestätigung ging vor weniger als einer Minute hinaus.',
  'The template has no version {}.': 'Die Vorlage hat keine Version {}.',
  'Too many templates are being read; nothing was stored. Try again.':
    'Gerade werden zu viele Vorlagen gelesen; nichts wurde gespeichert. Versuchen Sie es erneut.',
  'Too many templates are being read; try again.':
    'Gerade werden zu viele Vorlagen gelesen. Versuchen Sie es erneut.',
  'Too many templates are being rendered; nothing was stored. Try again.':
    'Gerade werden zu viele Vorlagen ausgefüllt; nichts wurde gespeichert. Versuchen Sie es erneut.',
  'The template has neither html nor text.': 'Die Vorlage hat weder HTML noch Text.',
  'The template is live, and a test key cannot change it. Copy it to the test environment instead.':
    'Die Vorlage ist live, und ein Testschlüssel kann sie nicht ändern. Kopieren Sie sie in die Testumgebung.',
  'The template belongs to the workspace. Create your own template with the same slug to use that instead.':
    'Die Vorlage gehört dem Workspace. Legen Sie eine eigene mit demselben Kürzel an, um diese zu verwenden.',
  'The template was changed at the same time; try again.':
    'Die Vorlage wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The template belongs to the workspace; use a key of the workspace.':
    'Die Vorlage gehört dem Workspace; nehmen Sie einen Schlüssel des Workspace.',
  'A test key cannot change live templates. Copy the template with a live key.':
    'Ein Testschlüssel kann Live-Vorlagen nicht ändern. Kopieren Sie die Vorlage mit einem Live-Schlüssel.',
  'The template is in the {} environment already.': 'Die Vorlage ist bereits in der Umgebung {}.',
  'There is no such contact.': 'Diesen Kontakt gibt es nicht.',
  'The template is used by {}{}. Change them first, or delete it with force=true.':
    'Die Vorlage wird verwendet von {}{}. Ändern Sie diese zuerst, oder löschen Sie mit force=true.',
  'The contact was added and deleted meanwhile; try again.':
    'Der Kontakt wurde inzwischen hinzugefügt und gelöscht. Versuchen Sie es erneut.',
  'The contact is added and deleted all the time; try again.':
    'Der Kontakt wird laufend hinzugefügt und gelöscht. Versuchen Sie es erneut.',
  'The contact was changed at the same time; try again.':
    'Der Kontakt wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The address is suppressed (reason: {}), so the contact cannot become active. Remove the address from the suppression list first.':
    'Die Adresse ist gesperrt (Grund: {}), deshalb kann der Kontakt nicht aktiv werden. Nehmen Sie sie zuerst von der Sperrliste.',
  'The address is suppressed (reason: {}), and a sign-up does not lift that. Remove the address from the suppression list first.':
    'Die Adresse ist gesperrt (Grund: {}), und eine Anmeldung hebt das nicht auf. Nehmen Sie sie zuerst von der Sperrliste.',
  'The confirmation mail comes from the default sender, and there is none. Make a verified sender the default.':
    'Die Bestätigungsmail kommt vom Standardabsender, und es gibt keinen. Machen Sie einen bestätigten Absender zum Standard.',
  'The export is not completed.': 'Der Export ist nicht abgeschlossen.',
  'The file is gone.': 'Die Datei gibt es nicht mehr.',
  '{} {} are open already. Retry when one of them is done.':
    '{} {} laufen bereits. Versuchen Sie es erneut, wenn einer fertig ist.',
  'A received message has no recipient to suppress.':
    'Eine empfangene Nachricht hat keinen Empfänger, der sich sperren ließe.',
  'The list of its objects is gone.': 'Die Liste der Objekte gibt es nicht mehr.',
  'The {} has ended already.': 'Der Vorgang ist bereits beendet ({}).',
  'No list has this publishable key.': 'Keine Liste hat diesen öffentlichen Schlüssel.',
  'Another sub-tenant has this external_id.': 'Ein anderer Mandant hat diese external_id.',
  'The sub-tenant is used by live mail. Use a live key to change it.':
    'Echte Mail verwendet den Mandanten. Nehmen Sie zum Ändern einen Live-Schlüssel.',
  'The sub-tenant was changed at the same time; try again.':
    'Der Mandant wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The sub-tenant is suspended until its DNS records are right again.':
    'Der Mandant ist gesperrt, bis seine DNS-Einträge wieder richtig sind.',
  'Throttles apply to live mail. Use a live key.':
    'Drosselungen gelten für echte Mail. Nehmen Sie einen Live-Schlüssel.',
  'Recipients of live mail see these pages. Use a live key.':
    'Empfänger echter Mail sehen diese Seiten. Nehmen Sie einen Live-Schlüssel.',
  'Live mail is sent under these names. Use a live key.':
    'Echte Mail geht unter diesen Namen hinaus. Nehmen Sie einen Live-Schlüssel.',
  'This appliance has no domain to send {} from: set MAILKEEL_PLATFORM_DOMAIN{}':
    'Dieser Server hat keine Domain, von der er {} senden kann: Setzen Sie MAILKEEL_PLATFORM_DOMAIN{}',
  'The DKIM record of {} is not in DNS yet, so {} cannot be signed: publish it{}':
    'Der DKIM-Eintrag von {} steht noch nicht im DNS, deshalb lässt sich Folgendes nicht signieren: {}. Veröffentlichen Sie ihn{}',
  alerts: 'Benachrichtigungen',
  'is the same as `from`': 'ist dasselbe wie `from`',
  'You have sent yourself {} tests within an hour. Try again later.':
    'Sie haben sich in einer Stunde {} Tests gesendet. Versuchen Sie es später erneut.',
  'Set a webhook URL before you send it a test.':
    'Legen Sie eine Webhook-URL fest, bevor Sie einen Test senden.',
  'Too many mails of this kind have gone to this address, or were asked for here, in the last hours; try again later.':
    'An diese Adresse gingen in den letzten Stunden zu viele Mails dieser Art, oder hier wurden zu viele verlangt. Versuchen Sie es später erneut.',
  'The subject is longer than {} characters.': 'Der Betreff ist länger als {} Zeichen.',
  '{} is not a contact; {} mail goes to contacts only.':
    '{} ist kein Kontakt; Mail der Art {} geht nur an Kontakte.',
  'A received message cannot be sent again.': 'Eine empfangene Nachricht kann nicht erneut gesendet werden.',
  'The content of the message is not stored any more.':
    'Der Inhalt der Nachricht ist nicht mehr gespeichert.',
  'The sub-tenant is {}; {} sends are refused.': 'Der Mandant ist {}; Sendungen ({}) werden abgelehnt.',
  'The display name of {} shows another address, {}, which is not a verified sender.':
    'Der Anzeigename von {} zeigt eine andere Adresse, {}, die kein bestätigter Absender ist.',
  'There is no such thread in the scope of this request.':
    'Diese Unterhaltung gibt es im Bereich dieser Anfrage nicht.',
  'The html is longer than {} characters: its CSS cannot be inlined.':
    'Das HTML ist länger als {} Zeichen: Sein CSS lässt sich nicht einbetten.',
  'The CSS of the html cannot be inlined.': 'Das CSS des HTML lässt sich nicht einbetten.',
  'The endpoint is disabled; enable it before testing it.':
    'Der Endpunkt ist abgeschaltet; schalten Sie ihn vor dem Test ein.',
  'The endpoint is disabled; enable it before a replay.':
    'Der Endpunkt ist abgeschaltet; schalten Sie ihn vor dem erneuten Senden ein.',
  'Another replay of this endpoint is under way.': 'Für diesen Endpunkt läuft bereits ein erneutes Senden.',
  'The endpoint was changed at this moment by another request; send this one again.':
    'Der Endpunkt wurde gleichzeitig geändert; senden Sie die Anfrage erneut.',
  'The endpoint was changed at this moment by another request.': 'Der Endpunkt wurde gleichzeitig geändert.',
  'An environment of a workspace has at most {} webhook endpoints.':
    'Eine Umgebung eines Workspace hat höchstens {} Webhook-Endpunkte.',
  'The campaign is being sent; pause it first, then cancel it.':
    'Die Kampagne wird gesendet; halten Sie sie zuerst an, und brechen Sie sie dann ab.',
  'The campaign is being sent; pause it and cancel it first.':
    'Die Kampagne wird gesendet; halten Sie sie zuerst an, und brechen Sie sie ab.',
  'The list belongs to the sub-tenant {}; give that as sub_tenant_id.':
    'Die Liste gehört dem Mandanten {}; geben Sie ihn als sub_tenant_id an.',
  'There is no template {}.': 'Die Vorlage {} gibt es nicht.',
  'The campaign is being sent, or has been.': 'Die Kampagne wird oder wurde gesendet.',
  'A scheduled campaign has a time; give another, or cancel it.':
    'Eine geplante Kampagne hat eine Zeit; geben Sie eine andere an, oder brechen Sie sie ab.',
  'The campaign was changed at the same time; try again.':
    'Die Kampagne wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'The campaign has moved on meanwhile; try again.':
    'Die Kampagne ist inzwischen weiter. Versuchen Sie es erneut.',
  'The campaign has no template yet. Choose one.': 'Die Kampagne hat noch keine Vorlage. Wählen Sie eine.',
  'The campaign has no subject and its template supplies none; give one of them a subject.':
    'Weder Kampagne noch Vorlage haben einen Betreff; geben Sie einer von beiden einen.',
  "The template {} is for {} messages; the campaign's are {}.":
    'Die Vorlage {} ist für Nachrichten der Art {}; die der Kampagne sind {}.',
  'This recipient has no edited copy.': 'Dieser Empfänger hat keine bearbeitete Mail.',
  "The campaign's list has been deleted.": 'Die Liste der Kampagne wurde gelöscht.',
  'A backup was restored and its mail is held. The operator releases it first: mailkeel admin restore --release':
    'Ein Backup wurde zurückgespielt, und seine Mail wartet. Der Betreiber gibt sie zuerst frei: mailkeel admin restore --release',
  'There is no such campaign.': 'Diese Kampagne gibt es nicht.',
  'The sequence was changed at the same time; try again.':
    'Die Sequenz wurde gleichzeitig geändert. Versuchen Sie es erneut.',
  'There is no such contact; only contacts can be enrolled.':
    'Diesen Kontakt gibt es nicht; nur Kontakte können aufgenommen werden.',
  'The enrolment has ended already.': 'Die Teilnahme ist bereits beendet.',
  'Template "{}" has been deleted. Create a template with this slug or change the step, then resume the sequence.':
    'Die Vorlage „{}“ wurde gelöscht. Legen Sie eine mit diesem Kürzel an, oder ändern Sie den Schritt, und setzen Sie die Sequenz dann fort.',
  'Template "{}" is for {} messages. Change its type or the step, then resume the sequence.':
    'Die Vorlage „{}“ ist für Nachrichten der Art {}. Ändern Sie ihre Art oder den Schritt, und setzen Sie die Sequenz dann fort.',
  'There is no such list that a contact can join; a segment is none.':
    'Eine solche Liste, der ein Kontakt beitreten kann, gibt es nicht; ein Segment ist keine.',
};

export const REFUSAL_TEXTS: Catalogue = { ...CODES, ...REQUESTS, ...FORMS, ...PEOPLE, ...MAIL };
