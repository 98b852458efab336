import type { ReactNode } from 'react'
import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'

const words = texts.firstHour

export interface StepProps {
  /** The step is done or skipped. */
  onDone: () => void
  onSkipAll: () => void
}

interface StepLayoutProps extends StepProps {
  /** From 1 to 3. */
  position: number
  title: string
  body: string
  /** The button that does the step. */
  action: ReactNode
  children: ReactNode
}

const STEPS = 3

/** One step of the first hour, which can be skipped alone or with all others. */
export function Step({ position, title, body, action, children, onDone, onSkipAll }: StepLayoutProps) {
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <p className="text-[13px] text-quiet">{words.step(position, STEPS)}</p>
        <Button variant="quiet" className="-me-3 -mt-1.5 h-8! px-3! text-[13.5px]!" onClick={onSkipAll}>
          {words.skipAll}
        </Button>
      </div>
      <h2 className="font-display text-[22px] leading-tight">{title}</h2>
      <p className="mt-1 mb-4 text-quiet">{body}</p>
      {children}
      <div className="mt-5 flex justify-end gap-2">
        <Button variant="quiet" onClick={onDone}>
          {words.skip}
        </Button>
        {action}
      </div>
    </>
  )
}
