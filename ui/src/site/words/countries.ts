// Countries that search engines are told of, by the codes they know (ISO 3166).

export const countryCodes = {
  Italia: 'IT',
  Svizzera: 'CH',
  'San Marino': 'SM',
  Austria: 'AT',
  Francia: 'FR',
  Germania: 'DE',
  Slovenia: 'SI',
  Croazia: 'HR',
  Malta: 'MT',
  Spagna: 'ES',
} as const

export type CountryName = keyof typeof countryCodes
export const countryNames = Object.keys(countryCodes) as readonly CountryName[]
