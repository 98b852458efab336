import { Laptop } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { deviceName } from '../model'
import { useSignOutDeviceMutation, useSignOutOthersMutation } from '../mutations'
import { type Device, useDevicesQuery } from '../queries'
import { ChangeEmailDialog, ChangePasswordDialog } from './AccountDialogs'
import { SettingsSection } from './SettingsSection'

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

/** The devices on which the member is signed in, and a button that signs out all others. */
export function Devices() {
  const { data: devices, isError, refetch } = useDevicesQuery()
  const ending = useSignOutOthersMutation()
  const endingOne = useSignOutDeviceMutation()
  const [chosen, setChosen] = useState<Device | null>(null)
  return (
    <div className="mt-4 border-line border-t pt-4">
      <h3 className="font-medium">{words.devices}</h3>
      {devices === undefined ? (
        <div className="grid h-20 place-items-center">
          <SpinnerOrRetry hasFailed={isError} onRetry={refetch} />
        </div>
      ) : (
        <ul aria-label={words.devices} className="mt-1">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} onSignOut={() => setChosen(device)} />
          ))}
        </ul>
      )}
      {(ending.isError || endingOne.isError) && (
        <div className="mt-2">
          <Alert>{ending.isError ? words.signOutOthersFailed : words.signOutDeviceFailed}</Alert>
        </div>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <p role="status" className="text-[13.5px] text-quiet">
          {ending.isSuccess ? words.signedOutOthers : devices?.length === 1 ? words.onlyHere : ''}
        </p>
        {devices !== undefined && devices.length > 1 && (
          <Button disabled={ending.isPending} onClick={() => ending.mutate()}>
            {words.signOutOthers}
          </Button>
        )}
      </div>
      {chosen !== null && (
        <ConfirmDialog
          title={words.signOutDeviceTitle}
          body={words.signOutDeviceBody(deviceName(chosen.user_agent))}
          action={words.signOut}
          isBusy={endingOne.isPending}
          onConfirm={() => endingOne.mutate(chosen.id, { onSettled: () => setChosen(null) })}
          onCancel={() => setChosen(null)}
        />
      )}
    </div>
  )
}

function DeviceRow({ device, onSignOut }: { device: Device; onSignOut: () => void }) {
  const name = deviceName(device.user_agent)
  return (
    <li className="flex items-center gap-3 py-2">
      <Laptop aria-hidden="true" className="size-5 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-[13.5px] text-quiet">
          {device.is_current ? (
            words.thisDevice
          ) : (
            <>
              {words.lastUsed} <RelativeTime at={device.last_used_at} />
            </>
          )}
        </p>
      </div>
      {!device.is_current && (
        <Button
          variant="quiet"
          className="-me-3 h-8! px-3! text-[13.5px]!"
          aria-label={words.signOutDevice(name)}
          onClick={onSignOut}
        >
          {words.signOut}
        </Button>
      )}
    </li>
  )
}
