// The newsletter: what is written and sent, and to whom.

import { useLoad } from '../api/use-load'
import { Addresses } from '../newsletter/addresses'
import { Messages } from '../newsletter/messages'
import type { Listed } from '../newsletter/sending'
import { AreaFrame } from '../ui/page-layout'

export function NewsletterArea() {
  const data = useLoad<Listed>('/api/admin/sendings')
  return (
    <AreaFrame
      title="Newsletter"
      text="Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi."
    >
      <Messages data={data} />
      <Addresses mails={data.value?.mails ?? null} />
    </AreaFrame>
  )
}
