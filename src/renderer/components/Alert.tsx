import type { ReactNode } from 'react'

export function Alert({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="animate-appear rounded-md border border-accent/35 bg-accent-wash px-3.5 py-2.5 text-[14px] text-ink wrap-anywhere"
    >
      {children}
    </div>
  )
}
