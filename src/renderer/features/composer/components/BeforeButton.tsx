import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { photoEditor as words } from '#/renderer/lib/texts/later/compose-photos'

/** A press that is shorter, in milliseconds, turns it on or off; a longer one shows it while it lasts. */
const HOLD_MS = 300

export interface HeldBefore {
  isBefore: boolean
  press: (time: number) => void
  release: (time: number) => void
  toggle: () => void
}

/** Whether the photo is shown as it was before its changes. */
export function useHeldBefore(): HeldBefore {
  const [isBefore, setIsBefore] = useState(false)
  const pressed = useRef<{ time: number; wasOn: boolean } | null>(null)
  return {
    isBefore,
    press: (time) => {
      pressed.current = { time, wasOn: isBefore }
      setIsBefore(true)
    },
    release: (time) => {
      if (pressed.current === null) return
      const { time: start, wasOn } = pressed.current
      pressed.current = null
      setIsBefore(!wasOn && time - start < HOLD_MS)
    },
    toggle: () => setIsBefore(!isBefore),
  }
}

/** Whether a key is the shortcut that shows the photo before its changes. */
export function isBeforeKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === 'b' && !(ctrlKey || metaKey || altKey)
}

/** Shows the photo before its changes while it is held, or until it is pressed again. */
export function BeforeButton({ isBefore, press, release, toggle }: HeldBefore) {
  const isPress = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter'
  return (
    <Button
      aria-pressed={isBefore}
      title={words.beforeHint}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        press(event.timeStamp)
      }}
      onLostPointerCapture={(event) => release(event.timeStamp)}
      onKeyDown={(event) => {
        if (!isPress(event)) return
        event.preventDefault()
        if (!event.repeat) press(event.timeStamp)
      }}
      onKeyUp={(event) => {
        if (!isPress(event)) return
        event.preventDefault()
        release(event.timeStamp)
      }}
      // A screen reader clicks without a press.
      onClick={(event) => event.detail === 0 && toggle()}
      className="aria-pressed:border-accent aria-pressed:bg-accent-wash"
    >
      {words.before}
    </Button>
  )
}
