import { badgeLabel } from '#/shared/badge'

interface UnreadBadgeProps {
  count: number
  testId: string
}

/**
 * The number of unread items on a header icon; nothing at zero (NAV-02). The icon's accessible name contains the
 * number.
 */
export function UnreadBadge({ count, testId }: UnreadBadgeProps) {
  if (count === 0) return null
  return (
    <span
      data-testid={testId}
      aria-hidden="true"
      className="absolute end-0.5 top-0.5 rail:end-2 rail:top-1.5 spacious:end-3.5 spacious:top-1/2 spacious:-translate-y-1/2 h-[17px] min-w-[17px] rounded-full bg-accent px-1 text-center font-semibold text-[10.5px] text-on-accent leading-[17px] ring-2 ring-paper"
    >
      {badgeLabel(count)}
    </span>
  )
}
