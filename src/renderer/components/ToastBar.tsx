import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'

/** How long a toast stays unless it is hovered or focused, in milliseconds. */
const SHOWN_MS = 8_000

const AT_FOOT = 'start-[calc(var(--rail-width)+12px)] end-3 bottom-[calc(20px+var(--banner-height))]'
const ASIDE =
  'max-md:inset-x-3 max-md:top-32 md:bottom-[calc(20px+var(--banner-height))] md:[@media(min-height:760px)]:start-[calc(var(--rail-width)+12px)] md:[@media(min-height:760px)]:end-3 md:[@media(max-height:759px)]:start-[calc(var(--rail-width)+max(28px,(100vw-var(--rail-width))/2-488px))] md:[@media(max-height:759px)]:w-76.5'

interface ToastBarProps {
  /**
   * Keeps the bottom of a conversation free: toasts move over the list in low windows, and to the top in narrow ones.
   */
  isAside: boolean
}

/** Shows toasts at the bottom of the page. */
export function ToastBar({ isAside }: ToastBarProps) {
  const toast = useToast((state) => state.toast)
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => closeToast, [])
  useEffect(() => {
    if (toast === null || isHeld) return
    const timer = setTimeout(closeToast, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, isHeld])
  const handleClose = () => {
    // The toast is removed before it can fire a leave or blur event.
    setIsHeld(false)
    closeToast()
  }
  const handleUndo = () => {
    handleClose()
    toast?.undo?.()
  }
  return (
    // A press here must not count as a click outside an open dialog.
    <div
      role="status"
      onPointerDown={(event) => event.stopPropagation()}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={`pointer-events-none fixed z-60 flex justify-center ${isAside ? ASIDE : AT_FOOT}`}
    >
      {toast !== null && (
        <div
          key={toast.id}
          className="pointer-events-auto flex max-w-120 animate-appear items-center gap-2 rounded-md border border-line bg-raised py-1.5 ps-4 pe-1.5 text-[14px] shadow-card"
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">{toast.text}</span>
          {toast.undo !== undefined && (
            <button
              type="button"
              onClick={handleUndo}
              className="rounded-sm px-2 py-1 font-semibold text-accent hover:bg-accent-wash"
            >
              {texts.undo}
            </button>
          )}
          <IconButton label={texts.close} size="small" onClick={handleClose} className="text-quiet">
            <X />
          </IconButton>
        </div>
      )}
    </div>
  )
}
