import { badgeLabel } from '#/shared/badge'

interface UnreadBadgeProps {
  count: number
  testId: string
}

/** How many are unread, on an icon of the header; none at zero (NAV-02). What it stands on says the number in its name. */
export function UnreadBadge({ count, testId }: UnreadBadgeProps) {
  if (count === 0) return null
  return (
    <span
      data-testid={testId}
      aria-hidden="true"
      className="absolute end-0.5 top-0.5 h-[17px] min-w-[17px] rounded-full bg-accent px-1 text-center font-semibold text-[10.5px] text-on-accent leading-[17px] ring-2 ring-paper"
    >
      {badgeLabel(count)}
    </span>
  )
}
