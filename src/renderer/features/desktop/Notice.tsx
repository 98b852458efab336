import type { ReactNode } from 'react'

interface NoticeProps {
  words: string
  /** Buttons: what can be done about it. */
  children?: ReactNode
}

/** A quiet banner above the page. */
export function Notice({ words, children }: NoticeProps) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-line border-b bg-accent-wash px-4 py-1.5">
      <span>{words}</span>
      {children != null && <span className="flex flex-wrap gap-1">{children}</span>}
    </div>
  )
}
