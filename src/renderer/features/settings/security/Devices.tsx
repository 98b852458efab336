import { Laptop } from 'lucide-react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { texts } from '#/renderer/lib/texts'
import { type Device, useDevicesQuery, useSignOutOthersMutation } from './account'
import { deviceName } from './device-name'

const words = texts.settings.security

/** The devices on which the member is signed in, and a button that signs out all others. */
export function Devices() {
  const { data: devices, isError, refetch } = useDevicesQuery()
  const ending = useSignOutOthersMutation()
  return (
    <div className="mt-4 border-line border-t pt-4">
      <h3 className="font-medium">{words.devices}</h3>
      {devices === undefined ? (
        <div className="grid h-20 place-items-center">
          <SpinnerOrRetry hasFailed={isError} onRetry={() => void refetch()} />
        </div>
      ) : (
        <ul aria-label={words.devices} className="mt-1">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      )}
      {ending.isError && (
        <div className="mt-2">
          <Alert>{words.signOutOthersFailed}</Alert>
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
    </div>
  )
}

function DeviceRow({ device }: { device: Device }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <Laptop aria-hidden="true" className="size-5 shrink-0 text-quiet" />
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{deviceName(device.user_agent)}</p>
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
    </li>
  )
}
