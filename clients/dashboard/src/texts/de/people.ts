// The German texts of people.ts.
import type { PeopleTexts } from '../people.js';
import type { Translated } from '../texts.js';

export const de: Translated<PeopleTexts> = {
  title: 'Personen',
  about:
    'Wer sich in dieser Organisation anmelden darf und was jeder darf. Personen gehören zu allen ihren Workspaces.',
  invite: 'Jemanden einladen',
  person: 'Person',
  role: 'Rolle',
  factor: 'Zweiter Faktor',
  since: 'Seit',
  you: 'Sie',
  emptyTitle: 'Niemand hier',
  empty: 'Laden Sie Ihre Kollegen ein.',
  on: 'an',
  off: 'aus',
  roles: {
    title: 'Was jede Rolle darf',
    owner: 'Alles, und entscheidet allein über Eigentümer.',
    admin: 'Alles außer dem, was Eigentümer betrifft: Schlüssel, Personen, Einstellungen, Workspaces.',
    member: 'Mail, Vorlagen, Kontakte, Kampagnen, Sequenzen und Sub-Tenants.',
    viewer: 'Sieht alles und ändert nichts.',
  },
  onlyAdmins: 'Eigentümer und Admins laden ein und ändern Rollen.',
  changeRole: 'Rolle ändern',
  changeRoleOf: (name) => `Rolle von ${name}`,
  roleChanged: 'Die Rolle ist geändert.',
  remove: 'Aus der Organisation entfernen',
  removeOf: (name) => `${name} entfernen?`,
  removeHint:
    'Die Person wird sofort abgemeldet und kann sich hier nicht mehr anmelden. Was sie angelegt hat, bleibt; API-Schlüssel gelten weiter.',
  removed: 'Die Person ist entfernt.',
  leave: 'Organisation verlassen',
  leaveTitle: 'Diese Organisation verlassen?',
  leaveHint: 'Sie werden abgemeldet und brauchen eine neue Einladung, um zurückzukehren.',
  invitations: 'Offene Einladungen',
  noInvitations: 'Keine Einladung ist offen.',
  expires: 'Endet',
  invitedBy: 'Eingeladen von',
  email: 'E-Mail-Adresse',
  inviteHint:
    'Die Person bekommt einen Link, mit dem sie ein Passwort wählt oder mit ihrem Konto beitritt. Er gilt 7 Tage.',
  send: 'Einladen',
  mailed: (email) => `Die Einladung ist unterwegs an ${email}.`,
  link: 'Link der Einladung',
  linkMailed: 'Die Mail enthält denselben Link. Er wird nur jetzt gezeigt.',
  linkNotMailed:
    'Es ging keine Mail hinaus: Die Appliance hat noch keine Domain zum Senden. Geben Sie diesen Link selbst weiter; er wird nur jetzt gezeigt.',
  revoke: 'Widerrufen',
  revokeOf: (email) => `Einladung von ${email} widerrufen?`,
  revokeHint: 'Ihr Link gilt nicht mehr. Sie können die Adresse erneut einladen.',
  revoked: 'Die Einladung ist widerrufen.',
  again: 'Erneut einladen',
};
