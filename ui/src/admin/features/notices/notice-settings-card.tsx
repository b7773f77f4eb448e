// Chooses the notices that are also sent by e-mail.
import { BellOff, Send } from 'lucide'
import { useState } from 'preact/hooks'
import { momentText } from '../../../lib/panel-date-format'
import { call, reasonOf } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { settingMessages } from '../../api/setting-messages'
import { useLoad } from '../../api/use-load'
import { useSession } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Switch } from '../../ui/fields/switch-field'
import { words } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { noticeSwitchMessages as own } from './messages'
import type { Notices } from './notice-text'

const SWITCHES = [
  'noticeTestimonial',
  'noticeBackup',
  'noticeCertificate',
  'noticeServer',
  'noticeDevice',
] as const
type SwitchName = (typeof SWITCHES)[number]
type Switches = Readonly<Record<SwitchName, boolean>>

export function NoticeSettingsCard() {
  const settings = useLoad<Switches>('/api/admin/settings')
  const notices = useLoad<Notices>('/api/admin/notices')
  return (
    <Card title={own.title}>
      <p className={styles.soft}>{own.text}</p>
      <WhenLoaded data={settings}>
        {(switches) => <SwitchList switches={switches} reload={settings.reload} />}
      </WhenLoaded>
      <WhenLoaded data={notices}>
        {(list) => (
          <>
            <MonthlySwitch list={list} reload={notices.reload} />
            <Mail list={list} />
          </>
        )}
      </WhenLoaded>
    </Card>
  )
}

function SwitchList({ switches, reload }: { switches: Switches; reload: () => Promise<void> }) {
  const [asking, setAsking] = useState(false)
  const set = async (name: SwitchName, on: boolean) => {
    const done = await attempt(words.toasts.update, () =>
      call('PUT', '/api/admin/settings', { [name]: on }),
    )
    if (done) toastDone(own.saved)
    await reload()
  }
  return (
    <>
      <div className={styles.stack}>
        {SWITCHES.map((name) => (
          <div key={name}>
            <Switch
              label={settingMessages[name].label}
              help={settingMessages[name].help}
              checked={switches[name]}
              onChange={(on) => {
                if (name === 'noticeDevice' && !on) setAsking(true)
                else void set(name, on)
              }}
            />
          </div>
        ))}
      </div>
      {asking ? (
        <Confirm
          question={own.deviceOffQuestion}
          confirm={own.deviceOffConfirm}
          icon={BellOff}
          onConfirm={async () => {
            await set('noticeDevice', false)
            setAsking(false)
          }}
          onClose={() => {
            setAsking(false)
            // The browser has already toggled the switch; the reload resets it.
            void reload()
          }}
        >
          <p>{own.deviceOffText}</p>
        </Confirm>
      ) : null}
    </>
  )
}

function MonthlySwitch({ list, reload }: { list: Notices; reload: () => Promise<void> }) {
  const choose = async (wanted: boolean) => {
    const done = await attempt(words.toasts.update, () =>
      call('PUT', '/api/admin/notices/monthly', { wanted }),
    )
    if (done) toastDone(own.saved)
    await reload()
  }
  return (
    <Switch
      label={own.monthly}
      help={own.monthlyHelp}
      checked={list.monthly}
      onChange={(wanted) => void choose(wanted)}
    />
  )
}

function Mail({ list }: { list: Notices }) {
  const email = useSession((store) => store.session?.email ?? '')
  const [busy, setBusy] = useState(false)
  if (!list.mails) return <p className={styles.soft}>{own.noMailServer}</p>
  const test = async () => {
    setBusy(true)
    try {
      const answer = await call<{ sent: boolean; reason: string | null }>(
        'POST',
        '/api/admin/notices/test',
      )
      if (answer.sent) toastDone(own.tested(email))
      else toastFailed(own.testFailed, answer.reason)
    } catch (error) {
      toastFailed(own.testFailed, reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <p className={styles.soft}>
        {own.recipient(email)} {own.oncePerHour}
      </p>
      {list.failed === null ? null : (
        <Alert text={own.failed(momentText(list.failed.at), list.failed.reason)} />
      )}
      <div className={styles.buttons}>
        <Button tone="outline" icon={Send} busy={busy} onClick={() => void test()}>
          {own.test}
        </Button>
      </div>
    </>
  )
}
