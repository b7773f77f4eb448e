// Texts of sign-in and set-up.
import { answers } from '../../kinds/kinds.gen'

export const authMessages = {
  title: 'Entra nel pannello',
  text: "Quest'area è riservata a chi gestisce il sito.",
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Mostra la password',
  hidePassword: 'Nascondi la password',
  submitting: 'Un momento...',
  wrong: answers.wrongSignIn,
  tooMany: 'Troppi tentativi. Riprova tra qualche minuto.',
  expired: 'La sessione è scaduta. Accedi di nuovo.',
  logout: 'Esci',
  loggedOut: 'Sei fuori dal pannello. A presto.',
  back: 'Torna al sito',
  forgotten: 'Password dimenticata?',
  setUpUsed: {
    title: "L'accesso esiste già",
    text: 'Questo link vale una volta sola ed è già stato usato. Entra con la tua e-mail e la tua password.',
    action: 'Accedi',
    help: "Non l'hai fatto tu? Chiedi a chi gestisce il server.",
  },
  code: 'Codice di verifica',
  codeHint: 'Le sei cifre dell’app, oppure un codice di recupero.',
} as const
