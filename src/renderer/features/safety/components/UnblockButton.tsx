import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'
import type { SafetyMember } from '../model'
import { useUnblockMutation } from '../mutations'

/** Unblocks a member. */
export function UnblockButton({ member }: { member: SafetyMember }) {
  const unblocking = useUnblockMutation(member)
  return (
    <Button onClick={() => unblocking.mutate()} disabled={unblocking.isPending}>
      {texts.safety.unblock}
    </Button>
  )
}
