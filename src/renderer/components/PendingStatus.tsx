import { logIfFails } from '#/renderer/lib/core/logger'
import { cancelRow, discardRow, type OutboxRow, retryRow, useUploadProgress } from '#/renderer/lib/outbox'
import { useIsOnline } from '#/renderer/lib/queries/useIsOnline'
import { texts } from '#/renderer/lib/texts'

interface PendingStatusProps {
  row: OutboxRow
  /** Called to return the text to its form. Without it, the row cannot be edited. */
  onEdit?: (() => void) | undefined
}

/** Shows why a row of the outbox is not on the server yet, with the actions that a member can take. */
export function PendingStatus({ row: { id, state, reason }, onEdit }: PendingStatusProps) {
  const isOnline = useIsOnline()
  const isRefused = state === 'refused'
  const uploaded = useUploadProgress(id)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2.5 text-[12px] text-quiet">
      {isRefused ? (
        <span title={reason === '' ? undefined : reason} className="text-accent">
          {texts.outbox.notSent}
        </span>
      ) : (
        <span>{isOnline ? (uploaded === null && reason) || texts.outbox.sending : texts.outbox.waiting}</span>
      )}
      {isRefused && (
        <>
          <PendingButton label={texts.tryAgain} isStrong onClick={() => retryRow(id)} />
          {onEdit && <PendingButton label={texts.outbox.edit} isStrong onClick={async () => onEdit()} />}
        </>
      )}
      {uploaded !== null && (
        <progress value={uploaded} aria-label={texts.outbox.uploading} className="h-1 w-20" />
      )}
      {(state !== 'sending' || uploaded !== null) && (
        <PendingButton
          label={texts.outbox.discard}
          onClick={() => (state === 'sending' ? cancelRow(id) : discardRow(id))}
        />
      )}
    </span>
  )
}

interface PendingButtonProps {
  label: string
  isStrong?: boolean
  isDisabled?: boolean
  /** A rejection is only logged. */
  onClick: () => Promise<unknown>
}

/** A button for an action on a row of the outbox. */
export function PendingButton({ label, isStrong = false, isDisabled = false, onClick }: PendingButtonProps) {
  const handleClick = () => logIfFails('outbox', onClick())
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={handleClick}
      className={`min-h-6 rounded-sm underline-offset-3 hover:underline disabled:opacity-45 ${isStrong ? 'font-semibold text-ink' : 'text-quiet'}`}
    >
      {label}
    </button>
  )
}
