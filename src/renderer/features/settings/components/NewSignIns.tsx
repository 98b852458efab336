import { useEffect } from 'react'
import { registerDevice } from '#/renderer/lib/device/register-device'
import { useNewSignIns } from '../queries'
import { NewSignInBanner } from './NewSignInBanner'

/** Registers this device, and asks 'Was this you?' after a sign-in on another one. Mount once the first page has loaded. */
export function NewSignIns() {
  useEffect(() => void registerDevice(), [])
  const signIns = useNewSignIns()
  return (
    <div role="status" className="text-[14px]">
      <NewSignInBanner signIns={signIns} />
    </div>
  )
}
