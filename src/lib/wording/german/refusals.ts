// Translates refusals that concern a whole request.
import type { Catalogue } from '../translate.js';

/** Translations by the code of the refusal. */
const CODES: Catalogue = {
  'The request could not be parsed. The JSON is malformed, or a header contradicts the body.':
    'Die Anfrage ist nicht lesbar. Das JSON ist fehlerhaft, oder ein Header widerspricht dem Inhalt.',
  'The cursor does not belong to this list.': 'Der Cursor gehört nicht zu dieser Liste.',
  'This event belongs to a history that was rolled back by a restore. Resume from `details.resume_after` and reconcile your data.':
    'Dieses Ereignis gehört zu einem Verlauf, den eine Wiederherstellung verworfen hat. Setzen Sie bei `details.resume_after` fort und gleichen Sie Ihre Daten ab.',
  'The Idempotency-Key header does not match the idempotency_key field.':
    'Der Header Idempotency-Key stimmt nicht mit dem Feld idempotency_key überein.',
  'The API key, the X-Sub-Tenant-Id header and the sub_tenant_id field refer to different sub-tenants.':
    'API-Schlüssel, Header X-Sub-Tenant-Id und Feld sub_tenant_id bezeichnen verschiedene Mandanten.',
  'The API key is missing, unknown, revoked or expired.':
    'Der API-Schlüssel fehlt, ist unbekannt, widerrufen oder abgelaufen.',
  'The email address, password or code is incorrect, or the account is temporarily locked.':
    'E-Mail-Adresse, Passwort oder Code ist falsch, oder das Konto ist vorübergehend gesperrt.',
  'The account uses two-factor authentication. Send `totp` or `recovery_code` with the password.':
    'Das Konto nutzt Zwei-Faktor-Authentifizierung. Senden Sie `totp` oder `recovery_code` mit dem Passwort.',
  "The plan's daily or monthly sending limit has been reached.":
    'Das Tages- oder Monatslimit des Tarifs ist erreicht.',
  'The API key lacks the permission required for this operation.':
    'Dem API-Schlüssel fehlt die nötige Berechtigung für diesen Vorgang.',
  'This operation requires a signed-in user. API keys cannot use it.':
    'Für diesen Vorgang müssen Sie angemeldet sein. API-Schlüssel können ihn nicht ausführen.',
  'Changes made in a signed-in session require its X-CSRF-Token header.':
    'Änderungen in einer angemeldeten Sitzung brauchen deren Header X-CSRF-Token.',
  'The send policy of the API key does not allow this message. `details.policy_field` names the field of the policy.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt diese Nachricht nicht. `details.policy_field` nennt das Feld der Richtlinie.',
  'The API key does not allow requests from this IP address.':
    'Der API-Schlüssel erlaubt keine Anfragen von dieser IP-Adresse.',
  'The sub-tenant is paused, or it is suspended and cannot send live mail.':
    'Der Mandant ist pausiert, oder er ist gesperrt und kann keine Live-Mail senden.',
  'The object does not exist or is not accessible with this API key.':
    'Das Objekt existiert nicht oder ist mit diesem API-Schlüssel nicht zugänglich.',
  'The address is not a recipient of this campaign.': 'Die Adresse ist kein Empfänger dieser Kampagne.',
  'Method not allowed for this path. See the `Allow` header.':
    'Methode für diesen Pfad nicht erlaubt. Siehe Header `Allow`.',
  'The request timed out before it was complete, and the connection was closed.':
    'Die Anfrage war nicht rechtzeitig vollständig; die Verbindung wurde geschlossen.',
  'The current state of the object does not allow this operation, or the object already exists.':
    'Der Zustand des Objekts lässt diesen Vorgang nicht zu, oder das Objekt existiert bereits.',
  'The object has changed since the version given in If-Match. Fetch it again and reapply your change. `details.updated_at` is the time of the latest change.':
    'Das Objekt hat sich seit der Version in If-Match geändert. Rufen Sie es erneut ab und wiederholen Sie Ihre Änderung. `details.updated_at` ist die Zeit der letzten Änderung.',
  'An organization must have at least one owner.': 'Eine Organisation braucht mindestens einen Inhaber.',
  'This email address already belongs to a member of the organization.':
    'Diese E-Mail-Adresse gehört bereits einem Mitglied der Organisation.',
  'This idempotency key was already used with a different request.':
    'Dieser Idempotenzschlüssel wurde bereits mit einer anderen Anfrage verwendet.',
  'A request with this idempotency key is still in progress. Retry in a moment to get its response.':
    'Eine Anfrage mit diesem Idempotenzschlüssel läuft noch. Wiederholen Sie sie gleich, um die Antwort zu erhalten.',
  'The first request with this idempotency key succeeded, but its response was not stored. `details.id` is the ID of the object it created.':
    'Die erste Anfrage mit diesem Idempotenzschlüssel war erfolgreich, aber ihre Antwort wurde nicht gespeichert. `details.id` ist die ID des angelegten Objekts.',
  'The domain or name is already in use on this server.':
    'Die Domain oder der Name wird auf diesem Server bereits verwendet.',
  'The list is a segment. Its filter determines the contacts, so you cannot add or remove them.':
    'Die Liste ist ein Segment. Der Filter bestimmt die Kontakte; hinzufügen oder entfernen können Sie keine.',
  'The contact unsubscribed from this list. Set `resubscribe` to `true` to add the contact again.':
    'Der Kontakt hat sich von dieser Liste abgemeldet. Setzen Sie `resubscribe` auf `true`, um ihn wieder aufzunehmen.',
  'Another template already uses this slug.': 'Eine andere Vorlage verwendet diesen Slug bereits.',
  'Only scheduled or queued messages can be canceled or rescheduled.':
    'Nur geplante oder wartende Nachrichten lassen sich abbrechen oder neu planen.',
  'Outcomes can be simulated only for sandbox messages, which are sent with a test key.':
    'Ergebnisse lassen sich nur für Sandbox-Nachrichten simulieren, die mit einem Testschlüssel gesendet wurden.',
  "The simulated outcome is not valid after the message's current outcome.":
    'Das simulierte Ergebnis ist nach dem bisherigen Ergebnis der Nachricht nicht möglich.',
  'The campaign is being sent or has been sent. Only draft and scheduled campaigns can be changed.':
    'Die Kampagne wird gerade gesendet oder wurde gesendet. Ändern lassen sich nur Entwürfe und geplante Kampagnen.',
  'The campaign needs a list and a template. `details.fields` lists what is missing.':
    'Die Kampagne braucht eine Liste und eine Vorlage. `details.fields` nennt, was fehlt.',
  'The campaign has been canceled.': 'Die Kampagne wurde abgebrochen.',
  'The template is used by sequences, unfinished campaigns or list confirmation emails, which are listed in `details`. Set `force=true` to delete it anyway.':
    'Die Vorlage wird von Sequenzen, laufenden Kampagnen oder Bestätigungsmails verwendet; siehe `details`. Mit `force=true` löschen Sie sie trotzdem.',
  'The contact is already enrolled in this sequence.': 'Der Kontakt ist bereits in dieser Sequenz.',
  'The address is suppressed, or the contact has unsubscribed, bounced or complained.':
    'Die Adresse ist gesperrt, oder der Kontakt hat sich abgemeldet, ist gebounct oder hat sich beschwert.',
  'The workspace or sub-tenant has reached its storage limit for export and import files. Delete exports that you no longer need.':
    'Der Workspace oder Mandant hat sein Speicherlimit für Export- und Importdateien erreicht. Löschen Sie Exporte, die Sie nicht mehr brauchen.',
  'The request body exceeds the size limit of this operation.':
    'Der Inhalt der Anfrage überschreitet das Größenlimit dieses Vorgangs.',
  'The request body must have the content type application/json.':
    'Der Inhalt der Anfrage muss den Typ application/json haben.',
  'One or more fields are invalid. See `details.fields`.':
    'Ein oder mehrere Felder sind ungültig. Siehe `details.fields`.',
  'Marketing and sales messages can be sent only to contacts.':
    'Marketing- und Vertriebsnachrichten können nur an Kontakte gehen.',
  'Marketing and sales messages require a postal address. Ask an admin to set one for the organization.':
    'Marketing- und Vertriebsnachrichten brauchen eine Postanschrift. Bitten Sie einen Admin, sie für die Organisation zu hinterlegen.',
  'The message has no subject, and neither does its template.':
    'Weder die Nachricht noch ihre Vorlage hat einen Betreff.',
  'The message has no content. Set `html`, `text` or a template.':
    'Die Nachricht hat keinen Inhalt. Geben Sie `html`, `text` oder eine Vorlage an.',
  'The message has no `from`, and no default sender is set. Set `from` or choose a default sender.':
    'Die Nachricht hat kein `from`, und es gibt keinen Standardabsender. Geben Sie `from` an oder wählen Sie einen Standardabsender.',
  'The From address must be a verified sender or be on a verified domain.':
    'Die From-Adresse muss ein bestätigter Absender sein oder zu einer bestätigten Domain gehören.',
  'The template contains a syntax error or exceeds a limit.':
    'Die Vorlage enthält einen Syntaxfehler oder überschreitet ein Limit.',
  'The template in the request does not exist.': 'Die Vorlage in der Anfrage existiert nicht.',
  'The list in the request does not exist.': 'Die Liste in der Anfrage existiert nicht.',
  'A campaign can have up to 4 variants.': 'Eine Kampagne kann bis zu 4 Varianten haben.',
  'The sub-tenant in the request does not exist.': 'Der Mandant in der Anfrage existiert nicht.',
  'The webhook URL must resolve to a public HTTP or HTTPS address.':
    'Die Webhook-URL muss auf eine öffentliche HTTP- oder HTTPS-Adresse führen.',
  'Too many requests. Retry after the time given in the Retry-After header.':
    'Zu viele Anfragen. Versuchen Sie es nach der im Header Retry-After genannten Zeit erneut.',
  'The request line and headers exceed 16 KiB, and the connection was closed.':
    'Anfragezeile und Header überschreiten 16 KiB; die Verbindung wurde geschlossen.',
  'An internal error occurred. The operator can look up the request ID in the server log.':
    'Ein interner Fehler ist aufgetreten. Der Betreiber findet die Request-ID im Serverprotokoll.',
  'The server or its database is overloaded. Nothing was stored. Retry the request.':
    'Der Server oder seine Datenbank ist überlastet. Es wurde nichts gespeichert. Wiederholen Sie die Anfrage.',
  'The server cannot store changes: the replica does not respond ({}).':
    'Der Server kann keine Änderungen speichern: Die Replik antwortet nicht ({}).',
  'The server cannot store changes: the replica has no complete full copy yet.':
    'Der Server kann keine Änderungen speichern: Die Replik hat noch keine vollständige Kopie.',
  'The server cannot store changes: the replica has been behind for {} seconds.':
    'Der Server kann keine Änderungen speichern: Die Replik ist seit {} Sekunden im Rückstand.',
  'This request needs a damaged part of the database. Nothing was stored. The server log tells the operator how to repair it.':
    'Diese Anfrage braucht einen beschädigten Teil der Datenbank. Es wurde nichts gespeichert. Das Serverprotokoll sagt dem Betreiber, was zu tun ist.',
  'The query took too long. Choose a shorter period or a filter that matches fewer objects.':
    'Die Abfrage dauerte zu lange. Wählen Sie einen kürzeren Zeitraum oder einen engeren Filter.',
};

const REQUESTS: Catalogue = {
  'The server is receiving too many large requests. Nothing was stored. Retry in a moment.':
    'Der Server empfängt zu viele große Anfragen. Es wurde nichts gespeichert. Versuchen Sie es gleich erneut.',
  'The request body ended before it was complete.': 'Der Inhalt der Anfrage endete vorzeitig.',
  'The request body does not match its Content-Length.':
    'Der Inhalt der Anfrage stimmt nicht mit Content-Length überein.',
  'The request body is not valid UTF-8.': 'Der Inhalt der Anfrage ist kein gültiges UTF-8.',
  'An object in the request body contains a duplicate field.':
    'Ein Objekt im Inhalt der Anfrage enthält ein Feld doppelt.',
  'The URL path contains invalid percent-encoding.': 'Der URL-Pfad enthält eine ungültige Prozentkodierung.',
  'A segment of the URL path is too long.': 'Ein Abschnitt des URL-Pfads ist zu lang.',
  'The charset {} is not supported. Send the file as UTF-8.':
    'Der Zeichensatz {} wird nicht unterstützt. Senden Sie die Datei als UTF-8.',
  'The form does not contain a file.': 'Das Formular enthält keine Datei.',
  'The request body exceeds the limit of {} bytes for this operation.':
    'Der Inhalt der Anfrage überschreitet das Limit von {} Bytes für diesen Vorgang.',
  'Unknown header {}. Did you mean {}?': 'Unbekannter Header {}. Meinten Sie {}?',
  'No such route: {} {}.': 'Diese Route gibt es nicht: {} {}.',
  'This API key belongs to a different {}.': 'Dieser API-Schlüssel gehört zu einem anderen Bereich ({}).',
  'The header {} conflicts with {}.': 'Der Header {} widerspricht {}.',
  'The API key was created by a user with the role {}. This operation requires {}.':
    'Der API-Schlüssel wurde von einer Person mit der Rolle {} erstellt. Dieser Vorgang erfordert {}.',
  'This operation applies to the whole organization. Use a live key, or sign in.':
    'Dieser Vorgang betrifft die ganze Organisation. Verwenden Sie einen Live-Schlüssel, oder melden Sie sich an.',
  'Too many failed authentication attempts from this IP address. Try again later.':
    'Zu viele fehlgeschlagene Anmeldungen von dieser IP-Adresse. Versuchen Sie es später erneut.',
  'Your session has ended. Sign in again.': 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  'The workspace does not exist.': 'Der Workspace existiert nicht.',
  'Your role is {}. This operation requires {}.': 'Ihre Rolle ist {}. Dieser Vorgang erfordert {}.',
  'The workspace has reached its limit of {} requests per minute.':
    'Der Workspace hat sein Limit von {} Anfragen pro Minute erreicht.',
  'The sub-tenant has reached its limit of {} requests per minute.':
    'Der Mandant hat sein Limit von {} Anfragen pro Minute erreicht.',
  'You can request up to {} sub-tenants, senders and key rotations per minute.':
    'Sie können bis zu {} Mandanten, Absender und Schlüsselwechsel pro Minute anfordern.',
  'Too many attempts from this IP address. Try again later.':
    'Zu viele Versuche von dieser IP-Adresse. Versuchen Sie es später erneut.',
  'API keys pinned to a sub-tenant cannot perform this operation. Use a workspace key.':
    'API-Schlüssel eines Mandanten können diesen Vorgang nicht ausführen. Verwenden Sie einen Schlüssel des Workspaces.',
  'This link is no longer valid. Ask the person who sent it for a new one.':
    'Dieser Link ist nicht mehr gültig. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  'You have reached the limit of {} saved blocks. Delete one first.':
    'Das Limit von {} gespeicherten Blöcken ist erreicht. Löschen Sie zuerst einen.',
  'This saved block belongs to the workspace.': 'Dieser gespeicherte Block gehört dem Workspace.',
  'You have reached the limit of {} active share links. Revoke one first.':
    'Das Limit von {} aktiven Freigabelinks ist erreicht. Beenden Sie zuerst einen.',
  'Too many destinations are being traced. Try again in 30 seconds.':
    'Zu viele Ziele werden verfolgt. Versuchen Sie es in 30 Sekunden erneut.',
  'The destination is paused for the whole workspace.': 'Das Ziel ist für den ganzen Workspace pausiert.',
  'Mail to {} was retried less than a minute ago. Try again later.':
    'Mail an {} wurde vor weniger als einer Minute wiederholt. Versuchen Sie es später erneut.',
  'The server is shutting down. Reconnect in a moment.':
    'Der Server wird heruntergefahren. Verbinden Sie sich gleich erneut.',
  'The server has reached its limit of {} event streams. Try again later.':
    'Der Server hat sein Limit von {} Ereignisströmen erreicht. Versuchen Sie es später erneut.',
  'The workspace has reached its limit of {} event streams.':
    'Der Workspace hat sein Limit von {} Ereignisströmen erreicht.',
  'The sub-tenant has reached its limit of {} event streams.':
    'Der Mandant hat sein Limit von {} Ereignisströmen erreicht.',
  "Only the operator can {}. Use a key with admin permission from the operator's workspace.":
    'Nur der Betreiber kann das ({}). Verwenden Sie einen Schlüssel mit der Berechtigung admin aus dem Workspace des Betreibers.',
  "Only the operator can {} in the live environment. Use a live key with admin permission from the operator's workspace.":
    'Nur der Betreiber kann das ({}), und nur in der Live-Umgebung. Verwenden Sie einen Live-Schlüssel mit der Berechtigung admin aus dem Workspace des Betreibers.',
  'Requests scoped to a sub-tenant cannot access the plan. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.':
    'Anfragen für einen Mandanten haben keinen Zugriff auf den Tarif. Stellen Sie die Anfrage für den ganzen Workspace, mit einem Schlüssel ohne festen Mandanten.',
  'Requests scoped to a sub-tenant cannot access workspaces. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.':
    'Anfragen für einen Mandanten haben keinen Zugriff auf Workspaces. Stellen Sie die Anfrage für den ganzen Workspace, mit einem Schlüssel ohne festen Mandanten.',
  'Requests scoped to a sub-tenant cannot access the organization. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.':
    'Anfragen für einen Mandanten haben keinen Zugriff auf die Organisation. Stellen Sie die Anfrage für den ganzen Workspace, mit einem Schlüssel ohne festen Mandanten.',
  "Requests scoped to a sub-tenant cannot access the organization's members. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.":
    'Anfragen für einen Mandanten haben keinen Zugriff auf die Mitglieder der Organisation. Stellen Sie die Anfrage für den ganzen Workspace, mit einem Schlüssel ohne festen Mandanten.',
  'API keys cannot approve or reject messages. Only a signed-in person can.':
    'API-Schlüssel können Nachrichten weder freigeben noch ablehnen. Das kann nur eine angemeldete Person.',
  'The message has changed since you read it. Review it again.':
    'Die Nachricht hat sich geändert, seit Sie sie gelesen haben. Prüfen Sie sie erneut.',
  'The message was canceled or rescheduled in the meantime. Try again.':
    'Die Nachricht wurde inzwischen abgebrochen oder neu geplant. Versuchen Sie es noch einmal.',
  'The message was already approved.': 'Die Nachricht wurde bereits freigegeben.',
  'The message was already rejected.': 'Die Nachricht wurde bereits abgelehnt.',
  'The approval request has expired.': 'Die Freigabeanfrage ist abgelaufen.',
  'The message is waiting for approval.': 'Die Nachricht wartet auf Freigabe.',
  'The server is shutting down. Retry in a moment.':
    'Der Server wird heruntergefahren. Versuchen Sie es gleich noch einmal.',
  'The server has reached its limit of {} waiting requests.':
    'Der Server hat sein Limit von {} wartenden Anfragen erreicht.',
  'The workspace has reached its limit of {} waiting requests.':
    'Der Workspace hat sein Limit von {} wartenden Anfragen erreicht.',
  'The API key or user has reached its limit of {} waiting requests.':
    'Der API-Schlüssel oder Benutzer hat sein Limit von {} wartenden Anfragen erreicht.',
  'The message is waiting for approval and cannot be resent.':
    'Die Nachricht wartet auf Freigabe und kann nicht erneut gesendet werden.',
  'Messages submitted as MIME cannot be edited, because they are sent exactly as they were submitted. Reject the message instead.':
    'Als MIME eingelieferte Nachrichten können nicht bearbeitet werden, weil sie unverändert gesendet werden. Lehnen Sie die Nachricht stattdessen ab.',
  'You cannot approve messages. Ask an owner or admin for the permission.':
    'Sie können keine Nachrichten freigeben. Bitten Sie einen Inhaber oder Admin um die Berechtigung.',
  'The organization requires two-person approval, and the message was sent with your API key. Ask another approver.':
    'In der Organisation gilt das Vier-Augen-Prinzip, und die Nachricht wurde mit Ihrem API-Schlüssel gesendet. Bitten Sie jemand anderen um die Freigabe.',
  'The organization requires two-person approval, and you edited this version. Ask another approver.':
    'In der Organisation gilt das Vier-Augen-Prinzip, und Sie haben diese Fassung bearbeitet. Bitten Sie jemand anderen um die Freigabe.',
  'The send policy of the API key does not allow the sender {}.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt den Absender {} nicht.',
  'The send policy of the API key does not allow the recipient {}.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt den Empfänger {} nicht.',
  'The send policy of the API key allows {} recipients per message, and this one has {}.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt {} Empfänger pro Nachricht, diese hat {}.',
  'The send policy of the API key does not allow blind copies.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt keine Blindkopien.',
  'The send policy of the API key allows only messages with a template.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt nur Nachrichten mit einer Vorlage.',
  'The send policy of the API key does not allow attachments.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt keine Anhänge.',
  'The message is too long to check its links, which the send policy of the API key restricts.':
    'Die Nachricht ist zu lang, um ihre Links zu prüfen, die die Versandrichtlinie des API-Schlüssels beschränkt.',
  'The send policy of the API key does not allow links to {}.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt keine Links zu {}.',
  'The send policy of the API key allows {} messages per hour, and {} have been used.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt {} Nachrichten pro Stunde, {} sind verbraucht.',
  'The send policy of the API key allows {} messages per day, and {} have been used.':
    'Die Versandrichtlinie des API-Schlüssels erlaubt {} Nachrichten pro Tag, {} sind verbraucht.',
  'API keys with a send policy cannot subscribe contacts. Use another key.':
    'API-Schlüssel mit Versandrichtlinie können keine Kontakte anmelden. Verwenden Sie einen anderen Schlüssel.',
  'The plan allows {} {} per {}, and {} have been used.':
    'Der Tarif erlaubt {} {} pro {}; {} sind verbraucht.',
  'The server is shutting down.': 'Der Server fährt herunter.',
  'The database did not respond in time.': 'Die Datenbank hat nicht rechtzeitig geantwortet.',
  'The database cannot store the file right now. Try again.':
    'Die Datenbank kann die Datei gerade nicht speichern. Versuchen Sie es erneut.',
};

const FORMS: Catalogue = {
  "The recipient's mail server asked to wait until {}.":
    'Der Mailserver des Empfängers bat, bis {} zu warten.',
  'The rendered {} {}.': 'Nach dem Ausfüllen ist {} ungültig: {}.',
  'The list does not exist for this sender.': 'Die Liste existiert bei diesem Absender nicht.',
  'The file is {} bytes long, and the requested Range is outside it.':
    'Die Datei ist {} Bytes lang; der angeforderte Range liegt außerhalb.',
  'The ID does not belong to an event of this workspace.':
    'Die ID gehört zu keinem Ereignis dieses Workspaces.',
  '{} is not a verified sender and is not on a verified domain. Verify the domain or choose another sender.':
    '{} ist kein bestätigter Absender und gehört zu keiner bestätigten Domain. Bestätigen Sie die Domain oder wählen Sie einen anderen Absender.',
  '{} is not a verified sender and is not on a verified domain.':
    '{} ist kein bestätigter Absender und gehört zu keiner bestätigten Domain.',
  'Verify the domain or choose another sender.':
    'Bestätigen Sie die Domain oder wählen Sie einen anderen Absender.',
  'To send from a domain of a sub-tenant, name the sub-tenant.':
    'Um von der Domain eines Mandanten zu senden, geben Sie den Mandanten an.',
  'To allow any reply address, change the reply policy of the organization.':
    'Um jede Antwortadresse zu erlauben, ändern Sie die Richtlinie der Organisation für Antwortadressen.',
  'to: is required': 'to: fehlt',
  'The request body {}.': 'Der Inhalt der Anfrage {}.',
  'The form {}.': 'Das Formular {}.',
  'The request body is empty.': 'Der Inhalt der Anfrage ist leer.',
  '{} must be `live` or `test`.': '{} muss `live` oder `test` sein.',
  '{} must be specified exactly once and must not be empty.':
    '{} muss genau einmal angegeben werden und darf nicht leer sein.',
  'The chunk extensions are too large.': 'Die Chunk-Erweiterungen sind zu groß.',
  'The request is not valid HTTP.': 'Die Anfrage ist kein gültiges HTTP.',
  '{} is not included in this build.': '{} ist in diesem Build nicht enthalten.',
  'No security contact is configured. The operator can set MAILKEEL_SECURITY_CONTACT.':
    'Es ist kein Sicherheitskontakt eingerichtet. Der Betreiber kann MAILKEEL_SECURITY_CONTACT setzen.',
  'The API key has {} permission. This operation applies to the whole organization and requires admin. Sign in, or create a key with: mailkeel admin keys create --mode live --permission admin':
    'Der API-Schlüssel hat die Berechtigung {}. Dieser Vorgang betrifft die ganze Organisation und erfordert admin. Melden Sie sich an, oder erstellen Sie einen Schlüssel mit: mailkeel admin keys create --mode live --permission admin',
  'The API key has {} permission. This operation requires {}{}.':
    'Der API-Schlüssel hat die Berechtigung {}. Dieser Vorgang erfordert {}{}.',
  '{} already has other DNS records. Use a separate name for links.':
    '{} hat bereits andere DNS-Einträge. Verwenden Sie für Links einen eigenen Namen.',
  '{} cannot receive mail: {}.': '{} kann keine Mail erhalten: {}.',
  'is missing. Provide html, text or subject': 'fehlt. Geben Sie html, text oder subject an',
  'The filter refers to a list that does not exist: {}.':
    'Der Filter verweist auf eine Liste, die nicht existiert: {}.',
  '{} is a segment. A segment cannot be based on another segment':
    '{} ist ein Segment. Ein Segment kann nicht auf einem anderen Segment beruhen',
  '{} Use mode txt instead.': '{} Verwenden Sie stattdessen den Modus txt.',
  'The campaign is canceled and can no longer {}.':
    'Die Kampagne ist abgebrochen; das ist nicht mehr möglich ({}).',
  'The campaign has been sent and can no longer {}.':
    'Die Kampagne wurde gesendet; das ist nicht mehr möglich ({}).',
  'The campaign is being sent (status {}) and can no longer {}.':
    'Die Kampagne wird gesendet (Status {}); das ist nicht mehr möglich ({}).',
  'A campaign with status {} cannot {}.': 'Bei einer Kampagne im Status {} ist das nicht möglich ({}).',
  'A workspace with number {} already exists.': 'Ein Workspace mit der Nummer {} existiert bereits.',
};

const PEOPLE: Catalogue = {
  'Too many sign-ins are in progress. Try again in a moment.':
    'Zu viele Anmeldungen laufen gleichzeitig. Versuchen Sie es gleich erneut.',
  'The account was changed by another request. Try again.':
    'Das Konto wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The account no longer exists.': 'Das Konto existiert nicht mehr.',
  'The account already has an authenticator app. Remove it first.':
    'Das Konto hat bereits eine Authenticator-App. Entfernen Sie sie zuerst.',
  'There is no pending authenticator app to confirm.':
    'Es gibt keine neue Authenticator-App, die zu bestätigen wäre.',
  'The account does not have an authenticator app.': 'Das Konto hat keine Authenticator-App.',
  'An account with this email address already exists.':
    'Ein Konto mit dieser E-Mail-Adresse existiert bereits.',
  'This link has expired, or has already been used or replaced.':
    'Dieser Link ist abgelaufen oder wurde bereits verwendet oder ersetzt.',
  'This setup link has expired, or has already been used or replaced. Restart the server to get a new one.':
    'Dieser Einrichtungslink ist abgelaufen oder wurde bereits verwendet oder ersetzt. Starten Sie den Server neu, um einen neuen zu erhalten.',
  'This invitation has expired, or has already been accepted, revoked or replaced.':
    'Diese Einladung ist abgelaufen oder wurde bereits angenommen, widerrufen oder ersetzt.',
  'Another request is already inviting this address.': 'Eine andere Anfrage lädt diese Adresse gerade ein.',
  'The invitation has already been accepted or revoked.':
    'Die Einladung wurde bereits angenommen oder widerrufen.',
  'This address was invited less than a minute ago. Try again later.':
    'Diese Adresse wurde vor weniger als einer Minute eingeladen. Versuchen Sie es später erneut.',
  'Only owners and admins can manage members. Ask an owner or admin.':
    'Nur Inhaber und Admins können Mitglieder verwalten. Wenden Sie sich an einen von ihnen.',
  'Only an owner can turn off two-person approval. Ask an owner.':
    'Nur ein Inhaber kann das Vier-Augen-Prinzip abschalten. Fragen Sie einen Inhaber.',
  'Only an owner can change other owners. Ask an owner.':
    'Nur ein Inhaber kann Inhaber ändern. Wenden Sie sich an einen Inhaber.',
  'The role was changed by another request.': 'Die Rolle wurde durch eine andere Anfrage geändert.',
  'API keys that expire or are restricted to IP addresses cannot add members. Use another key, or sign in.':
    'API-Schlüssel mit Ablauf oder IP-Beschränkung können keine Mitglieder hinzufügen. Verwenden Sie einen anderen Schlüssel, oder melden Sie sich an.',
  'The organization already has an owner, so the setup link is no longer valid. Sign in instead.':
    'Die Organisation hat bereits einen Inhaber; der Einrichtungslink gilt nicht mehr. Melden Sie sich stattdessen an.',
  'Too many sign-in requests from this network are pending. Try again in a few minutes.':
    'Aus diesem Netz sind zu viele Anmeldeanfragen offen. Versuchen Sie es in einigen Minuten erneut.',
  'Another sign-in used the same code. Try again.':
    'Eine andere Anmeldung hat denselben Code verwendet. Versuchen Sie es erneut.',
  'The device code is unknown, or its API key has already been retrieved.':
    'Der Gerätecode ist unbekannt, oder sein API-Schlüssel wurde bereits abgerufen.',
  'The API key for this device code has already been retrieved.':
    'Der API-Schlüssel zu diesem Gerätecode wurde bereits abgerufen.',
  'The API key is unknown or revoked.': 'Der API-Schlüssel ist unbekannt oder widerrufen.',
  'The API key does not belong to you, and SES credentials have the same rights as the key. Rotate the key, or create your own.':
    'Der API-Schlüssel gehört Ihnen nicht, und SES-Zugangsdaten haben dieselben Rechte wie der Schlüssel. Rotieren Sie ihn, oder erstellen Sie einen eigenen.',
  'The API key has been replaced. Its expiry can only be moved to an earlier time.':
    'Der API-Schlüssel wurde ersetzt. Sein Ablauf lässt sich nur vorverlegen.',
  'The API key was changed by another request. Try again.':
    'Der API-Schlüssel wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The API key was replaced by {}.': 'Der API-Schlüssel wurde durch {} ersetzt.',
  'The API key belongs to a connected application, which uses tokens. Disconnect the application by revoking the key.':
    'Der API-Schlüssel gehört zu einer verbundenen Anwendung, die Token verwendet. Widerrufen Sie ihn, um die Anwendung zu trennen.',
  'The application cannot be connected. {}': 'Die Anwendung kann nicht verbunden werden. {}',
  'The application cannot be connected, because it has not registered the redirect URI in its request.':
    'Die Anwendung kann nicht verbunden werden, weil sie die angegebene Redirect-URI nicht registriert hat.',
  'This network has registered too many clients. Try again tomorrow.':
    'Aus diesem Netz wurden zu viele Anwendungen registriert. Versuchen Sie es morgen erneut.',
  'A send policy requires the permission send.': 'Eine Versandrichtlinie setzt die Berechtigung send voraus.',
  'Requests from other websites are not allowed. The Origin must be {}.':
    'Anfragen von anderen Websites sind nicht erlaubt. Der Origin muss {} sein.',
  'No sender has this domain.': 'Kein Absender hat diese Domain.',
  'The API key has expired.': 'Der API-Schlüssel ist abgelaufen.',
  'The API key making this request expires. A new key must not expire later.':
    'Der API-Schlüssel dieser Anfrage läuft ab. Ein neuer Schlüssel darf nicht später ablaufen.',
  'The API key making this request is restricted to IP addresses. A new key can only use a subset of them.':
    'Der API-Schlüssel dieser Anfrage ist auf IP-Adressen beschränkt. Ein neuer Schlüssel kann nur einen Teil davon nutzen.',
  'The workspace has reached its limit of {} API keys. Revoke unused keys first.':
    'Der Workspace hat sein Limit von {} API-Schlüsseln erreicht. Widerrufen Sie zuerst ungenutzte.',
  'The account that owns the API key no longer exists.':
    'Das Konto, dem der API-Schlüssel gehört, existiert nicht mehr.',
  'Test keys cannot create, change or revoke live keys.':
    'Testschlüssel können keine Live-Schlüssel erstellen, ändern oder widerrufen.',
  'Only a signed-in user can create a key with admin permission. Sign in, or run: mailkeel admin keys create':
    'Nur eine angemeldete Person kann einen Schlüssel mit der Berechtigung admin erstellen. Melden Sie sich an, oder führen Sie aus: mailkeel admin keys create',
  'API keys with admin permission cannot be pinned to a sub-tenant.':
    'API-Schlüssel mit der Berechtigung admin können keinem Mandanten zugeordnet werden.',
  'Keys with admin permission cannot be changed, replaced or revoked by other keys.':
    'Schlüssel mit der Berechtigung admin lassen sich nicht durch andere Schlüssel ändern, ersetzen oder widerrufen.',
  'The server has reached its limit of {} workspaces. The operator can raise MAILKEEL_WORKSPACES.':
    'Der Server hat sein Limit von {} Workspaces erreicht. Der Betreiber kann MAILKEEL_WORKSPACES erhöhen.',
  'Test keys cannot create or change workspaces.':
    'Testschlüssel können keine Workspaces erstellen oder ändern.',
};

const MAIL: Catalogue = {
  'DKIM keys are used for live mail. Use a live key.':
    'DKIM-Schlüssel gelten für Live-Mail. Verwenden Sie einen Live-Schlüssel.',
  '{} is the DNS zone of this server. Use a name one label below it.':
    '{} ist die DNS-Zone dieses Servers. Verwenden Sie einen Namen eine Ebene darunter.',
  'A sending domain under {} must add exactly one label, such as customer.{}.':
    'Eine Absenderdomain unter {} darf nur eine Ebene hinzufügen, etwa customer.{}.',
  '{} is a reserved name. Use another label.': '{} ist ein reservierter Name. Verwenden Sie einen anderen.',
  'The domain was changed by another request. Try again.':
    'Die Domain wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The DKIM keys were changed by another request. Try again.':
    'Die DKIM-Schlüssel wurden durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'Another workspace has verified this domain. Verify again to get new DNS records.':
    'Ein anderer Workspace hat diese Domain bestätigt. Prüfen Sie sie erneut, um neue DNS-Einträge zu erhalten.',
  "The sub-tenant's domain is in this server's DNS zone, where its keys are published automatically.":
    'Die Domain des Mandanten liegt in der DNS-Zone dieses Servers; ihre Schlüssel werden dort automatisch veröffentlicht.',
  'New DKIM keys are already waiting for their DNS records. Publish those records first.':
    'Neue DKIM-Schlüssel warten bereits auf ihre DNS-Einträge. Veröffentlichen Sie zuerst diese.',
  'Both key names are in use, one by the current signing key and the other until {} by the previous key. Try again then.':
    'Beide Schlüsselnamen sind belegt, einer vom aktuellen Schlüssel und der andere bis {} vom vorigen. Versuchen Sie es dann erneut.',
  'Aliases require a DNS zone for this server. Set MAILKEEL_DNS_ZONE.':
    'Aliase brauchen eine DNS-Zone für diesen Server. Setzen Sie MAILKEEL_DNS_ZONE.',
  'A domain cannot be the default sender. Add an address on the domain and make it the default.':
    'Eine Domain kann nicht Standardabsender sein. Fügen Sie eine Adresse der Domain hinzu und wählen Sie diese.',
  'The default sender must be verified.': 'Der Standardabsender muss bestätigt sein.',
  '{} already exists as a sender.': '{} ist bereits als Absender angelegt.',
  '{} is on a verified domain, so adding it would verify it immediately. Use a live key.':
    '{} gehört zu einer bestätigten Domain und wäre sofort bestätigt. Verwenden Sie einen Live-Schlüssel.',
  'The confirmation email is sent as live mail. Use a live key.':
    'Die Bestätigungsmail wird als Live-Mail gesendet. Verwenden Sie einen Live-Schlüssel.',
  'The sender is used for live mail. Use a live key to change it.':
    'Der Absender wird für Live-Mail verwendet. Ändern Sie ihn mit einem Live-Schlüssel.',
  'A confirmation email was sent less than a minute ago. Try again later.':
    'Vor weniger als einer Minute wurde eine Bestätigungsmail gesendet. Versuchen Sie es später erneut.',
  'The template does not have version {}.': 'Die Vorlage hat keine Version {}.',
  'The server is parsing too many templates. Nothing was stored. Try again.':
    'Der Server liest zu viele Vorlagen. Es wurde nichts gespeichert. Versuchen Sie es erneut.',
  'The server is parsing too many templates. Try again.':
    'Der Server liest zu viele Vorlagen. Versuchen Sie es erneut.',
  'The server is rendering too many templates. Nothing was stored. Try again.':
    'Der Server füllt zu viele Vorlagen aus. Es wurde nichts gespeichert. Versuchen Sie es erneut.',
  'The template must have html or text.': 'Die Vorlage braucht html oder text.',
  'Test keys cannot change live templates. Copy the template to the test environment instead.':
    'Testschlüssel können keine Live-Vorlagen ändern. Kopieren Sie die Vorlage in die Testumgebung.',
  'The template belongs to the workspace. Create a template with the same slug to override it.':
    'Die Vorlage gehört dem Workspace. Legen Sie eine mit demselben Slug an, um sie zu ersetzen.',
  'The template was changed by another request. Try again.':
    'Die Vorlage wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The template belongs to the workspace. Use a workspace key.':
    'Die Vorlage gehört dem Workspace. Verwenden Sie einen Schlüssel des Workspaces.',
  'Test keys cannot change live templates. Use a live key to copy the template.':
    'Testschlüssel können keine Live-Vorlagen ändern. Kopieren Sie die Vorlage mit einem Live-Schlüssel.',
  'The template already exists in the {} environment.': 'Die Vorlage existiert bereits in der Umgebung {}.',
  'The contact does not exist.': 'Der Kontakt existiert nicht.',
  'The template is used by {}{}. Update them first, or delete the template with force=true.':
    'Die Vorlage wird verwendet von {}{}. Ändern Sie diese zuerst, oder löschen Sie die Vorlage mit force=true.',
  'The contact was added and deleted by other requests. Try again.':
    'Der Kontakt wurde durch andere Anfragen angelegt und gelöscht. Versuchen Sie es erneut.',
  'The contact is repeatedly being added and deleted by other requests. Try again.':
    'Der Kontakt wird durch andere Anfragen ständig angelegt und gelöscht. Versuchen Sie es erneut.',
  'The contact was changed by another request. Try again.':
    'Der Kontakt wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The contact cannot become active because its address is suppressed (reason: {}). Remove the address from the suppression list first.':
    'Der Kontakt kann nicht aktiv werden, weil die Adresse gesperrt ist (Grund: {}). Entfernen Sie sie zuerst von der Sperrliste.',
  'The address is suppressed (reason: {}), and signing up does not remove the suppression. Remove the address from the suppression list first.':
    'Die Adresse ist gesperrt (Grund: {}), und eine Anmeldung hebt die Sperre nicht auf. Entfernen Sie sie zuerst von der Sperrliste.',
  'The confirmation email needs a default sender. Make a verified sender the default.':
    'Die Bestätigungsmail braucht einen Standardabsender. Wählen Sie einen bestätigten Absender als Standard.',
  'The export is not complete yet.': 'Der Export ist noch nicht fertig.',
  'The file is no longer available.': 'Die Datei ist nicht mehr verfügbar.',
  'The limit of {} unfinished {} has been reached. Retry when one of them is complete.':
    'Das Limit von {} offenen {} ist erreicht. Versuchen Sie es erneut, wenn einer fertig ist.',
  'An inbound message has no recipient to suppress.':
    'Eine eingegangene Nachricht hat keinen Empfänger, der sich sperren ließe.',
  'The list of selected objects is no longer available.':
    'Die Liste der ausgewählten Objekte ist nicht mehr verfügbar.',
  'The {} is already finished.': 'Der Vorgang ist bereits beendet ({}).',
  'No list uses this publishable key.': 'Keine Liste verwendet diesen öffentlichen Schlüssel.',
  'Another sub-tenant already uses this external_id.':
    'Ein anderer Mandant verwendet diese external_id bereits.',
  'The sub-tenant is used for live mail. Use a live key to change it.':
    'Der Mandant wird für Live-Mail verwendet. Ändern Sie ihn mit einem Live-Schlüssel.',
  'The sub-tenant was changed by another request. Try again.':
    'Der Mandant wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The sub-tenant is suspended until its DNS records are correct again.':
    'Der Mandant ist gesperrt, bis seine DNS-Einträge wieder stimmen.',
  'Throttles apply to live mail only. Use a live key.':
    'Drosselungen gelten nur für Live-Mail. Verwenden Sie einen Live-Schlüssel.',
  'These pages are shown to recipients of live mail. Use a live key.':
    'Diese Seiten sehen Empfänger von Live-Mail. Verwenden Sie einen Live-Schlüssel.',
  'These names are used for live mail. Use a live key.':
    'Diese Namen gelten für Live-Mail. Verwenden Sie einen Live-Schlüssel.',
  'No domain is configured for sending {}. Set MAILKEEL_PLATFORM_DOMAIN{}':
    'Für den Versand ist keine Domain eingerichtet ({}). Setzen Sie MAILKEEL_PLATFORM_DOMAIN{}',
  'The DKIM record of {} is not in DNS, so {} cannot be signed. Publish the record{}':
    'Der DKIM-Eintrag von {} ist nicht im DNS; Signieren nicht möglich ({}). Veröffentlichen Sie den Eintrag{}',
  alerts: 'Benachrichtigungen',
  'must not be the same as `from`': 'darf nicht mit `from` übereinstimmen',
  'You have sent yourself {} test alerts of this kind in the past hour. Try again later.':
    'Sie haben sich in der letzten Stunde {} Testwarnungen dieser Art gesendet. Versuchen Sie es später erneut.',
  'Set a webhook URL before you send a test alert.':
    'Legen Sie eine Webhook-URL fest, bevor Sie ein Testereignis senden.',
  'Too many emails of this type were sent to this address or requested from this network recently. Try again in a few hours.':
    'An diese Adresse gingen zuletzt zu viele solcher E-Mails, oder sie wurden aus diesem Netz zu oft angefordert. Versuchen Sie es in einigen Stunden erneut.',
  'The subject exceeds {} characters.': 'Der Betreff überschreitet {} Zeichen.',
  '{} is not a contact. {} mail can be sent only to contacts.':
    '{} ist kein Kontakt. Mail der Art {} kann nur an Kontakte gehen.',
  'Inbound messages cannot be resent.': 'Eingegangene Nachrichten lassen sich nicht erneut senden.',
  'The message content is no longer stored.': 'Der Inhalt der Nachricht ist nicht mehr gespeichert.',
  'The sub-tenant is {}, so {} mail is rejected.': 'Der Mandant ist {}, daher wird Mail abgewiesen ({}).',
  'The display name of {} contains {}, which is not a verified sender.':
    'Der Anzeigename von {} enthält {}; diese Adresse ist kein bestätigter Absender.',
  'The thread does not exist in the scope of this request.':
    'Der Thread existiert im Bereich dieser Anfrage nicht.',
  'The html exceeds {} characters, so its CSS cannot be inlined.':
    'Das HTML überschreitet {} Zeichen; sein CSS lässt sich nicht einbetten.',
  'The CSS in the html cannot be inlined.': 'Das CSS im HTML lässt sich nicht einbetten.',
  'The webhook endpoint is disabled. Enable it before you send a test event.':
    'Der Webhook-Endpunkt ist deaktiviert. Aktivieren Sie ihn, bevor Sie ein Testereignis senden.',
  'The webhook endpoint is disabled. Enable it before you replay events.':
    'Der Webhook-Endpunkt ist deaktiviert. Aktivieren Sie ihn, bevor Sie Ereignisse erneut senden.',
  'A replay for this webhook endpoint is already in progress.':
    'Für diesen Webhook-Endpunkt läuft bereits eine Wiederholung.',
  'The webhook endpoint was changed by another request. Try again.':
    'Der Webhook-Endpunkt wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The webhook endpoint was changed by another request.':
    'Der Webhook-Endpunkt wurde durch eine andere Anfrage geändert.',
  'Each environment of a workspace can have up to {} webhook endpoints.':
    'Jede Umgebung eines Workspaces kann bis zu {} Webhook-Endpunkte haben.',
  'The campaign is being sent. Pause it before you cancel it.':
    'Die Kampagne wird gesendet. Pausieren Sie sie, bevor Sie sie abbrechen.',
  'The campaign is being sent. Pause and cancel it first.':
    'Die Kampagne wird gesendet. Pausieren Sie sie zuerst und brechen Sie sie ab.',
  'The list belongs to sub-tenant {}. Set sub_tenant_id to that ID.':
    'Die Liste gehört dem Mandanten {}. Geben Sie diese ID als sub_tenant_id an.',
  'The template {} does not exist.': 'Die Vorlage {} existiert nicht.',
  'The campaign is being sent or has already been sent.':
    'Die Kampagne wird gesendet oder wurde bereits gesendet.',
  'A scheduled campaign must have a send time. Set another time, or cancel the campaign.':
    'Eine geplante Kampagne braucht eine Sendezeit. Geben Sie eine andere an, oder brechen Sie die Kampagne ab.',
  'The campaign was changed by another request. Try again.':
    'Die Kampagne wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  "The campaign's status has changed in the meantime. Try again.":
    'Der Status der Kampagne hat sich inzwischen geändert. Versuchen Sie es erneut.',
  'The campaign does not have a template. Choose one.': 'Die Kampagne hat keine Vorlage. Wählen Sie eine.',
  'Neither the campaign nor its template has a subject. Add one.':
    'Weder die Kampagne noch ihre Vorlage hat einen Betreff. Ergänzen Sie einen.',
  'Template {} is for {} messages, but this campaign sends {}.':
    'Vorlage {} ist für Nachrichten der Art {}, diese Kampagne sendet aber {}.',
  'This recipient does not have an edited copy.': 'Für diesen Empfänger gibt es keine bearbeitete Kopie.',
  "The campaign's list was deleted.": 'Die Liste der Kampagne wurde gelöscht.',
  'The server was restored from a backup and its mail is on hold. The operator must first release it with: mailkeel admin restore --release':
    'Der Server wurde aus einer Sicherung wiederhergestellt; seine Mail wird zurückgehalten. Der Betreiber muss sie zuerst freigeben: mailkeel admin restore --release',
  'The campaign does not exist.': 'Die Kampagne existiert nicht.',
  'The sequence was changed by another request. Try again.':
    'Die Sequenz wurde durch eine andere Anfrage geändert. Versuchen Sie es erneut.',
  'The contact does not exist. Only existing contacts can be enrolled.':
    'Der Kontakt existiert nicht. Aufnehmen lassen sich nur vorhandene Kontakte.',
  'The enrollment has already ended.': 'Die Teilnahme ist bereits beendet.',
  'Template "{}" was deleted. Create a template with this slug or change the step, then resume the sequence.':
    'Die Vorlage „{}“ wurde gelöscht. Legen Sie eine Vorlage mit diesem Slug an oder ändern Sie den Schritt, und setzen Sie die Sequenz dann fort.',
  'Template "{}" is for {} messages. Change its type or the step, then resume the sequence.':
    'Die Vorlage „{}“ ist für Nachrichten der Art {}. Ändern Sie die Art oder den Schritt, und setzen Sie die Sequenz dann fort.',
  'The list does not exist, or it is a segment, which contacts cannot join.':
    'Die Liste existiert nicht, oder sie ist ein Segment, dem Kontakte nicht beitreten können.',
};

export const REFUSAL_TEXTS: Catalogue = { ...CODES, ...REQUESTS, ...FORMS, ...PEOPLE, ...MAIL };
