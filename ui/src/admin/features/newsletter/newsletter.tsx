// The newsletter area: the newsletters and their subscribers.

import { useLoad } from '../../api/use-load'
import { PageLayout } from '../../ui/page-layout'
import type { Listed } from './newsletter-api'
import { NewsletterList } from './newsletter-list'
import { SubscriberList } from './subscriber-list'

export function NewsletterArea() {
  const data = useLoad<Listed>('/api/admin/sendings')
  return (
    <PageLayout
      title="Newsletter"
      text="Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi."
    >
      <NewsletterList data={data} />
      <SubscriberList mails={data.value?.mails ?? null} bounces={data.value?.bounces ?? null} />
    </PageLayout>
  )
}
