import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { texts } from '#/renderer/lib/texts'
import { openSafetyDialog, useSafetyDialog } from '../dialog-store'
import type { SafetyMember } from '../model'
import { useBlockMutation } from '../mutations'
import { ReportDialog } from './ReportDialog'

const handleClose = () => openSafetyDialog(null)

/** The dialog that a menu opened: to block or to report. */
export function SafetyModal() {
  const dialog = useSafetyDialog((state) => state.dialog)
  if (dialog === null) return null
  const { member } = dialog
  return dialog.kind === 'block' ? (
    <BlockDialog member={member} onClose={handleClose} />
  ) : (
    <ReportDialog member={member} postId={dialog.postId} onClose={handleClose} />
  )
}

interface BlockDialogProps {
  member: SafetyMember
  onClose: () => void
}

/** Explains what blocking does, and asks for confirmation. */
function BlockDialog({ member, onClose }: BlockDialogProps) {
  const blocking = useBlockMutation(member)
  return (
    <Dialog
      title={texts.safety.blockTitle(member.username)}
      description={texts.safety.blockBody}
      onClose={onClose}
    >
      {blocking.isError && <Alert>{texts.safety.failed}</Alert>}
      <div className="mt-5 flex justify-end gap-2.5">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          variant="primary"
          onClick={() => blocking.mutate(undefined, { onSuccess: onClose })}
          disabled={blocking.isPending}
        >
          {texts.safety.block}
        </Button>
      </div>
    </Dialog>
  )
}
