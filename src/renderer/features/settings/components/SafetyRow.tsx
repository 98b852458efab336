import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { MemberNames } from '#/renderer/components/MemberNames'
import { useMe } from '#/renderer/features/auth'
import { type SafetyList, type SafetyListed, setBlocked, setMuted } from '#/renderer/features/safety'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'

interface SafetyRowProps {
  list: SafetyList
  member: SafetyListed
}

const WORDS = {
  blocked: { on: texts.safety.unblock, off: texts.safety.block },
  muted: { on: texts.safety.unmute, off: texts.safety.mute },
} as const

/** A blocked or muted member. After an undo the row stays, with a button to redo, until the member leaves the page. */
export function SafetyRow({ list, member }: SafetyRowProps) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const [isOn, setIsOn] = useState(true)
  const [isBusy, setIsBusy] = useState(false)
  // The name is empty if they have blocked this member too.
  const username = member.username || texts.safety.somebody

  const handlePress = async () => {
    setIsBusy(true)
    try {
      if (list === 'blocked') await setBlocked(client, me, member, !isOn)
      else if (!(await setMuted(client, me, member.id, !isOn))) return
      setIsOn(!isOn)
    } catch (cause) {
      logFailure(`change ${list}`, cause)
      showToast({ text: texts.safety.failed })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <li className="flex items-center gap-3 py-2">
      <Avatar username={username} src={member.avatar_url} size={40} />
      <MemberNames username={username} fullName={member.full_name} />
      <Button className="h-8! px-3.5! text-[13.5px]!" onClick={() => void handlePress()} disabled={isBusy}>
        {WORDS[list][isOn ? 'on' : 'off']}
        <span className="sr-only"> {username}</span>
      </Button>
    </li>
  )
}
