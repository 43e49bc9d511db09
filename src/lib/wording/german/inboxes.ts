// Translates refusals about inboxes, their forwarding, and drafts of replies.
import type { Catalogue } from '../translate.js';

export const INBOXES: Catalogue = {
  'An inbox with this address already exists.': 'Es gibt bereits einen Posteingang mit dieser Adresse.',
  'The draft was changed or sent in the meantime. Fetch it again.':
    'Der Entwurf wurde inzwischen geändert oder gesendet. Rufen Sie ihn erneut ab.',
  'The draft was sent and cannot be changed.':
    'Der Entwurf wurde gesendet und kann nicht mehr geändert werden.',
  'The draft was sent, but its message was deleted.':
    'Der Entwurf wurde gesendet, seine Nachricht aber inzwischen gelöscht.',
  'The draft has version {}, but the request specifies {}. Fetch it again.':
    'Der Entwurf hat die Version {}, die Anfrage nennt aber {}. Rufen Sie ihn erneut ab.',
  'The workspace has reached its limit of {} open drafts or {} MiB. Send or delete drafts.':
    'Der Workspace hat sein Limit von {} offenen Entwürfen oder {} MiB erreicht. Senden oder löschen Sie Entwürfe.',
  'The sub-tenant has reached its limit of {} open drafts or {} MiB. Send or delete drafts.':
    'Der Mandant hat sein Limit von {} offenen Entwürfen oder {} MiB erreicht. Senden oder löschen Sie Entwürfe.',
  'The workspace has reached its limit of {} inboxes.':
    'Der Workspace hat sein Limit von {} Posteingängen erreicht.',
  'Inbound domains receive mail in the live environment only. Create the inbox with a live key.':
    'Empfangsdomains empfangen nur in der Live-Umgebung Mail. Legen Sie den Posteingang mit einem Live-Schlüssel an.',
  'An API key with a send policy can set only itself as the policy key.':
    'Ein API-Schlüssel mit Versandrichtlinie kann nur sich selbst als Richtlinienschlüssel angeben.',
  'An API key with a send policy cannot set itself as the policy key of an address that already receives mail.':
    'Ein API-Schlüssel mit Versandrichtlinie kann sich nicht als Richtlinienschlüssel einer Adresse angeben, die bereits Mail empfängt.',
  'An API key with a send policy can change and delete only inboxes whose policy key it is.':
    'Ein API-Schlüssel mit Versandrichtlinie kann nur Posteingänge ändern und löschen, deren Richtlinienschlüssel er ist.',
  'An API key with a send policy can change, send and delete only drafts that it created, and those of inboxes whose policy key it is.':
    'Ein API-Schlüssel mit Versandrichtlinie kann nur Entwürfe ändern, senden und löschen, die er angelegt hat oder die zu Posteingängen gehören, deren Richtlinienschlüssel er ist.',
  'An API key with a send policy cannot change where mail is forwarded.':
    'Ein API-Schlüssel mit Versandrichtlinie kann nicht ändern, wohin Mail weitergeleitet wird.',
  'The inbox already forwards to this address.': 'Der Posteingang leitet bereits an diese Adresse weiter.',
  'An inbox can forward to up to {} addresses.': 'Ein Posteingang kann an bis zu {} Adressen weiterleiten.',
  'The owner of the address has already confirmed or stopped forwarding.':
    'Der Inhaber der Adresse hat die Weiterleitung bereits bestätigt oder beendet.',
  'An inbox cannot forward to its own address.':
    'Ein Posteingang kann nicht an seine eigene Adresse weiterleiten.',
  'The owner of the address has not confirmed the forwarding yet.':
    'Der Inhaber der Adresse hat die Weiterleitung noch nicht bestätigt.',
  'The address is on the suppression list. Remove it from the list to resume forwarding.':
    'Die Adresse steht auf der Sperrliste. Entfernen Sie sie dort, um wieder weiterzuleiten.',
  'The owner of the address has stopped the forwarding.':
    'Der Inhaber der Adresse hat die Weiterleitung beendet.',
  'An inbox with this client ID was created with different parameters.':
    'Ein Posteingang mit dieser Client-ID wurde mit anderen Parametern angelegt.',
  'This API key has a send policy, so it cannot reply from an inbox with another policy key.':
    'Dieser API-Schlüssel hat eine Versandrichtlinie und kann deshalb nicht aus einem Posteingang mit einem anderen Richtlinienschlüssel antworten.',
  "The inbox's policy key was revoked or has expired. Set another key, or none, before you reply.":
    'Der Richtlinienschlüssel des Posteingangs wurde widerrufen oder ist abgelaufen. Setzen Sie vor der Antwort einen anderen Schlüssel oder keinen.',
};
