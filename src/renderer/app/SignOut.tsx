import { useEffect, useState } from 'react'
import { endSignOutRequest, signOut, useMemberId, useSignOutRequest } from '#/renderer/features/auth'
import { hasUnsent, SignOutDialog } from '#/renderer/features/settings'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'

/** Whether to ask before signing out. Without the code of the dialog nothing is asked, and nothing is deleted. */
async function mustAsk(me: string, server: string): Promise<boolean> {
  try {
    if (!(await hasUnsent(me, server))) return false
    await SignOutDialog.load()
    return true
  } catch (cause) {
    logFailure('ask before sign-out', cause)
    return false
  }
}

/** Signs out when the member asks for it; asks first if something is not sent. */
export function SignOut() {
  const isRequested = useSignOutRequest(({ isAsked }) => isAsked)
  const me = useMemberId()
  const server = useServerInfo(({ storageKey }) => storageKey)
  const [isQuestion, setIsQuestion] = useState(false)

  useEffect(() => {
    if (!isRequested) return
    let isOver = false
    const act = async () => {
      const isNeeded = me !== null && server !== null && (await mustAsk(me, server))
      if (isOver) return
      if (isNeeded) return setIsQuestion(true)
      endSignOutRequest()
      await signOut()
    }
    void act()
    return () => {
      isOver = true
      setIsQuestion(false)
    }
  }, [isRequested, me, server])

  if (!isQuestion || me === null || server === null) return null
  return <SignOutDialog me={me} server={server} onClose={endSignOutRequest} />
}
