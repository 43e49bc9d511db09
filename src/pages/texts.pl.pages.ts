// Polish texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const PL: PageTexts = {
  errors: {
    tooMany: 'Zbyt wiele prób. Spróbuj ponownie za kilka minut.',
    failed: 'Coś poszło nie tak. Otwórz link jeszcze raz.',
  },
  signUp: {
    title: 'Zapisz się',
    gone: 'Ta strona nie istnieje lub nie jest już dostępna. Link potwierdzający mógł wygasnąć – zapisz się ponownie.',
    badAddress: 'Podaj prawidłowy adres.',
    address: 'Adres e-mail',
    name: 'Imię i nazwisko (opcjonalnie)',
    trap: 'Pozostaw to pole puste',
    submit: 'Zapisz się',
    consent: 'Zapisując się, zgadzasz się na przetwarzanie danych zgodnie z polityką prywatności.',
    privacy: 'Polityka prywatności',
    thanks: 'Dziękujemy',
    mailed: (email: string): Html =>
      html`Jeśli ten nadawca może pisać na adres <strong>${email}</strong>, wiadomość jest już w drodze. Aby
        potwierdzić, otwórz zawarty w niej link.`,
    joined: (email: string): Html =>
      html`Jeśli ten nadawca może pisać na adres <strong>${email}</strong>, otrzymasz następną wiadomość z tej
        listy. Wcześniej możesz dostać wiadomość z linkiem potwierdzającym.`,
    failed: 'Coś poszło nie tak.',
    goBack: 'Wróć i spróbuj ponownie.',
  },
  confirm: {
    title: 'Potwierdzenie',
    ask: (email: string): Html =>
      html`Czy chcesz otrzymywać te wiadomości na adres <strong>${email}</strong>?`,
    yes: 'Tak, zapisz mnie',
    ignore: 'Jeśli to nie Twoja prośba, zamknij tę stronę – nic się nie stanie.',
    done: 'Zapis potwierdzony',
    doneText: (list: string): string =>
      `Od teraz będziesz otrzymywać wiadomości z listy „${list}”. W każdej jest link do wypisania się.`,
  },
  confirmMail: {
    subject: (list: string): string => `Potwierdź zapis: ${list}`,
    asked: (list: string, email: string): string =>
      `Otrzymaliśmy prośbę o zapisanie adresu ${email} na listę „${list}”.`,
    open: 'Aby potwierdzić zapis, otwórz tę stronę:',
    ignore:
      'Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Bez Twojego potwierdzenia adres nie zostanie zapisany.',
  },
  unsubscribe: {
    title: 'Wypisz się',
    gone: 'Ten link jest nieprawidłowy. Użyj go dokładnie w takiej postaci, jak w wiadomości.',
    ask: (email: string): Html =>
      html`Czy nie chcesz już otrzymywać wiadomości od tego nadawcy na adres <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Wypisz tylko z listy „${list}”`,
    all: 'Wypisz mnie',
    fromEverything: 'Wypisz ze wszystkiego',
    choose: 'Wybierz, co chcesz otrzymywać',
    done: 'Wypisano',
    doneText: 'Ten nadawca nie będzie już do Ciebie pisać.',
    left: (list: string): string => `Wypisano z listy „${list}”`,
    leftText: 'Z tej listy nic więcej nie otrzymasz.',
    chooseElse: 'Wybierz, co jeszcze chcesz otrzymywać',
    sample:
      'To jest link z podglądu. W prawdziwej wiadomości prowadzi każdego odbiorcę do strony, na której wypisuje się z listy lub ze wszystkich wiadomości.',
  },
  preferences: {
    title: 'Twoje wiadomości',
    gone: 'Ten link jest nieprawidłowy. Użyj go dokładnie w takiej postaci, jak w wiadomości.',
    saved: 'Zapisano.',
    intro: (email: string): Html => html`Co ten nadawca wysyła na adres <strong>${email}</strong>.`,
    none: 'Nie ma Cię na żadnej z jego list.',
    save: 'Zapisz',
    pending: '(czeka na Twoje potwierdzenie)',
    noMail: 'Żadnych wiadomości',
    blocked: 'Ten nadawca nie pisze na ten adres.',
    unsubscribed: 'Wypisano Cię – ten nadawca nie będzie do Ciebie pisać.',
    again: 'Zapisz się ponownie',
  },
  sender: {
    title: 'Potwierdź nadawcę',
    ask: (email: string): Html =>
      html`Czy zgadzasz się na wysyłanie wiadomości w imieniu <strong>${email}</strong>?`,
    confirm: 'Potwierdzam',
    ignore: 'Jeśli się nie zgadzasz, zamknij tę stronę – nic się nie stanie.',
    done: 'Nadawca potwierdzony',
    doneText: (email: string): Html =>
      html`Adresu <strong>${email}</strong> można teraz używać jako nadawcy. Możesz zamknąć tę stronę.`,
    gone: 'Ten link nie działa',
    goneText: 'Został już użyty, wygasł lub zastąpił go nowszy.',
  },
  forward: {
    title: 'Przekazywanie wiadomości',
    ask: (inbox: string, email: string): Html =>
      html`Czy przekazywać wiadomości wysłane na <strong>${inbox}</strong> na adres
        <strong>${email}</strong>?`,
    confirm: 'Przekazuj',
    ignore: 'Jeśli nie wyrażasz zgody, zamknij tę stronę. Nic nie zostanie przekazane.',
    done: 'Przekazywanie potwierdzone',
    doneText: (email: string): Html =>
      html`Nowe wiadomości będą przekazywane na <strong>${email}</strong>. Aby później zatrzymać
        przekazywanie, otwórz ponownie link z wiadomości potwierdzającej.`,
    active: (inbox: string, email: string): Html =>
      html`Wiadomości wysłane na <strong>${inbox}</strong> są przekazywane na <strong>${email}</strong>.`,
    stop: 'Zatrzymaj przekazywanie',
    stopped: 'Przekazywanie zatrzymane',
    stoppedText: (email: string): Html =>
      html`Wiadomości nie są już przekazywane na <strong>${email}</strong>.`,
  },
  link: {
    title: 'Ten link nie działa',
    unknown: 'Jest nieprawidłowy albo wiadomość, w której był, już nie istnieje.',
    tooMany: 'Wypróbowano stąd zbyt wiele linków. Spróbuj ponownie później.',
    unavailable: 'Tego linku nie można teraz otworzyć. Spróbuj ponownie.',
  },
};
