interface MemberNamesProps {
  username: string
  fullName: string | null
}

/** A member's two names, one below the other, beside their picture; what does not fit is cut off. */
export function MemberNames({ username, fullName }: MemberNamesProps) {
  return (
    <span className="min-w-0 flex-1 text-[14px] leading-tight">
      <span className="block truncate font-semibold">{username}</span>
      <span className="block truncate text-[13px] text-quiet">{fullName}</span>
    </span>
  )
}
