// The words of newsletters as the form of any kind asks for them.
import type { KindWording } from './collection-messages'

export const newsletters: KindWording<'newsletters'> = {
  label: 'Newsletter',
  text: 'Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi.',
  add: 'Scrivi una newsletter',
  empty: 'Nessuna newsletter',
  emptyHint: 'Comincia da un foglio bianco oppure da un articolo o da un evento già pubblicato.',
  addTitle: 'Nuova newsletter',
  addSubmit: 'Salva bozza',
  editTitle: 'Modifica newsletter',
  confirmDelete: 'Sei sicuro di voler eliminare questa newsletter?',
  staysInTrash: 'Resta nel cestino per 30 giorni: puoi ripristinarla quando vuoi.',
  addBy: 'form',
  fileTitle: null,
  sharedTexts: 'all',
  note: 'In fondo il sito aggiunge da sé chi scrive, perché arriva e come cancellarsi.',
  isMail: true,
  toasts: {
    added: () => 'Bozza salvata',
    addFailed: 'Errore nel salvataggio',
    updated: 'Bozza salvata',
    published: 'Stato pubblicazione aggiornato!',
    deleted: 'Newsletter eliminata',
  },
  status: { on: 'Inviata', off: 'Bozza', switch: 'Inviata' },
  where: { path: '/blog', label: 'Blog' },
  rowText: 'preheader',
  rowMeta: [],
  fields: {
    title: {
      placeholder: 'Es. Tre minuti di respiro prima di cena',
      help: 'È la prima cosa che si legge. Fino a 45 caratteri si vede intero anche sul telefono.',
    },
    preheader: {
      placeholder: 'Es. Un esercizio breve, da provare stasera',
      help: 'Nella posta compare accanto all’oggetto. Se la lasci vuota vale l’inizio del testo.',
    },
    content: { placeholder: 'Ciao, ...' },
    buttonText: { size: 'half' },
    buttonUrl: { placeholder: 'https://', size: 'half' },
  },
}
