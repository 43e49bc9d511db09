// The German texts of requests.ts.
import type { RequestsTexts } from '../requests.js';
import type { Translated } from '../texts.js';

export const de: Translated<RequestsTexts> = {
  title: 'Anfragen',
  about: 'Was die API in dieser Umgebung gefragt wurde und was sie geantwortet hat.',
  sample:
    'Eine Auswahl: Von jeder Minute werden 300 Fehler, 60 Änderungen und 30 Lesezugriffe behalten, 30 Tage lang, wenn der Betreiber nichts anderes gewählt hat. Texte stehen als ihre Länge da, Adressen als ihre Domain.',
  request: 'Anfrage',
  method: 'Methode',
  path: 'Pfad beginnt mit',
  status: 'Status',
  code: 'Fehlercode',
  by: 'Anfragen von',
  byOf: { keys: 'API-Schlüsseln', people: 'Personen', all: 'Allen' },
  actor: 'Schlüssel oder Person',
  duration: 'Dauer',
  at: 'Zeit',
  classes: {
    '2xx': 'Erfolgreich (2xx)',
    '4xx': 'Abgelehnt (4xx)',
    '5xx': 'Störungen (5xx)',
  },
  exact: 'Genauer Status',
  people: 'Personen',
  keys: 'API-Schlüssel',
  operation: 'Operation',
  param: 'Feld',
  requestId: 'Id der Anfrage',
  subTenant: 'Sub-Tenant',
  query: 'Abfrage',
  body: 'Inhalt',
  reference: 'Was der Code bedeutet',
  emptyTitle: 'Noch keine Anfragen',
  empty:
    'Hier erscheinen Anfragen mit einem Schlüssel dieser Umgebung. Wählen Sie „Personen“, um Anfragen durch Klicks im Dashboard zu sehen.',
};
