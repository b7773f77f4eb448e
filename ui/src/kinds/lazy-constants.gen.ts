// Generated from the program's own tables. Do not edit: BLESS=1 cargo test --test generated

export const unknownReason = "motivo sconosciuto";
export const noMail = "Il sito non può ancora mandare posta";
export const noPlace = "Oggi le copie sono solo su questo server. Chi lo gestisce può attivare quelle altrove.";
export const notAnAmount = "Scrivi un importo, per esempio 95 oppure 95,50";
export const phoneDigitsMin = 7;
export const versionsMax = 50;

export const testimonialLimits = {
  name: 80,
  activity: 160,
  message: 4000,
  note: 1000,
} as const;

/** What a browser's name for itself holds, and how people call it. */
export const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
export const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;
export const unknownDevice = "Dispositivo sconosciuto";
