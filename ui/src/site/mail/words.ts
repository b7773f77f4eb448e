// The words around a newsletter in the mail, and of its plain text.

export const mailWords = {
  senderLine: '[[Ti scrive {{practitioner}}.||Ti scrive {{brand}}.]]',
  unsubscribeAction: 'Cancella l’iscrizione',
  unsubscribeNote: 'Un passo solo, senza accesso e senza domande.',
  replyNote: 'Puoi rispondere a questa e-mail: la leggo io.',
  addressLine:
    '[[{{practitioner}} · {{address}} · P. IVA {{vat_number}}||{{practitioner}} · {{address}}||{{brand}} · {{address}}]]',
  lawLine: 'Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4.',
  disclaimerLine:
    'Il Rebirthing è una pratica di crescita personale: non è un trattamento medico né psicoterapeutico.',
  privacyLink: 'Informativa privacy',
  siteLink: 'Vai al sito',
  plainUnsubscribe: 'Per non riceverla più, un passo solo:',
} as const
