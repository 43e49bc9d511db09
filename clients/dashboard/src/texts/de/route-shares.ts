// Deutsche Texte der Anteile von Routen.
import type { RouteShareTexts } from '../route-shares.js';
import type { Translated } from '../texts.js';

export const de: Translated<RouteShareTexts> = {
  about:
    'Routen, die einen Anteil ihrer E-Mails direkt zustellen und den Rest über einen Smarthost. Vergleichen Sie beide Wege und erhöhen Sie den Anteil schrittweise.',
  forOperator: 'Anteile sind nur für den Betreiber sichtbar',
  forOperatorHint:
    'Anteile gehören zum Server, nicht zu einem Workspace. Nur Mitglieder und Admin-Schlüssel des Betreiber-Workspace können sie sehen.',
  emptyTitle: 'Keine Route hat einen Anteil',
  empty:
    'Um einen anderen E-Mail-Dienst schrittweise zu verlassen, geben Sie einer Route in der Egress-Datei einen Anteil. Siehe Anleitung „Leave another service“.',
  states: { active: 'aktiv', paused: 'pausiert', lowered: 'gesenkt', finished: 'abgeschlossen' },
  split: (direct, rest) => `${direct} direkt, ${rest} über den Smarthost`,
  changed: 'Letzte Änderung',
  plan: 'Plan',
  noPlan: 'Ändert sich nur durch Sie.',
  rises: (step, days, until) =>
    `Steigt ${days === '1' ? 'täglich' : `alle ${days} Tage`} um ${step} Punkte bis ${until}.`,
  next: (percent) => `Nächste Stufe: ${percent}, frühestens`,
  waits: {
    time: 'Wartet auf die nächste Stufe.',
    sample: 'Wartet auf 100 direkte Nachrichten seit der letzten Änderung.',
    bounces: 'Wartet, bis weniger als 2 % der direkten Nachrichten zurückkommen.',
    complaints: 'Wartet, bis weniger als 0,1 % der direkten Nachrichten Beschwerden auslösen.',
  },
  paused: 'Pausiert. Der Anteil bleibt, bis Sie fortsetzen.',
  lowered: 'Mailkeel hat den Anteil halbiert. Er bleibt, bis Sie fortsetzen.',
  finished:
    'Alle E-Mails dieser Route gehen direkt hinaus. Sie können den Smarthost aus der Egress-Datei entfernen.',
  figures: (days) => `Letzte ${days} Tage`,
  direct: 'Direkt',
  smarthost: 'Smarthost',
  sent: 'Gesendet',
  delivered: 'Zugestellt',
  deferred: 'Verzögert',
  bounced: 'Bounces',
  complained: 'Beschwerden',
  opened: 'Geöffnet',
  deliveredHint: 'Smarthosts melden Zustellungen nur für Nachrichten mit Zustellbericht.',
  change: 'Anteil ändern',
  changeTitle: (route) => `Anteil von ${route} ändern`,
  percent: 'Direkter Anteil in Prozent',
  percentHint: 'Solange der Anteil steigt, bleiben Empfänger auf dem direkten Weg.',
  reason: 'Grund',
  reasonHint: 'Nur für den Betreiber sichtbar.',
  changedTo: (percent) => `Anteil auf ${percent} geändert.`,
  pause: 'Pausieren',
  pausedDone: 'Anstieg pausiert.',
  resume: 'Fortsetzen',
  resumedDone: 'Anstieg fortgesetzt.',
  finish: 'Abschließen',
  finishTitle: (route) => `Alle E-Mails von ${route} direkt zustellen?`,
  finishAbout:
    'Der Anteil wird 100 %. Nachrichten, die schon über den Smarthost versucht wurden, bleiben dort. Sie können den Anteil wieder senken.',
  finishedDone: 'Alle E-Mails der Route gehen jetzt direkt hinaus.',
};
