// Texts of the share button.

export const share = {
  label: 'Condividi',
  copied: 'Link copiato',
  failure: 'Non è stato possibile copiare il link',
  calendar: 'Aggiungi al calendario',
} as const
