// French texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const FR: PageTexts = {
  errors: {
    tooMany: 'Trop de demandes. Veuillez réessayer dans quelques minutes.',
    failed: 'Cela n’a pas fonctionné. Veuillez rouvrir le lien.',
  },
  signUp: {
    title: 'Inscription',
    gone: 'Cette page n’existe pas ou plus. Un lien de confirmation a pu expirer : veuillez vous réinscrire.',
    badAddress: 'Veuillez saisir une adresse valide.',
    address: 'Adresse e-mail',
    name: 'Nom (facultatif)',
    trap: 'Laissez ce champ vide',
    submit: 'S’inscrire',
    consent:
      'En vous inscrivant, vous acceptez que vos données soient traitées comme le décrit la politique de confidentialité.',
    privacy: 'Politique de confidentialité',
    thanks: 'Merci',
    mailed: (email: string): Html =>
      html`Si cet expéditeur peut écrire à <strong>${email}</strong>, un e-mail est en route. Ouvrez le lien
        qu’il contient pour confirmer.`,
    joined: (email: string): Html =>
      html`Si cet expéditeur peut écrire à <strong>${email}</strong>, vous recevrez le prochain e-mail de
        cette liste. Vous recevrez peut-être d’abord un e-mail avec un lien de confirmation.`,
    failed: 'Cela n’a pas fonctionné.',
    goBack: 'Veuillez revenir en arrière et réessayer.',
  },
  confirm: {
    title: 'Confirmation',
    ask: (email: string): Html =>
      html`Souhaitez-vous recevoir ces e-mails à l’adresse <strong>${email}</strong> ?`,
    yes: 'Oui, je m’inscris',
    ignore: 'Si vous n’avez rien demandé, fermez cette page : rien ne se passera.',
    done: 'Votre inscription est confirmée',
    doneText: (list: string): string =>
      `Vous recevrez désormais les e-mails de « ${list} ». Chacun contient un lien de désinscription.`,
  },
  confirmMail: {
    subject: (list: string): string => `Confirmez votre inscription : ${list}`,
    asked: (list: string, email: string): string =>
      `Nous avons reçu une demande d’inscription de ${email} à « ${list} ».`,
    open: 'Pour confirmer votre inscription, ouvrez cette page :',
    ignore:
      'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Vous ne serez pas inscrit sans votre confirmation.',
  },
  unsubscribe: {
    title: 'Désinscription',
    gone: 'Ce lien n’est pas valide. Utilisez-le exactement tel qu’il figure dans le message.',
    ask: (email: string): Html =>
      html`Ne plus recevoir d’e-mails de cet expéditeur à <strong>${email}</strong> ?`,
    leaveList: (list: string): string => `Se désinscrire seulement de « ${list} »`,
    all: 'Se désinscrire',
    fromEverything: 'Se désinscrire de tout',
    choose: 'Choisir les e-mails à recevoir',
    done: 'Vous êtes désinscrit',
    doneText: 'Cet expéditeur ne vous écrira plus.',
    left: (list: string): string => `Vous vous êtes désinscrit de « ${list} »`,
    leftText: 'Vous ne recevrez plus rien de cette liste.',
    chooseElse: 'Choisir les autres e-mails à recevoir',
    sample:
      'Ce lien est celui d’un aperçu. Dans le message lui-même, il mène chaque destinataire à une page où il se désinscrit de la liste ou de tous les e-mails.',
  },
  preferences: {
    title: 'Vos e-mails',
    gone: 'Ce lien n’est pas valide. Utilisez-le exactement tel qu’il figure dans le message.',
    saved: 'Enregistré.',
    intro: (email: string): Html => html`Ce que cet expéditeur envoie à <strong>${email}</strong>.`,
    none: 'Vous n’êtes inscrit à aucune de ses listes.',
    save: 'Enregistrer',
    pending: '(en attente de votre confirmation)',
    noMail: 'Aucun e-mail',
    blocked: 'Cet expéditeur n’écrit pas à cette adresse.',
    unsubscribed: 'Vous êtes désinscrit : cet expéditeur ne vous écrira pas.',
    again: 'Se réinscrire',
  },
  sender: {
    title: 'Confirmer un expéditeur',
    ask: (email: string): Html =>
      html`Autorisez-vous l’envoi d’e-mails au nom de <strong>${email}</strong> ?`,
    confirm: 'Confirmer',
    ignore: 'Si vous n’êtes pas d’accord, fermez cette page : rien ne se passera.',
    done: 'Expéditeur confirmé',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> peut maintenant servir d’expéditeur. Vous pouvez fermer cette page.`,
    gone: 'Ce lien ne fonctionne pas',
    goneText: 'Il a déjà servi, a expiré ou a été remplacé par un lien plus récent.',
  },
  forward: {
    title: 'Transfert d’e-mails',
    ask: (inbox: string, email: string): Html =>
      html`Transférer à <strong>${email}</strong> les e-mails reçus à <strong>${inbox}</strong> ?`,
    confirm: 'Transférer',
    ignore: 'Si vous n’êtes pas d’accord, fermez cette page. Rien ne vous sera transféré.',
    done: 'Transfert confirmé',
    doneText: (email: string): Html =>
      html`Les nouveaux e-mails seront transférés à <strong>${email}</strong>. Pour arrêter plus tard, ouvrez
        à nouveau le lien de l’e-mail de confirmation.`,
    active: (inbox: string, email: string): Html =>
      html`Les e-mails reçus à <strong>${inbox}</strong> sont transférés à <strong>${email}</strong>.`,
    stop: 'Arrêter le transfert',
    stopped: 'Transfert arrêté',
    stoppedText: (email: string): Html =>
      html`Plus aucun e-mail n’est transféré à <strong>${email}</strong>.`,
  },
  link: {
    title: 'Ce lien ne fonctionne pas',
    unknown: 'Il n’est pas valide, ou le message qui le contenait n’existe plus.',
    tooMany: 'Trop de liens ont été essayés depuis cet endroit. Veuillez réessayer plus tard.',
    unavailable: 'Ce lien ne peut pas être suivi pour le moment. Veuillez réessayer.',
  },
};
