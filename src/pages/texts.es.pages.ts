// Spanish texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const ES: PageTexts = {
  errors: {
    tooMany: 'Demasiadas solicitudes. Inténtelo de nuevo en unos minutos.',
    failed: 'No ha funcionado. Vuelva a abrir el enlace.',
  },
  signUp: {
    title: 'Suscripción',
    gone: 'Esta página no existe o ya no está disponible. Es posible que el enlace de confirmación haya caducado: suscríbase de nuevo.',
    badAddress: 'Introduzca una dirección válida.',
    address: 'Correo electrónico',
    name: 'Nombre (opcional)',
    trap: 'Deje este campo vacío',
    submit: 'Suscribirme',
    consent: 'Al suscribirse, acepta que sus datos se traten según la política de privacidad.',
    privacy: 'Política de privacidad',
    thanks: 'Gracias',
    mailed: (email: string): Html =>
      html`Si este remitente puede escribir a <strong>${email}</strong>, le llegará un correo. Abra el enlace
        que contiene para confirmar.`,
    joined: (email: string): Html =>
      html`Si este remitente puede escribir a <strong>${email}</strong>, recibirá el próximo correo de esta
        lista. Es posible que antes reciba un correo con un enlace de confirmación.`,
    failed: 'No ha funcionado.',
    goBack: 'Vuelva atrás e inténtelo de nuevo.',
  },
  confirm: {
    title: 'Confirmación',
    ask: (email: string): Html => html`¿Quiere recibir estos correos en <strong>${email}</strong>?`,
    yes: 'Sí, suscribirme',
    ignore: 'Si no lo ha solicitado, cierre esta página: no ocurrirá nada.',
    done: 'Suscripción confirmada',
    doneText: (list: string): string =>
      `A partir de ahora recibirá los correos de «${list}». Cada uno incluye un enlace para darse de baja.`,
  },
  confirmMail: {
    subject: (list: string): string => `Confirme su suscripción: ${list}`,
    asked: (list: string, email: string): string =>
      `Hemos recibido una solicitud para suscribir ${email} a «${list}».`,
    open: 'Para confirmar su suscripción, abra esta página:',
    ignore: 'Si no ha hecho esta solicitud, ignore este correo. No se le suscribirá sin su confirmación.',
  },
  unsubscribe: {
    title: 'Darse de baja',
    gone: 'Este enlace no es válido. Utilícelo exactamente como aparece en el mensaje.',
    ask: (email: string): Html =>
      html`¿No quiere recibir más correos de este remitente en <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Darme de baja solo de «${list}»`,
    all: 'Darme de baja',
    fromEverything: 'Darme de baja de todo',
    choose: 'Elegir qué correos recibo',
    done: 'Se ha dado de baja',
    doneText: 'Este remitente no volverá a escribirle.',
    left: (list: string): string => `Se ha dado de baja de «${list}»`,
    leftText: 'No recibirá nada más de esta lista.',
    chooseElse: 'Elegir qué otros correos recibo',
    sample:
      'Este es el enlace de una vista previa. En el mensaje real lleva a cada destinatario a una página donde se da de baja de la lista o de todos los correos.',
  },
  preferences: {
    title: 'Sus correos',
    gone: 'Este enlace no es válido. Utilícelo exactamente como aparece en el mensaje.',
    saved: 'Guardado.',
    intro: (email: string): Html => html`Lo que este remitente envía a <strong>${email}</strong>.`,
    none: 'No está suscrito a ninguna de sus listas.',
    save: 'Guardar',
    pending: '(pendiente de su confirmación)',
    noMail: 'Ningún correo',
    blocked: 'Este remitente no escribe a esta dirección.',
    unsubscribed: 'Se ha dado de baja: este remitente no le escribirá.',
    again: 'Volver a suscribirme',
  },
  sender: {
    title: 'Confirmar un remitente',
    ask: (email: string): Html => html`¿Autoriza el envío de correos en nombre de <strong>${email}</strong>?`,
    confirm: 'Confirmar',
    ignore: 'Si no está de acuerdo, cierre esta página: no ocurrirá nada.',
    done: 'Remitente confirmado',
    doneText: (email: string): Html =>
      html`Ya se puede usar <strong>${email}</strong> como remitente. Puede cerrar esta página.`,
    gone: 'Este enlace no funciona',
    goneText: 'Ya se ha utilizado, ha caducado o se ha sustituido por otro más reciente.',
  },
  forward: {
    title: 'Reenvío de correo',
    ask: (inbox: string, email: string): Html =>
      html`¿Reenviar a <strong>${email}</strong> los correos que llegan a <strong>${inbox}</strong>?`,
    confirm: 'Reenviar',
    ignore: 'Si no está de acuerdo, cierre esta página. No se le reenviará nada.',
    done: 'Reenvío confirmado',
    doneText: (email: string): Html =>
      html`Los correos nuevos se reenviarán a <strong>${email}</strong>. Para detener el reenvío más adelante,
        abra de nuevo el enlace del correo de confirmación.`,
    active: (inbox: string, email: string): Html =>
      html`Los correos que llegan a <strong>${inbox}</strong> se reenvían a <strong>${email}</strong>.`,
    stop: 'Detener el reenvío',
    stopped: 'Reenvío detenido',
    stoppedText: (email: string): Html => html`Ya no se reenvían correos a <strong>${email}</strong>.`,
  },
  link: {
    title: 'Este enlace no funciona',
    unknown: 'No es válido, o el mensaje que lo contenía ya no existe.',
    tooMany: 'Se han probado demasiados enlaces desde aquí. Inténtelo más tarde.',
    unavailable: 'Este enlace no se puede abrir en este momento. Inténtelo de nuevo.',
  },
};
