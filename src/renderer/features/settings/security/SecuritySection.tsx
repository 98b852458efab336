import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { SettingsSection } from '../components/SettingsSection'
import { ChangeEmailDialog } from './ChangeEmailDialog'
import { ChangePasswordDialog } from './ChangePasswordDialog'
import { Devices } from './Devices'

const words = texts.settings.security

/** Password, e-mail and devices (AUTH-15). */
export function SecuritySection() {
  const { email } = useMe()
  const [open, setOpen] = useState<'password' | 'email' | null>(null)
  const handleClose = () => setOpen(null)
  return (
    <SettingsSection title={words.title}>
      <p className="text-[13.5px] text-quiet [overflow-wrap:anywhere]">{words.signedInAs(email)}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => setOpen('password')}>{words.changePassword}</Button>
        <Button onClick={() => setOpen('email')}>{words.changeEmail}</Button>
      </div>
      <Devices />
      {open === 'password' && <ChangePasswordDialog onClose={handleClose} />}
      {open === 'email' && <ChangeEmailDialog onClose={handleClose} />}
    </SettingsSection>
  )
}
