import { openSafetyDialog, useSafetyDialog } from '../open-dialog'
import { BlockDialog } from './BlockDialog'
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
