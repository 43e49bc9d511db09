// Deutsche Texte der Entwürfe, mit denen eine Vorlage beginnen kann.
import type { StarterTexts } from '../starters.js';
import type { Translated } from '../texts.js';

export const de: Translated<StarterTexts> = {
  label: 'Startvorlage',
  names: { blank: 'Leer', newsletter: 'Newsletter', welcome: 'Begrüßung', receipt: 'Beleg' },
  newsletter: {
    heading: 'Neues für {{first_name}}',
    intro: 'Das Wichtigste aus diesem Monat in Kürze.',
    first: 'Erstes Thema',
    firstText: 'Zwei Sätze dazu, warum es wichtig ist.',
    second: 'Zweites Thema',
    secondText: 'Zwei Sätze dazu, warum es wichtig ist.',
    more: 'Weiterlesen',
  },
  welcome: {
    heading: 'Willkommen, {{first_name}}',
    intro: 'Ihr Konto ist bereit. So fangen Sie an:',
    steps: 'Profil vervollständigen\nTeam einladen\nErste Nachricht senden',
    action: 'Jetzt starten',
  },
  receipt: {
    heading: 'Ihr Beleg',
    intro: 'Vielen Dank für Ihre Bestellung **{{order_number}}**.',
    details: '**Datum:** {{date}}\n**Betrag:** {{amount}}\n**Zahlungsart:** {{payment_method}}',
    action: 'Bestellung ansehen',
  },
  footer: 'Fragen? Antworten Sie einfach auf diese E-Mail.',
};
