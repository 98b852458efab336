import { useSyncExternalStore } from 'react'
import { useConnection } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { cancelRow, discardRow, type OutboxRow, retryRow, useUploadProgress } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}

/** Whether the server can probably be reached. */
function useIsOnline(): boolean {
  const { state } = useConnection()
  const hasNetwork = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return state !== 'lost' && hasNetwork
}

interface PendingStatusProps {
  row: OutboxRow
  /** Returns the text to its form. */
  onEdit: () => void
}

/** Says why a row of the outbox is not on the server yet, and offers what a member can do about it. */
export function PendingStatus({ row: { id, state, reason }, onEdit }: PendingStatusProps) {
  const isOnline = useIsOnline()
  const isRefused = state === 'refused'
  const uploaded = useUploadProgress(id)
  const log = (cause: unknown) => logFailure('outbox', cause)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2.5 text-[12px] text-quiet">
      {isRefused ? (
        <span title={reason === '' ? undefined : reason} className="text-accent">
          {texts.messages.notSent}
        </span>
      ) : (
        <span>{isOnline ? texts.messages.sending : texts.messages.waiting}</span>
      )}
      {isRefused && (
        <>
          <PendingButton label={texts.tryAgain} isStrong onClick={() => void retryRow(id).catch(log)} />
          <PendingButton label={texts.messages.edit} isStrong onClick={onEdit} />
        </>
      )}
      {uploaded !== null && (
        <progress value={uploaded} aria-label={texts.messages.uploading} className="h-1 w-20" />
      )}
      {(state !== 'sending' || uploaded !== null) && (
        <PendingButton
          label={texts.messages.discard}
          onClick={() => void (state === 'sending' ? cancelRow(id) : discardRow(id)).catch(log)}
        />
      )}
    </span>
  )
}

interface PendingButtonProps {
  label: string
  isStrong?: boolean
  onClick: () => void
}

function PendingButton({ label, isStrong = false, onClick }: PendingButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`min-h-6 rounded-sm underline-offset-3 hover:underline ${isStrong ? 'font-semibold text-ink' : ''}`}
    >
      {label}
    </button>
  )
}
