import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  Icon: LucideIcon
  title: string
  body: string | null
  /** `h1` if the page has no other heading. */
  heading?: 'h1' | 'h2'
  /** Actions. */
  children?: ReactNode
}

export function EmptyState({ Icon, title, body, heading: Heading = 'h2', children }: EmptyStateProps) {
  return (
    <div className="text-center">
      <Icon aria-hidden="true" className="mx-auto mb-3 size-8 stroke-[1.25] text-quiet" />
      <Heading className="font-display text-[24px]">{title}</Heading>
      {body !== null && <p className="mt-1.5 text-quiet">{body}</p>}
      {children}
    </div>
  )
}
