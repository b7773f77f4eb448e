// The newsletter area: the newsletters and their subscribers.

import { useLoad } from '../../api/use-load'
import { lazyAddition } from '../../ui/lazy'
import { PageLayout } from '../../ui/page-layout'
import type { Listed } from './newsletter-api'
import { NewsletterList } from './newsletter-list'
import { SubscriberList } from './subscriber-list'

const SenderCheckCard = lazyAddition<object>(() =>
  import('./sender-check').then((loaded) => loaded.SenderCheckCard),
)

export function NewsletterArea() {
  const data = useLoad<Listed>('/api/admin/sendings')
  return (
    <PageLayout
      title="Newsletter"
      text="Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi."
    >
      <NewsletterList data={data} />
      <SubscriberList mails={data.value?.mails ?? null} bounces={data.value?.bounces ?? null} />
      {data.value?.mails === true ? <SenderCheckCard /> : null}
    </PageLayout>
  )
}
