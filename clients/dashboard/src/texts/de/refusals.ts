// The German texts of refusals.ts.
import type { RefusalTexts } from '../refusals.js';
import type { Translated } from '../texts.js';

export const de: Translated<RefusalTexts> = {
  codes: {
    sub_tenant_mismatch:
      'Diese Seite und die Anfrage meinen verschiedene Mandanten. Laden Sie die Seite neu.',
    totp_required:
      'Ihr Konto verwendet Zwei-Faktor-Anmeldung. Geben Sie einen Code aus Ihrer App oder einen Wiederherstellungscode ein.',
    csrf_token_invalid:
      'Ihre Sitzung hat sich geändert. Laden Sie die Seite neu und versuchen Sie es erneut.',
    precondition_failed:
      'Inzwischen hat jemand anderes dies geändert. Laden Sie die Seite neu und wiederholen Sie Ihre Änderung.',
    idempotency_key_mismatch:
      'Die Anfrage ließ sich nicht wiederholen. Laden Sie die Seite neu und versuchen Sie es erneut.',
    idempotency_answer_lost:
      'Dies ist bereits geschehen, aber das Ergebnis ging verloren. Laden Sie die Seite neu, um es zu sehen.',
    policy_violation: 'Die Versandrichtlinie des API-Schlüssels erlaubt diese Nachricht nicht.',
    contact_left_list:
      'Der Kontakt hat sich von dieser Liste abgemeldet. Nehmen Sie ihn nur wieder auf, wenn er darum gebeten hat.',
    campaign_incomplete: 'Die Kampagne braucht eine Liste und eine Vorlage.',
    template_in_use:
      'Sequenzen, nicht abgeschlossene Kampagnen oder Bestätigungsmails verwenden diese Vorlage.',
    validation_error: 'Einige Eingaben sind ungültig. Prüfen Sie das Formular.',
    content_required:
      'Die Nachricht hat keinen Inhalt. Schreiben Sie einen Text oder wählen Sie eine Vorlage.',
    sender_required:
      'Es ist kein Absender gewählt, und es gibt keinen Standardabsender. Wählen Sie einen Absender.',
    rate_limited: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
    headers_too_large: 'Die Anfrage war zu groß. Laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  fields: {
    audience: 'Empfängerkreis',
    email: 'E-Mail-Adresse',
    events: 'Ereignistypen',
    from: 'Absender',
    html: 'HTML-Teil',
    list_id: 'Liste',
    password: 'Passwort',
    reply_to: 'Antwortadresse',
    scheduled_at: 'Startzeit',
    send_at: 'Sendezeit',
    steps: 'Schritte',
    sub_tenant_id: 'Mandant',
    subject: 'Betreff',
    template: 'Vorlage',
    template_id: 'Vorlage',
    text: 'Textteil',
    to: 'Empfänger',
    url: 'Adresse',
    variables: 'Variablen',
  },
};
