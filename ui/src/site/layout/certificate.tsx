// Drawing of a certificate: sheet, two waves, seal.

export function Certificate() {
  return (
    <svg viewBox="0 0 160 120" aria-hidden="true">
      <rect x="4" y="6" width="152" height="98" rx="8" fill="#f3efe6" />
      <rect x="12" y="14" width="136" height="82" rx="4" fill="none" stroke="#c9b38f" />
      <path
        d="M54 40q13-13 26 0t26 0M54 50q13-13 26 0t26 0"
        fill="none"
        stroke="#1f5c5c"
        stroke-width="2.5"
        stroke-linecap="round"
      />
      <rect x="44" y="63" width="72" height="4" rx="2" fill="#12312f" />
      <rect x="56" y="73" width="48" height="3" rx="1.5" fill="#8b8374" />
      <path d="M122 90l-6 26 12-8 12 8-6-26Z" fill="#a8452f" />
      <circle cx="128" cy="86" r="15" fill="#f0b793" />
      <circle cx="128" cy="86" r="9" fill="none" stroke="#a8452f" stroke-width="2" />
    </svg>
  )
}
