import { dateAndTime } from '#/renderer/lib/content/time'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { useSessionEnd } from '#/renderer/lib/device/session-end'
import { texts } from '#/renderer/lib/texts'

const words = texts.auth.ended

/** Says what was changed when another device, or a change of the account, has signed out this one. */
export function SessionEndNotice() {
  const end = useSessionEnd()
  const isEmbedded = useServerInfo((state) => state.server?.kind === 'embedded')
  if (end === null) return null
  const at = dateAndTime(end.ended_at)
  return (
    <div role="status" className="mb-4 rounded-md bg-lifted px-3.5 py-2.5 text-[13.5px]">
      <p>{textFor(end.reason)(at)}</p>
      {end.reason === 'password' && <p className="mt-1 text-quiet">{words.passwordNotYou}</p>}
      {end.reason === 'email' && isEmbedded && <p className="mt-1 text-quiet">{words.emailNotYou}</p>}
    </div>
  )
}

function textFor(reason: string | null): (at: string) => string {
  if (reason === 'password') return words.password
  return reason === 'email' ? words.email : words.device
}
