import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '#/renderer/components/Button'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { setBlocked } from '../blocks'
import type { SafetyMember } from '../forget-member'

/** Unblocks a member and refetches what the block hid. */
export function UnblockButton({ member }: { member: SafetyMember }) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const unblocking = useMutation({
    mutationFn: () => setBlocked(client, me, member, false),
    meta: { action: 'unblock' },
    onError: () => showToast({ text: texts.safety.failed }),
  })
  return (
    <Button onClick={() => unblocking.mutate()} disabled={unblocking.isPending}>
      {texts.safety.unblock}
    </Button>
  )
}
