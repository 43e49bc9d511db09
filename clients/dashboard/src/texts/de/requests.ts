// The German texts of requests.ts.
import type { RequestsTexts } from '../requests.js';
import type { Translated } from '../texts.js';

export const de: Translated<RequestsTexts> = {
  title: 'Anfrageprotokoll',
  about: 'API-Anfragen und -Antworten in dieser Umgebung.',
  sample:
    'Stichprobe: Pro Minute werden bis zu 300 Fehler, 60 Änderungen und 30 Lesezugriffe gespeichert, 30 Tage lang, sofern der Betreiber nichts anderes festgelegt hat. Texte erscheinen als Länge, Adressen als Domain.',
  request: 'Anfrage',
  method: 'Methode',
  path: 'Pfad beginnt mit',
  status: 'Status',
  code: 'Fehlercode',
  by: 'Von',
  byOf: { keys: 'API-Schlüssel', people: 'Personen', all: 'Alle' },
  actor: 'API-Schlüssel oder Person',
  duration: 'Dauer',
  at: 'Zeit',
  classes: {
    '2xx': 'Erfolgreich (2xx)',
    '4xx': 'Client-Fehler (4xx)',
    '5xx': 'Serverfehler (5xx)',
  },
  exact: 'Statuscode',
  people: 'Personen',
  keys: 'API-Schlüssel',
  operation: 'Operation',
  param: 'Parameter',
  requestId: 'Anfrage-ID',
  subTenant: 'Mandant',
  query: 'Abfrage',
  body: 'Body',
  reference: 'Fehlerreferenz anzeigen',
  emptyTitle: 'Noch keine Anfragen',
  empty:
    'Mit einem API-Schlüssel dieser Umgebung gestellte Anfragen erscheinen hier. Wählen Sie „Personen“, um Anfragen aus dem Dashboard zu sehen.',
};
